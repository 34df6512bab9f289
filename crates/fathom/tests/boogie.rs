//! What users of Boogie programs see on the command line.

mod common;

use common::Bench;

const PROGRAM: &str = "var M: [int]int;
const unique one, two: int;
function f(int): int;
axiom f(0) == 7;
procedure main(n: int)
  requires n >= 0 && n < 3;
  modifies M;
{
  var i: int;
  i := 0;
  while (i < n) { M[i] := f(0); i := i + 1; }
  assert n == 0 || M[0] == 7;
  assert one != two;
}
";

const OPTIMISATIONS: [&str; 11] = [
    "unique-numbers",
    "dead-declarations",
    "look-ahead",
    "simplification",
    "independence",
    "symbol-cache",
    "map-constants",
    "map-offsets",
    "cheap-copies",
    "shortcuts",
    "loop-escape",
];

#[test]
fn no_optimisation_changes_the_answer() {
    let bench = Bench::new();
    bench.write("right.bpl", PROGRAM);
    bench.write("wrong.bpl", PROGRAM.replace("n == 0 || M[0] == 7", "n < 2 || M[1] != 7"));
    for optimisation in OPTIMISATIONS {
        for (file, expected) in [("right.bpl", "true"), ("wrong.bpl", "false(boogie-assert)")] {
            let run = bench.verify(&[file, "--engine", "explore", "--without", optimisation]);
            assert_eq!(run.verdict(), expected, "without {optimisation}");
        }
    }
}

#[test]
fn contradictory_assumptions_are_told_from_a_proof() {
    let bench = Bench::new();
    bench.write("vacuous.bpl", "const c: int;\naxiom c > 3;\naxiom c < 2;\nprocedure main() { assert c == 0; }\n");
    assert_eq!(bench.verify(&["vacuous.bpl"]).verdict(), "true");
    for engine in ["explore", "auto"] {
        let checked = bench.verify(&["vacuous.bpl", "--check-assumptions", "--engine", engine]);
        assert!(checked.verdict().contains("contradict each other"), "{}", checked.stdout);
    }
}

#[test]
fn a_record_of_each_path() {
    let bench = Bench::new();
    bench.write("paths.bpl", PROGRAM);
    let run = bench.verify(&["paths.bpl", "--out", "out", "--engine", "explore"]);
    assert_eq!(run.verdict(), "true");
    assert!(run.stdout.contains("Paths: 3 ended normally"), "{}", run.stdout);
    let paths = std::fs::read_to_string(bench.path().join("out/paths.tsv")).unwrap();
    assert_eq!(paths.lines().count(), 4, "{paths}");
    let coverage = std::fs::read_to_string(bench.path().join("out/coverage.info")).unwrap();
    assert!(coverage.contains("DA:11,1") && coverage.contains("end_of_record"), "{coverage}");
}

#[test]
fn the_failing_path_is_recorded_and_its_states_are_named() {
    let bench = Bench::new();
    bench.write("states.bpl", "procedure main(x: int) { assume {:captureState \"before\"} true; assert x != 3; }\n");
    let run = bench.verify(&["states.bpl", "--out", "out", "--engine", "explore"]);
    assert_eq!(run.verdict(), "false(boogie-assert)");
    assert!(run.stdout.contains("state before"), "{}", run.stdout);
    let records = std::fs::read_to_string(bench.path().join("out/paths.tsv")).expect("records");
    assert!(records.contains("an assertion fails"), "{records}");
}

#[test]
fn contracts_prove_what_no_exploration_ends() {
    let bench = Bench::new();
    let text = "procedure p(n: int) returns (r: int)\n  requires n >= 0;\n  ensures r >= n;\n{\n  r := 0;\n  if (n > 0) { call r := p(n - 1); r := r + 1; }\n}\n";
    bench.write("contract.bpl", text);
    let run = bench.verify(&["contract.bpl", "--engine", "deduce"]);
    assert_eq!(run.verdict(), "true");
    assert!(run.stdout.contains("and contracts"), "{}", run.stdout);
}

#[test]
fn counterexamples_show_maps_and_functions() {
    let bench = Bench::new();
    let text = "var M: [int]int;\nfunction g(int): int;\nprocedure main(k: int) { assert M[k] + g(k) != 12; }\n";
    bench.write("values.bpl", text);
    let run = bench.verify(&["values.bpl"]);
    assert_eq!(run.verdict(), "false(boogie-assert)");
    for part in ["M = [", "k = ", "g(", "assertion: M[k] + g(k) != 12"] {
        assert!(run.stdout.contains(part), "{part}: {}", run.stdout);
    }
}

#[test]
fn programs_that_are_none() {
    let bench = Bench::new();
    bench.write("wrong.bpl", "procedure main() { x := 1; }\n");
    let run = bench.verify(&["wrong.bpl"]);
    assert!(run.verdict().contains("input error") && run.stderr.contains("wrong.bpl:1:"), "{}", run.stderr);
    bench.write("ok.bpl", "procedure p();\n");
    let missing = bench.verify(&["ok.bpl", "--entry", "q"]);
    assert!(missing.verdict().contains("usage error"), "{}", missing.stdout);
    bench.write("ir.bpl", PROGRAM);
    let printed = bench.run(&["ir", "ir.bpl"]);
    assert!(printed.stdout.contains("axiom"), "{}{}", printed.stdout, printed.stderr);
}

/// Each of these would follow from itself.
const CIRCLE: &str = "procedure first(x: int)\n  ensures false;\n{\n  call second(x);\n}\n\
    procedure second(x: int)\n{\n  call forall first(*);\n}\nprocedure main()\n{\n  call forall first(*);\n  assert false;\n}\n";

#[test]
fn a_lemma_does_not_prove_itself() {
    let bench = Bench::new();
    bench.write("circle.bpl", CIRCLE);
    let run = bench.verify(&["circle.bpl", "--engine", "explore"]);
    assert!(run.verdict().contains("a lemma that is used in its own proof"), "{}", run.stdout);
}
