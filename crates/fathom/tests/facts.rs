//! `--facts`: what one run proved of a program helps another one, which proves it again; what is torn, changed or wrong helps nobody
//! and changes no verdict.

mod common;

use common::{Bench, Run, files_in};
use serde_json::Value;
use std::path::PathBuf;

/// Without invariants, induction proves neither that `b` is twice `a` nor that nothing overflows.
const TWICE: &str = "extern int __VERIFIER_nondet_int(void);\nvoid reach_error(void) {}\nint a, b, t[8];\n\
    int main(void) {\n  while (__VERIFIER_nondet_int()) {\n    if (a >= 100000000) { a = 0; b = 0; }\n\
    a += 1; b += 2; t[a & 7] = 3;\n  }\n  if (b != 2 * a) reach_error();\n  return 0;\n}\n";

/// Induction that has no invariants but those of others.
const ALONE: [&str; 6] = ["--engine", "kind", "--no-invariants", "--max-k", "3", "--timeout=60s"];
const USED: &str = "invariants that another run had proved were proved again and used";

fn prove(bench: &Bench, file: &str, property: &str, more: &[&str]) -> Run {
    let words = [&[file, "--property", property, "--facts", "facts"][..], more].concat();
    bench.verify(&words)
}

/// A bench with what a proof of no-overflow leaves, and the file that has it.
fn left(program: &str) -> (Bench, PathBuf) {
    let bench = Bench::new();
    bench.write("a.c", program);
    assert_eq!(prove(&bench, "a.c", "no-overflow", &["--engine", "kind"]).verdict(), "true");
    let entries = entries(&bench);
    assert_eq!(entries.len(), 1, "{entries:?}");
    (bench, entries[0].clone())
}

fn entries(bench: &Bench) -> Vec<PathBuf> {
    let store = bench.path().join("facts");
    let folders = files_in(&store).into_iter().map(|name| store.join(name)).filter(|path| path.is_dir());
    folders.flat_map(|folder| files_in(&folder).into_iter().map(move |name| folder.join(name))).collect()
}

/// Puts another entry in the place of this one, under the name that its content has.
fn replace(entry: &PathBuf, change: impl Fn(&mut Value)) {
    let mut content: Value = serde_json::from_slice(&std::fs::read(entry).unwrap()).unwrap();
    change(&mut content);
    let content = serde_json::to_vec(&content).unwrap();
    std::fs::remove_file(entry).unwrap();
    std::fs::write(entry.with_file_name(format!("{}.json", fathom_base::sha256(&content))), content).unwrap();
}

/// Every condition of an entry.
fn conditions(entry: &mut Value) -> Vec<&mut Value> {
    let loops = entry["loops"].as_array_mut().unwrap().iter_mut();
    loops.flat_map(|of_loop| of_loop["facts"].as_array_mut().unwrap()).map(|fact| &mut fact["says"]).collect()
}

#[test]
fn what_one_run_proved_helps_another() {
    let (bench, _) = left(TWICE);
    let alone = bench.verify(&[&["a.c", "--property", "unreach-call"][..], &ALONE].concat());
    assert!(alone.verdict().starts_with("unknown(bound reached"), "{}", alone.stdout);
    let helped = prove(&bench, "a.c", "unreach-call", &ALONE);
    assert_eq!(helped.verdict(), "true", "{}", helped.stdout);
    assert!(helped.stdout.contains(USED), "{}", helped.stdout);
    assert!(helped.stdout.contains("assurance: checked"), "the second solver has seen it all: {}", helped.stdout);
    assert_eq!(entries(&bench).len(), 1, "what was known is not left again");
    // Another program knows nothing of it.
    bench.write("other.c", TWICE.replace("100000000", "100000001"));
    assert!(prove(&bench, "other.c", "unreach-call", &ALONE).verdict().starts_with("unknown("));
}

/// Regions of `dash` and interpolants say nothing of induction, but what always holds is an invariant whoever found it.
#[test]
fn what_other_engines_prove_helps_induction() {
    let program = "extern void reach_error(void);\nextern unsigned __VERIFIER_nondet_uint(void);\nint main(void) {\n\
        unsigned n = __VERIFIER_nondet_uint(), a = 0, b = 0;\n  while (a < n) { a++; b += 2; }\n\
        if (b != 2 * a) reach_error();\n  return 0;\n}\n";
    let bench = Bench::new();
    bench.write("a.c", program);
    let alone = bench.verify(&[&["a.c", "--property", "unreach-call"][..], &ALONE].concat());
    assert!(alone.verdict().starts_with("unknown(bound reached"), "{}", alone.stdout);
    let found = prove(&bench, "a.c", "unreach-call", &["--engine", "dash", "--explain", "--timeout=60s"]);
    assert_eq!(found.verdict(), "true", "{}", found.stdout);
    assert!(found.stdout.contains("always (regions of states):"), "{}", found.stdout);
    let helped = prove(&bench, "a.c", "unreach-call", &ALONE);
    assert_eq!(helped.verdict(), "true", "{}", helped.stdout);
    assert!(helped.stdout.contains(USED), "{}", helped.stdout);
}

