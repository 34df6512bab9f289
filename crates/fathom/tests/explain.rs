//! What `--explain` says of proofs: conditions in the language of the program at their places, and a count of what has no such form.

mod common;

use common::{Bench, Run};

const LOOP: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
    int main(void) {\n    int i = 0, n = __VERIFIER_nondet_int();\n    if (n < 0 || n > 1000)\n        return 0;\n\
    \x20   while (i < n)\n        i++;\n    if (i > 1000)\n        reach_error();\n    return 0;\n}\n";
const STATES: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint state;\n\
    int main(void) {\n    int x = 0;\n    state = 1;\n    while (__VERIFIER_nondet_int()) {\n        if (x == 0) {\n            x = 1;\n\
    \x20           state = 2;\n        } else {\n            x = 0;\n        }\n        if (x > 1 || state > 4)\n            reach_error();\n\
    \x20   }\n    return 0;\n}\n";
const BOOGIE: &str = "procedure count(n: int) returns (r: int)\n  requires n >= 0;\n  ensures r == n;\n{\n  r := 0;\n  while (r < n)\n    \
    invariant r <= n;\n  { r := r + 1; }\n}\nprocedure main(k: int) {\n  var s: int;\n  assume k > 3;\n  call s := count(k);\n  assert s > 2;\n}\n";

fn explained(name: &str, text: &str, arguments: &[&str]) -> Run {
    let bench = Bench::new();
    bench.write(name, text);
    let run = bench.verify(&[&[name, "--explain"], arguments].concat());
    assert_eq!(run.verdict(), "true", "{}", run.stderr);
    run
}

fn says(run: &Run, all: &[&str]) {
    all.iter().for_each(|words| assert!(run.stdout.contains(words), "`{words}` is missing in\n{}", run.stdout));
}

#[test]
fn induction_in_c() {
    let run = explained("p.c", LOOP, &["--property", "unreach-call", "--engine", "kind"]);
    says(&run, &["Why it holds: Induction", "p.c:7 in main: while (i < n)", "always (proved by induction)", "i <= 1000\n", "i >= 0\n"]);
}

#[test]
fn interpolants_in_c() {
    let run = explained("p.c", STATES, &["--property", "unreach-call", "--engine", "interpolate"]);
    says(&run, &["p.c:7 in main: while", "one of (interpolation)", "state <= 4", "interval analysis, not part of the proof"]);
}

#[test]
fn contracts_in_boogie() {
    let run = explained("p.bpl", BOOGIE, &["--engine", "deduce"]);
    says(&run, &["p.bpl:2 in count: requires n >= 0;\n      at every call (the program):\n        n >= 0\n"]);
    says(&run, &["p.bpl:3 in count: ensures r == n;\n      at every return (the program):\n        r == n\n"]);
    says(&run, &["invariant of the program (the program):\n        r <= n\n"]);
}

#[test]
fn what_has_no_form_is_counted() {
    let local = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int cells[2] = {0, 0};\n  int *p = cells;\n\
        while (__VERIFIER_nondet_int()) {\n    if (p[0] == 0) p[1] = 2;\n    p[0] = 1;\n    if (p[1] > 4) reach_error();\n  }\n  return 0;\n}\n";
    let run = explained("p.c", local, &["--property", "unreach-call", "--engine", "kind"]);
    says(&run, &["Not shown: ", "about memory other than global integers"]);
}

#[test]
fn regions_in_c() {
    let equal = "extern void reach_error(void);\nextern unsigned __VERIFIER_nondet_uint(void);\nint main(void) {\n\
        unsigned n = __VERIFIER_nondet_uint(), a = 0, b = 0;\n  while (a < n) { a++; b++; }\n  if (a != b) reach_error();\n  return 0;\n}\n";
    let run = explained("p.c", equal, &["--property", "unreach-call", "--engine", "dash"]);
    says(&run, &["p.c:5 in main: while", "always (regions of states)"]);
}

#[test]
fn what_ranking_functions_rest_on_in_c() {
    let bounded = "extern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int n = __VERIFIER_nondet_int();\n  unsigned char i = 0;\n\
        if (n > 200) n = 200;\n  while (i < n) i++;\n  return 0;\n}\n";
    let run = explained("p.c", bounded, &["--property", "termination", "--engine", "rank"]);
    says(&run, &["p.c:6 in main: while", "always (supports the ranking functions)"]);
}

#[test]
fn without_the_flag_nothing_is_explained() {
    let bench = Bench::new();
    bench.write("p.c", LOOP);
    let run = bench.verify(&["p.c", "--property", "unreach-call", "--engine", "kind"]);
    assert!(!run.stdout.contains("Why it holds"), "{}", run.stdout);
}
