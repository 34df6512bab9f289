//! Witnesses: what is written fits the format and is validated by Fathom itself; what claims too much is refuted.

mod common;

use common::{Bench, Run};
use serde_json::Value;
use std::path::Path;

const BUG: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
    int main(void) {\n    int sum = 0;\n    for (int i = 0; i < 3; i++)\n        sum += __VERIFIER_nondet_int();\n\
    \x20   if (sum == 4711)\n        reach_error();\n    return 0;\n}\n";
const LOOP: &str = "extern unsigned __VERIFIER_nondet_uint(void);\nextern void reach_error(void);\n\
    int main(void) {\n    unsigned n = __VERIFIER_nondet_uint();\n    unsigned x = 0, y = 0;\n    while (x < n) {\n        x++;\n\
    \x20       y++;\n    }\n    if (x != y) reach_error();\n    return 0;\n}\n";

fn complaints(yaml: &str) -> Vec<String> {
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema/witness-2.0.json");
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(schema).unwrap()).unwrap();
    let document: Value = serde_saphyr::from_str(yaml).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    validator.iter_errors(&document).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

fn text(bench: &Bench, name: &str) -> String {
    std::fs::read_to_string(bench.path().join(name)).unwrap()
}

/// `fathom verify` of this file with both forms of witnesses written.
fn witnesses(bench: &Bench, name: &str, content: &str) -> Run {
    bench.write(name, content);
    let run = bench.verify(&[name, "--property", "unreach-call", "--witness-out", "w.yml", "--witness-out", "w.graphml"]);
    assert_eq!(run.stderr, "");
    run
}

fn validated(bench: &Bench, witness: &str, name: &str) -> Run {
    bench.verify(&["--witness", witness, name, "--property", "unreach-call"])
}

#[test]
fn violation_witnesses_are_written_and_confirmed() {
    let bench = Bench::new();
    assert_eq!(witnesses(&bench, "bug.c", BUG).verdict(), "false(unreach-call)");
    let yaml = text(&bench, "w.yml");
    assert_eq!(complaints(&yaml), Vec::<String>::new(), "{yaml}");
    let entries: Value = serde_saphyr::from_str(&yaml).unwrap();
    let content = entries[0]["content"].as_array().unwrap();
    // Three inputs and the target.
    assert_eq!(content.len(), 4, "{yaml}");
    let first = &content[0]["segment"][0]["waypoint"];
    assert_eq!((first["location"]["line"].as_u64(), first["location"]["column"].as_u64()), (Some(6), Some(38)), "{yaml}");
    let last = &content[3]["segment"][0]["waypoint"];
    assert_eq!((last["type"].as_str(), last["location"]["line"].as_u64()), (Some("target"), Some(8)));
    for witness in ["w.yml", "w.graphml"] {
        let run = validated(&bench, witness, "bug.c");
        assert_eq!((run.code, run.verdict()), (10, "false(unreach-call)"), "{witness}: {}{}", run.stdout, run.stderr);
        assert!(run.stdout.contains(&format!("The violation witness {witness} is confirmed.")), "{}", run.stdout);
    }
    // The same run replays natively.
    let run = bench.run(&["replay", "w.graphml", "bug.c"]);
    assert_eq!(run.code, 10, "{}{}", run.stdout, run.stderr);
}

#[test]
fn a_violation_witness_that_leads_nowhere_is_refuted() {
    let bench = Bench::new();
    witnesses(&bench, "bug.c", BUG);
    let yaml = text(&bench, "w.yml");
    // All inputs zero: the error is not reached on that way.
    let lines = yaml.lines().map(|line| match line.split_once("\\result == ") {
        Some((before, _)) if line.contains('"') || line.contains('\'') => {
            format!("{before}\\result == 0{}", line.trim_end().chars().last().unwrap())
        }
        Some((before, _)) => format!("{before}\\result == 0"),
        None => line.to_string(),
    });
    bench.write("zero.yml", lines.collect::<Vec<_>>().join("\n"));
    let run = validated(&bench, "zero.yml", "bug.c");
    assert_eq!(run.code, 25, "{}{}", run.stdout, run.stderr);
    assert!(run.verdict().starts_with("unknown(the witness does not hold"), "{}", run.verdict());
    assert!(run.stdout.contains("is refuted."), "{}", run.stdout);
}

