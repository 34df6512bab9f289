//! The solver flags: two solvers at once, a log of the queries, and solvers that are only programs.

mod common;

use common::{Bench, files_in};

const SORTED: &str = "extern unsigned char __VERIFIER_nondet_uchar(void);\nextern void reach_error(void);\n\
    int main(void) {\n  unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();\n  \
    unsigned char low = a < b ? a : b, high = a < b ? b : a;\n  if (low > high) reach_error();\n  return 0;\n}\n";

#[test]
fn two_solvers_agree() {
    let bench = Bench::new();
    bench.write("sorted.c", SORTED);
    for solver in ["bitwuzla", "z3"] {
        let run = bench.verify(&["sorted.c", "--cross-check", "--solver", solver, "--stats"]);
        assert_eq!((run.code, run.verdict()), (0, "true"), "{}", run.stderr);
        assert!(run.stdout.contains("solver contradictions: 0"), "{}", run.stdout);
        assert!(run.stdout.contains("checked by"), "{}", run.stdout);
    }
}

#[test]
fn queries_are_logged_as_scripts_with_their_answers() {
    let bench = Bench::new();
    bench.write("sorted.c", SORTED);
    let run = bench.verify(&["sorted.c", "--dump-queries", "queries"]);
    assert_eq!(run.verdict(), "true");
    let logged = files_in(&bench.path().join("queries"));
    assert!(logged.iter().any(|name| name.ends_with("-unsat.smt2")), "{logged:?}");
    for name in logged.into_iter().filter(|name| name.ends_with(".smt2")) {
        let text = std::fs::read_to_string(bench.path().join("queries").join(&name)).unwrap();
        assert!(text.contains("(check-sat)") && text.contains("(assert "), "{name}:\n{text}");
    }
}

#[test]
fn solvers_that_are_programs_give_the_same_verdict() {
    let bench = Bench::new();
    bench.write("sorted.c", SORTED);
    let listed = bench.command(&["solvers"]).output().unwrap();
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let installed: Vec<&str> =
        listed.lines().filter(|line| line.contains("installed:")).filter_map(|line| line.split_whitespace().next()).collect();
    println!("installed: {installed:?}");
    for solver in installed {
        let run = bench.verify(&["sorted.c", "--solver", solver]);
        assert_eq!(run.verdict(), "true", "{solver}: {}", run.stderr);
    }
}

#[test]
fn an_unknown_solver_is_a_usage_error() {
    let bench = Bench::new();
    bench.write("sorted.c", SORTED);
    let run = bench.verify(&["sorted.c", "--solver", "oracle-of-delphi"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(run.verdict().contains("oracle-of-delphi"));
}
