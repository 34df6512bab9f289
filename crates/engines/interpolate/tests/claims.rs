//! What a proof by interpolation claims is proved again by brute force, node by node; a claim that says less than it must is
//! found.

use fathom_base::Budget;
use fathom_engine::{Cx, Engine, Outcome, Progress, ProgressSink, Proof, Task, Verdict};
use fathom_engine_interpolate::{Interpolate, InterpolateConfig};
use fathom_interpolants::{ClaimGraph, Interpolant, recheck};
use fathom_ir::{Program, Property, parse_program, validate};
use fathom_search::{Explorer, SearchConfig, Searcher};
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

fn parsed(text: &str) -> Rc<Program> {
    let program = Rc::new(parse_program(text).unwrap_or_else(|error| panic!("{error}\n{text}")));
    validate(&program).unwrap_or_else(|error| panic!("{error}"));
    program
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
    parsed(text)
}

/// TracerX, Fig. 8: two ways come to the branch on x with other values of y and z.
fn two_ways() -> Rc<Program> {
    let locals: String = ["x", "y", "z"].iter().map(|name| format!("  local {name} (_ BitVec 8) \"{name}\"\n")).collect();
    parsed(&format!(
        "program pointer 32 entry main\nprocedure main ()\n{locals}  local c Bool \"c\"\n  begin b0\n\
        \x20 b0 \"\":\n    havoc x\n    assume (bvult x #x02)\n    havoc c\n    branch c b1 b2\n\
        \x20 b1 \"\":\n    y, z := #x00, #x01\n    goto b3\n\
        \x20 b2 \"\":\n    y, z := #x03, #x04\n    goto b3\n\
        \x20 b3 \"node 2\":\n    branch (bvult #x00 x) b4 b5\n\
        \x20 b4 \"\":\n    x, z := (bvadd x #x01), (bvadd z #x21)\n    goto b6\n\
        \x20 b5 \"\":\n    x, z := (bvadd x #x03), (bvadd z #x02)\n    goto b6\n\
        \x20 b6 \"\":\n    assert unreach-call (and (bvult x #x06) (bvult y z)) \"\"\n    return\n"
    ))
}

fn proof(outcome: &Outcome) -> &Proof {
    match outcome.verdicts.get(&Property::UnreachCall) {
        Some(Verdict::Holds(proof)) => proof,
        _ => panic!("no proof"),
    }
}

/// How many states were pruned in a proof.
fn pruned(program: &Rc<Program>, only_cores: bool) -> u64 {
    let outcome = explored(program, InterpolateConfig { only_cores, ..InterpolateConfig::default() });
    match proof(&outcome) {
        Proof::Interpolated { books, .. } => books.repeated,
        _ => panic!("no proof by interpolation"),
    }
}

/// What the assertion needs of y and z the second way has too; what an unsatisfiable core says of the first way's state
/// (y = 0 and z = 1) it has not.
#[test]
fn abduction_prunes_where_a_core_does_not() {
    assert!(pruned(&two_ways(), false) >= 1);
    assert_eq!(pruned(&two_ways(), true), 0);
}

fn explored(program: &Rc<Program>, config: InterpolateConfig) -> Outcome {
    let search = SearchConfig { searcher: Searcher::Dfs, ..SearchConfig::default() };
    let task = Task { program: program.clone(), by_contracts: None, properties: BTreeSet::from(PROPERTIES) };
    let backend = || brute(program);
    let cx = Cx { budget: Budget::unlimited(), backend: &backend, horn: &|| None, progress: &Silent, seed: 0, known: &Default::default() };
    Interpolate { explorer: Explorer { config: search, listener: None, sharing: None }, config }.run(&task, &cx)
}

fn graph(program: &Rc<Program>) -> Rc<ClaimGraph> {
    let outcome = explored(program, InterpolateConfig::default());
    match proof(&outcome) {
        Proof::Interpolated { graph: Some(graph), books, .. } if books.repeated > 0 => graph.clone(),
        _ => panic!("no proof by interpolation"),
    }
}

fn look(graph: &ClaimGraph, program: &Rc<Program>) -> fathom_interpolants::Rechecked {
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