#[test]
fn results_of_functions_without_a_body_are_inputs() {
    let bench = Bench::new();
    let program = "extern void reach_error(void);\nextern int other(int);\nint main(void) {\n\
        \x20   if (other(1) != other(1)) reach_error();\n    return 0;\n}\n";
    assert_eq!(witnesses(&bench, "p.c", program).verdict(), "false(unreach-call)");
    let yaml = text(&bench, "w.yml");
    assert_eq!((complaints(&yaml), yaml.matches("function_return").count()), (Vec::new(), 2), "{yaml}");
    let run = validated(&bench, "w.yml", "p.c");
    assert!(run.stdout.contains("is confirmed."), "{}{}", run.stdout, run.stderr);
}

#[test]
fn waypoints_of_every_kind_are_followed() {
    let bench = Bench::new();
    bench.write("bug.c", BUG);
    let waypoint = |kind: &str, line: u32, constraint: &str| {
        format!(
            "  - segment:\n    - waypoint:\n        type: {kind}\n        action: follow\n{constraint}        location:\n          \
             file_name: \"./bug.c\"\n          line: {line}\n"
        )
    };
    let condition = |value: &str| format!("        constraint:\n          value: \"{value}\"\n          format: c_expression\n");
    let head = "- entry_type: violation_sequence\n  metadata:\n    format_version: \"2.0\"\n    uuid: x\n    creation_time: x\n    producer:\n      \
        name: other\n      version: \"1\"\n    task:\n      input_files: [\"./bug.c\"]\n      input_file_hashes: {}\n      specification: s\n      \
        data_model: LP64\n      language: C\n  content:\n";
    let way = |last: &str| {
        [
            head.to_string(),
            waypoint("assumption", 5, &condition("sum == 0")),
            waypoint("function_enter", 6, ""),
            waypoint("branching", 7, &condition("true")),
            waypoint("assumption", 8, &condition(last)),
            waypoint("target", 8, ""),
        ]
        .concat()
    };
    bench.write("way.yml", way("sum == 4711"));
    let run = validated(&bench, "way.yml", "bug.c");
    assert_eq!((run.code, run.verdict()), (10, "false(unreach-call)"), "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("is confirmed."), "{}", run.stdout);
    bench.write("wrong.yml", way("sum == 4712"));
    assert!(validated(&bench, "wrong.yml", "bug.c").verdict().starts_with("unknown("));
}

#[test]
fn correctness_witnesses_carry_the_invariants_of_the_proof() {
    let bench = Bench::new();
    assert_eq!(witnesses(&bench, "loop.c", LOOP).verdict(), "true");
    let yaml = text(&bench, "w.yml");
    assert_eq!(complaints(&yaml), Vec::<String>::new(), "{yaml}");
    let entries: Value = serde_saphyr::from_str(&yaml).unwrap();
    let invariants: Vec<&Value> = entries[0]["content"].as_array().unwrap().iter().map(|entry| &entry["invariant"]).collect();
    for value in ["x == y", "x <= n"] {
        assert!(invariants.iter().any(|invariant| invariant["value"] == value), "{value}: {yaml}");
    }
    assert!(invariants.iter().all(|invariant| invariant["location"]["line"] == 6 && invariant["location"]["column"] == 5), "{yaml}");
    for witness in ["w.yml", "w.graphml"] {
        let run = validated(&bench, witness, "loop.c");
        assert_eq!((run.code, run.verdict()), (0, "true"), "{witness}: {}{}", run.stdout, run.stderr);
        assert!(run.stdout.contains("is confirmed.") && run.stdout.contains("invariants were proved"), "{}", run.stdout);
    }
}

#[test]
fn invariants_of_inner_loops_and_globals() {
    let bench = Bench::new();
    let program = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nstatic int total;\n\
        static int step(int k, int limit) {\n    int sum = 0;\n    for (int i = 0; i < limit; i++) {\n        for (int j = 0; j < k; j++)\n\
        \x20           if (sum < 1000) sum++;\n        total = sum;\n    }\n    return sum;\n}\n\
        int main(void) {\n    int s = step(__VERIFIER_nondet_int(), __VERIFIER_nondet_int());\n    if (s > 1000 || s < 0) reach_error();\n\
        \x20   return 0;\n}\n";
    assert_eq!(witnesses(&bench, "nested.c", program).verdict(), "true");
    let yaml = text(&bench, "w.yml");
    assert_eq!(complaints(&yaml), Vec::<String>::new(), "{yaml}");
    let entries: Value = serde_saphyr::from_str(&yaml).unwrap();
    let at = |line: u64, value: &str| {
        let all = entries[0]["content"].as_array().unwrap();
        all.iter().any(|entry| entry["invariant"]["location"]["line"] == line && entry["invariant"]["value"] == value)
    };
    assert!(at(6, "i >= 0") && at(6, "sum <= 1000") && at(7, "j >= 0") && at(6, "total >= 0"), "{yaml}");
    // True only in runs that go round the loop: the limit may be negative.
    assert!(!at(6, "i <= limit"), "{yaml}");
    let run = validated(&bench, "w.yml", "nested.c");
    assert_eq!((run.code, run.verdict()), (0, "true"), "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("is confirmed.") && !run.stdout.contains(" 0 invariants"), "{}", run.stdout);
}

#[test]
fn a_false_invariant_is_said_so() {
    let bench = Bench::new();
    witnesses(&bench, "loop.c", LOOP);
    bench.write("false.yml", text(&bench, "w.yml").replace("x == y", "x == y && x != 3"));
    let run = validated(&bench, "false.yml", "loop.c");
    assert_eq!(run.code, 25, "{}{}", run.stdout, run.stderr);
    assert!(run.verdict().starts_with("unknown(the witness does not hold: ") && run.verdict().contains("x != 3"), "{}", run.verdict());
    assert!(run.stdout.contains("is refuted."), "{}", run.stdout);
    // What has side effects is no invariant: it would prove anything.
    bench.write("loop.c", LOOP.replace("x != y", "x == 2"));
    for trick in ["x = 0", "exit(0)", "1) || (x = 0", "({ x = 0; 1; })"] {
        bench.write("trick.yml", text(&bench, "w.yml").replace("x == y", trick));
        let run = validated(&bench, "trick.yml", "loop.c");
        assert_eq!((run.code, run.verdict()), (10, "false(unreach-call)"), "{trick}: {}", run.stdout);
        assert!(run.stdout.contains("without side effects"), "{trick}: {}", run.stdout);
    }
    // A program that goes wrong refutes every correctness witness.
    bench.write("loop.c", LOOP.replace("x != y", "x == 2"));
    let run = validated(&bench, "w.yml", "loop.c");
    assert_eq!(run.code, 10, "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("is refuted.") && run.stdout.contains("another program"), "{}", run.stdout);
}

#[test]
fn what_is_no_witness() {
    let bench = Bench::new();
    bench.write("bug.c", BUG);
    for (name, content, word) in [
        ("empty.yml", "", "neither"),
        ("list.yml", "- a\n- b\n", "not a witness"),
        ("other.yml", "[]", "neither"),
        ("broken.graphml", "<graphml><graph>", "not a GraphML witness"),
        ("kind.graphml", "<graphml><graph></graph></graphml>", "witness-type"),
    ] {
        bench.write(name, content);
        let run = validated(&bench, name, "bug.c");
        assert_eq!(run.code, 3, "{name}: {}", run.stderr);
        assert!(run.stderr.contains(word) && run.stderr.contains(name), "{name}: {}", run.stderr);
    }
    let run = bench.verify(&["bug.c", "--witness-out", "w.txt"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains(".graphml"), "{}", run.stderr);
    // Nothing was decided: there is no witness, and the verdict is told all the same.
    let run = bench.verify(&["bug.c", "--property", "unreach-call", "--engine", "explore", "--max-loop", "1", "--witness-out", "w.yml"]);
    assert!(run.stderr.contains("no witness") && !bench.path().join("w.yml").exists(), "{}", run.stderr);
}
