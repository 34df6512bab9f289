//! The engines that unwind and the scale between them, as a user sees it: how far k must go, where the inductive step is
//! off, how formulas grow, where states merge.

mod common;

use common::{Bench, Run};

/// Signals move a machine from stage to stage; an alarm is raised behind the last one.
fn stages(alarm: &str) -> String {
    let mut steps = String::new();
    for stage in 1..5 {
        steps += &format!("    else if (signal == {stage} && stage == {stage}) stage = {};\n", stage + 1);
    }
    format!(
        "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nunsigned stage = 1;\nint main(void) {{\n  for (;;) {{\n    \
         unsigned signal = __VERIFIER_nondet_int();\n    if (signal > 5) return 0;\n{steps}    else if (signal == 5 && {alarm}) reach_error();\n  }}\n}}\n"
    )
}

/// Branches on inputs, one after the other.
fn diamonds(count: usize, wrong: &str) -> String {
    let branches = "  if (__VERIFIER_nondet_int() > 0) n += 1; else n += 2;\n".repeat(count);
    format!(
        "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {{\n  int n = 0;\n{branches}  if ({wrong}) reach_error();\n  return 0;\n}}\n"
    )
}

fn verify(text: &str, flags: &[&str]) -> Run {
    let bench = Bench::new();
    bench.write("program.c", text);
    let mut arguments = vec!["program.c", "--property", "unreach-call", "--stats", "--no-native"];
    arguments.extend(flags);
    bench.verify(&arguments)
}

fn counter(run: &Run, name: &str) -> u64 {
    let line = run.stdout.lines().chain(run.stderr.lines()).find_map(|line| line.trim().strip_prefix(name)?.strip_prefix(": "));
    line.and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("no `{name}` in\n{}{}", run.stdout, run.stderr))
}

#[test]
fn invariants_make_the_stages_inductive() {
    let run = verify(&stages("stage > 5"), &["--engine", "kind"]);
    assert_eq!(run.verdict(), "true", "{}", run.stdout);
    assert!(counter(&run, "k of the inductive step") <= 2);
}

#[test]
fn both_directions_meet_sooner() {
    let bug = stages("stage >= 5");
    let both = verify(&bug, &["--engine", "kind"]);
    let one = verify(&bug, &["--engine", "kind", "--no-bkind"]);
    assert_eq!((both.verdict(), one.verdict()), ("false(unreach-call)", "false(unreach-call)"));
    assert!(counter(&both, "k of the inductive step") <= 3 && counter(&both, "targets that the base case met") >= 1);
    assert_eq!(counter(&one, "k of the inductive step"), 5);
}

#[test]
fn where_the_inductive_step_is_off_the_output_says_so() {
    let recursive = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
        int depth(int x) { return __VERIFIER_nondet_int() ? 0 : depth(x + 1) + 1; }\nint main(void) { if (depth(0) < 0) reach_error(); return 0; }\n";
    let list = "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nstruct node { struct node *next; };\n\
        int main(void) {\n  struct node *list = 0;\n  while (__VERIFIER_nondet_int()) {\n    struct node *n = malloc(sizeof *n);\n    n->next = list;\n    list = n;\n  }\n  \
        if (list && list->next == list) reach_error();\n  return 0;\n}\n";
    for (program, why) in [(recursive, "the program is recursive"), (list, "the loop leaves memory behind that it allocated")] {
        let run = verify(program, &["--engine", "kind", "--max-k", "3"]);
        assert!(run.verdict().starts_with("unknown("), "{}", run.verdict());
        let told = format!("{}{}", run.stdout, run.stderr);
        assert!(told.contains(&format!("inductive step off: {why}")), "{told}");
    }
}

