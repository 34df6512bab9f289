//! The engine `modular` through the built binary: random programs of a few threads over small numbers, against all their interleavings. A
//! program in which some order of steps makes an assertion fail must not be proved. `FATHOM_RANDOM=1000` runs so many programs
//! instead of the usual few.

mod common;

use common::Bench;
use fathom_base::Random;
use std::collections::BTreeSet;

/// The shared variables are s[0] to s[2], with values below 4; each thread has one of its own, r.
#[derive(Clone, Copy)]
enum Op {
    Read(usize),
    Write(usize),
    Set(usize, u8),
    Next,
    /// Waits until a variable has a value and gives it another.
    Swap(usize, u8, u8),
    /// Adds one in an atomic section.
    Count(usize),
    Assume(u8),
    /// Goes to the end of the thread.
    Leave(u8),
    Assert(u8),
    AssertShared(usize, u8),
}

impl Op {
    fn any(random: &mut Random) -> Op {
        let at = random.below(3) as usize;
        let mut value = || random.below(4) as u8;
        let (one, other) = (value(), value());
        match random.below(10) {
            0 => Op::Read(at),
            1 => Op::Write(at),
            2 => Op::Set(at, one),
            3 => Op::Next,
            4 => Op::Swap(at, one, other),
            5 => Op::Count(at),
            6 => Op::Assume(one),
            7 => Op::Leave(one),
            8 => Op::Assert(one),
            _ => Op::AssertShared(at, one),
        }
    }

    fn text(self) -> String {
        match self {
            Op::Read(at) => format!("r = s{at};"),
            Op::Write(at) => format!("s{at} = r;"),
            Op::Set(at, value) => format!("s{at} = {value};"),
            Op::Next => "r = (r + 1) & 3;".into(),
            Op::Swap(at, from, to) => {
                format!("__VERIFIER_atomic_begin(); __VERIFIER_assume(s{at} == {from}); s{at} = {to}; __VERIFIER_atomic_end();")
            }
            Op::Count(at) => format!("__VERIFIER_atomic_begin(); s{at} = (s{at} + 1) & 3; __VERIFIER_atomic_end();"),
            Op::Assume(value) => format!("__VERIFIER_assume(r == {value});"),
            Op::Leave(value) => format!("if (r == {value}) return 0;"),
            Op::Assert(value) => format!("if (r == {value}) reach_error();"),
            Op::AssertShared(at, value) => format!("if (s{at} == {value}) reach_error();"),
        }
    }
}

/// A place among the operations and the value of r; None when the thread has ended.
type Thread = Option<(usize, u8)>;

struct Program {
    bodies: Vec<Vec<Op>>,
    /// Which bodies main starts, one after the other; with the last one in a loop, if it has no end.
    starts: Vec<usize>,
    endless: bool,
}

/// Shared values, threads, and how many main has started.
type State = ([u8; 3], Vec<Thread>, usize);

impl Program {
    fn any(random: &mut Random) -> Program {
        let body = |random: &mut Random| (0..2 + random.below(5)).map(|_| Op::any(random)).collect();
        let bodies: Vec<Vec<Op>> = (0..=random.below(2)).map(|_| body(random)).collect();
        let starts = (0..=random.below(3)).map(|_| random.below(bodies.len() as u64) as usize).collect();
        Program { bodies, starts, endless: random.below(2) == 0 }
    }

    fn text(&self) -> String {
        let mut text = String::from(
            "#include <pthread.h>\nvoid reach_error(void);\nvoid __VERIFIER_assume(int);\nvoid __VERIFIER_atomic_begin(void);\n\
             void __VERIFIER_atomic_end(void);\nunsigned char s0, s1, s2;\n",
        );
        for (number, body) in self.bodies.iter().enumerate() {
            text += &format!("void *f{number}(void *p) {{\n    unsigned char r = 0;\n");
            body.iter().for_each(|op| text += &format!("    {}\n", op.text()));
            text += "    return 0;\n}\n";
        }
        text += "int main(void) {\n    pthread_t t;\n";
        for (number, body) in self.starts.iter().enumerate() {
            let start = format!("pthread_create(&t, 0, f{body}, 0);");
            let is_last = number + 1 == self.starts.len();
            text += &if is_last && self.endless { format!("    while (1) {start}\n") } else { format!("    {start}\n") };
        }
        // While main waits, the others go on.
        text + "    __VERIFIER_assume(0);\n}\n"
    }

