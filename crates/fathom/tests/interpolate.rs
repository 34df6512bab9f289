//! `--interpolate` through the built binary: programs whose trees are exponential without it and linear with it, loops
//! that close without a bound, and violations that must not be pruned away.

mod common;

use common::{Bench, Run};

const HEAD: &str = "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int);
extern void abort(void); void reach_error(void) { abort(); }\n";

fn run(source: &str) -> Run {
    run_with(&Bench::new(), source, "")
}

fn run_with(bench: &Bench, source: &str, more: &str) -> Run {
    bench.write("p.c", format!("{HEAD}{source}"));
    let flags = format!("p.c --engine explore --interpolate --audit --property unreach-call --timeout 60s --no-native --stats {more}");
    bench.verify(&flags.split_whitespace().collect::<Vec<_>>())
}

fn counter(run: &Run, name: &str) -> u64 {
    let line = run.stdout.lines().find_map(|line| line.trim().strip_prefix(name)?.strip_prefix(": "));
    line.unwrap_or_else(|| panic!("no {name} in\n{}", run.stdout)).parse().expect("a number")
}

/// Signs of n inputs are added up (TracerX, Fig. 4): 2^n paths.
fn sum(n: u32, bound: u32) -> String {
    format!(
        "int main(void) {{ int sum = 0;
           for (int i = 0; i < {n}; i++) {{ if (__VERIFIER_nondet_int()) sum += 1; else sum += -1; }}
           if (!(-{bound} <= sum && sum <= {bound})) reach_error();
           return 0; }}"
    )
}

#[test]
fn the_tree_of_a_sum_is_linear() {
    let sizes = [20, 40].map(|n| {
        let run = run(&sum(n, n));
        assert_eq!(run.verdict(), "true", "{}", run.stdout);
        counter(&run, "tree nodes")
    });
    assert!(sizes[1] < 2 * sizes[0] + 10 && sizes[1] < 300, "{sizes:?}");
}

/// The program of Fig. 4 as it is printed: a variable for each branch, which are added up in the end.
#[test]
fn the_tree_of_a_row_of_variables_is_linear() {
    let n = 80;
    let branches: String = (0..n).map(|i| format!("if (__VERIFIER_nondet_int()) k{i} = 1; else k{i} = -1;\n")).collect();
    let names: Vec<String> = (0..n).map(|i| format!("k{i}")).collect();
    let source = |bound: i32| {
        let (all, sum) = (names.join(", "), names.join(" + "));
        format!(
            "int main(void) {{ int {all};\n{branches}int sum = {sum}; if (!(-{bound} <= sum && sum <= {bound})) reach_error(); return 0; }}"
        )
    };
    let holds = run(&source(n));
    assert_eq!(holds.verdict(), "true", "{}", holds.stdout);
    assert!(counter(&holds, "tree nodes") < 6 * n as u64, "{}", holds.stdout);
    assert!(holds.stdout.contains("interpolants were proved again"), "{}", holds.stdout);
    assert_eq!(run(&source(n - 1)).verdict(), "false(unreach-call)");
}

/// The address of an array is a value like others: what was found for it is found again.
#[test]
fn addresses_do_not_keep_states_apart() {
    let source = "int main(void) { int sum = 0, seen[4] = {0};
           for (int i = 0; i < 30; i++) { if (__VERIFIER_nondet_int()) { sum += 1; seen[i & 3] = 1; } else { sum += -1; seen[i & 3] = 2; } }
           if (!(-30 <= sum && sum <= 30)) reach_error();
           return seen[0]; }";
    let run = run(source);
    assert_eq!(run.verdict(), "true", "{}", run.stdout);
    assert!(counter(&run, "tree nodes") < 300, "{}", run.stdout);
}

#[test]
fn a_sum_that_may_be_too_large_is_found() {
    assert_eq!(run(&sum(12, 11)).verdict(), "false(unreach-call)");
}

/// A walk through a graph whose edges go from lower to higher nodes (TracerX, Fig. 1).
fn walk(bound: i32) -> String {
    let n = 14;
    let weight = |from: i32, to: i32| if to > from { (from * 7 + to * 5) % 11 + 1 } else { 0 };
    let rows: Vec<String> =
        (0..n).map(|from| format!("{{{}}}", (0..n).map(|to| weight(from, to).to_string()).collect::<Vec<_>>().join(","))).collect();
    format!(
        "static const int graph[{n}][{n}] = {{{}}};
         int main(void) {{ int node = 0, d = 0;
           while (node < {n} - 1) {{
             int next = __VERIFIER_nondet_int(), i;
             for (i = node + 1; i < {n}; i++) if (next == i) {{ d += graph[node][i]; break; }}
             if (i == {n}) return 0;
             node = i;
           }}
           if (d < {bound}) reach_error();
           return 0; }}",
        rows.join(",")
    )
}