#[test]
fn formulas_grow_linearly_with_the_bound() {
    let text = "extern unsigned __VERIFIER_nondet_uint(void);\nextern void reach_error(void);\nint main(void) {\n  unsigned n = __VERIFIER_nondet_uint(), s = 0;\n  \
        for (unsigned i = 0; i < n; i++) s = (s ^ __VERIFIER_nondet_uint()) & 0xffff;\n  if (s > 0xffff) reach_error();\n  return 0;\n}\n";
    let terms = |bound: &str| {
        let run = verify(text, &["--engine", "bmc", "--unwind", bound]);
        assert!(run.verdict().starts_with("unknown(bound reached"), "{}", run.verdict());
        counter(&run, "terms")
    };
    let (ten, hundred, thousand) = (terms("10"), terms("100"), terms("1000"));
    let growth = (thousand - hundred) as f64 / (hundred - ten) as f64;
    assert!((9.0..11.0).contains(&growth), "{ten} {hundred} {thousand}");
}

/// A machine with a check in every iteration, which the bounds of terms decide, or a solver.
fn checked_loop(most: u32, check: &str) -> String {
    format!(
        "extern int __VERIFIER_nondet_int(void);\nextern unsigned __VERIFIER_nondet_uint(void);\nextern void reach_error(void);\nint main(void) {{\n  \
         unsigned n = __VERIFIER_nondet_uint(), even = 0;\n  int state = 0;\n  if (n > {most}) return 0;\n  for (unsigned i = 0; i < n; i++) {{\n    \
         int x = __VERIFIER_nondet_int();\n    even += 2 * (unsigned)x;\n    if (state == 0 && x == 1) state = 1;\n    \
         else if (state == 1 && x == 2) state = 2;\n    else if (state == 2 && x == 3) state = 0;\n    if ({check}) reach_error();\n  }}\n  return 0;\n}}\n"
    )
}

/// Counted in work: how long it takes depends on who else uses the machine.
#[test]
fn checks_in_a_loop_are_asked_about_together() {
    let work = |most: u32, check: &str| {
        let bound = (most + 1).to_string();
        let run = verify(&checked_loop(most, check), &["--engine", "bmc", "--unwind", &bound]);
        assert_eq!(run.verdict(), "true", "{}", run.stdout);
        (counter(&run, "terms"), counter(&run, "queries answered by solver"))
    };
    for (check, most_questions) in [("state > 2 || state < 0", 8), ("even & 1", 24)] {
        let (ten, hundred, more) = (work(10, check), work(100, check), work(400, check));
        let growth = (more.0 - hundred.0) as f64 / (hundred.0 - ten.0) as f64;
        assert!((2.9..4.2).contains(&growth), "{check}: {ten:?} {hundred:?} {more:?}");
        assert!(more.1 <= most_questions, "{check}: {ten:?} {hundred:?} {more:?}");
    }
}

#[test]
fn a_check_that_was_put_off_is_not_forgotten() {
    let bug = checked_loop(60, "even == 246");
    let run = verify(&bug, &["--engine", "bmc"]);
    assert_eq!(run.verdict(), "false(unreach-call)", "{}", run.stdout);
    // Far behind the first iterations, and excluded by what is assumed later.
    let late = bug.replace("reach_error();\n", "{ if (i > 50) reach_error(); return 0; }\n");
    let run = verify(&late, &["--engine", "bmc", "--unwind", "61"]);
    assert_eq!(run.verdict(), "false(unreach-call)", "{}", run.stdout);
}

#[test]
fn the_bound_of_a_single_loop_is_the_one_that_is_told() {
    let text = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n  int n = __VERIFIER_nondet_int(), s = 0;\n  \
        if (n < 0 || n > 6) return 0;\n  for (int i = 0; i < n; i++) s++;\n  for (int i = 0; i < n; i++) s--;\n  if (s) reach_error();\n  return 0;\n}\n";
    let verdict = |flags: &[&str]| verify(text, &[&["--engine", "bmc"][..], flags].concat()).verdict().to_string();
    assert_eq!(verdict(&[]), "true");
    assert_eq!(verdict(&["--unwind-loop", "main.1=9"]), "true");
    for flags in [&["--unwind-loop", "main.1=2"][..], &["--unwind", "20", "--unwind-loop", "program.c:7=2"]] {
        assert_eq!(verdict(flags), "unknown(bound reached: 2 iterations of a loop or nested calls)");
    }
    assert!(verdict(&["--unwind-loop", "main.7=2"]).contains("no loop `main.7`; there are: main.0"));
}