    /// Whether some interleaving fails, with no more than one thread beyond those that are listed.
    fn fails(&self) -> bool {
        let most = self.starts.len() + usize::from(self.endless);
        let start: State = ([0; 3], Vec::new(), 0);
        let (mut seen, mut open) = (BTreeSet::from([start.clone()]), vec![start]);
        while let Some((shared, threads, started)) = open.pop() {
            let mut next = Vec::new();
            if started < most {
                let mut threads = threads.clone();
                threads.push(Some((self.starts[started.min(self.starts.len() - 1)] << 8, 0)));
                next.push((shared, threads, started + 1));
            }
            for number in 0..threads.len() {
                let Some((place, r)) = threads[number] else { continue };
                let Some(&op) = self.bodies[place >> 8].get(place & 255) else { continue };
                let (mut shared, mut r, mut goes_on) = (shared, r, true);
                match op {
                    Op::Read(at) => r = shared[at],
                    Op::Write(at) => shared[at] = r,
                    Op::Set(at, value) => shared[at] = value,
                    Op::Next => r = (r + 1) & 3,
                    Op::Swap(at, from, _) if shared[at] != from => continue,
                    Op::Swap(at, _, to) => shared[at] = to,
                    Op::Count(at) => shared[at] = (shared[at] + 1) & 3,
                    Op::Assume(value) if r != value => continue,
                    Op::Leave(value) => goes_on = r != value,
                    Op::Assert(value) if r == value => return true,
                    Op::AssertShared(at, value) if shared[at] == value => return true,
                    Op::Assume(_) | Op::Assert(_) | Op::AssertShared(..) => {}
                }
                let mut threads = threads.clone();
                threads[number] = goes_on.then_some((place + 1, r));
                next.push((shared, threads, started));
            }
            open.extend(next.into_iter().filter(|state| seen.insert(state.clone())));
        }
        false
    }
}

#[test]
fn nothing_is_proved_that_some_interleaving_breaks() {
    let count = std::env::var("FATHOM_RANDOM").ok().and_then(|number| number.parse().ok()).unwrap_or(25);
    let bench = Bench::new();
    let (mut wrong, mut proved, mut right) = (Vec::new(), 0, 0);
    for seed in 0..count {
        let program = Program::any(&mut Random::new(7_000 + seed));
        let text = program.text();
        let fails = program.fails();
        bench.write("a.c", &text);
        let run = bench.verify(&["a.c", "--property", "unreach-call", "--engine", "modular", "--timeout", "5s", "--no-native"]);
        let verdict = run.verdict();
        right += u64::from(!fails);
        proved += u64::from(verdict == "true");
        if (fails && verdict == "true") || verdict.contains("not confirmed") || verdict.starts_with("unknown(unsupported") {
            wrong.push(format!("seed {seed}: {verdict}\n{text}"));
        }
    }
    eprintln!("{proved} of {right} right programs proved");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(proved * 3 >= right, "only {proved} of {right} right programs were proved");
}

#[test]
fn any_number_of_threads_is_no_obstacle() {
    let bench = Bench::new();
    let directory = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/verdicts/unbounded");
    for name in ["threads_counter.c", "threads_test_and_set.c", "threads_maximum.c"] {
        let file = directory.join(name).display().to_string();
        let run = bench.verify(&[&file, "--property", "unreach-call", "--engine", "modular", "--timeout", "30s", "--no-native"]);
        assert_eq!(run.verdict(), "true", "{name}\n{}", run.stdout);
    }
}
