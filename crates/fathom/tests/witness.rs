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
    let mut found: Vec<String> = validator.iter_errors(&document).map(|error| format!("{}: {error}", error.instance_path())).collect();
    found.extend(document.as_array().into_iter().flatten().flat_map(unplaced));
    found
}

/// What a schema can't say: places are in the files of the task, each of which has a hash.
fn unplaced(entry: &Value) -> Vec<String> {
    let task = &entry["metadata"]["task"];
    let files: Vec<&str> = task["input_files"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let mut wrong: Vec<String> =
        files.iter().filter(|file| task["input_file_hashes"][**file].is_null()).map(|file| file.to_string()).collect();
    let content = entry["content"].as_array().into_iter().flatten();
    let waypoints = content.clone().flat_map(|part| part["segment"].as_array().into_iter().flatten()).map(|part| &part["waypoint"]);
    for claim in waypoints.chain(content.map(|part| &part["invariant"])).filter(|claim| !claim.is_null()) {
        let file = claim["location"]["file_name"].as_str().unwrap_or_default();
        if !files.contains(&file) {
            wrong.push(format!("{file} is none of the input files"));
        }
    }
    wrong
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
fn claims_without_a_place_confirm_nothing() {
    let bench = Bench::new();
    witnesses(&bench, "loop.c", LOOP);
    bench.write("beyond.yml", text(&bench, "w.yml").replace("line: 6", "line: 600"));
    let run = validated(&bench, "beyond.yml", "loop.c");
    assert_eq!(run.code, 25, "{}{}", run.stdout, run.stderr);
    assert!(run.verdict().starts_with("unknown(the witness is not confirmed: "), "{}", run.verdict());
    assert!(run.stdout.contains("neither confirmed nor refuted") && run.stdout.contains("unreach-call: holds"), "{}", run.stdout);
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
    // What has side effects or ends the program is no invariant: it would prove anything.
    bench.write("loop.c", LOOP.replace("x != y", "x == 2"));
    for trick in ["x = 0", "exit(0)", "1) || (x = 0", "({ x = 0; 1; })", "1 / x == 5", "1 % (y - y) == 5"] {
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

const MEMORY: &str = "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n    int *p = malloc(sizeof *p);\n\
    \x20   *p = 1;\n    if (__VERIFIER_nondet_int() == 7)\n        free(p);\n    *p = 2;\n    free(p);\n    return 0;\n}\n";

/// What the rules of the GraphML format find wrong, as the linter of the competition has them.
fn graphml_complaints(text: &str) -> Vec<String> {
    const QUESTIONS: [&str; 8] = [
        "G ! call(reach_error())",
        "G valid-free",
        "G valid-deref",
        "G valid-memtrack",
        "G valid-memcleanup",
        "G ! overflow",
        "G ! data-race",
        "F end",
    ];
    let document = roxmltree::Document::parse(text).unwrap();
    let all = |name: &'static str| document.descendants().filter(move |node| node.tag_name().name() == name);
    let data = |node: roxmltree::Node<'_, '_>, key: &str| -> Vec<String> {
        let known = node.children().filter(|child| child.attribute("key") == Some(key));
        known.filter_map(|child| child.text()).map(str::to_string).collect()
    };
    let mut wrong = Vec::new();
    let mut must = |holds: bool, what: &str| {
        if !holds {
            wrong.push(what.to_string());
        }
    };
    let graph = all("graph").next().unwrap();
    for key in ["witness-type", "sourcecodelang", "producer", "programfile", "programhash", "architecture", "creationtime"] {
        must(data(graph, key).len() == 1, key);
    }
    must(!data(graph, "specification").is_empty(), "a specification");
    for line in data(graph, "specification") {
        let is_known = QUESTIONS.iter().any(|question| line == format!("CHECK( init(main()), LTL({question}) )"));
        must(is_known, &line);
    }
    must(data(graph, "programhash").iter().all(|hash| hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit())), "hash");
    must(matches!(data(graph, "architecture").join("").as_str(), "32bit" | "64bit"), "architecture");
    let keys: Vec<_> = all("key").map(|key| (key.attribute("id"), key.attribute("for"))).collect();
    for datum in all("data") {
        let parent = datum.parent_element().map(|parent| parent.tag_name().name());
        must(keys.contains(&(datum.attribute("key"), parent)), "a key that is declared for what it belongs to");
        must(datum.text().is_some_and(|text| !text.trim().is_empty()), "a value");
    }
    let nodes: Vec<_> = all("node").map(|node| node.attribute("id")).collect();
    must(all("node").filter(|node| data(*node, "entry") == ["true"]).count() == 1, "one entry");
    for edge in all("edge") {
        must(nodes.contains(&edge.attribute("source")) && nodes.contains(&edge.attribute("target")), "nodes of an edge");
        let is_result = data(edge, "assumption").iter().any(|text| text.contains("\\result"));
        must(!is_result || data(edge, "assumption.resultfunction").len() == 1, "the function whose result it is");
        must(data(edge, "enterFunction").is_empty() || data(edge, "startline").is_empty(), "an edge for one step");
    }
    let is_violation = data(graph, "witness-type") == ["violation_witness"];
    must(is_violation == all("node").any(|node| data(node, "violation") == ["true"]), "a violation in violation witnesses only");
    must(!is_violation || all("node").all(|node| data(node, "invariant").is_empty()), "invariants in correctness witnesses only");
    wrong
}

#[test]
fn graphml_keeps_the_rules_of_the_format() {
    let bench = Bench::new();
    for (name, program) in [("bug.c", BUG), ("loop.c", LOOP)] {
        witnesses(&bench, name, program);
        assert_eq!(graphml_complaints(&text(&bench, "w.graphml")), Vec::<String>::new(), "{name}");
    }
}

#[test]
fn a_witness_names_the_whole_question() {
    let bench = Bench::new();
    bench.write("memory.c", MEMORY);
    let flags = ["memory.c", "--property", "valid-memsafety", "--no-native", "--witness-out", "w.yml", "--witness-out", "w.graphml"];
    assert_eq!(bench.verify(&flags).verdict(), "false(valid-deref)");
    let (yaml, graphml) = (text(&bench, "w.yml"), text(&bench, "w.graphml"));
    assert_eq!((complaints(&yaml), graphml_complaints(&graphml)), (Vec::new(), Vec::new()), "{yaml}{graphml}");
    for part in ["G valid-free", "G valid-deref", "G valid-memtrack"] {
        assert!(yaml.contains(part) && graphml.contains(part), "{part}: {yaml}{graphml}");
    }
    // Of all that is asked by default the competition knows little; a witness is about what is violated.
    assert_eq!(bench.verify(&["memory.c", "--no-native", "--witness-out", "d.yml"]).verdict(), "false(valid-deref)");
    assert_eq!(text(&bench, "d.yml").matches("CHECK(").count(), 1);
}

#[test]
fn there_is_no_witness_of_a_run_without_end() {
    let bench = Bench::new();
    bench.write("round.c", "int main(void) {\n    for (;;)\n        ;\n}\n");
    let run = bench.verify(&["round.c", "--property", "termination", "--witness-out", "w.yml"]);
    assert_eq!(run.verdict(), "false(termination)", "{}{}", run.stdout, run.stderr);
    assert!(run.stderr.contains("neither form of witnesses") && !bench.path().join("w.yml").exists(), "{}", run.stderr);
}

#[test]
fn places_in_headers_have_no_place_in_a_witness() {
    let bench = Bench::new();
    bench.write("ask.h", "extern int __VERIFIER_nondet_int(void);\nstatic int ask(void) {\n    return __VERIFIER_nondet_int();\n}\n");
    let program = "#include \"ask.h\"\nextern void reach_error(void);\nint main(void) {\n    int here = __VERIFIER_nondet_int();\n\
        \x20   if (ask() == 3 && here == 4) reach_error();\n    return 0;\n}\n";
    assert_eq!(witnesses(&bench, "p.c", program).verdict(), "false(unreach-call)");
    let yaml = text(&bench, "w.yml");
    assert_eq!((complaints(&yaml), yaml.matches("function_return").count()), (Vec::new(), 1), "{yaml}");
    let run = validated(&bench, "w.yml", "p.c");
    assert!(run.stdout.contains("is confirmed."), "{}{}", run.stdout, run.stderr);
}
