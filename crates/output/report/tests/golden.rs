//! The printed forms of a report, against files. `INSTA_UPDATE=always cargo test -p fathom-report` accepts what is printed.

use fathom_base::{Loc, SourceFiles, StopReason};
use fathom_engine::{Assurance, Books, Certificate, Outcome, Proof, Reason, Statistics, Verdict};
use fathom_ir::{Assumption, InputKind, Ledger, Property};
use fathom_machine::{InputRecord, ReplayEnd, ReplayLog, Trace, TraceStep, Violation, WatchedValue};
use fathom_report::{Described, Report, RunInfo, TextOptions, describe, render_html, render_json, render_text};
use fathom_term::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

fn compare(name: &str, printed: &str) {
    insta::assert_snapshot!(name, printed);
}

fn run_info() -> RunInfo {
    RunInfo {
        tool: "fathom".into(),
        version: "0.1.0".into(),
        files: vec!["account.c".into()],
        entry: "main".into(),
        data_model: "LP64".into(),
        engine: "explore".into(),
        solver: "bitwuzla".into(),
        seed: 0,
        seconds: 0.25,
        ..RunInfo::default()
    }
}

fn watched(variable: &str, bits: u64, loc: Loc) -> TraceStep {
    let watched = WatchedValue {
        variable: variable.into(),
        type_name: "int".into(),
        signed: true,
        ty: None,
        value: Value::Bits(bits),
        pointer: None,
        width: 32,
        is_float: false,
    };
    TraceStep::Value { watched, loc }
}

fn violated() -> Report {
    // The path is relative to the crate, where tests run, so that the golden files name no machine.
    let mut files = SourceFiles::default();
    let file = files.add(Path::new("tests/golden/account.c"));
    let at = |line, column| Loc { file, line, column };
    let violation = Violation {
        property: Property::UnreachCall,
        message: "reach_error is called".into(),
        loc: at(7, 20),
        stack: vec!["main".into(), "withdraw".into()],
    };
    let kind = InputKind { source: "__VERIFIER_nondet_int".into(), type_name: "int".into(), signed: true };
    let unset = InputKind { source: String::new(), type_name: "int".into(), signed: true };
    let log = ReplayLog {
        inputs: vec![
            InputRecord { kind, bytes: vec![0xfb, 0xff, 0xff, 0xff], width: 32, loc: at(12, 16) },
            InputRecord { kind: unset, bytes: vec![0; 4], width: 32, loc: at(13, 3) },
        ],
        functions: Vec::new(),
        largest_object: 0,
        used_layout: false,
        read_unwritten: false,
        scene: Default::default(),
        influences: Vec::new(),
        steps: vec![
            TraceStep::Enter { procedure: "main".into(), loc: at(11, 1), called_from: Loc::UNKNOWN },
            watched("balance", 100, at(11, 7)),
            TraceStep::Input { index: 0, loc: at(12, 16) },
            watched("amount", 0xffff_fffb, at(12, 7)),
            TraceStep::Input { index: 1, loc: at(13, 3) },
            TraceStep::Enter { procedure: "withdraw".into(), loc: at(5, 1), called_from: at(14, 3) },
            watched("balance", 100, at(5, 18)),
            watched("amount", 0xffff_fffb, at(5, 31)),
            TraceStep::Branch { taken: false, loc: at(6, 7) },
            TraceStep::Branch { taken: true, loc: at(7, 7) },
        ],
        end: ReplayEnd::Violated(violation.clone()),
    };
    let mut ledger = Ledger::default();
    ledger.note(Assumption::FunctionWithoutBody { name: "log_line".into() });
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
    let outcome = Outcome {
        verdicts: BTreeMap::from([
            (Property::UnreachCall, Verdict::Violated(Box::new(trace))),
            (Property::Assertion, Verdict::Unknown(Reason::NotReached)),
        ]),
        ledger,
        statistics: Statistics {
            counters: vec![("paths".into(), 3), ("queries".into(), 2)],
            solver_time: Duration::from_micros(1500),
            ..Statistics::default()
        },
    };
    let certificates = BTreeMap::from([(
        Property::UnreachCall,
        Certificate {
            assurance: Assurance::ReplayedNatively,
            notes: vec!["confirmed by the interpreter".to_string(), "confirmed natively: reach_error was called".to_string()],
        },
    )]);
    describe(Described {
        part: None,
        run: run_info(),
        outcome: &outcome,
        files: &files,
        replays: &BTreeMap::from([(Property::UnreachCall, log)]),
        certificates: &certificates,
        warnings: Vec::new(),
    })
}

#[test]
fn a_violation_as_text() {
    compare("violated.txt", &render_text(&violated(), TextOptions { statistics: true, ..TextOptions::default() }));
}

#[test]
fn a_violation_as_json() {
    compare("violated.json", &render_json(&violated()));
}

#[test]
fn the_other_answers_as_text() {
    let outcome = Outcome {
        verdicts: BTreeMap::from([
            (
                Property::UnreachCall,
                Verdict::Holds(Rc::new(Proof::AllPathsEnded {
                    explored: Default::default(),
                    books: Books { started: 5, ended: 5, ..Books::default() },
                    refutations: Default::default(),
                })),
            ),
            (Property::NoOverflow, Verdict::Unknown(Reason::Stopped(StopReason::Timeout))),
            (Property::Shift, Verdict::Unknown(Reason::BoundReached("10 iterations\nof a loop".into()))),
        ]),
        ledger: Ledger::default(),
        statistics: Statistics::default(),
    };
    let mut report = describe(Described {
        part: None,
        run: run_info(),
        outcome: &outcome,
        files: &SourceFiles::default(),
        replays: &BTreeMap::new(),
        certificates: &BTreeMap::new(),
        warnings: vec!["account.c:3: implicit int".into()],
    });
    report.engines = vec!["explore: unknown(timeout)".into(), "dash: crashed".into()];
    assert_eq!(report.verdict, "unknown(timeout)");
    compare("other.txt", &render_text(&report, TextOptions::default()));
}

/// What a page shows, without the page.
fn data_of(page: &str) -> serde_json::Value {
    let (_, rest) = page.split_once("type=\"application/json\">").unwrap();
    serde_json::from_str(rest.split("</script").next().unwrap()).unwrap()
}

#[test]
fn the_data_of_a_page() {
    let mut data = data_of(&render_html(&violated()));
    let report: serde_json::Value = serde_json::from_str(&render_json(&violated())).unwrap();
    assert_eq!(data.as_object_mut().unwrap().remove("report"), Some(report), "the report itself is the one of JSON");
    compare("violated.page.json", &format!("{data:#}\n"));
}