#[test]
fn what_is_torn_or_changed_is_not_read() {
    let (bench, entry) = left(TWICE);
    let whole = std::fs::read(&entry).unwrap();
    let changed = String::from_utf8_lossy(&whole).replace("bvslt", "bvult").into_bytes();
    for content in [&whole[..whole.len() / 2], &changed, b""] {
        std::fs::write(&entry, content).unwrap();
        let run = prove(&bench, "a.c", "unreach-call", &ALONE);
        assert!(run.verdict().starts_with("unknown("), "{}", run.stdout);
        assert!(run.stdout.contains("1 entries among the facts are damaged"), "{}", run.stdout);
    }
}

#[test]
fn what_is_wrong_is_not_believed() {
    for wrong in ["false", "(= #x01 #x02)", "true", "(bvslt #x01", "|no such variable|"] {
        let (bench, entry) = left(TWICE);
        replace(&entry, |entry| conditions(entry).into_iter().for_each(|says| *says = wrong.into()));
        let proof = prove(&bench, "a.c", "unreach-call", &ALONE);
        assert!(proof.verdict().starts_with("unknown("), "{wrong}: {}", proof.stdout);
    }
    // A violation is found whatever an entry says.
    let (bench, _) = left(&TWICE.replace("b != 2 * a", "b == 20"));
    for wrong in ["false", "(= |cell 0 of 4| |cell 0 of 4|)"] {
        replace(&entries(&bench)[0], |entry| conditions(entry).into_iter().for_each(|says| *says = wrong.into()));
        let run = prove(&bench, "a.c", "unreach-call", &["--engine", "kind", "--timeout=60s"]);
        assert_eq!(run.verdict(), "false(unreach-call)", "{wrong}: {}", run.stdout);
    }
}

/// Summaries of recursive procedures go from one run of `dash` to another, which proves them itself.
#[test]
fn summaries_of_procedures() {
    let program = |wanted: &str| {
        format!(
            "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n\
             int add(int m, int n) {{ return n == 0 ? m : n > 0 ? add(m + 1, n - 1) : add(m - 1, n + 1); }}\n\
             int main(void) {{ int a = __VERIFIER_nondet_int(); if (add(a, 7) != a + {wanted}) reach_error(); return 0; }}\n"
        )
    };
    let dash = ["--engine", "dash", "--timeout=60s"];
    let told = "that another run had proved were proved again and used";
    let bench = Bench::new();
    bench.write("a.c", program("7"));
    for is_told in [false, true] {
        let run = prove(&bench, "a.c", "unreach-call", &dash);
        assert_eq!((run.verdict(), run.stdout.contains(told)), ("true", is_told), "{}", run.stdout);
    }
    // What is wrong is no summary, and what is no condition is not read.
    let wrongs = [["(= add.m!1@1 add.result!1@1)"], ["true"], ["(not (= add.m!1@1 x))"], ["(bvadd add.m!1@1"]];
    for wrong in wrongs {
        replace(&entries(&bench)[0], |entry| {
            let summaries = entry["summaries"].as_array_mut().unwrap();
            summaries.iter_mut().for_each(|summary| summary["after"] = wrong.to_vec().into());
        });
        let run = prove(&bench, "a.c", "unreach-call", &dash);
        assert_eq!(run.verdict(), "true", "{wrong:?}: {}", run.stdout);
        entries(&bench).iter().skip(1).for_each(|path| std::fs::remove_file(path).unwrap());
    }
    bench.write("a.c", program("8"));
    assert_eq!(prove(&bench, "a.c", "unreach-call", &dash).verdict(), "false(unreach-call)");
}

#[test]
fn places_that_are_none() {
    let (bench, entry) = left(TWICE);
    replace(&entry, |entry| entry["loops"][0]["procedure"] = "nowhere".into());
    assert!(prove(&bench, "a.c", "unreach-call", &ALONE).verdict().starts_with("unknown("));
    std::fs::create_dir(bench.path().join("taken")).unwrap();
    bench.write("taken/file", "mine");
    let refused = bench.run(&["verify", "a.c", "--facts", "taken"]);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("it has files that are no facts"), "{}", refused.stderr);
}

#[test]
fn tasks_of_a_plan_help_each_other() {
    let bench = Bench::new();
    bench.write("a.c", TWICE);
    let plan = "plan a.c --out work --engine kind --property no-overflow,unreach-call --split-properties --timeout 60s";
    assert_eq!(bench.run(&plan.split(' ').collect::<Vec<_>>()).code, 0);
    for task in ["1", "2"] {
        assert_eq!(bench.run(&["run", "work", task, "--facts", "facts"]).code, 0);
    }
    let results = bench.path().join("work/results");
    let told = files_in(&results).into_iter().filter(|name| std::fs::read_to_string(results.join(name)).unwrap().contains(USED));
    assert_eq!(told.count(), 1);
    let merged = bench.run(&["merge", "work"]);
    assert_eq!(merged.code, 0, "{}", merged.stdout);
}