#[test]
fn explore_and_bmc_are_the_ends_of_one_scale() {
    let right = diamonds(8, "n < 8 || n > 16");
    let bug = diamonds(8, "n == 13");
    for engine in ["explore", "bmc"] {
        for (merging, joins) in [("none", 0), ("regions", 8), ("all", 8)] {
            let flags = ["--engine", engine, "--merge", merging];
            let run = verify(&right, &flags);
            assert_eq!((run.verdict(), counter(&run, "states merged")), ("true", joins), "{engine} {merging}");
            assert_eq!(verify(&bug, &flags).verdict(), "false(unreach-call)", "{engine} {merging}");
        }
    }
    for searcher in ["dfs", "bfs", "random-path", "coverage", "loop-escape"] {
        let run = verify(&right, &["--engine", "explore", "--merge", "regions", "--searcher", searcher]);
        assert_eq!((run.verdict(), counter(&run, "states merged")), ("true", 8), "{searcher}");
    }
}

/// Nothing but a bound ends such a loop, whatever is tested in it.
#[test]
fn a_bound_holds_for_loops_without_an_exit() {
    let text = "extern void reach_error(void);\nint main(void) { unsigned x = 0; while (1) { x++; if (x == 9) reach_error(); } }\n";
    let run = |bound: &str, what: &str| verify(text, &["--engine", "bmc", "--unwind", bound, "--unwinding", what]);
    assert_eq!(run("5", "assume").verdict(), "true");
    assert!(run("5", "assert").verdict().starts_with("unknown(bound reached: 5"));
    assert_eq!(run("9", "assume").verdict(), "false(unreach-call)");
}

#[test]
fn loops_that_end_within_a_bound_end() {
    let bench = Bench::new();
    let loops = |change: &str| {
        format!(
            "extern int __VERIFIER_nondet_int(void);\nint main(void) {{ int n = __VERIFIER_nondet_int(); if (n < 0 || n > 5) return 0; while (n > 0) {change}; return n; }}\n"
        )
    };
    bench.write("ends.c", loops("n--"));
    bench.write("stays.c", loops("n = n > 3 ? n : n - 1"));
    let run = |file: &str, more: &[&str]| {
        let mut flags = vec![file, "--property", "termination", "--engine", "bmc", "--bmc-mode", "termination"];
        flags.extend(more);
        bench.verify(&flags)
    };
    assert_eq!(run("ends.c", &[]).verdict(), "true");
    // What a bound cuts is not taken for the end of a run, even where it is taken not to exist.
    assert!(run("stays.c", &["--unwind", "20", "--unwinding", "assume"]).verdict().starts_with("unknown(bound reached"));
}

/// Two nested loops go through an array of rows from its start to its end.
#[test]
fn what_is_true_of_rows_that_were_copied_is_found() {
    let rows = |copied: &str| {
        format!(
            "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint from[50][70], to[50][70];\nint main(void) {{\n  \
             for (int i = 0; i < 50; i++) for (int j = 0; j < 70; j++) from[i][j] = __VERIFIER_nondet_int();\n  \
             for (int i = 0; i < 50; i++) for (int j = 0; j < 70; j++) to[i][j] = {copied};\n  \
             for (int i = 0; i < 50; i++) for (int j = 0; j < 70; j++) if (to[i][j] != from[i][j]) reach_error();\n  return 0;\n}}\n"
        )
    };
    let run = verify(&rows("from[i][j]"), &["--engine", "kind"]);
    assert_eq!(run.verdict(), "true", "{}", run.stdout);
    let run = verify(&rows("from[i][69 - j]"), &["--engine", "kind", "--max-k", "1"]);
    assert_ne!(run.verdict(), "true", "{}", run.stdout);
}
