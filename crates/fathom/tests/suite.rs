//! `fathom test`, `fathom replay` and `--compile-commands` as a user meets them.

mod common;

use common::{Bench, Run, files_in};
use std::path::Path;
use std::time::{Duration, Instant};

const INPUTS: &str = "extern int __VERIFIER_nondet_int(void);\nextern unsigned char __VERIFIER_nondet_uchar(void);\n\
    extern void reach_error(void);\n";

/// Two errors, a branch that no input takes, and a function of its own.
const PROGRAM: &str = "static int classify(int x) {\n\
  if (x < 0) return -1;\n\
  if (x > 100 && x < 50) return 7;\n\
  return x == 1 ? 10 : 0;\n\
}\n\
int main(void) {\n\
  int kind = classify(__VERIFIER_nondet_int());\n\
  if (kind != 10) return kind;\n\
  unsigned char b = __VERIFIER_nondet_uchar();\n\
  int t[4] = {0};\n\
  if (b == 77) reach_error();\n\
  return t[b & 7];\n\
}\n";

/// Serves requests for ever.
const SERVER: &str = "int main(void) {\n\
  int state = 0;\n\
  while (1) {\n\
    int request = __VERIFIER_nondet_int();\n\
    if (request == 1 && state == 0) state = 1;\n\
    else if (request == 2 && state == 1) state = 2;\n\
    else if (request == 3 && state == 2) reach_error();\n\
  }\n\
}\n";

/// How a witness says what leads to the error of `PROGRAM`.
const WITNESS: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="directed">
  <node id="A0"><data key="entry">true</data></node>
  <edge source="A0" target="A1"><data key="startline">10</data><data key="assumption">\result == 1;</data>
    <data key="assumption.resultfunction">__VERIFIER_nondet_int</data></edge>
  <node id="A1"/>
  <edge source="A1" target="A2"><data key="startline">12</data><data key="assumption">\result == 77;</data>
    <data key="assumption.resultfunction">__VERIFIER_nondet_uchar</data></edge>
  <node id="A2"><data key="violation">true</data></node>
</graph></graphml>
"#;

fn program(body: &str) -> String {
    format!("{INPUTS}{body}")
}

impl Bench {
    /// `fathom test ...`; the last line says what the suite is.
    fn suite(&self, arguments: &[&str]) -> Run {
        self.run(&[&["test"], arguments].concat())
    }

    fn replay(&self, arguments: &[&str]) -> Run {
        self.run(&[&["replay"], arguments].concat())
    }

    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn tests(&self, directory: &str) -> usize {
        files_in(&self.path().join(directory)).iter().filter(|name| name.starts_with("testcase-")).count()
    }
}

fn last_line(run: &Run) -> &str {
    run.stdout.lines().last().unwrap_or_default()
}

fn contains(run: &Run, words: &[&str]) {
    for word in words {
        assert!(run.stdout.contains(word) || run.stderr.contains(word), "`{word}` is missing in\n{}{}", run.stdout, run.stderr);
    }
}

#[test]
fn a_suite_in_three_forms_with_measured_coverage() {
    let bench = Bench::new();
    bench.write("p.c", program(PROGRAM));
    let run = bench.suite(&["p.c", "--out", "suite", "--stats"]);
    assert_eq!(run.code, 10, "{}{}", run.stdout, run.stderr);
    contains(&run, &["unreach-call: reach_error() is reached", "natively: error: the error function was called"]);
    contains(&run, &["valid-deref: invalid read", "natively: error: index", "classify", "Every path was followed"]);
    // `x > 100 && x < 50` as a whole, and `x < 50` behind `x > 100`.
    contains(&run, &["p.c:6:", "in classify: no run goes this way"]);
    assert!(!run.stdout.contains("something else natively"), "{}", run.stdout);
    assert!(last_line(&run).contains(" 2 errors, lines 100.0%, branches 9"), "{}", run.stdout);
    let files = files_in(&bench.path().join("suite"));
    for name in ["CMakeLists.txt", "coverage.lcov", "coverage.txt", "metadata.xml", "suite.json", "testcase-0001.xml"] {
        assert!(files.iter().any(|file| file == name), "{name} is missing in {files:?}");
    }
    let ktest = std::fs::read(bench.path().join("suite/ktest/test-0001.ktest")).unwrap();
    assert!(ktest.starts_with(b"KTEST\0\0\0\x03"));
    assert!(bench.text("suite/tests/test-0001.c").starts_with("/* A test written by Fathom: "));
    let summary: serde_json::Value = serde_json::from_str(&bench.text("suite/suite.json")).unwrap();
    assert_eq!(summary["complete"], true);
    assert_eq!(summary["tests"].as_array().unwrap().len(), bench.tests("suite"));
    assert!(summary["tests"].as_array().unwrap().iter().all(|test| test["path"].as_str().unwrap().starts_with("same")), "{summary}");
    contains(&run, &["tests took natively the path that they promise"]);
    // A second run replaces the suite; a file that the user put there stays.
    bench.write("suite/notes.txt", "mine");
    let run = bench.suite(&["p.c", "--out", "suite", "--min"]);
    assert!(last_line(&run).contains("branches 9"), "{}", run.stdout);
    assert_eq!(bench.text("suite/notes.txt"), "mine");
}

