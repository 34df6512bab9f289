//! Every interleaving of a program's steps, by brute force: a search over all states, of which each is looked at once.

use super::{MEMORY, OWN_MEMORY, REGISTERS, Range, Stmt, ThreadProgram, Variable};
use std::collections::HashSet;

/// Copies of at most so many bytes go byte by byte, others word by word.
const SHORT: usize = 16;
const WORD: usize = 8;
pub(super) const MUTEXES: usize = 2;
/// Where assignments and spinning keep what they loaded.
const SCRATCH: usize = REGISTERS;

#[derive(Clone, Copy)]
pub(super) enum Op {
    Load(usize, Variable),
    Store(Variable, u64),
    /// The scratch register and a number.
    StoreSum(Variable, u64),
    Copy {
        to: usize,
        from: Option<usize>,
        count: usize,
    },
    Lock(usize),
    Unlock(usize),
    AtomicBegin,
    AtomicEnd,
    JumpUnless(usize, u64, usize),
    Assume(u64),
    Create(usize),
    Join(usize),
    End,
    Exit,
    Check([u64; REGISTERS]),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Life {
    Unborn,
    Running,
    Ended,
}

#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Thread {
    life: Life,
    pub(super) at: usize,
    registers: [u64; REGISTERS + 1],
    own: [u8; OWN_MEMORY],
}

#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct State {
    memory: [u8; MEMORY],
    pub(super) threads: Vec<Thread>,
    locked: [bool; MUTEXES],
    pub(super) atomic: Option<usize>,
}

impl Thread {
    pub(super) fn is_running(&self) -> bool {
        self.life == Life::Running
    }
}

pub(super) enum Step {
    Next(State),
    /// The thread can't go on now.
    Waits,
    /// No thread does anything any more.
    Over,
    /// A check failed, which ends the program.
    Failed,
}

impl ThreadProgram {
    /// Whether some interleaving fails a check; none if there are more states than that.
    pub fn can_fail(&self, most_states: usize) -> Option<bool> {
        let code: Vec<Vec<Op>> = self.threads.iter().map(|body| compile(body)).collect();
        let first = first_state(code.len());
        let mut seen = HashSet::from([first.clone()]);
        let mut open = vec![first];
        while let Some(state) = open.pop() {
            for number in (0..code.len()).filter(|&number| state.atomic.is_none_or(|owner| owner == number)) {
                match step(&code, &state, number) {
                    Step::Failed => return Some(true),
                    Step::Next(next) => {
                        if seen.insert(next.clone()) {
                            open.push(next);
                        }
                    }
                    Step::Waits | Step::Over => {}
                }
            }
            if seen.len() > most_states {
                return None;
            }
        }
        Some(false)
    }
}

/// Main is about to begin.
pub(super) fn first_state(threads: usize) -> State {
    let unborn = Thread { life: Life::Unborn, at: 0, registers: [0; REGISTERS + 1], own: [0; OWN_MEMORY] };
    let mut first = State { memory: [0; MEMORY], threads: vec![unborn; threads], locked: [false; MUTEXES], atomic: None };
    first.threads[0].life = Life::Running;
    first
}

pub(super) fn compile(body: &[Stmt]) -> Vec<Op> {
    let mut code = Vec::new();
    compile_block(body, &mut code);
    code.push(Op::End);
    code
}

fn compile_block(body: &[Stmt], code: &mut Vec<Op>) {
    for stmt in body {
        match stmt {
            Stmt::Store(variable, value) => code.push(Op::Store(*variable, *value)),
            Stmt::Add(variable, value) => code.extend([Op::Load(SCRATCH, *variable), Op::StoreSum(*variable, *value)]),
            Stmt::Load(register, variable) => code.push(Op::Load(*register, *variable)),
            Stmt::Range(range) => compile_range(range, code),
            Stmt::Lock(mutex) => code.push(Op::Lock(*mutex)),
            Stmt::Unlock(mutex) => code.push(Op::Unlock(*mutex)),
            Stmt::Atomic(body) => {
                code.push(Op::AtomicBegin);
                compile_block(body, code);
                code.push(Op::AtomicEnd);
            }
            Stmt::Helper(body) => compile_block(body, code),
            Stmt::IfEqual(register, value, body) => {
                let jump = code.len();
                code.push(Op::End);
                compile_block(body, code);
                code[jump] = Op::JumpUnless(*register, *value, code.len());
            }
            Stmt::Spin(variable, value) => {
                let start = code.len();
                code.extend([Op::Load(SCRATCH, *variable), Op::JumpUnless(SCRATCH, *value, start)]);
            }
            Stmt::Assume(variable, value) => code.extend([Op::Load(SCRATCH, *variable), Op::Assume(*value)]),
            Stmt::Quiet => {}
            Stmt::Create(thread) => code.push(Op::Create(*thread)),
            Stmt::Join(thread) => code.push(Op::Join(*thread)),
            Stmt::End => code.push(Op::End),
            Stmt::Exit => code.push(Op::Exit),
            Stmt::Check(values) => code.push(Op::Check(*values)),
        }
    }
}

fn compile_range(range: &Range, code: &mut Vec<Op>) {
    let piece = if range.length <= SHORT { 1 } else { WORD };
    let copy = |start: usize| Op::Copy { to: range.to + start, from: range.from.map(|from| from + start), count: piece };
    let mut pieces: Vec<Op> = (0..range.length).step_by(piece).map(copy).collect();
    if range.from.is_some_and(|from| range.to > from && range.to < from + range.length) {
        pieces.reverse();
    }
    code.extend(pieces);
}

