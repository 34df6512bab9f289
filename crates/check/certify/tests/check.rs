//! What becomes of verdicts whose second check fails: never the answer that was claimed.

use fathom_base::{Budget, FileId, Loc};
use fathom_certify::{Certified, Interpreter, NativeMode, check_with};
use fathom_engine::{Assurance, Books, Certificate, Outcome, Proof, Reason, Statistics, Verdict};
use fathom_ir::{Ledger, Program, Property};
use fathom_machine::{ReplayEnd, ReplayLog, Trace, Violation};
use fathom_term::TermStore;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

fn program() -> Program {
    Program::empty(Rc::new(TermStore::new()))
}

fn violation(property: Property, line: u32) -> Violation {
    Violation { property, message: "it is".into(), loc: Loc { file: FileId(0), line, column: 1 }, stack: vec!["main".into()] }
}

fn checked(verdict: Verdict, end: ReplayEnd) -> Certified {
    checked_among(&[], verdict, end)
}

fn checked_among(asked: &[Property], verdict: Verdict, end: ReplayEnd) -> Certified {
    let outcome = Outcome {
        verdicts: BTreeMap::from([(Property::UnreachCall, verdict)]),
        ledger: Ledger::default(),
        statistics: Statistics::default(),
    };
    let replay = move |_: &Trace| ReplayLog {
        inputs: Vec::new(),
        steps: Vec::new(),
        functions: Vec::new(),
        largest_object: 0,
        used_layout: false,
        read_unwritten: false,
        scene: Default::default(),
        influences: Vec::new(),
        end: end.clone(),
    };
    let asked = asked.iter().copied().collect::<BTreeSet<_>>();
    let interpreter = Interpreter { replay: &replay, minimise: &|_| None };
    check_with(outcome, &program().into(), &asked, &interpreter, &NativeMode::Skip("not here".into()), None, &Budget::unlimited())
}

fn claimed(end: ReplayEnd) -> Certified {
    checked(claim(), end)
}

fn claim() -> Verdict {
    let violation = violation(Property::UnreachCall, 5);
    let trace = Trace {
        symbols: BTreeMap::new(),
        functions: Vec::new(),
        choices: Vec::new(),
        schedule: Vec::new(),
        cycle: None,
        layout: Vec::new(),
        branches: 0,
        violation,
    };
    Verdict::Violated(Box::new(trace))
}

fn proved(started: u64, ended: u64, repeated: u64, cut: u64) -> Certified {
    checked(
        Verdict::Holds(Rc::new(Proof::AllPathsEnded {
            explored: Default::default(),
            books: Books { started, ended, merged: 0, repeated, cut },
            refutations: Default::default(),
        })),
        ReplayEnd::Ended,
    )
}

fn verdict(certified: &Certified) -> &Verdict {
    &certified.outcome.verdicts[&Property::UnreachCall]
}

#[test]
fn the_same_violation_confirms() {
    let certified = claimed(ReplayEnd::Violated(violation(Property::UnreachCall, 5)));
    assert!(matches!(verdict(&certified), Verdict::Violated(_)));
    let Certificate { assurance, notes } = &certified.certificates[&Property::UnreachCall];
    assert_eq!(*assurance, Assurance::Replayed);
    assert!(notes.iter().any(|note| note.contains("not replayed natively: not here")), "{notes:?}");
}

#[test]
fn any_other_end_withdraws() {
    let ends = [
        ReplayEnd::Ended,
        ReplayEnd::Stuck("somewhere".into()),
        ReplayEnd::Violated(violation(Property::UnreachCall, 6)),
        ReplayEnd::Violated(violation(Property::NoOverflow, 5)),
    ];
    for end in ends {
        let certified = claimed(end.clone());
        assert!(matches!(verdict(&certified), Verdict::Unknown(Reason::NotConfirmed(_))), "{end:?}");
        assert!(certified.replays.contains_key(&Property::UnreachCall), "people still see the replay");
    }
}

#[test]
fn what_was_asked_for_and_seen_counts() {
    let asked = [Property::UnreachCall, Property::NoOverflow];
    let elsewhere = checked_among(&asked, claim(), ReplayEnd::Violated(violation(Property::UnreachCall, 6)));
    assert!(matches!(verdict(&elsewhere), Verdict::Violated(trace) if trace.violation.loc.line == 6));
    let other = checked_among(&asked, claim(), ReplayEnd::Violated(violation(Property::NoOverflow, 5)));
    assert!(matches!(verdict(&other), Verdict::Unknown(Reason::NotConfirmed(_))));
    assert!(matches!(other.outcome.verdicts[&Property::NoOverflow], Verdict::Violated(_)));
    let not_asked = checked_among(&asked[..1], claim(), ReplayEnd::Violated(violation(Property::NoOverflow, 5)));
    assert!(!not_asked.outcome.verdicts.contains_key(&Property::NoOverflow));
}

#[test]
fn proofs_are_recounted() {
    assert!(matches!(verdict(&proved(4, 4, 1, 0)), Verdict::Holds(_)));
    assert!(matches!(verdict(&proved(4, 4, 0, 1)), Verdict::Unknown(Reason::BoundReached(_))));
    for (started, ended, repeated) in [(4, 3, 0), (3, 4, 0), (0, 0, 0), (2, 2, 3)] {
        assert!(matches!(verdict(&proved(started, ended, repeated, 0)), Verdict::Unknown(Reason::NotConfirmed(_))));
    }
}
