//! `fathom replay`: every form of a test leads the compiled program where it promises, and misfits are said.

use crate::common::Bench;
use crate::{PROGRAM, contains, last_line, program};

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

#[test]
fn every_form_of_a_test_replays() {
    let bench = Bench::new();
    bench.write("p.c", program(PROGRAM));
    assert_eq!(bench.suite(&["p.c", "--out", "suite", "--coverage", "error-call"]).code, 10);
    let report = bench.run(&["verify", "p.c", "--json"]);
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
