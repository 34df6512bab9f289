//! Sprints against the machine: random loops over numbers and memory must end alike with and without them, and everything that is
//! counted on the way must be the same.

use super::programs::symbolic;
use crate::exec::config::{MachineConfig, Pauses};
use crate::exec::machine::{Advance, Machine, PathEnd};
use crate::exec::state::State;
use crate::memory::address::AddressBook;
use crate::replay::interpreter::replaying;
use crate::replay::trace::PathRecord;
use fastrand::Rng;
use fathom_base::Budget;
use fathom_ir::{Program, Property, parse_program};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::rc::Rc;

const NUMBERS: [(&str, u32); 6] = [("a", 32), ("b", 32), ("c", 8), ("d", 8), ("k", 64), ("l", 64)];

/// What the loops call: two sides, a check that may fail behind work that a stop undoes, and a call in a call with a load.
const CALLED: &str = r#"
procedure mix (m1, m2) -> (m.r)
  local m1 (_ BitVec 32) "m1"
  local m2 (_ BitVec 32) "m2"
  local m.r (_ BitVec 32) "r"
  begin b0
  b0 "entry":
    branch (bvult m1 m2) b1 b2
  b1 "less":
    m.r := (bvsub m2 m1)
    goto b3
  b2 "not":
    m.r := (bvmul m1 m2)
    m.r, m1 := (bvadd m.r m1), m.r
    goto b3
  b3 "end":
    return

