//! `fathom test`: which tests are written, what they cover, and where they are put.

use crate::common::{Bench, Run, files_in};
use crate::{PROGRAM, SERVER, contains, last_line, program};
use std::path::Path;
use std::time::{Duration, Instant};

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
    let summary: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
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