#[test]
fn the_shortest_way_is_the_tightest_bound() {
    let n = 14usize;
    let weight = |from: usize, to: usize| ((from * 7 + to * 5) % 11 + 1) as i32;
    let mut distance = vec![i32::MAX; n];
    distance[0] = 0;
    for from in 0..n {
        for to in from + 1..n {
            distance[to] = distance[to].min(distance[from] + weight(from, to));
        }
    }
    // With a bound that is too low by 3 the run says by how much.
    let loose = run(&walk(distance[n - 1] - 3));
    assert!(loose.stdout.contains("`d` is 0, -3.."), "{}", loose.stdout);
    let holds = run(&walk(distance[n - 1]));
    assert_eq!(holds.verdict(), "true", "{}", holds.stdout);
    assert!(holds.stdout.contains("`d` is 0, 0.."), "{}", holds.stdout);
    // One visit of each node's choices, not one for each of the 2^12 ways there.
    assert!(counter(&holds, "tree nodes") < 800, "{}", holds.stdout);
    assert_eq!(run(&walk(distance[n - 1] + 1)).verdict(), "false(unreach-call)");
}

/// The same as it is printed: the next node is an input that the path fixes, the lengths are in a variable, and the range is
/// assumed.
#[test]
fn the_walk_to_an_input_is_as_short() {
    let n = 14;
    let rows: Vec<String> = (0..=n)
        .map(|from| format!("{{{}}}", (0..=n).map(|to| (from * 7 + to * 5) % 11 + 1).map(|w| w.to_string()).collect::<Vec<_>>().join(",")))
        .collect();
    let source = |bound: u32| {
        format!(
            "int graph[{n} + 1][{n} + 1] = {{{}}};
             int main(void) {{ int node = 1, d = 0;
               while (node < {n}) {{
                 int next = __VERIFIER_nondet_int();
                 __VERIFIER_assume(next > node && next <= {n});
                 for (int i = node + 1; i <= {n}; i++) if (next == i) {{ d += graph[node][next]; break; }}
                 node = next;
               }}
               if (!(d >= {bound})) reach_error();
               return 0; }}",
            rows.join(",")
        )
    };
    let holds = run(&source(1));
    assert_eq!(holds.verdict(), "true", "{}", holds.stdout);
    assert!(counter(&holds, "tree nodes") < 600, "{}", holds.stdout);
    assert_eq!(run(&source(60)).verdict(), "false(unreach-call)");
}

/// A bound that is assumed: what lies behind it is taken not to exist, and the answer says so. A state may stand for another only
/// with as many iterations behind it.
#[test]
fn a_bound_on_iterations_may_be_assumed() {
    let source = "int main(void) { int s = 0, n = __VERIFIER_nondet_int();
           while (n != 7) { s++; n = __VERIFIER_nondet_int(); if (n == 9) n = 5; if (s == 7) reach_error(); }
           return 0; }";
    let bench = Bench::new();
    for (flags, verdict) in [
        ("--max-loop 5", "unknown(bound reached: 5 loop iterations)"),
        ("--max-loop 5 --unwinding assume", "true"),
        ("--max-loop 6 --unwinding assume", "false(unreach-call)"),
    ] {
        let run = run_with(&bench, source, flags);
        assert_eq!(run.verdict(), verdict, "{}", run.stdout);
        assert_eq!(verdict == "true", run.stdout.contains("no loop runs for more than 5 iterations"), "{}", run.stdout);
    }
}

/// TracerX, Fig. 8: the second way to the branch on x differs in y and z.
const TWO_WAYS: &str = "int main(void) {
        int t = __VERIFIER_nondet_int(), x = __VERIFIER_nondet_int(), y, z;
        __VERIFIER_assume(-1 < x && x < 2);
        if (t > 0) { y = 0; z = 1; } else { y = 3; z = 4; }
        if (x > 0) { x = x + 1; z = z + 33; } else { x = x + 3; z = z + 2; }
        if (!(-3 < x && x < 6 && y < z)) reach_error();
        return 0; }";

/// It satisfies what the first one needed, so node 2b is pruned.
#[test]
fn what_the_postcondition_needs_is_weaker_than_what_was_there() {
    let run = run(TWO_WAYS);
    assert_eq!(run.verdict(), "true", "{}", run.stdout);
    assert!(counter(&run, "states covered by an interpolant") >= 1, "{}", run.stdout);
}

