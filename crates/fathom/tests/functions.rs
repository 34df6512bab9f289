//! `fathom verify --all-functions`, a table of all functions of a library, and `fathom harness`, a program for one of them.

mod common;

use common::Bench;

const LIBRARY: &str = "int quotient(int a, int b) { return b == -1 ? 0 : a / b; }\nint is_small(unsigned a) { return a < 4; }\n\
    static int hidden(int x) { return 100 / x; }\nint uses(int x) { return x <= 0 ? 0 : hidden(x); }\n\
    unsigned length(const char *s) { unsigned n = 0; while (s[n]) n++; return n; }\n";

#[test]
fn every_function_in_a_table() {
    let bench = Bench::new();
    bench.write("lib.c", LIBRARY);
    let run = bench.verify(&["lib.c", "--all-functions", "--timeout", "20s"]);
    assert_eq!((run.code, run.verdict()), (25, "unknown(functions that need a precondition: 1)"), "{}{}", run.stdout, run.stderr);
    let row = |name: &str| run.stdout.lines().find(|line| line.contains(&format!(" {name} "))).unwrap_or_default().to_string();
    for (name, known) in
        [("quotient", "needs a precondition"), ("is_small", "proved "), ("uses", "proved "), ("length", "proved within bounds")]
    {
        assert!(row(name).starts_with(known), "{name}: {}", run.stdout);
    }
    assert!(run.stdout.contains("b != 0; otherwise div-by-zero"), "{}", run.stdout);
    assert!(row("hidden").is_empty(), "{}", run.stdout);
    let again = bench.verify(&["lib.c", "--all-functions", "--timeout", "20s"]);
    assert!(again.stdout.contains("results from the store"), "{}", again.stdout);
}

#[test]
fn a_harness_is_a_program() {
    let bench = Bench::new();
    bench.write("lib.c", LIBRARY);
    let written = bench.run(&["harness", "lib.c", "--entry", "hidden", "--out", "harness.c"]);
    assert_eq!(written.code, 0, "{}", written.stderr);
    let run = bench.verify(&["harness.c", "--property", "div-by-zero"]);
    assert_eq!(run.verdict(), "false(div-by-zero)", "{}{}", run.stdout, run.stderr);
    let edited = std::fs::read_to_string(bench.path().join("harness.c"))
        .unwrap()
        .replace("/* What callers promise", "__VERIFIER_assume(x > 0); /* What callers promise");
    bench.write("harness.c", &edited);
    assert_eq!(bench.verify(&["harness.c", "--property", "div-by-zero"]).verdict(), "true");
    let again = bench.run(&["harness", "lib.c", "--entry", "hidden", "--out", "harness.c"]);
    assert!(again.code == 2 && again.stderr.contains("not overwritten"), "{}", again.stderr);
    let unknown = bench.run(&["harness", "lib.c", "--entry", "hiden"]);
    assert!(unknown.code == 3 && unknown.stderr.contains("did you mean `hidden`?"), "{}", unknown.stderr);
}
