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
    // Debian's Boolector is from 2013 and knows neither models nor the flags; it gives no verdicts, which is said.
    let usable = |line: &&str| line.contains("installed:") && !(line.starts_with("boolector") && line.contains(": 1."));
    let installed: Vec<&str> = listed.lines().filter(usable).filter_map(|line| line.split_whitespace().next()).collect();
    println!("installed: {installed:?}");
    for solver in installed {
        let run = bench.verify(&["sorted.c", "--solver", solver]);
        assert_eq!(run.verdict(), "true", "{solver}: {}", run.stderr);
    }
}

/// The middle of two numbers lies between them, whatever way the solver gets its floats.
const MIDDLE: &str = "extern float __VERIFIER_nondet_float(void);\nextern void reach_error(void);\n\
    int main(void) {\n  float a = __VERIFIER_nondet_float(), b = __VERIFIER_nondet_float();\n  \
    if (!(a >= 0 && b >= a && b <= 1e30f)) return 0;\n  float low = a * 0.5f, high = b * 0.5f;\n  \
    if (low + high < a LIMIT) reach_error();\n  return 0;\n}\n";

#[test]
fn floats_as_bit_vectors_give_the_same_verdict() {
    let bench = Bench::new();
    bench.write("middle.c", MIDDLE.replace("LIMIT", "- 1e-30f"));
    bench.write("wrong.c", MIDDLE.replace("LIMIT", "+ 1e-44f"));
    let listed = bench.command(&["solvers"]).output().unwrap();
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let mut ways: Vec<Vec<&str>> = vec![vec!["--solver", "bitwuzla"], vec!["--solver", "bitwuzla", "--fp", "bv"]];
    if listed.lines().any(|line| line.starts_with("yices") && line.contains("installed")) {
        ways.push(vec!["--solver", "yices"]);
    }
    for way in ways {
        let verdict = |file: &str| {
            let arguments: Vec<&str> = [file, "--no-native"].into_iter().chain(way.iter().copied()).collect();
            let run = bench.verify(&arguments);
            run.verdict().to_string()
        };
        assert_eq!(verdict("middle.c"), "true", "{way:?}");
        assert_eq!(verdict("wrong.c"), "false(unreach-call)", "{way:?}");
    }
}

/// Sums in two orders; too many inputs for ranges, too much rounding for exact solvers to be quick.
const SUMS: &str = "extern float __VERIFIER_nondet_float(void);\nextern void reach_error(void);\n\
    int main(void) {\n  float a = __VERIFIER_nondet_float(), b = __VERIFIER_nondet_float(), c = __VERIFIER_nondet_float();\n  \
    if (!(a >= 0 && a <= 100 && b >= 0 && b <= 100 && c >= 0 && c <= 10)) return 0;\n  \
    if ((a + b) + c > a + (b + c) + 0.001f) reach_error();\n  return 0;\n}\n";

#[test]
fn fixed_point_is_an_approximation_that_is_said() {
    let bench = Bench::new();
    bench.write("sums.c", SUMS);
    let run = bench.verify(&["sums.c", "--fp", "fixed:16.16"]);
    assert_eq!(run.verdict(), "true", "{}", run.stdout);
    assert!(run.stdout.contains("floating point behaves like fixed point with 16 bits"), "{}", run.stdout);
    let run = bench.verify(&["sums.c", "--fp", "fixed:16.4"]);
    assert!(run.verdict().starts_with("unknown") && run.verdict().contains("more bits after the point"), "{}", run.verdict());
    let run = bench.verify(&["sums.c", "--fp", "fixed:4.16"]);
    assert!(run.verdict().contains("more bits before the point") && run.verdict().contains("sums.c:5"), "{}", run.verdict());
    let run = bench.verify(&["sums.c", "--fp", "fixed:99.1"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
}

#[test]
fn fixed_point_means_the_same_to_every_engine() {
    let bench = Bench::new();
    let text = "extern float __VERIFIER_nondet_float(void);\nextern void reach_error(void);\n\
        static int odd(float x) { return !(x < 1.0f) && !(x >= 1.0f); }\n\
        int main(void) {\n  if (odd(__VERIFIER_nondet_float())) reach_error();\n  return 0;\n}\n";
    bench.write("nan.c", text);
    for engine in ["explore", "bmc", "kind", "dash"] {
        let run = bench.verify(&["nan.c", "--engine", engine, "--fp", "fixed"]);
        assert_eq!(run.verdict(), "true", "{engine}: {}", run.stdout);
        let run = bench.verify(&["nan.c", "--engine", engine]);
        assert_eq!(run.verdict(), "false(unreach-call)", "{engine}: {}", run.stdout);
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

/// To find two large factors takes a solver longer than it gets.
#[test]
fn a_question_gets_no_more_time_than_it_may_take() {
    let bench = Bench::new();
    let factors = "extern unsigned __VERIFIER_nondet_uint(void);\nextern void reach_error(void);\nint main(void) {\n  \
        unsigned long long a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();\n  \
        if (a > 1 && b > 1 && a * b == 8925868454104609283ull) reach_error();\n  return 0;\n}\n";
    bench.write("factors.c", factors);
    let flags =
        ["factors.c", "--property", "unreach-call", "--engine", "explore", "--no-native", "--timeout", "60s", "--query-timeout", "20ms"];
    let start = std::time::Instant::now();
    let run = bench.verify(&flags);
    assert!(run.verdict().starts_with("unknown(") && !run.verdict().contains("timeout"), "{}", run.stdout);
    assert!(start.elapsed().as_secs() < 50, "{}", run.stdout);
}