#[test]
fn the_tracefile_of_lcov() {
    let bench = Bench::new();
    bench.write(
        "l.c",
        "extern int __VERIFIER_nondet_int(void);\nint main(void) {\n  if (__VERIFIER_nondet_int() > 3)\n    return 1;\n  return 0;\n}\n",
    );
    let run = bench.suite(&["l.c", "--out", "suite"]);
    assert_eq!((run.code, last_line(&run)), (0, "SUITE 2 tests, 0 errors, lines 100.0%, branches 100.0%"), "{}", run.stdout);
    let lcov = bench.text("suite/coverage.lcov");
    let expected = "FN:2,main\nFNDA:2,main\nFNF:1\nFNH:1\nDA:2,2\nDA:3,2\nDA:4,1\nDA:5,1\nDA:6,2\n\
        BRDA:3,0,0,1\nBRDA:3,0,1,1\nBRF:2\nBRH:2\nLF:5\nLH:5\nend_of_record\n";
    let (source, rest) = lcov.split_once('\n').unwrap();
    assert!(source.starts_with("SF:") && source.ends_with("/l.c"), "{source}");
    assert_eq!(rest, expected);
}

#[test]
fn fewer_tests_with_the_same_coverage() {
    let bench = Bench::new();
    let loops = "int main(void) {\n  int n = 0;\n  for (int i = 0; i < 5; i++) { if (__VERIFIER_nondet_int() > i) n = 2 * n + 1; else n = 2 * n; }\n  return n;\n}\n";
    bench.write("loops.c", program(loops));
    let full = bench.suite(&["loops.c", "--out", "full"]);
    assert!(last_line(&full).starts_with("SUITE 32 tests, 0 errors"), "{}", full.stdout);
    let small = bench.suite(&["loops.c", "--out", "small", "--min"]);
    assert!(bench.tests("small") <= 2, "{}", small.stdout);
    let coverage = |run: &Run| last_line(run).split_once("errors").unwrap().1.to_string();
    assert_eq!(coverage(&full), coverage(&small));
    let three = bench.suite(&["loops.c", "--out", "three", "--max-tests", "3"]);
    assert_eq!((bench.tests("three"), coverage(&three)), (3, coverage(&full)));
    // An error is worth more than any other test, however late it is found.
    let late = "int main(void) {\n  int n = __VERIFIER_nondet_int();\n  if (n < 0) return 1;\n  if (n < 5) return 2;\n  if (n % 1000 == 77) reach_error();\n  return n / (n - 9);\n}\n";
    bench.write("late.c", program(late));
    let one = bench.suite(&["late.c", "--out", "one", "--max-tests", "1"]);
    assert_eq!((one.code, bench.tests("one")), (10, 1), "{}", one.stdout);
    // The second error is said, unless the exploration was ended before it came there.
    let said = ["1 more errors were found than --max-tests allows tests.", "there are as many tests of errors as may be."];
    assert!(said.iter().any(|words| one.stdout.contains(words)), "{}", one.stdout);
}

/// A thousand million paths, which interpolants show to take the same few sides of branches.
#[test]
fn the_search_ends_when_nothing_new_can_be_covered() {
    let bench = Bench::new();
    let signs = "int main(void) {\n  int sum = 0;\n  for (int i = 0; i < 30; i++) { if (__VERIFIER_nondet_int()) sum += 1; else sum -= 1; }\n  if (sum > 30) return 7;\n  return 0;\n}\n";
    bench.write("signs.c", program(signs));
    for more in [vec!["--min"], vec!["--max-tests", "5"]] {
        let run = bench.suite(&[vec!["signs.c", "--out", "suite"], more].concat());
        contains(&run, &["Every path was followed to its end, or to where nothing new can be covered.", "in main: no run goes this way"]);
    }
}

