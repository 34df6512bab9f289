//! What a program asks its environment for is part of a test: arguments, standard input, files, fresh memory, the parameters of the
//! function under test and the functions that are not there. A test that is run natively must get the same from there.

use crate::common::Bench;
use crate::{contains, last_line, program};

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

/// Uninitialised memory is zero in every build of a suite, so that tests that look at it do what they promise.
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

/// It has no caller, and it is static: natively it must be kept and made global. Texts end, arrays of pointers too.
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

/// The number of the first test in `suite` that shows an error.
fn run_of_error(bench: &Bench) -> String {
    let summary: serde_json::Value = serde_json::from_str(&bench.text("suite/suite.json")).unwrap();
    let tests = summary["tests"].as_array().unwrap();
    let failing = tests.iter().find(|test| test["promise"]["kind"] == "fails").expect("a test of an error");
    failing["name"].as_str().unwrap().trim_start_matches("test-").to_string()
}
