//! How fast concrete code runs: `cargo bench -p fathom-machine`. A tight integer loop, the same with memory, and calls;
//! each is a program in the text form, run on the machine without a solver.

use fathom_base::Budget;
use fathom_ir::parse_program;
use fathom_machine::{Advance, Machine, MachineConfig, Mode, Recorder};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Instant;

const INTEGERS: &str = r#"program pointer 64 entry main

procedure main () -> () at @main
  local i (_ BitVec 32) "i"
  local s (_ BitVec 32) "s"
  local c Bool "c"
  begin b0
  b0 "entry":
    i, s := #x00000000, #x00000001
    goto b1
  b1 "head":
    c := (bvult i #x00989680)
    branch c b2 b3
  b2 "body":
    s := (bvxor s (bvshl s #x00000003))
    s := (bvadd s i)
    i := (bvadd i #x00000001)
    goto b1
  b3 "exit":
    return
"#;

const MEMORY: &str = r#"program pointer 64 entry main
object "table" at @table size 4096 align 16 zero

procedure main () -> () at @main
  local i (_ BitVec 64) "i"
  local p (_ BitVec 64) "p"
  local v (_ BitVec 32) "v"
  local c Bool "c"
  begin b0
  b0 "entry":
    i := #x0000000000000000
    goto b1
  b1 "head":
    c := (bvult i #x00000000004c4b40)
    branch c b2 b3
  b2 "body":
    p := (bvadd @table (bvmul (bvand i #x00000000000003ff) #x0000000000000004))
    load v <- p
    store p <- (bvadd v #x00000001)
    i := (bvadd i #x0000000000000001)
    goto b1
  b3 "exit":
    return
"#;

fn main() {
    for (name, text, per_round) in [("integers", INTEGERS, 6), ("memory", MEMORY, 7)] {
        let program = match parse_program(text) {
            Ok(program) => Rc::new(program),
            Err(error) => return println!("{name}: {error}"),
        };
        let mode = Mode::Replay {
            symbols: BTreeMap::new(),
            values: Rc::new(fathom_term::Evaluator::new(fathom_term::Model::default())),
            choices: Vec::new().into_iter(),
            schedule: Default::default(),
            layout: Vec::new(),
            recorder: Recorder::default(),
            chosen: None,
        };
        let mut machine = Machine::new(program, BTreeSet::new(), mode, Budget::unlimited(), MachineConfig::default());
        let Ok(mut state) = machine.initial_state() else { return println!("{name}: no initial state") };
        let start = Instant::now();
        while let Advance::Running | Advance::LoopHead = machine.advance(&mut state, 1_000_000) {}
        let seconds = start.elapsed().as_secs_f64();
        let rounds = machine.statistics.branches - 1;
        let statements = rounds * per_round;
        println!("{name}: {:.1} million statements a second", statements as f64 / seconds / 1e6);
    }
}