#[test]
fn one_test_is_enough_for_an_error_call() {
    let bench = Bench::new();
    bench.write("server.c", program(SERVER));
    let run = bench.suite(&["server.c", "--out", "suite", "--coverage", "error-call"]);
    assert_eq!((run.code, bench.tests("suite")), (10, 1), "{}", run.stdout);
    assert!(bench.text("suite/testcase-0001.xml").contains("coversError=\"true\""));
    assert!(bench.text("suite/metadata.xml").contains("COVER EDGES(@CALL(reach_error))"));
    let run = bench.suite(&["server.c", "--out", "suite", "--coverage", "error-call", "--json"]);
    let (json, _) = run.stdout.rsplit_once("SUITE").unwrap();
    let summary: serde_json::Value = serde_json::from_str(json).unwrap();
    assert_eq!(summary["tests"][0]["promise"]["property"], "unreach-call");
}

#[test]
fn a_program_without_end_is_covered_too() {
    let bench = Bench::new();
    // The counter keeps states from being equal, so that the exploration has no end either.
    bench.write(
        "server.c",
        program(
            &SERVER.replace("int state = 0;", "int state = 0; unsigned served = 0;").replace("int request", "served += 3; int request"),
        ),
    );
    let run = bench.suite(&["server.c", "--out", "suite", "--timeout", "12s", "--min"]);
    contains(&run, &["the time was over"]);
    assert!(last_line(&run).ends_with("branches 100.0%"), "{}", run.stdout);
    assert!(!run.stdout.contains("something else natively"), "{}", run.stdout);
}

/// The compiled program is faster than the interpreter: what it comes to behind the end of a test counts too.
#[test]
fn an_error_that_only_the_native_run_reaches() {
    let bench = Bench::new();
    bench.write("far.c", program("int main(void) {\n  volatile unsigned x = 0;\n  while (x < 100000000u) x++;\n  reach_error();\n}\n"));
    let run = bench.suite(&["far.c", "--out", "suite", "--timeout", "15s"]);
    assert_eq!(run.code, 10, "{}{}", run.stdout, run.stderr);
    contains(&run, &["which only its native run came to", "natively: error: the error function was called", " 1 errors"]);
}

#[test]
fn an_interrupt_keeps_what_was_found() {
    let bench = Bench::new();
    bench.write(
        "server.c",
        program(
            &SERVER.replace("int state = 0;", "int state = 0; unsigned served = 0;").replace("int request", "served += 3; int request"),
        ),
    );
    let mut child = bench.command(&["test", "server.c", "--out", "suite", "--timeout", "100s"]).spawn().unwrap();
    let start = Instant::now();
    while !bench.path().join("suite/testcase-0001.xml").exists() && start.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(50));
    }
    let interrupted = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(interrupted.is_ok_and(|status| status.success()));
    assert_eq!(child.wait().unwrap().code(), Some(23));
    assert!(bench.tests("suite") > 0);
    bench.check_promises(&Run { stdout: String::new(), stderr: String::new(), code: 23 });
}

#[test]
fn output_folders_that_cannot_be_used() {
    let bench = Bench::new();
    bench.write("p.c", program(PROGRAM));
    std::fs::create_dir(bench.path().join("mine")).unwrap();
    bench.write("mine/testcase-0001.xml", "precious");
    for (folder, word) in [("mine", "did not write"), ("p.c", "this is a file"), ("p.c/sub", "p.c/sub"), ("/proc/fathom", "/proc/fathom")] {
        let run = bench.suite(&["p.c", "--out", folder]);
        assert_eq!(run.code, 2, "{folder}: {}", run.stderr);
        contains(&run, &[word, "SUITE unknown(usage error"]);
    }
    assert_eq!(bench.text("mine/testcase-0001.xml"), "precious");
    assert_eq!(bench.suite(&["p.c"]).code, 2);
}

#[test]
fn every_form_of_a_test_replays() {
    let bench = Bench::new();
    bench.write("p.c", program(PROGRAM));
    assert_eq!(bench.suite(&["p.c", "--out", "suite", "--coverage", "error-call"]).code, 10);
    let report = bench.verify(&["p.c", "--json"]);
    bench.write("trace.json", &report.stdout);
    for test in ["suite/testcase-0001.xml", "suite/ktest/test-0001.ktest", "suite/tests/test-0001.c", "trace.json"] {
        let run = bench.replay(&[test, "p.c"]);
        assert_eq!(run.code, 10, "{test}: {}{}", run.stdout, run.stderr);
        assert_eq!(last_line(&run), "REPLAY error: the error function was called", "{test}");
    }
    bench.write("witness.graphml", WITNESS);
    let run = bench.replay(&["witness.graphml", "p.c"]);
    assert_eq!((run.code, last_line(&run)), (10, "REPLAY error: the error function was called"), "{}", run.stderr);
    bench.write("fine.xml", "<testcase><input>5</input></testcase>");
    let run = bench.replay(&["fine.xml", "p.c"]);
    assert_eq!((run.code, last_line(&run)), (0, "REPLAY the program ended with exit code 0"));
    bench.write("short.xml", "<testcase><input>1</input></testcase>");
    let run = bench.replay(&["short.xml", "p.c"]);
    assert_eq!(run.code, 0);
    contains(&run, &["all inputs were used, then __VERIFIER_nondet_uchar was asked"]);
}

