//! What the engine `dash` is there for, on programs that are made here: effort that does not grow with what has nothing
//! to do with the property (LCTD, Fig. 5.19 and Tables 5.16, 5.18 and 5.20).

mod common;

use common::Bench;

/// Diamonds in a row behind a lock.
fn diamonds(count: usize) -> String {
    let diamond = "  if (__VERIFIER_nondet_int())\n    x = x + 1;\n  else\n    *p = *p + 1;\n";
    format!(
        "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {{\n  int lock = __VERIFIER_nondet_int(), x = 0, y = 0;\n  \
         int *p = &y;\n  if (lock != 1)\n    return 0;\n{}  if (lock != 1)\n    reach_error();\n  return 0;\n}}\n",
        diamond.repeat(count)
    )
}

/// An array of zeros in which one element becomes one, at any index or at any even one.
fn array_store(length: usize, is_safe: bool) -> String {
    let even = if is_safe { " || i % 2 != 0" } else { "" };
    format!(
        "extern unsigned __VERIFIER_nondet_uint(void);\nextern void reach_error(void);\nint main(void) {{\n  int a[{length}] = {{0}};\n  \
         unsigned i = __VERIFIER_nondet_uint();\n  if (i >= {length}{even})\n    return 0;\n  a[i] = 1;\n  if (a[7] != 0)\n    reach_error();\n  return 0;\n}}\n"
    )
}

/// Locks that are taken and given back in an endless loop.
fn locks(count: usize) -> String {
    let each = |text: &dyn Fn(usize) -> String| (0..count).map(text).collect::<String>();
    format!(
        "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {{\n{}  while (1) {{\n    \
         int cond = __VERIFIER_nondet_int();\n    if (cond == 0)\n      break;\n{}{}{}  }}\n  return 0;\n}}\n",
        each(&|i| format!("  int p{i} = __VERIFIER_nondet_int(), lk{i};\n")),
        each(&|i| format!("    lk{i} = 0;\n")),
        each(&|i| format!("    if (p{i} != 0)\n      lk{i} = 1;\n")),
        each(&|i| format!("    if (p{i} != 0) {{\n      if (lk{i} != 1)\n        reach_error();\n      lk{i} = 0;\n    }}\n")),
    )
}

/// The verdict and the number of times that a frontier was tried.
fn solve_runs(program: &str, flags: &[&str]) -> (String, u64) {
    let bench = Bench::new();
    bench.write("program.c", program);
    let arguments =
        [&["program.c", "--engine", "dash", "--property", "unreach-call", "--no-native", "--stats", "--timeout", "60s"], flags].concat();
    let run = bench.verify(&arguments);
    let line = run.stdout.lines().find(|line| line.contains("solve runs")).unwrap_or_default();
    let number = line.split_whitespace().find_map(|word| word.parse().ok());
    (run.verdict().to_string(), number.unwrap_or_else(|| panic!("no statistics in\n{}{}", run.stdout, run.stderr)))
}

#[test]
fn diamonds_cost_nothing() {
    let runs: Vec<u64> = [5, 10, 20, 50]
        .map(|count| solve_runs(&diamonds(count), &[]))
        .map(|(verdict, runs)| {
            assert_eq!(verdict, "true");
            runs
        })
        .to_vec();
    assert!(runs[3] <= runs[0] + 50, "at most linear: {runs:?}");
}

/// LCTD's Table 5.20: `cargo test --release --test dash -- --nocapture table` prints it.
#[test]
fn table_of_diamonds() {
    println!("{:>9} {:>22} {:>10} {:>22} {:>10}", "diamonds", "default", "solve runs", "plain", "solve runs");
    for count in [5, 10, 20, 50] {
        let (verdict, runs) = solve_runs(&diamonds(count), &[]);
        let (plain, plain_runs) = solve_runs(&diamonds(count), &["--plain", "--max-refinements", "170"]);
        println!("{count:>9} {verdict:>22} {runs:>10} {plain:>22} {plain_runs:>10}");
        assert_eq!(verdict, "true");
        assert!(runs * 4 < plain_runs, "{count}: {runs} {plain_runs}");
    }
}

#[test]
fn diamonds_are_hard_for_plain_dash() {
    let [three, four, five] = [3, 4, 5].map(|count| solve_runs(&diamonds(count), &["--plain"]).1);
    assert!(four - three >= (three as f64 * 0.5) as u64 && five - four > four - three, "{three} {four} {five}");
}

#[test]
fn the_length_of_an_array_does_not_matter() {
    for (is_safe, expected) in [(true, "true"), (false, "false(unreach-call)")] {
        let runs = [10, 10_000].map(|length| solve_runs(&array_store(length, is_safe), &[]));
        assert!(runs.iter().all(|(verdict, _)| verdict == expected), "{runs:?}");
        assert!(runs[1].1 <= runs[0].1 + 2, "{runs:?}");
    }
}

#[test]
fn locks_cost_as_much_as_there_are() {
    let runs = [5, 10, 15].map(|count| solve_runs(&locks(count), &[]));
    assert!(runs.iter().all(|(verdict, _)| verdict == "true"), "{runs:?}");
    let (first, second) = (runs[1].1 - runs[0].1, runs[2].1 - runs[1].1);
    assert!(second <= first + 5, "{runs:?}");
}

/// The answers for one program, with what the certifier says.
fn verify(program: &str) -> (String, String) {
    let bench = Bench::new();
    bench.write("program.c", program);
    let run = bench.verify(&["program.c", "--engine", "dash", "--property", "unreach-call", "--no-native"]);
    (run.verdict().to_string(), run.stdout.clone())
}

