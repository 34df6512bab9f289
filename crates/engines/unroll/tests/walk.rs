//! The walk over the unrolled program: how many states it makes where paths join, and what waits at bounds.

use fathom_base::Budget;
use fathom_engine::{Cx, Progress, ProgressSink, Task};
use fathom_ir::{Property, parse_program, validate};
use fathom_machine::{Machine, MachineConfig, Mode, State, Unwinding};
use fathom_smt::{Backend, Brute, Oracle, OracleConfig};
use fathom_unroll::{Director, Limits, Merging, Stop, Tally, Walker};
use std::collections::BTreeSet;
use std::rc::Rc;

struct Silent;

impl ProgressSink for Silent {
    fn report(&self, _: &Progress) {}
}

struct Straight;

impl Director for Straight {
    fn arrive(&mut self, _: &mut Machine, state: State, on: &mut Vec<State>) {
        on.push(state);
    }
}

/// `count` branches on inputs that add one or two to a byte, with joins behind them; `end` follows.
fn diamonds(count: usize, end: &str) -> String {
    let mut text = String::from(
        "program pointer 32 entry main\nprocedure main ()\n  local x (_ BitVec 8) \"x\"\n  local i (_ BitVec 8) \"i\"\n  local c Bool \"c\"\n  begin b0\n  b0 \"\":\n    x, i := #x00, #x00\n    goto b1\n",
    );
    for number in 0..count {
        let first = 3 * number + 1;
        text += &format!("  b{first} \"\":\n    havoc c\n    branch c b{} b{}\n", first + 1, first + 2);
        text += &format!("  b{} \"\":\n    x := (bvadd x #x01)\n    goto b{}\n", first + 1, first + 3);
        text += &format!("  b{} \"\":\n    x := (bvadd x #x02)\n    goto b{}\n", first + 2, first + 3);
    }
    text + &format!("  b{} \"\":\n{end}", 3 * count + 1)
}

struct Walk {
    tallies: Vec<Tally>,
    parked: Vec<usize>,
    violated: bool,
}

/// Walks with these bounds, one after the other.
fn walk(text: &str, merging: Merging, bounds: &[u64]) -> Walk {
    let program = Rc::new(parse_program(text).unwrap_or_else(|error| panic!("{error}\n{text}")));
    validate(&program).unwrap_or_else(|error| panic!("{error}"));
    let store = program.terms.clone();
    let backend = {
        let store = store.clone();
        move || -> Box<dyn Backend> { Box::new(Brute::new(store.clone(), 20)) }
    };
    let task = Task { program: program.clone(), by_contracts: None, properties: BTreeSet::from([Property::UnreachCall]) };
    let cx = Cx { budget: Budget::unlimited(), backend: &backend, horn: &|| None, progress: &Silent, seed: 0, known: &Default::default() };
    let oracle = Oracle::new(store, backend(), OracleConfig::default());
    let unwinding = Some(Unwinding { bound: bounds[0], calls: bounds[0], ..Unwinding::default() });
    let config = MachineConfig { unwinding, ..MachineConfig::default() };
    let machine = Machine::new(program, task.properties.clone(), Mode::Symbolic(Box::new(oracle)), Budget::unlimited(), config);
    let mut walker = Walker::new(machine, &task, merging, Limits::default());
    walker.start();
    let mut seen = Walk { tallies: Vec::new(), parked: Vec::new(), violated: false };
    for &bound in bounds {
        walker.machine.unwind_loops(bound);
        walker.resume();
        let stop = walker.run(&mut Straight, &cx);
        seen.violated |= matches!(stop, Stop::Violated(_));
        seen.tallies.push(walker.tally.clone());
        seen.parked.push(walker.parked.len());
    }
    seen
}

#[test]
fn paths_that_join_are_one_state() {
    let text = diamonds(6, "    assert unreach-call (and (bvule #x06 x) (bvule x #x0c)) \"\"\n    return\n");
    let alone = walk(&text, Merging::None, &[1]);
    assert_eq!((alone.tallies[0].started, alone.tallies[0].merged), (64, 0));
    for merging in [Merging::Regions, Merging::All] {
        let joined = walk(&text, merging, &[1]);
        assert_eq!((joined.tallies[0].started, joined.tallies[0].merged, joined.tallies[0].ended), (7, 6, 1));
        assert!(joined.tallies[0].is_complete(0) && !joined.violated);
    }
}

#[test]
fn a_joined_state_stands_for_every_path() {
    let text = diamonds(4, "    assert unreach-call (not (= x #x07)) \"\"\n    return\n");
    for merging in [Merging::None, Merging::Regions, Merging::All] {
        assert!(walk(&text, merging, &[1]).violated);
    }
}

#[test]
fn states_wait_at_the_bound_and_go_on_when_it_rises() {
    let end =
        "    i := (bvadd i #x01)\n    havoc c\n    branch c b1 b5\n  b5 \"\":\n    assert unreach-call (not (= i #x04)) \"\"\n    return\n";
    let text = diamonds(1, end);
    let seen = walk(&text, Merging::All, &[1, 2, 3]);
    assert!(seen.parked.iter().take(2).all(|&waiting| waiting == 1), "{:?}", seen.parked);
    // The fourth iteration is the third by a back edge.
    assert!(seen.violated && !walk(&text, Merging::All, &[1, 2]).violated);
    // What was done at a lower bound is not done again.
    let at_once = walk(&text, Merging::All, &[3]);
    assert_eq!(at_once.tallies[0].started, seen.tallies[2].started);
}

#[test]
fn regions_end_at_loops() {
    // Leaving the loop in different iterations gives paths of different regions: only `all` joins them behind it.
    let end = "    i := (bvadd i #x01)\n    havoc c\n    branch (and c (bvult i #x03)) b1 b5\n  b5 \"\":\n    assert unreach-call (bvule i #x03) \"\"\n    return\n";
    let text = diamonds(1, end);
    let regions = walk(&text, Merging::Regions, &[8]);
    let all = walk(&text, Merging::All, &[8]);
    assert!(regions.tallies[0].merged < all.tallies[0].merged);
    assert!(regions.tallies[0].is_complete(0) && all.tallies[0].is_complete(0));
    assert_eq!(all.tallies[0].ended, 1);
    assert_eq!(regions.tallies[0].ended, 3);
}
