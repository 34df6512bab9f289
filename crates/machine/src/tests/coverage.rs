//! Paths that are run again: what they covered, and where one that was left in the middle stops.

use super::programs::{Builder, symbolic};
use crate::exec::machine::{Advance, Machine, PathEnd};
use crate::exec::state::State;
use crate::replay::interpreter::rerun;
use crate::replay::trace::ReplayEnd;
use crate::search::coverage::{Coverage, open_sides};
use fathom_base::Budget;
use fathom_ir::{BlockId, InputKind, Program, StatementKind, TerminatorKind};
use fathom_term::Sort;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Asks for x, returns if it is below 10, else asks for y and returns.
fn two_inputs() -> Rc<Program> {
    let mut builder = Builder::new(0);
    let (x, y) = (builder.local("x", Sort::Bv(8)), builder.local("y", Sort::Bv(8)));
    let (x_id, y_id) = (builder.id(x), builder.id(y));
    let input = |id| {
        let kind = InputKind { source: "nondet_uchar".to_string(), type_name: "unsigned char".to_string(), signed: false };
        StatementKind::Havoc { vars: vec![id], input: Some(kind) }
    };
    let condition = builder.store.bv_ult(x, builder.store.bv(10, 8));
    builder.block(vec![input(x_id)], TerminatorKind::Branch { condition, then: BlockId(1), otherwise: BlockId(2) });
    builder.block(vec![], TerminatorKind::Return);
    builder.block(vec![input(y_id)], TerminatorKind::Return);
    builder.finish()
}

/// All paths to their ends, each told to `each`.
fn explore(machine: &mut Machine, mut each: impl FnMut(&Machine, &State)) {
    let mut open = vec![machine.initial_state().expect("a state")];
    while let Some(mut state) = open.pop() {
        loop {
            let advance = machine.advance(&mut state, 100);
            open.append(&mut machine.forked);
            if let Advance::Ended(end) = advance {
                assert!(matches!(end, PathEnd::Finished));
                each(machine, &state);
                break;
            }
        }
    }
}

#[test]
fn each_path_covers_its_side() {
    let program = two_inputs();
    let mut machine = symbolic(&program, &[]);
    let mut paths = Vec::new();
    explore(&mut machine, |machine, state| paths.push((machine.path_record(state, true), state.search.covers_new)));
    assert!(paths.len() == 2 && paths.iter().all(|(_, covers_new)| *covers_new));
    assert!(open_sides(&machine).is_empty());
    let mut covered = Coverage::default();
    let mut counts = Vec::new();
    for (path, _) in paths {
        let again = rerun(&program, &BTreeSet::new(), path, Budget::unlimited());
        assert!(matches!(again.end, Some(ReplayEnd::Ended)));
        assert!(again.coverage.adds_to(&covered));
        covered.merge(&again.coverage);
        assert!(!again.coverage.adds_to(&covered));
        counts.push(again.inputs.len());
    }
    counts.sort_unstable();
    assert_eq!(counts, [1, 2]);
    assert_eq!(covered, Coverage::of(&machine));
    assert_eq!((covered.count(), covered.without_sides().count()), (5, 3));
}

#[test]
fn a_path_that_was_left_stops_where_it_was_left() {
    let program = two_inputs();
    let mut machine = symbolic(&program, &[]);
    let mut long = None;
    explore(&mut machine, |machine, state| {
        if state.path.inputs == 2 {
            let mut path = machine.path_record(state, false);
            path.left_after = Some(1);
            long = Some(path);
        }
    });
    let again = rerun(&program, &BTreeSet::new(), long.expect("the longer path"), Budget::unlimited());
    assert!(again.end.is_none());
    assert_eq!(again.inputs.len(), 1);
}