const DECLARATIONS: &str = "extern void __VERIFIER_error(void);\nextern int __VERIFIER_nondet_int(void);\n";

#[test]
fn recursion_without_a_bound_is_proved_by_summaries() {
    let nested = "int f(int x) { return x > 100 ? x - 10 : f(f(x + 11)); }\n\
                  int main(void) { int x = __VERIFIER_nondet_int(); if (f(x) != 91 && x <= 101) __VERIFIER_error(); }";
    let counting = "unsigned id(unsigned x) { return x == 0 ? 0 : id(x - 1) + 1; }\n\
                    int main(void) { unsigned x = __VERIFIER_nondet_int(); if (id(x) != x) __VERIFIER_error(); }";
    let inside = "void down(int n) { if (n < 0) __VERIFIER_error(); if (n != 0) down(n - 1); }\n\
                  int main(void) { int x = __VERIFIER_nondet_int(); if (x >= 0) down(x); }";
    let positive = "int gcd(int a, int b) { if (a <= 0 || b <= 0) return 0; return a == b ? a : a > b ? gcd(a - b, b) : gcd(a, b - a); }\n\
                    int main(void) { int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(); \
                    if (a > 0 && b > 0 && gcd(a, b) < 1) __VERIFIER_error(); }";
    for program in [nested, counting, inside, positive] {
        let (verdict, said) = verify(&format!("{DECLARATIONS}{program}"));
        assert_eq!(verdict, "true", "{program}");
        assert!(said.contains("summaries of recursive procedures") && said.contains("confirmed all"), "{said}");
    }
}

#[test]
fn results_are_guessed_from_calls_that_were_seen() {
    let sum = "long long add(long long m, long long n) { return n == 0 ? m : n > 0 ? add(m + 1, n - 1) : add(m - 1, n + 1); }\n\
               int main(void) { int m = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int(); \
               if (add(m, n) < 200 && m >= 100 && n >= 100) __VERIFIER_error(); }";
    let product = "int times(int n, int m) { return m == 0 ? 0 : n + times(n, m - 1); }\n\
                   int main(void) { int m = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int(); \
                   if (m >= 0 && n >= 0 && times(m, n) != times(n, m)) __VERIFIER_error(); }";
    let parity = "int even(int n);\nint odd(int n) { return n == 0 ? 0 : n == 1 ? 1 : even(n - 1); }\n\
                  int even(int n) { return n == 0 ? 1 : n == 1 ? 0 : odd(n - 1); }\n\
                  int main(void) { int n = __VERIFIER_nondet_int(); if (n >= 0 && odd(n) != n % 2) __VERIFIER_error(); }";
    for program in [sum, product, parity] {
        assert_eq!(verify(&format!("{DECLARATIONS}{program}")).0, "true", "{program}");
    }
}

/// Calls of one function inside each other, far more than could be followed one by one.
#[test]
fn a_call_that_asks_for_nothing_runs_once_and_is_tabled() {
    let function = "int fibonacci(int n) { return n < 1 ? 0 : n == 1 ? 1 : fibonacci(n - 1) + fibonacci(n - 2); }\n";
    let known = "int main(void) { if (fibonacci(40) != 102334155) __VERIFIER_error(); }";
    let bounded = "int main(void) { int n = __VERIFIER_nondet_int(); if (n > -9 && n <= 12 && fibonacci(n) < n - 1) __VERIFIER_error(); }";
    for program in [known, bounded] {
        let (verdict, said) = verify(&format!("{DECLARATIONS}{function}{program}"));
        assert_eq!(verdict, "true", "{program}");
        assert!(said.contains("confirmed all"), "{said}");
    }
}

#[test]
fn a_call_that_was_seen_refutes_a_summary() {
    let wrong = "int f(int x) { return x > 100 ? x - 10 : f(f(x + 11)); }\n\
                 int main(void) { int x = __VERIFIER_nondet_int(); if (f(x) == 93) __VERIFIER_error(); }";
    assert_eq!(verify(&format!("{DECLARATIONS}{wrong}")).0, "false(unreach-call)");
}

#[test]
fn a_limit_gives_unknown_and_the_regions_are_drawn() {
    let bench = Bench::new();
    bench.write("program.c", locks(3));
    let arguments = ["program.c", "--engine", "dash", "--property", "unreach-call", "--max-refinements", "2", "--tree", "tree.dot"];
    assert_eq!(bench.verify(&arguments).verdict(), "unknown(bound reached: refinement limit)");
    let drawn = std::fs::read_to_string(bench.path().join("tree.dot")).unwrap();
    assert!(drawn.contains("block 0 start") && drawn.contains("tests: "), "{drawn}");
}

/// The certifier had refused the proof because of the place of the violation.
#[test]
fn one_property_holds_beside_another_that_is_violated() {
    let bench = Bench::new();
    bench.write(
        "program.c",
        "#include <assert.h>\nextern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n\
         int main(void) {\n  int x = __VERIFIER_nondet_int();\n  assert(x != 5);\n  if (x == 5)\n    reach_error();\n  return 0;\n}\n",
    );
    let run = bench.verify(&["program.c", "--engine", "dash", "--no-native", "--property", "unreach-call", "--property", "assertion"]);
    assert_eq!(run.verdict(), "false(assertion)");
    assert!(run.stdout.contains("unreach-call: holds"), "{}", run.stdout);
}