fn read(bytes: &[u8], variable: &Variable) -> u64 {
    bytes[variable.at..variable.at + variable.width].iter().rev().fold(0, |value, &byte| value << 8 | byte as u64)
}

fn write(bytes: &mut [u8], variable: &Variable, value: u64) {
    bytes[variable.at..variable.at + variable.width].copy_from_slice(&value.to_le_bytes()[..variable.width]);
}

pub(super) fn step(code: &[Vec<Op>], before: &State, number: usize) -> Step {
    if before.threads[number].life != Life::Running {
        return Step::Waits;
    }
    let mut state = before.clone();
    let op = code[number][state.threads[number].at];
    let State { memory, threads, locked, atomic } = &mut state;
    let ended = matches!(op, Op::Join(other) if threads[other].life == Life::Ended);
    let all_but_one_ended = threads.iter().filter(|thread| thread.life == Life::Running).count() == 1;
    if let Op::Create(other) = op {
        threads[other].life = Life::Running;
    }
    let thread = &mut threads[number];
    thread.at += 1;
    match op {
        Op::Load(register, variable) if variable.own => thread.registers[register] = read(&thread.own, &variable),
        Op::Load(register, variable) => thread.registers[register] = read(memory, &variable),
        Op::Store(variable, value) if variable.own => write(&mut thread.own, &variable, value),
        Op::Store(variable, value) => write(memory, &variable, value),
        Op::StoreSum(variable, value) => {
            let sum = thread.registers[SCRATCH].wrapping_add(value);
            thread.registers[SCRATCH] = 0;
            write(if variable.own { &mut thread.own } else { memory }, &variable, sum);
        }
        Op::Copy { to, from: Some(from), count } => memory.copy_within(from..from + count, to),
        Op::Copy { to, from: None, count } => memory[to..to + count].fill(1),
        Op::Lock(mutex) if locked[mutex] => return Step::Waits,
        Op::Lock(mutex) => locked[mutex] = true,
        Op::Unlock(mutex) => locked[mutex] = false,
        Op::AtomicBegin => *atomic = Some(number),
        Op::AtomicEnd => *atomic = None,
        Op::JumpUnless(register, value, target) => {
            if thread.registers[register] != value {
                thread.at = target;
            }
            thread.registers[SCRATCH] = 0;
        }
        Op::Assume(value) => {
            if thread.registers[SCRATCH] != value {
                return Step::Over;
            }
            thread.registers[SCRATCH] = 0;
        }
        Op::Join(_) if !ended => return Step::Waits,
        Op::Create(_) | Op::Join(_) => {}
        Op::End if (number == 0 && thread.at == code[0].len()) || all_but_one_ended => return Step::Over,
        Op::End => thread.life = Life::Ended,
        Op::Exit => return Step::Over,
        Op::Check(values) => {
            if thread.registers[..REGISTERS] == values {
                return Step::Failed;
            }
        }
    }
    Step::Next(state)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::threads::{RANGES, VARIABLES};

    fn can_fail(main: Vec<Stmt>, other: Vec<Stmt>) -> Option<bool> {
        ThreadProgram { threads: vec![main, other] }.can_fail(10_000)
    }

    #[test]
    fn updates_are_lost_without_a_mutex() {
        let x = VARIABLES[0];
        let count = |guard: bool| {
            let stmts = [Stmt::Lock(0), Stmt::Add(x, 1), Stmt::Unlock(0)];
            stmts.into_iter().filter(|stmt| guard || matches!(stmt, Stmt::Add(..))).collect::<Vec<Stmt>>()
        };
        let main = |guard: bool| {
            let end = [Stmt::Join(1), Stmt::Load(0, x), Stmt::Check([1, 0])];
            [Stmt::Create(1)].into_iter().chain(count(guard)).chain(end).collect::<Vec<Stmt>>()
        };
        assert_eq!(can_fail(main(false), count(false)), Some(true));
        assert_eq!(can_fail(main(true), count(true)), Some(false));
    }

    #[test]
    fn a_new_thread_may_run_before_main_ends_or_not_at_all() {
        let x = VARIABLES[0];
        assert_eq!(can_fail(vec![Stmt::Create(1)], vec![Stmt::Check([0, 0])]), Some(true));
        let main = |joins: bool| {
            let join = joins.then_some(Stmt::Join(1));
            [Stmt::Create(1)].into_iter().chain(join).chain([Stmt::Load(0, x), Stmt::Check([0, 0])]).collect::<Vec<Stmt>>()
        };
        assert_eq!(can_fail(main(true), vec![Stmt::Store(x, 1)]), Some(false));
        assert_eq!(can_fail(main(false), vec![Stmt::Store(x, 1)]), Some(true));
    }

    #[test]
    fn a_fill_is_seen_in_the_middle_and_in_its_order() {
        let [first, last] = [VARIABLES[4], VARIABLES[5]];
        let main = |values: [u64; 2]| vec![Stmt::Create(1), Stmt::Load(0, last), Stmt::Load(1, first), Stmt::Check(values)];
        let fill = || vec![Stmt::Range(RANGES[0])];
        assert_eq!(can_fail(main([0, 1]), fill()), Some(true));
        assert_eq!(can_fail(main([1, 0]), fill()), Some(false));
    }
}
