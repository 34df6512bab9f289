//! Random programs with two to four threads, and the truth about them: [`ThreadProgram::can_fail`] runs every interleaving
//! of their steps, with nothing in common with how a verifier does that. A step is one load or one store of a variable,
//! one byte of a short copy or fill and one word of a long one (read and written at once), one operation on a mutex, a
//! start, a join or an end.

mod generate;
mod oracle;
mod races;
mod text;

pub use generate::{generate_locked_threads, generate_ordered_threads, generate_threads};

/// A variable: where it lies in the oracle's memory, and how C calls it. Thread-local ones lie in memory of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Variable {
    pub name: &'static str,
    pub at: usize,
    pub width: usize,
    pub own: bool,
}

const fn shared(name: &'static str, at: usize, width: usize) -> Variable {
    Variable { name, at, width, own: false }
}

/// `*q` is a local variable of main, whose address every thread is handed.
pub(crate) const VARIABLES: [Variable; 15] = [
    shared("x", 0, 4),
    shared("y", 4, 4),
    shared("z", 8, 4),
    shared("*q", 12, 4),
    shared("b[0]", 16, 1),
    shared("b[3]", 19, 1),
    shared("c[1]", 21, 1),
    shared("c[3]", 23, 1),
    shared("s.first", 24, 4),
    shared("s.second", 28, 4),
    shared("t.first", 32, 4),
    shared("t.second", 36, 4),
    shared("w[2]", 56, 8),
    Variable { name: "own", at: 0, width: 4, own: true },
    Variable { name: "errno", at: 4, width: 4, own: true },
];
pub(crate) const MEMORY: usize = 88;
pub(crate) const OWN_MEMORY: usize = 8;
pub(crate) const REGISTERS: usize = 2;

/// A copy or fill: its text, target, source (none: the byte 1) and length.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Range {
    pub text: &'static str,
    pub to: usize,
    pub from: Option<usize>,
    pub length: usize,
}

const fn range(text: &'static str, to: usize, from: Option<usize>, length: usize) -> Range {
    Range { text, to, from, length }
}

pub(crate) const RANGES: [Range; 9] = [
    range("memset(b, 1, 4)", 16, None, 4),
    range("memset(c, 1, sizeof c)", 20, None, 4),
    range("memcpy(b, c, 4)", 16, Some(20), 4),
    range("memmove(b + 1, b, 3)", 17, Some(16), 3),
    range("memmove(c, c + 1, 3)", 20, Some(21), 3),
    range("s = t", 24, Some(32), 8),
    range("memset(&t, 1, sizeof t)", 32, None, 8),
    range("memset(w, 1, sizeof w)", 40, None, 24),
    range("memcpy(w, v, sizeof w)", 40, Some(64), 24),
];

#[derive(Clone, Debug)]
pub(crate) enum Stmt {
    Store(Variable, u64),
    /// A load and a store.
    Add(Variable, u64),
    Load(usize, Variable),
    Range(Range),
    Lock(usize),
    Unlock(usize),
    Atomic(Vec<Stmt>),
    /// The statements of a function of their own; none uses a register.
    Helper(Vec<Stmt>),
    IfEqual(usize, u64, Vec<Stmt>),
    /// Goes on when the variable has the value.
    Spin(Variable, u64),
    /// Ends the run, for everybody, unless the variable has the value.
    Assume(Variable, u64),
    /// A loop that no other thread can see.
    Quiet,
    Create(usize),
    Join(usize),
    /// Ends the thread; in main, by pthread_exit.
    End,
    /// Ends the program.
    Exit,
    /// An error if each register has its value.
    Check([u64; REGISTERS]),
}

/// Thread 0 is main.
#[derive(Clone, Debug)]
pub struct ThreadProgram {
    pub(crate) threads: Vec<Vec<Stmt>>,
}