/// Facts of the first state alone (an unsatisfiable core: y = 0 and z = 1) do not let it pass.
#[test]
fn cores_alone_do_not_prune() {
    let run = run_with(&Bench::new(), TWO_WAYS, "--without abduction");
    assert_eq!(run.verdict(), "true", "{}", run.stdout);
    assert_eq!(counter(&run, "states covered by an interpolant"), 0, "{}", run.stdout);
}

/// Nothing bounds the loop, and `noise` makes all states different.
fn reactive(most: u32) -> String {
    format!(
        "int mode = 0, noise = 0, level = 3;
         int main(void) {{ while (1) {{
           int in = __VERIFIER_nondet_int();
           if (in == 1) {{ mode = !mode; noise++; }}
           else if (in == 2) {{ if (mode == 1 && level < {most}) level++; }}
           else if (in == 3) {{ level = 3; noise--; }}
           if (level > 10) reach_error();
         }} }}"
    )
}

#[test]
fn loops_close_on_what_matters() {
    let run = run(&reactive(10));
    assert_eq!(run.verdict(), "true", "{}", run.stdout);
}

#[test]
fn a_violation_deep_in_a_loop_is_not_covered() {
    assert_eq!(run(&reactive(12)).verdict(), "false(unreach-call)");
}

/// A covered state that turns out not to be covered must be explored: the error needs a certain order of inputs.
#[test]
fn guesses_about_loops_are_withdrawn() {
    let source = |last: u32| {
        format!(
            "int step = 0;
             int main(void) {{ while (1) {{
               int in = __VERIFIER_nondet_int();
               if (in == step % 3) {{ if (step < 40) step++; }} else if (in == 7) step = 0;
               if (step == {last}) reach_error();
             }} }}"
        )
    };
    assert_eq!(run(&source(40)).verdict(), "false(unreach-call)");
    assert_eq!(run(&source(41)).verdict(), "true");
}

/// Whole regions of numbers are taken into regions, as in the programs of the RERS challenge: no two states are equal.
#[test]
fn arithmetic_takes_regions_into_regions() {
    let source = |limit: i32| {
        format!(
            "int a = 130, mode = 1;
             int main(void) {{ while (1) {{
               int in = __VERIFIER_nondet_int();
               if (in == 1 && mode == 1 && a <= 140) {{ a = ((a % 15) + 262) - 1; mode = 2; }}
               else if (in == 2 && mode == 2 && a > 245) {{ a = ((a - 600285) / 5) * 2; mode = 1; }}
               else if (in == 3 && mode == 1 && a <= 140) {{ a = (a % 299846) - 43; }}
               if (a > {limit}) reach_error();
             }} }}"
        )
    };
    assert_eq!(run(&source(276)).verdict(), "true");
    assert_eq!(run(&source(270)).verdict(), "false(unreach-call)");
}

/// Each place that must not be reached has an answer of its own.
#[test]
fn targets_are_decided_one_by_one() {
    let source = "int main(void) { int level = 0; while (1) {
           int in = __VERIFIER_nondet_int();
           if (in == 1 && level < 3) level++;
           else if (in == 2) level = 0;
           if (level == 2) { if (in == 5) reach_error(); }
           if (level == 3 && in == 7) reach_error();
           if (level == 4) reach_error();
           if (level < 0) reach_error();
         } }";
    let bench = Bench::new();
    let run = run_with(&bench, source, "--targets --out out");
    assert_eq!(run.verdict(), "false(unreach-call)");
    assert!(run.stdout.contains("Targets: 2 reachable, 2 unreachable, 0 open"), "{}", run.stdout);
    assert!(run.stdout.contains("reachable, replayed with 1, 1, 5"), "{}", run.stdout);
    // A test for each that is reachable.
    for number in 1..=4 {
        let driver = bench.path().join(format!("out/driver-target-{number}.c"));
        assert_eq!(
            driver.exists(),
            run.stdout.lines().any(|line| line.starts_with(&format!("  {number}. ")) && line.contains(": reachable")),
            "{}",
            run.stdout
        );
        if driver.exists() {
            let replay = bench.run(&["replay", &format!("out/driver-target-{number}.c"), "p.c"]);
            assert!(replay.stdout.contains("error function was called"), "{}{}", replay.stdout, replay.stderr);
        }
    }
}

#[test]
fn the_tree_is_drawn() {
    let bench = Bench::new();
    for file in ["tree.dot", "tree.html"] {
        run_with(&bench, &sum(4, 4), &format!("--tree {file}"));
        let drawn = std::fs::read_to_string(bench.path().join(file)).unwrap();
        assert!(drawn.contains("covered"), "{drawn}");
    }
}
