//! The engine `rank` through the built binary: random loops over two bytes and an arbitrary bit, against all runs from all of the 65,536
//! states. A loop with an infinite run must not be proved to end. `FATHOM_RANDOM=1000` runs so many programs instead of the usual few.

mod common;

use common::Bench;
use fathom_base::Random;

/// A number of C, over the variables a and b.
enum Number {
    A,
    B,
    Constant(i32),
    Binary(&'static str, Box<Number>, Box<Number>),
}

impl Number {
    fn any(random: &mut Random, depth: u32) -> Number {
        let constants = [0, 1, 1, 2, 3, 7, 100, 127, 128, 200, 255];
        match random.below(if depth == 0 { 3 } else { 7 }) {
            0 => Number::A,
            1 => Number::B,
            2 => Number::Constant(constants[random.below(constants.len() as u64) as usize]),
            _ => {
                let operation = ["+", "-", "-", "&", "/", "*"][random.below(6) as usize];
                let right = Box::new(match operation {
                    "/" => Number::Constant(2 + random.below(3) as i32),
                    "*" => Number::Constant(2),
                    _ => Number::any(random, depth - 1),
                });
                Number::Binary(operation, Box::new(Number::any(random, depth - 1)), right)
            }
        }
    }

    fn text(&self) -> String {
        match self {
            Number::A => "a".into(),
            Number::B => "b".into(),
            Number::Constant(constant) => constant.to_string(),
            Number::Binary(operation, left, right) => format!("({} {operation} {})", left.text(), right.text()),
        }
    }