procedure check (c.ok, c.p) -> ()
  local c.ok Bool "ok"
  local c.p (_ BitVec 64) "p"
  local c.n (_ BitVec 32) "n"
  begin b0
  b0 "entry":
    c.n := #x00000003
    branch c.ok b2 b1
  b1 "fails":
    c.n := (bvadd c.n #x00000001)
    assert unreach-call (= c.n #x00000003) "checked"
    return
  b2 "end":
    return

procedure nested (n.a, n.p) -> (n.r)
  local n.a (_ BitVec 32) "a"
  local n.p (_ BitVec 64) "p"
  local n.l (_ BitVec 8) "l"
  local n.r (_ BitVec 32) "r"
  begin b0
  b0 "entry":
    load n.l <- (bvadd n.p #x0000000000000001)
    call n.r <- mix (n.a, ((_ zero_extend 24) n.l))
    switch n.l [#x00 b1, #x01 b1] b2
  b1 "small":
    n.r := (bvadd n.r #x00000001)
    return
  b2 "large":
    return
"#;

struct Author {
    random: Rng,
    symbolic: bool,
}

impl Author {
    fn pick<'a>(&mut self, among: &[&'a str]) -> &'a str {
        among[self.random.usize(..among.len())]
    }

    fn variable(&mut self, width: u32) -> String {
        let names: Vec<&str> = NUMBERS.iter().filter(|(_, w)| *w == width).map(|(name, _)| *name).collect();
        match width {
            32 if self.random.u8(..3) == 0 => self.pick(&["i", "j"]).to_string(),
            8 if self.symbolic && self.random.u8(..8) == 0 => "x".to_string(),
            _ => self.pick(&names).to_string(),
        }
    }

    fn number(&mut self, width: u32, depth: u32) -> String {
        if depth == 0 || self.random.u8(..4) == 0 {
            return match self.random.u8(..3) {
                0 => format!("(_ bv{} {width})", self.random.u64(..) >> (64 - width) >> self.random.u32(..width)),
                _ => self.variable(width),
            };
        }
        let (one, two) = (self.number(width, depth - 1), self.number(width, depth - 1));
        match self.random.u8(..8) {
            0 => format!("(ite {} {one} {two})", self.condition(depth - 1)),
            1 if width > 8 => format!("((_ sign_extend {}) {})", width - 8, self.number(8, depth - 1)),
            2 if width > 32 => format!("((_ zero_extend 32) {})", self.number(32, depth - 1)),
            3 if width < 64 => format!("((_ extract {} {}) {})", width + 3, 4, self.number(64, depth - 1)),
            4 => format!("({} {one})", self.pick(&["bvnot", "bvneg"])),
            _ => {
                let op = self.pick(&["bvadd", "bvmul", "bvsub", "bvand", "bvor", "bvxor", "bvshl", "bvlshr", "bvashr", "bvudiv", "bvsrem"]);
                format!("({op} {one} {two})")
            }
        }
    }

    fn condition(&mut self, depth: u32) -> String {
        // What is symbolic must not be branched on: the tests' solver is a small one.
        let width = if self.symbolic { [32, 64][self.random.usize(..2)] } else { [8, 32, 64][self.random.usize(..3)] };
        match self.random.u8(..6) {
            0 => "t".to_string(),
            1 if depth > 0 => format!("(not {})", self.condition(depth - 1)),
            2 if depth > 0 => format!("({} {} {})", self.pick(&["and", "or", "xor"]), self.condition(depth - 1), self.condition(depth - 1)),
            3 => format!("({} p {})", self.pick(&["=", "bvult"]), self.pick(&["p", "q", "(bvadd p k)"])),
            4 => "(< n 40)".to_string(),
            _ => format!("({} {} {})", self.pick(&["=", "bvult", "bvslt"]), self.plain(width), self.plain(width)),
        }
    }

    /// A number that no input is in.
    fn plain(&mut self, width: u32) -> String {
        let among = if width == 32 { self.pick(&["i", "j"]).to_string() } else { "k".to_string() };
        match (self.symbolic, self.random.u8(..3)) {
            (true, 0) => among,
            (true, _) => format!("(_ bv{} {width})", self.random.u64(..) >> (64 - width) >> self.random.u32(..width)),
            (false, _) => self.number(width, 2),
        }
    }

    fn statements(&mut self, into: &mut String) {
        for _ in 0..self.random.u8(..4) {
            let (name, width) = NUMBERS[self.random.usize(..NUMBERS.len())];
            let index =
                format!("(bvmul ((_ zero_extend 56) (bvand ((_ extract 7 0) {}) #x1f)) #x0000000000000004)", self.pick(&["i", "j"]));
            let line = match self.random.u8(..17) {
                0 if !self.symbolic => format!("t := {}", self.condition(2)),
                1 => "a, b := b, a".to_string(),
                2 => format!("a, k := {}, (bvadd k #x0000000000000001)", self.number(32, 2)),
                3 => format!("store (bvadd @table {index}) <- {}", self.number(32, 2)),
                4 => format!("store (bvadd @table {index}) <- {}", self.number(8, 1)),
                5 => format!("load b <- (bvadd @table {index})"),
                6 => "load d <- p".to_string(),
                7 => format!("store p <- {}", self.number(8, 1)),
                8 => "p := (ite (bvult i #x00000014) (bvadd p #x0000000000000001) p)".to_string(),
                9 if self.random.u8(..3) == 0 => "p, q := q, p".to_string(),
                10 if self.random.u8(..4) == 0 => format!("assert unreach-call (not (= i #x{:08x})) \"here\"", self.random.u32(..80)),
                11 => "n := (+ n 1)".to_string(),
                12 if self.random.u8(..4) == 0 => "n := (* n n)".to_string(),
                13 => format!("call a <- mix ({}, {})", self.number(32, 1), self.number(32, 1)),
                14 if self.random.bool() => format!("call check ((bvult i #x{:08x}), p)", self.random.u32(40..120)),
                15 => "call b <- nested (a, q)".to_string(),
                // Never the counter of the branches that must stay concrete.
                _ if self.symbolic && name == "k" => "k := (bvadd k #x0000000000000003)".to_string(),
                _ => format!("{name} := {}", self.number(width, 2)),
            };
            let _ = writeln!(into, "    {line}");
        }
    }

    fn program(&mut self) -> String {
        let mut text = String::from(
            "program pointer 64 entry main\nobject \"table\" at @table size 200 align 16 zero\nobject \"other\" at @other size 100 align 8 zero\n\nprocedure main () -> () at @main\n",
        );
        for (name, width) in NUMBERS.iter().chain(&[("i", 32), ("j", 32), ("p", 64), ("q", 64), ("x", 8)]) {
            let _ = writeln!(text, "  local {name} (_ BitVec {width}) \"{name}\"");
        }
        text += "  local t Bool \"t\"\n  local n Int \"n\"\n  begin b0\n  b0 \"entry\":\n    t, n := false, 0\n    p, q := @table, (bvadd @other #x0000000000000020)\n    x := #x00\n";
        for (name, width) in NUMBERS.iter().chain(&[("i", 32), ("j", 32)]) {
            let _ = writeln!(text, "    {name} := (_ bv0 {width})");
        }
        if self.symbolic {
            text += "    havoc x\n";
        }
        text += "    goto b1\n  b1 \"outer\":\n    branch (bvult i #x00000046) b2 b9\n  b2 \"before\":\n";
        self.statements(&mut text);
        text += "    j := #x00000000\n    goto b3\n  b3 \"inner\":\n";
        self.statements(&mut text);
        let _ = writeln!(text, "    branch (bvult j #x{:08x}) b4 b6\n  b4 \"body\":\n    j := (bvadd j #x00000001)", self.random.u32(..30));
        self.statements(&mut text);
        let _ = writeln!(text, "    branch {} b5 b3\n  b5 \"side\":", self.condition(1));
        self.statements(&mut text);
        let _ = writeln!(text, "    branch {} b3 b6\n  b6 \"after\":\n    i := (bvadd i #x00000001)", self.condition(1));
        self.statements(&mut text);
        text += "    switch (bvurem i #x00000003) [#x00000000 b7, #x00000001 b8] b1\n  b7 \"one\":\n";
        self.statements(&mut text);
        text += "    goto b8\n  b8 \"two\":\n";
        self.statements(&mut text);
        text += "    goto b1\n  b9 \"end\":\n";
        for (at, (name, _)) in NUMBERS.iter().enumerate() {
            let _ = writeln!(text, "    store (bvadd @other #x{:016x}) <- {name}", 8 * at + 40);
        }
        text + "    store @other <- (bvadd i j)\n    return\n" + CALLED
    }
}

/// Everything that a run leaves behind, as text, and the statements that sprints did.
fn outcome(program: &Rc<Program>, book: &AddressBook, symbolically: bool, compares: bool, sprints: bool, fuel: u64) -> (String, u64) {
    let checks = [Property::UnreachCall, Property::ValidDeref];
    let pauses = Pauses { loop_heads: compares, ..Pauses::default() };
    let config = MachineConfig { layouts: crate::Layouts::Given, fast_path: sprints, pauses, ..MachineConfig::default() };
    let mut machine = match symbolically {
        true => {
            // With the same symbols for addresses in both runs.
            let Machine { checks, mode, budget, .. } = symbolic(program, &checks);
            Machine::with_book(program.clone(), checks, mode, budget, config, book.clone())
        }
        false => replaying(program, &BTreeSet::from(checks), PathRecord::default(), Budget::unlimited(), config),
    };
    let mut state = machine.initial_state().expect("a state");
    let mut told = String::new();
    while state.search.steps < 5_000_000 {
        match machine.advance(&mut state, fuel) {
            Advance::Running => {}
            Advance::LoopHead => told += &format!("{} ", state.comparison.idle_visits),
            Advance::Forked => machine.forked.clear(),
            Advance::Ended(end) => {
                told += match end {
                    PathEnd::Finished => "finished",
                    PathEnd::Discarded => "discarded",
                    PathEnd::Violated => "violated",
                    PathEnd::Cut(_) => "cut",
                };
                told += &summary(&machine, &state);
                return (told, machine.analyses.sprints.statements);
            }
            Advance::Join | Advance::AtBound => unreachable!("not asked for"),
        }
    }
    (told + &summary(&machine, &state), machine.analyses.sprints.statements)
}

fn summary(machine: &Machine, state: &State) -> String {
    let memory: Vec<String> = state.memory.sorted().iter().map(|(key, object)| format!("{key:?} {:?}", object.contents)).collect();
    let locals: Vec<_> = state.frames.iter().map(|frame| frame.locals.clone()).collect();
    let violations: Vec<_> = machine.found.violations.iter().map(|trace| (&trace.violation.message, trace.branches)).collect();
    let counts = (state.search.steps, state.search.branches, state.search.plain_exits, &machine.statistics, &machine.coverage.visits);
    format!("{memory:?} {locals:?} {violations:?} {:?} {:?} {counts:?}", machine.coverage.covered, machine.coverage.sides)
}

fn agree(symbolically: bool, seeds: std::ops::Range<u64>) {
    let mut sprinted = 0;
    for seed in seeds {
        let mut author = Author { random: Rng::with_seed(seed), symbolic: symbolically };
        let text = author.program();
        let program = Rc::new(parse_program(&text).unwrap_or_else(|error| panic!("{error}\n{text}")));
        let (compares, fuel) = (seed % 2 == 0, [1_000, 10_000][(seed / 2 % 2) as usize]);
        let book = symbolic(&program, &[]).take_book();
        let (plain, _) = outcome(&program, &book, symbolically, compares, false, fuel);
        let (fast, done) = outcome(&program, &book, symbolically, compares, true, fuel);
        assert!(plain == fast, "seed {seed}\n{text}\nwithout: {plain}\nwith:    {fast}");
        sprinted += done;
    }
    assert!(sprinted > 200_000, "the programs are no test of sprints: {sprinted} statements");
}

#[test]
fn sprints_change_nothing_in_replays() {
    agree(false, 0..150);
}

#[test]
fn sprints_change_nothing_in_searches() {
    agree(true, 0..150);
}
