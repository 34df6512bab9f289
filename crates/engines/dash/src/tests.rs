//! The whole algorithm on small programs in text form, with the solver that tries every value.

use crate::objectives::objectives;
use crate::regions::Regions;
use crate::search::{Goal, frontier};
use crate::{Dash, DashConfig};
use fathom_base::{Budget, FxSet};
use fathom_engine::{Cx, Engine, Outcome, Progress, ProgressSink, Proof, Reason, Task, Verdict};
use fathom_flat::{Flat, Form, flatten};
use fathom_ir::{Program, Property, parse_program};
use fathom_smt::{Backend, Brute};
use std::collections::BTreeSet;
use std::rc::Rc;

struct Silent;

impl ProgressSink for Silent {
    fn report(&self, _: &Progress) {}
}

fn properties() -> BTreeSet<Property> {
    BTreeSet::from([Property::UnreachCall])
}

fn program(text: &str) -> Rc<Program> {
    Rc::new(parse_program(text).unwrap_or_else(|error| panic!("{error}\n{text}")))
}

fn run(text: &str, config: DashConfig) -> Outcome {
    let program = program(text);
    let store = program.terms.clone();
    let backend = move || Box::new(Brute::new(store.clone(), 22)) as Box<dyn Backend>;
    let cx = Cx { budget: Budget::unlimited(), backend: &backend, horn: &|| None, progress: &Silent, seed: 0, known: &Default::default() };
    Dash { config }.run(&Task { program, by_contracts: None, properties: properties() }, &cx)
}

fn counter(outcome: &Outcome, name: &str) -> u64 {
    outcome.statistics.counters.iter().find(|(known, _)| known == name).map_or(0, |(_, value)| *value)
}

fn verdict(outcome: &Outcome) -> &Verdict {
    &outcome.verdicts[&Property::UnreachCall]
}