    /// In `int`, as C computes with small types.
    fn value(&self, a: i32, b: i32) -> i32 {
        match self {
            Number::A => a,
            Number::B => b,
            Number::Constant(constant) => *constant,
            Number::Binary(operation, left, right) => {
                let (left, right) = (left.value(a, b), right.value(a, b));
                match *operation {
                    "+" => left + right,
                    "-" => left - right,
                    "&" => left & right,
                    "/" => left / right,
                    _ => left * right,
                }
            }
        }
    }
}

struct Condition(Number, &'static str, Number);

impl Condition {
    fn any(random: &mut Random) -> Condition {
        let operation = ["<", "<=", ">", ">=", "!=", "!="][random.below(6) as usize];
        Condition(Number::any(random, 0), operation, Number::any(random, 1))
    }

    fn text(&self) -> String {
        format!("{} {} {}", self.0.text(), self.1, self.2.text())
    }

    fn holds(&self, a: i32, b: i32) -> bool {
        let (left, right) = (self.0.value(a, b), self.2.value(a, b));
        match self.1 {
            "<" => left < right,
            "<=" => left <= right,
            ">" => left > right,
            ">=" => left >= right,
            _ => left != right,
        }
    }
}

/// `while (first && second) { if (side) (a, b) = yes; else (a, b) = no; }`, where the side may also be left to an input.
struct Loop {
    type_name: &'static str,
    guards: [Condition; 2],
    side: Option<Condition>,
    yes: [Number; 2],
    no: [Number; 2],
}

impl Loop {
    fn any(random: &mut Random) -> Loop {
        // Most variables go step by step.
        let mut next = |own: Number| match random.below(4) {
            0 => own,
            1 => Number::Binary("-", Box::new(own), Box::new(Number::Constant(1 + random.below(2) as i32))),
            2 => Number::Binary("+", Box::new(own), Box::new(Number::Constant(1))),
            _ => Number::any(random, 1),
        };
        let (yes, no) = ([next(Number::A), next(Number::B)], [next(Number::A), next(Number::B)]);
        let type_name = if random.below(2) == 0 { "unsigned char" } else { "signed char" };
        let side = (random.below(3) > 0).then(|| Condition::any(random));
        Loop { type_name, guards: [Condition::any(random), Condition::any(random)], side, yes, no }
    }

    fn text(&self) -> String {
        let side = self.side.as_ref().map_or("__VERIFIER_nondet_int()".to_string(), Condition::text);
        let step =
            |[a, b]: &[Number; 2], name: &str| format!("{name} next = ({name})({}); b = ({name})({}); a = next;", a.text(), b.text());
        format!(
            "int __VERIFIER_nondet_int(void);\nint main(void) {{\n    {name} a = ({name})__VERIFIER_nondet_int(), b = ({name})__VERIFIER_nondet_int();\n    \
             while ({} && {}) {{\n        if ({side}) {{ {} }}\n        else {{ {} }}\n    }}\n    return 0;\n}}\n",
            self.guards[0].text(),
            self.guards[1].text(),
            step(&self.yes, self.type_name),
            step(&self.no, self.type_name),
            name = self.type_name,
        )
    }

    fn successors(&self, state: u16) -> Vec<u16> {
        let is_signed = self.type_name == "signed char";
        let wide = |byte: u8| if is_signed { i32::from(byte as i8) } else { i32::from(byte) };
        let (a, b) = (wide((state >> 8) as u8), wide(state as u8));
        if !self.guards.iter().all(|guard| guard.holds(a, b)) {
            return Vec::new();
        }
        let after = |[first, second]: &[Number; 2]| u16::from(first.value(a, b) as u8) << 8 | u16::from(second.value(a, b) as u8);
        match &self.side {
            Some(side) => vec![after(if side.holds(a, b) { &self.yes } else { &self.no })],
            None => vec![after(&self.yes), after(&self.no)],
        }
    }

    /// Whether every run ends: states whose successors all end are taken away until nothing changes.
    fn ends(&self) -> bool {
        let next: Vec<Vec<u16>> = (0..=u16::MAX).map(|state| self.successors(state)).collect();
        let mut before: Vec<Vec<u16>> = vec![Vec::new(); next.len()];
        let mut open: Vec<usize> = next.iter().map(Vec::len).collect();
        for (state, successors) in next.iter().enumerate() {
            successors.iter().for_each(|&to| before[to as usize].push(state as u16));
        }
        let mut ended: Vec<usize> = (0..next.len()).filter(|&state| open[state] == 0).collect();
        let mut count = 0;
        while let Some(state) = ended.pop() {
            count += 1;
            for &earlier in &before[state] {
                open[earlier as usize] -= 1;
                if open[earlier as usize] == 0 {
                    ended.push(earlier as usize);
                }
            }
        }
        count == next.len()
    }
}

#[test]
fn what_is_proved_to_end_does_end() {
    let count: u64 = std::env::var("FATHOM_RANDOM").ok().and_then(|wanted| wanted.parse().ok()).unwrap_or(30);
    let (mut proved, mut endless) = (0, 0);
    for seed in 0..count {
        let program = Loop::any(&mut Random::new(seed));
        let bench = Bench::new();
        bench.write("p.c", program.text());
        let run = bench.verify(&"p.c --engine rank --property termination --timeout 10s".split(' ').collect::<Vec<_>>());
        let (ends, verdict) = (program.ends(), run.verdict().to_string());
        assert!(ends || verdict != "true", "seed {seed}: {verdict}, but some run never ends\n{}\n{}", program.text(), run.stdout);
        assert!(!verdict.contains("not confirmed"), "seed {seed}: {verdict}\n{}", program.text());
        proved += u64::from(verdict == "true");
        endless += u64::from(!ends);
    }
    assert!(proved >= count / 5 && endless >= count / 10, "of {count} loops {proved} were proved to end, {endless} do not");
}

/// Sets of states that no run leaves are guessed soon, so that most answers rest on one.
#[test]
fn what_is_said_not_to_end_does_not() {
    let count: u64 = std::env::var("FATHOM_RANDOM").ok().and_then(|wanted| wanted.parse().ok()).unwrap_or(20);
    let mut endless = 0;
    for seed in 1000..1000 + count {
        let program = Loop::any(&mut Random::new(seed));
        let bench = Bench::new();
        bench.write("p.c", program.text());
        let run = bench.verify(&"p.c --engine explore --property termination --timeout 2s --no-native".split(' ').collect::<Vec<_>>());
        let (ends, verdict) = (program.ends(), run.verdict().to_string());
        assert!(!ends || !verdict.starts_with("false"), "seed {seed}: {verdict}, but every run ends\n{}\n{}", program.text(), run.stdout);
        assert!(!verdict.contains("not confirmed"), "seed {seed}: {verdict}\n{}", program.text());
        endless += u64::from(verdict.starts_with("false"));
    }
    assert!(endless >= count / 10, "of {count} loops {endless} were found not to end");
}

#[test]
fn the_report_says_what_decreases() {
    let bench = Bench::new();
    bench.write(
        "p.c",
        "int __VERIFIER_nondet_int(void);\nint main(void) {\n  int n = __VERIFIER_nondet_int();\n  for (int i = 0; i < n; i++)\n    ;\n}\n",
    );
    let run = bench.verify(&["p.c", "--engine", "rank", "--property", "termination", "--timeout", "20s"]);
    assert_eq!(run.verdict(), "true");
    assert!(run.stdout.contains("p.c:4:3: max(") && run.stdout.contains("- i, 0) decreases"), "{}", run.stdout);
    assert!(run.stdout.contains("assurance: checked"), "{}", run.stdout);
}

/// What is undefined must not be why a loop ends.
#[test]
fn a_loop_that_only_ends_by_overflow_is_not_proved() {
    for body in ["while (x > 0) x++;", "while (x < 0) x--;", "while (x > 0) x += 2;", "while (x != 0) x++;", "while (1) x++;"] {
        let bench = Bench::new();
        bench.write(
            "p.c",
            format!("int __VERIFIER_nondet_int(void);\nint main(void) {{ int x = __VERIFIER_nondet_int(); {body} return 0; }}\n"),
        );
        let run = bench.verify(&["p.c", "--engine", "rank", "--property", "termination", "--timeout", "20s"]);
        assert!(run.verdict().starts_with("unknown("), "{body}\n{}", run.stdout);
    }
}
