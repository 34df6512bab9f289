//! The engine `random`: violations that need no particular input but a long way, and what it may not claim.

mod common;

use common::Bench;

/// Some negative number among twenty thousand.
const LONG: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint a[20000];\n\
    int main(void) {\n  int negative = 0;\n  for (int i = 0; i < 20000; i++) a[i] = __VERIFIER_nondet_int();\n  \
    for (int i = 0; i < 20000; i++) if (a[i] < 0) negative++;\n  if (negative > 100) reach_error();\n  return 0;\n}\n";

/// What `other` gives is none of the inputs.
const FOREIGN: &str = "extern int other(void);\nextern void reach_error(void);\n\
    int main(void) {\n  if (other() == 0) reach_error();\n  return 0;\n}\n";

const NO_INPUT: &str = "extern void reach_error(void);\nint main(void) {\n  int s = 0;\n  for (int i = 0; i < 10; i++) s += i;\n  \
    if (s != 45) reach_error();\n  return 0;\n}\n";

#[test]
fn a_long_way_on_almost_any_input() {
    let bench = Bench::new();
    bench.write("long.c", LONG);
    let run = bench.verify(&["long.c", "--engine", "random"]);
    assert_eq!(run.verdict(), "false(unreach-call)", "{}", run.stdout);
    assert!(run.stdout.contains("confirmed natively"), "{}", run.stdout);
}

/// Gauss is wrong where numbers go round, from about sixty thousand rounds on; four thousand million would take too long.
const GAUSS: &str = "extern unsigned __VERIFIER_nondet_uint(void);\nextern void reach_error(void);\n\
    int main(void) {\n  unsigned n = __VERIFIER_nondet_uint(), sum = 0;\n  for (unsigned i = 0; i <= n; i++) sum += i;\n  \
    if (sum != n * (n + 1) / 2 && sum != 0) reach_error();\n  return 0;\n}\n";

#[test]
fn numbers_of_every_length_are_tried() {
    let bench = Bench::new();
    bench.write("gauss.c", GAUSS);
    let run = bench.verify(&["gauss.c", "--engine", "random", "--no-native", "--timeout", "60s", "--seed", "1"]);
    assert_eq!(run.verdict(), "false(unreach-call)", "{}", run.stdout);
}

#[test]
fn results_of_unseen_code_are_not_chosen() {
    let bench = Bench::new();
    bench.write("foreign.c", FOREIGN);
    let run = bench.verify(&["foreign.c", "--engine", "random", "--timeout", "2s"]);
    assert!(run.verdict().starts_with("unknown"), "{}", run.stdout);
}

#[test]
fn a_program_without_inputs_runs_once() {
    let bench = Bench::new();
    bench.write("no_input.c", NO_INPUT);
    let run = bench.verify(&["no_input.c", "--engine", "random", "--stats"]);
    assert!(run.verdict().contains("no input"), "{}", run.verdict());
    assert!(run.stdout.contains("runs: 1"), "{}", run.stdout);
}

/// `place` has no value until it gets one; the bug has nothing to do with it.
const UNSET: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
    int main(void) {\n  int v[4], place, found = 0;\n  for (int i = 0; i < 4; i++) v[i] = __VERIFIER_nondet_int();\n  \
    for (int i = 1; i < 4 && !found; i++) if (v[i] == v[0]) { found = 1; place = i; }\n  \
    if (found && v[place] == v[0]) reach_error();\n  return 0;\n}\n";

/// Where `p` leads is unknown.
const UNSET_POINTER: &str = "extern int __VERIFIER_nondet_int(void);\n\
    int main(void) {\n  int *p, n = 0;\n  if (__VERIFIER_nondet_int()) p = &n;\n  *p = 1;\n  return n;\n}\n";

#[test]
fn a_variable_without_a_value_is_a_number_but_no_pointer() {
    let bench = Bench::new();
    bench.write("unset.c", UNSET);
    let run = bench.verify(&["unset.c", "--engine", "random", "--no-native"]);
    assert_eq!(run.verdict(), "false(unreach-call)", "{}", run.stdout);
    bench.write("pointer.c", UNSET_POINTER);
    let run = bench.verify(&["pointer.c", "--engine", "random", "--property", "valid-deref", "--timeout", "2s"]);
    assert!(run.verdict().starts_with("unknown"), "{}", run.stdout);
}

/// Such a run takes long statement by statement, and is replayed twice.
#[test]
fn a_way_of_ten_million_rounds() {
    let bench = Bench::new();
    let program = "extern void reach_error(void);
        static unsigned next(unsigned x) { if (x % 3 == 0) return x + 1; return x + 2; }
        int main(void) { unsigned x = 0, table[64] = {0}; while (x < 20000000u) { x = next(x); table[x % 64] += x; }
        if (table[7] != 0) reach_error(); return 0; }";
    bench.write("p.c", program);
    let run = bench.verify(&["p.c", "--engine", "random", "--property", "unreach-call", "--timeout", "60s"]);
    assert_eq!(run.verdict(), "false(unreach-call)");
}
