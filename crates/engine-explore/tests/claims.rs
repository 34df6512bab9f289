//! What a proof by interpolation claims is proved again by brute force, node by node; a claim that says less than it must is
//! found.

use fathom_base::Budget;
use fathom_cover::{CoverGraph, Interpolant, recheck};
use fathom_engine::{Cx, Engine, Progress, ProgressSink, Proof, Task, Verdict};
use fathom_engine_explore::{Explore, ExploreConfig, InterpolateConfig, Searcher};
use fathom_ir::{Program, Property, parse_program, validate};
use fathom_smt::{Backend, Brute, Oracle, OracleConfig};
use std::collections::BTreeSet;
use std::rc::Rc;

struct Silent;

impl ProgressSink for Silent {
    fn report(&self, _: &Progress) {}
}

const PROPERTIES: [Property; 1] = [Property::UnreachCall];

fn brute(program: &Program) -> Box<dyn Backend> {
    Box::new(Brute::new(program.terms.clone(), 20))
}

/// Signs of six inputs are added up (TracerX, Fig. 4).
fn program() -> Rc<Program> {
    let text = "program pointer 32 entry main\nprocedure main ()\n  local a (_ BitVec 4) \"a\"\n  local i (_ BitVec 4) \"i\"\n  local c Bool \"c\"\n  begin b0\n\
        \x20 b0 \"\":\n    a, i := #b0000, #b0000\n    goto b1\n\
        \x20 b1 \"head\":\n    branch (bvult i #b0110) b2 b5\n\
        \x20 b2 \"\":\n    havoc c\n    i := (bvadd i #b0001)\n    branch c b3 b4\n\
        \x20 b3 \"up\":\n    a := (bvadd a #b0001)\n    goto b1\n\
        \x20 b4 \"down\":\n    a := (bvadd a #b1111)\n    goto b1\n\
        \x20 b5 \"check\":\n    assert unreach-call (bvult (bvadd a #b0110) #b1101) \"\"\n    return\n";
    let program = Rc::new(parse_program(text).unwrap_or_else(|error| panic!("{error}\n{text}")));
    validate(&program).unwrap_or_else(|error| panic!("{error}"));
    program
}

fn graph(program: &Rc<Program>) -> Rc<CoverGraph> {
    let config = ExploreConfig { searcher: Searcher::Dfs, interpolate: Some(InterpolateConfig::default()), ..ExploreConfig::default() };
    let task = Task { program: program.clone(), by_contracts: None, properties: BTreeSet::from(PROPERTIES) };
    let backend = || brute(program);
    let cx = Cx { budget: Budget::unlimited(), backend: &backend, progress: &Silent, seed: 0 };
    let mut outcome = Explore { config, listener: None }.run(&task, &cx);
    match outcome.verdicts.remove(&Property::UnreachCall) {
        Some(Verdict::Holds(Proof::Interpolated { graph: Some(graph), covered, .. })) if covered > 0 => graph,
        _ => panic!("no proof by interpolation"),
    }
}

fn look(graph: &CoverGraph, program: &Rc<Program>) -> fathom_cover::Rechecked {
    let oracle = Oracle::new(program.terms.clone(), brute(program), OracleConfig::default());
    recheck(graph, program, &BTreeSet::from(PROPERTIES), oracle, &Budget::unlimited())
}

#[test]
fn every_claim_is_proved_again() {
    let program = program();
    let graph = graph(&program);
    let seen = look(&graph, &program);
    assert_eq!((seen.proved, seen.open, seen.wrong), (graph.claims.len() as u64, 0, None));
    assert!(seen.proved > 3);
}

#[test]
fn a_claim_that_says_too_little_is_wrong() {
    let program = program();
    let graph = graph(&program);
    let mut changed = 0;
    for claim in &graph.claims {
        let label = claim.label.borrow().clone();
        if label.as_ref().is_none_or(|label| label.sets.is_empty() && label.terms.is_empty()) {
            continue;
        }
        *claim.label.borrow_mut() = Some(Rc::new(Interpolant::default()));
        let seen = look(&graph, &program);
        assert!(seen.wrong.is_some(), "{label:?}");
        *claim.label.borrow_mut() = label;
        changed += 1;
    }
    assert!(changed > 3, "{changed}");
}

/// The last claim is that of the first node: what lies behind it is more than is run again.
#[test]
fn a_claim_without_its_ways_is_wrong() {
    let program = program();
    let mut graph = (*graph(&program)).clone();
    graph.claims.last_mut().expect("a claim").ways.clear();
    assert!(look(&graph, &program).wrong.is_some());
}