#[test]
fn arguments_and_standard_input_are_part_of_a_test() {
    let bench = Bench::new();
    let body = "#include <stdio.h>\nextern void reach_error(void);\nint main(int argc, char **argv) {\n  \
        int first = getchar(), second = getchar();\n  \
        if (argc == 2 && argv[1][0] == '-' && argv[1][1] == 'v' && first == 'x' && second == '7') reach_error();\n  return 0;\n}\n";
    bench.write("tool.c", body);
    let run = bench.suite(&["tool.c", "--out", "suite", "--coverage", "error-call", "--sym-args", "0", "1", "2", "--sym-stdin", "2"]);
    assert_eq!(run.code, 10, "{}{}", run.stdout, run.stderr);
    contains(&run, &["natively: error: the error function was called"]);
    assert!(bench.text("suite/testcase-0001.xml").contains("variable=\"argv[1]\""));
    for test in ["suite/testcase-0001.xml", "suite/ktest/test-0001.ktest", "suite/tests/test-0001.c"] {
        let run = bench.replay(&[test, "tool.c"]);
        assert_eq!((run.code, last_line(&run)), (10, "REPLAY error: the error function was called"), "{test}: {}", run.stderr);
    }
}

/// Each run finds the files of its test and no others, and can write some itself.
#[test]
fn files_are_part_of_a_test() {
    let bench = Bench::new();
    let body = "#include <stdio.h>\nint main(void) {\n  FILE *in = fopen(\"in\", \"r\");\n  if (!in) return 1;\n  int c = fgetc(in);\n  \
        if (c == 'x') return 2;\n  FILE *old = fopen(\"out\", \"r\");\n  if (old) return 3;\n  FILE *out = fopen(\"out\", \"w\");\n  \
        if (!out || fputc(c, out) == EOF || fclose(out)) return 4;\n  old = fopen(\"out\", \"r\");\n  \
        if (!old || fgetc(old) != c) return 5;\n  return c == 'y' ? 6 : 0;\n}\n";
    bench.write("tool.c", body);
    let run = bench.suite(&["tool.c", "--out", "suite", "--sym-file", "in", "1"]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    contains(&run, &["3 of 3 tests took natively the path that they promise.", "Every path was followed to its end."]);
}

#[test]
fn files_of_one_name() {
    let bench = Bench::new();
    ["a", "b"].iter().for_each(|name| std::fs::create_dir(bench.path().join(name)).unwrap());
    bench.write("a/m.c", program("static int f(int x) { return x > 3 ? 1 : 2; }\nint g(int);\nint main(void) { int x = __VERIFIER_nondet_int(); return f(x) + g(x); }\n"));
    bench.write("b/m.c", "static int f(int x) { if (x == 77) return 9; return 1; }\nint g(int x) { return f(x); }\n");
    let run = bench.suite(&["a/m.c", "b/m.c", "--out", "suite"]);
    contains(&run, &["branches 100.0%", "3 of 3 tests took natively the path that they promise."]);
    assert_eq!(run.stdout.lines().filter(|line| line.starts_with("f ")).count(), 2, "{}", run.stdout);
}

/// Both sides of conditions that are only computed with, in functions that count alike natively and on the interpreter.
const VALUES: &str = "#include <string.h>\nstatic int pick(int a, int b) { int both = a > 5 && b < 3; int size = a > 100 ? 2 : 1; return both * 10 + size; }\n\
int main(void) {\n  int sum = 0;\n  for (int i = 0; i < 2; i++) sum += pick(__VERIFIER_nondet_int(), i);\n  return (sum == 24 || sum < 0) && strcmp(\"a\", \"b\") < 0;\n}\n";

#[test]
fn conditions_that_are_only_computed_with_are_covered() {
    let bench = Bench::new();
    bench.write("values.c", program(VALUES));
    let run = bench.suite(&["values.c", "--out", "suite", "--min"]);
    assert!(run.stdout.contains("pick") && run.stdout.contains("Every path was followed"), "{}", run.stdout);
    let pick = run.stdout.lines().find(|line| line.starts_with("pick")).unwrap_or_default();
    // b is 0 or 1, so that b < 3 always holds.
    assert!(pick.contains("5/6"), "{}", run.stdout);
    contains(&run, &["3 can't be", "took natively the path that they promise"]);
    assert!(!run.stdout.contains("another path"), "{}", run.stdout);
}

/// What nobody initialised is zero in every build of a suite, so that tests that look at it do what they promise.
const LEFTOVERS: &str = "#include <stdlib.h>\nint main(void) {\n  int local[4], *heap = malloc(64), n = __VERIFIER_nondet_int() & 3;\n\
  for (int i = 0; i < n; i++) local[i] = heap[i] = 1;\n  free(heap);\n  heap = malloc(64);\n\
  if (local[3] != 0 || heap[2] != 0) return 7;\n  return n == 3 && local[2] ? 3 : 0;\n}\n";

#[test]
fn memory_that_nobody_initialised() {
    let bench = Bench::new();
    bench.write("left.c", program(LEFTOVERS));
    let run = bench.suite(&["left.c", "--out", "suite"]);
    contains(
        &run,
        &["4 of 4 tests took natively the path", "memory that the program does not initialise is zero", "Every path was followed"],
    );
    assert!(!run.stdout.contains("something else natively"), "{}", run.stdout);
}

/// A library function: its objects are made natively too.
const LIBRARY: &str = "#include <assert.h>\nstruct node { int value; struct node *next; };\n\
int count(const struct node *list, unsigned char wanted) {\n  int n = 0;\n  for (; list; list = list->next) n += list->value == wanted;\n  assert(n < 3);\n  return n;\n}\n\
int main(void) { return 0; }\n";

#[test]
fn a_suite_for_a_function_of_a_library() {
    let bench = Bench::new();
    bench.write("lib.c", LIBRARY);
    for model in ["--64", "--32"] {
        let run = bench.suite(&["lib.c", "--entry", "count", "--out", "suite", "--min", model]);
        assert_eq!(run.code, 10, "{}{}", run.stdout, run.stderr);
        contains(&run, &["natively: error: an assertion failed in int count", "tests took natively the path that they promise"]);
        assert!(!run.stdout.contains("another path"), "{}", run.stdout);
    }
    let failing = run_of_error(&bench);
    for test in
        [format!("suite/testcase-{failing}.xml"), format!("suite/ktest/test-{failing}.ktest"), format!("suite/tests/test-{failing}.c")]
    {
        let run = bench.replay(&[&test, "lib.c", "--entry", "count", "--32"]);
        assert_eq!(run.code, 10, "{test}: {}{}", run.stdout, run.stderr);
    }
}

/// Nobody calls it, and it is static: natively it must be kept and made global. Texts end, arrays of pointers too.
const STATIC: &str = "#include <assert.h>\n#include <string.h>\n\
static int find(char **names, const char *wanted) {\n  int n = 0;\n  for (; names[n]; n++) if (!strcmp(names[n], wanted)) break;\n\
  assert(n < 2 || strlen(wanted) != 3);\n  return n;\n}\nint unrelated(void) { return 0; }\n";

#[test]
fn a_suite_for_a_static_function() {
    let bench = Bench::new();
    bench.write("static.c", STATIC);
    let run = bench.suite(&["static.c", "--entry", "find", "--out", "suite", "--min", "--timeout", "30s", "--max-loop", "5"]);
    assert_eq!(run.code, 10, "{}{}", run.stdout, run.stderr);
    contains(&run, &["natively: error: an assertion failed in int find", "tests took natively the path that they promise", " 1 errors"]);
    assert!(!run.stdout.contains("another path") && !run.stdout.contains("something else"), "{}", run.stdout);
    assert!(bench.text("suite/CMakeLists.txt").contains("--globalize-symbol=find"));
    let failing = run_of_error(&bench);
    let run = bench.replay(&[&format!("suite/testcase-{failing}.xml"), "static.c", "--entry", "find"]);
    assert_eq!(run.code, 10, "{}{}", run.stdout, run.stderr);
}

/// What functions without a body give and write, and whether malloc fails, is part of a test.
const UNSEEN: &str = "#include <assert.h>\n#include <stdlib.h>\nstruct pair { int a; short b; };\n\
extern int ask(struct pair *to, const int *from, double x);\nextern double measure(void);\n\
int main(void) {\n  struct pair p[2] = {{1, 2}, {3, 4}};\n  int y = 5, r = ask(&p[1], &y, 1.5), *heap = malloc(4);\n  assert(y == 5);\n  \
if (!heap) return r == 77 ? 3 : 4;\n  if (p[0].b == 9 && p[1].a == r) assert(measure() != 2.5);\n  free(heap);\n  return 0;\n}\n";

#[test]
fn code_that_is_not_there_is_part_of_a_test() {
    let bench = Bench::new();
    bench.write("unseen.c", UNSEEN);
    for model in ["--64", "--32"] {
        let run = bench.suite(&["unseen.c", "--out", "suite", "--malloc-may-fail", model]);
        assert_eq!(run.code, 10, "{}{}", run.stdout, run.stderr);
        contains(
            &run,
            &["natively: error: an assertion failed in int main", "tests took natively the path that they promise", " 1 errors"],
        );
        assert!(!run.stdout.contains("another path") && !run.stdout.contains("something else"), "{}", run.stdout);
    }
    let failing = run_of_error(&bench);
    for test in
        [format!("suite/testcase-{failing}.xml"), format!("suite/ktest/test-{failing}.ktest"), format!("suite/tests/test-{failing}.c")]
    {
        let run = bench.replay(&[&test, "unseen.c", "--32", "--malloc-may-fail"]);
        assert_eq!(run.code, 10, "{test}: {}{}", run.stdout, run.stderr);
    }
    let run = bench.suite(&["unseen.c", "--out", "suite", "--undefined", "zero"]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    contains(&run, &["1 of 1 tests took natively the path"]);
}

/// The number of the first test in `suite` that shows an error.
fn run_of_error(bench: &Bench) -> String {
    let summary: serde_json::Value = serde_json::from_str(&bench.text("suite/suite.json")).unwrap();
    let tests = summary["tests"].as_array().unwrap();
    let failing = tests.iter().find(|test| test["promise"]["kind"] == "fails").expect("a test of an error");
    failing["name"].as_str().unwrap().trim_start_matches("test-").to_string()
}

#[test]
fn scanned_numbers_are_part_of_a_test() {
    let bench = Bench::new();
    bench.write("scan.c", "#include <stdio.h>\nextern void reach_error(void);\nint main(void) {\n  int a = 0; unsigned b; char c;\n  \
        if (scanf(\"%d:%x %c\", &a, &b, &c) != 3) return a != 0;\n  if (a == -7 && b == 0xc0de && c == '!') reach_error();\n  return 0;\n}\n");
    let run = bench.suite(&["scan.c", "--out", "suite", "--min"]);
    assert_eq!(run.code, 10, "{}{}", run.stdout, run.stderr);
    contains(&run, &["natively: error: the error function was called", "tests took natively the path that they promise"]);
    assert!(!run.stdout.contains("another path") && !run.stdout.contains("something else"), "{}", run.stdout);
    let failing = run_of_error(&bench);
    for test in
        [format!("suite/testcase-{failing}.xml"), format!("suite/ktest/test-{failing}.ktest"), format!("suite/tests/test-{failing}.c")]
    {
        let run = bench.replay(&[&test, "scan.c"]);
        assert_eq!((run.code, last_line(&run)), (10, "REPLAY error: the error function was called"), "{test}: {}", run.stderr);
    }
}

#[test]
fn tests_that_do_not_fit() {
    let bench = Bench::new();
    bench.write("p.c", program(PROGRAM));
    bench.write("q.c", "extern int __VERIFIER_nondet_int(void);\nint main(void) { return __VERIFIER_nondet_int() & 1; }\n");
    bench.write("r.c", "extern char __VERIFIER_nondet_char(void);\nint main(void) { return __VERIFIER_nondet_char() & 1; }\n");
    assert_eq!(bench.suite(&["p.c", "--out", "suite", "--coverage", "error-call"]).code, 10);
    let run = bench.replay(&["suite/testcase-0001.xml", "q.c"]);
    assert_eq!((run.code, last_line(&run)), (26, "REPLAY the program ended without asking for all inputs"), "{}", run.stderr);
    contains(&run, &["The suite was made for another program"]);
    let run = bench.replay(&["suite/ktest/test-0001.ktest", "r.c"]);
    assert_eq!(run.code, 26, "{}", run.stdout);
    contains(&run, &["asked __VERIFIER_nondet_char where the test has an input of another function"]);
    for (name, content, word) in [
        ("broken.xml", "<testcase><input>1</input>", "XML"),
        ("words.xml", "<testcase><input type=\"int\">many</input></testcase>", "input 1: `many` is not a number"),
        ("p.c", "", "not a test"),
        ("cut.ktest", "KTEST\0\0", "ends early"),
    ] {
        if !content.is_empty() {
            bench.write(name, content);
        }
        let run = bench.replay(&[name, "q.c"]);
        assert_eq!(run.code, 3, "{name}: {}", run.stderr);
        contains(&run, &[word, "REPLAY unknown(input error"]);
    }
    let run = bench.replay(&["nowhere.xml", "q.c"]);
    assert_eq!(run.code, 3);
    contains(&run, &["nowhere.xml"]);
    let run = bench.replay(&["words.xml", "nowhere.c"]);
    assert_eq!(run.code, 3);
}

#[test]
fn a_test_that_runs_for_ever() {
    let bench = Bench::new();
    bench.write(
        "loop.c",
        "extern int __VERIFIER_nondet_int(void);\nint main(void) { volatile int x = __VERIFIER_nondet_int(); while (x) {} return 0; }\n",
    );
    bench.write("t.xml", "<testcase><input type=\"int\">1</input></testcase>");
    let run = bench.replay(&["t.xml", "loop.c", "--timeout", "1s"]);
    assert_eq!((run.code, last_line(&run)), (21, "REPLAY the program used too much time and was stopped"), "{}", run.stderr);
    contains(&bench.suite(&["loop.c", "--out", "suite"]), &["The native runs of 1 tests did not end and were stopped after 2 s."]);
}

fn two_programs(bench: &Bench) {
    for directory in ["src", "inc", "build"] {
        std::fs::create_dir(bench.path().join(directory)).unwrap();
    }
    bench.write("inc/limit.h", "#define LIMIT 10\nint check(int x);\n");
    bench.write(
        "src/check.c",
        "#include \"limit.h\"\nextern void reach_error(void);\n\
        int check(int x) { if (x == LIMIT + STEP) reach_error(); return x; }\n",
    );
    bench.write(
        "src/main.c",
        "#include \"limit.h\"\nextern int __VERIFIER_nondet_int(void);\nint main(void) { return check(__VERIFIER_nondet_int()); }\n",
    );
    bench.write("src/other.c", "int main(void) { return 0; }\n");
}

fn database(bench: &Bench, extra: &str) {
    let build = bench.path().join("build");
    let entry = |file: &str| {
        format!(
            "{{ \"directory\": {build:?}, \"file\": \"../src/{file}\", \"command\": \"cc -I../inc -DSTEP=5 '-DTEXT=a b' -O2 -Wall -MD -MF x.d -o {file}.o -c ../src/{file}\" }}"
        )
    };
    let arguments = format!(
        "{{ \"directory\": {build:?}, \"file\": \"../src/main.c\", \"arguments\": [\"cc\", \"-I\", \"../inc\", \"-c\", \"../src/main.c\"] }}"
    );
    bench.write("build/compile_commands.json", format!("[ {},\n {arguments}{extra} ]\n", entry("check.c")));
}

#[test]
fn a_target_of_a_build() {
    let bench = Bench::new();
    two_programs(&bench);
    database(&bench, "");
    let run = bench.verify(&["--compile-commands", "build"]);
    assert_eq!(run.verdict(), "false(unreach-call)", "{}", run.stderr);
    contains(&run, &["= 15", "confirmed natively"]);
    let run = bench.suite(&["--compile-commands", "build", "--out", "suite"]);
    assert_eq!(run.code, 10, "{}{}", run.stdout, run.stderr);
    assert!(last_line(&run).ends_with("lines 100.0%, branches 100.0%"), "{}", run.stdout);
    assert!(bench.text("suite/CMakeLists.txt").contains("-DSTEP=5"));
    // A harness of one's own instead of the program's main.
    bench.write("harness.c", "extern int check(int);\nint main(void) { return check(15); }\n");
    let run = bench.verify(&["harness.c", "--compile-commands", "build", "--target-files", "check.c"]);
    assert_eq!(run.verdict(), "false(unreach-call)", "{}", run.stderr);
}

#[test]
fn builds_that_are_not_one_program() {
    let bench = Bench::new();
    two_programs(&bench);
    let build = bench.path().join("build");
    database(&bench, &format!(",\n {{ \"directory\": {build:?}, \"file\": \"../src/other.c\", \"command\": \"cc -c ../src/other.c\" }}"));
    let run = bench.verify(&["--compile-commands", "build"]);
    assert_eq!(run.code, 3);
    contains(&run, &["`main` is defined in", "src/main.c and again in", "src/other.c", "--target-files"]);
    let run = bench.verify(&["--compile-commands", "build", "--target-files", "other.c"]);
    assert_eq!(run.verdict(), "true", "{}", run.stderr);
    let run = bench.verify(&["--compile-commands", "build", "--target-files", "nothing*.c"]);
    assert_eq!(run.code, 3);
    contains(&run, &["no entry matches --target-files"]);
}

/// Two targets of CMake that share a file, with flags of their own.
#[test]
fn one_of_several_targets() {
    let bench = Bench::new();
    two_programs(&bench);
    let build = bench.path().join("build");
    let entry = |target: &str, file: &str| {
        let object = format!("CMakeFiles/{target}.dir/{file}.o");
        let step = if target == "late" { 7 } else { 5 };
        format!(
            "{{ \"directory\": {build:?}, \"file\": \"../src/{file}\", \"command\": \"cc -I../inc -DSTEP={step} -o {object} -c ../src/{file}\" }}"
        )
    };
    let entries =
        [entry("tool", "check.c"), entry("tool", "main.c"), entry("late", "check.c"), entry("late", "main.c"), entry("other", "other.c")];
    bench.write("build/compile_commands.json", format!("[ {} ]\n", entries.join(",\n")));
    for (target, value) in [("tool", "= 15"), ("late", "= 17")] {
        let run = bench.verify(&["--compile-commands", "build", "--target", target]);
        assert_eq!(run.verdict(), "false(unreach-call)", "{}", run.stderr);
        contains(&run, &[value]);
    }
    let run = bench.verify(&["--compile-commands", "build", "--target", "another"]);
    assert_eq!(run.code, 3);
    contains(&run, &["no entry belongs to the target another, but to late, other, tool"]);
}

#[test]
fn databases_that_are_wrong() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path().join("build")).unwrap();
    let bad = |content: &str, words: &[&str]| {
        bench.write("build/compile_commands.json", content);
        let run = bench.verify(&["--compile-commands", "build"]);
        assert_eq!(run.code, 3, "{content}: {}", run.stderr);
        assert!(run.verdict().starts_with("unknown(input error: "), "{}", run.verdict());
        contains(&run, words);
    };
    bad("[ { \"directory\": \"/\",\n \"file\": }", &["compile_commands.json:2:", "not a compilation database"]);
    bad("[]", &["it has no entries"]);
    bad("{}", &["compile_commands.json:1:"]);
    bad(
        "[ { \"directory\": \"/\", \"file\": \"/nowhere/x.c\", \"command\": \"cc -c x.c\" } ]",
        &["entry 1 names /nowhere/x.c, which does not exist"],
    );
    bench.write("x.c", "int main(void) { return 0; }\n");
    let file = bench.path().join("x.c");
    bad(&format!("[ {{ \"directory\": \"/\", \"file\": {file:?} }} ]"), &["neither `command` nor `arguments`"]);
    bad(&format!("[ {{ \"directory\": \"/\", \"file\": {file:?}, \"command\": \"cc 'x\" }} ]"), &["can't be split"]);
    let run = bench.verify(&["--compile-commands", "nowhere"]);
    assert_eq!(run.code, 3);
    contains(&run, &["nowhere/compile_commands.json: no such file", "CMAKE_EXPORT_COMPILE_COMMANDS"]);
}