/// LCTD, Fig. 2.6, with bytes.
const SAFE: &str = r#"program pointer 32 entry main
file "a.c"
procedure main () -> ()
  local main.x!1 (_ BitVec 8) "x"
  begin b0
  b0 "entry":
    havoc main.x!1 input "input" "char" unsigned
    branch (bvult #x14 main.x!1) b1 b3
  b1 "then":
    main.x!1 := (bvadd main.x!1 #xec)
    branch (= main.x!1 #x00) b2 b3
  b2 "error":
    assert unreach-call false "error"
    stop abort
  b3 "end":
    return
"#;

/// LCTD, Fig. 2.1, with bytes.
const UNSAFE: &str = r#"program pointer 32 entry main
file "a.c"
procedure main () -> ()
  local main.x!1 (_ BitVec 8) "x"
  local main.y!1 (_ BitVec 8) "y"
  begin b0
  b0 "entry":
    havoc main.x!1 input "input" "char" signed
    branch (= main.x!1 #x0d) b1 b4
  b1 "thirteen":
    branch (bvslt main.x!1 #x0a) b3 b2
  b2 "second":
    havoc main.y!1 input "input" "char" signed
    main.x!1 := (bvadd main.x!1 main.y!1)
    branch (bvslt main.x!1 #x00) b3 b4
  b3 "error":
    assert unreach-call false "error"
    stop abort
  b4 "end":
    return
"#;

/// LCTD, Fig. 5.19: diamonds that have nothing to do with the lock.
fn diamonds(count: usize) -> String {
    let mut text = String::from(
        "program pointer 32 entry main\nfile \"a.c\"\nprocedure main () -> ()\n  local main.lock!1 (_ BitVec 4) \"lock\"\n  \
         local main.x!1 (_ BitVec 8) \"x\"\n  local main.c!1 Bool \"c\"\n  begin b0\n  b0 \"entry\":\n    \
         havoc main.lock!1\n    assume (= main.lock!1 #x1)\n    main.x!1 := #x00\n    goto b1\n",
    );
    for number in 0..count {
        let first = 1 + 3 * number;
        text += &format!(
            "  b{first} \"if\":\n    havoc main.c!1\n    branch main.c!1 b{} b{}\n  b{} \"then\":\n    main.x!1 := (bvadd main.x!1 #x01)\n    \
             goto b{}\n  b{} \"else\":\n    main.x!1 := (bvadd main.x!1 #x03)\n    goto b{}\n",
            first + 1,
            first + 2,
            first + 1,
            first + 3,
            first + 2,
            first + 3
        );
    }
    let last = 1 + 3 * count;
    text + &format!("  b{last} \"end\":\n    assert unreach-call (= main.lock!1 #x1) \"error\"\n    return\n")
}

#[test]
fn a_test_that_gets_nowhere_becomes_a_proof() {
    let outcome = run(SAFE, DashConfig::default());
    let Verdict::Holds(proof) = verdict(&outcome) else { panic!("no proof") };
    let Proof::Partition { regions, .. } = &**proof else { panic!("no partition") };
    assert!(regions.len() >= 3 && regions[0] == vec![Vec::new()]);
    assert!(counter(&outcome, "tests") >= 2 && counter(&outcome, "solve runs") <= 5);
}

#[test]
fn tests_grow_until_one_fails() {
    let outcome = run(UNSAFE, DashConfig::default());
    let Verdict::Violated(trace) = verdict(&outcome) else { panic!("no violation") };
    assert_eq!(trace.violation.message, "error");
    assert!(counter(&outcome, "tests") <= 4);
}

#[test]
fn plain_dash_comes_to_the_same_answers() {
    let plain = || DashConfig { plain: true, ..DashConfig::default() };
    assert!(matches!(verdict(&run(SAFE, plain())), Verdict::Holds(_)));
    assert!(matches!(verdict(&run(UNSAFE, plain())), Verdict::Violated(_)));
}

#[test]
fn diamonds_are_no_trouble_unless_dash_is_plain() {
    let solve_runs = |count: usize, plain: bool| {
        let outcome = run(&diamonds(count), DashConfig { plain, ..DashConfig::default() });
        assert!(matches!(verdict(&outcome), Verdict::Holds(_)), "{count} {plain}");
        counter(&outcome, "solve runs")
    };
    let (few, many) = (solve_runs(2, false), solve_runs(8, false));
    assert!(many <= few + 6, "{few} {many}");
    let (two, three, four) = (solve_runs(2, true), solve_runs(3, true), solve_runs(4, true));
    assert!(three - two > few && four - three >= 2 * (three - two) - 2, "{two} {three} {four}");
}

#[test]
fn a_limit_on_refinements_is_said() {
    let outcome = run(SAFE, DashConfig { max_refinements: Some(1), ..DashConfig::default() });
    let Verdict::Unknown(Reason::BoundReached(bound)) = verdict(&outcome) else { panic!("decided") };
    assert_eq!(bound, "refinement limit");
}

fn flat(text: &str) -> Flat {
    flatten(&program(text), &properties(), Form::Basic).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn the_frontier_lies_between_what_tests_reached_and_the_error() {
    let flat = flat(SAFE);
    let mut regions = Regions::new(&flat, 256);
    let active = vec![true; flat.errors.len()];
    assert!(frontier(&regions, &objectives(&flat, None), &active, &FxSet::default()).is_none(), "no test, no frontier");
    // A test that goes further and further: the frontier is always behind its last region, until that has the exit.
    let mut last = regions.place(0, (0, 0), &mut |_| false);
    let found = loop {
        let found = frontier(&regions, &objectives(&flat, None), &active, &FxSet::default()).unwrap();
        assert_eq!(found.from, last);
        let Goal::Region(next) = found.to else { break found };
        let steps = regions.get(last).members[0].1;
        last = regions.place(regions.get(next).block, (0, steps + 1), &mut |_| false);
    };
    assert_eq!(found.to, Goal::Objective(0));
    regions.close(found.from, found.exit);
    assert!(frontier(&regions, &objectives(&flat, None), &active, &FxSet::default()).is_none());
}

#[test]
fn a_split_hands_on_what_is_impossible() {
    let flat = flat(SAFE);
    let mut regions = Regions::new(&flat, 256);
    let last = flat.blocks.len() - 1;
    let (from, exit) = regions.ways_in(last)[0];
    let (source, target) = (regions.root(from), regions.root(last));
    regions.remove(source, exit, target);
    let predicate = flat.terms.var("p", fathom_term::Sort::Bool);
    let (one, two) = regions.split(&flat, source, predicate, &mut |_| true);
    let (three, four) = regions.split(&flat, target, predicate, &mut |_| true);
    for (source, target) in [(one, three), (one, four), (two, three), (two, four)] {
        assert!(!regions.leads(source, exit, target));
    }
    assert_eq!(regions.get(two).literals, vec![flat.terms.not(predicate)]);
}