/// Builds and runs the CMake project of a suite: the tests of errors fail, the others pass.
#[test]
fn the_project_builds_and_runs() {
    let has = |tool: &str| std::process::Command::new(tool).arg("--version").output().is_ok();
    if !has("cmake") || !has("ctest") {
        eprintln!("without CMake this test does nothing");
        return;
    }
    let bench = Bench::new();
    bench.write("p.c", program(PROGRAM));
    assert_eq!(bench.suite(&["p.c", "--out", "suite", "--min"]).code, 10);
    let cmake = |arguments: &[&str]| {
        let output = std::process::Command::new("cmake").args(arguments).current_dir(bench.path().join("suite")).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    cmake(&["-B", "../cmake"]);
    cmake(&["--build", "../cmake"]);
    let build: &Path = &bench.path().join("cmake");
    let output = std::process::Command::new("ctest").current_dir(build).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let summary: serde_json::Value = serde_json::from_str(&bench.text("suite/suite.json")).unwrap();
    for test in summary["tests"].as_array().unwrap() {
        let (name, fails) = (test["name"].as_str().unwrap(), test["promise"]["kind"] == "fails");
        let line = text
            .lines()
            .find(|line| line.contains("Test ") && line.contains(name))
            .unwrap_or_else(|| panic!("{name} was not run:\n{text}"));
        assert_eq!(line.contains("Passed"), !fails, "{text}");
    }
}
