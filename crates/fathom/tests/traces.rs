//! What traces tell: names and types of what changed, why the end is a violation, inputs that are as small as can be.

mod common;

use common::{Bench, Run};

const RING: &str = "#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
enum state { IDLE, FULL = 5 };
struct ring { int len, cap; char *data; enum state state; unsigned low : 3, high : 5; };
struct ring pool[2];
int total;
static void put(struct ring *r, char c) {
    assert(r->len < r->cap);
    r->data[r->len++] = c;
    r->low = 5;
    total += c;
    if (r->len == r->cap) r->state = FULL;
}
int main(void) {
    struct ring *r = &pool[1];
    r->cap = 2;
    r->data = malloc(r->cap);
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++)
        put(r, 'x');
    free(r->data);
    return 0;
}
";

fn verified(source: &str, arguments: &[&str]) -> Run {
    let bench = Bench::new();
    bench.write("p.c", source);
    bench.verify(&[&["p.c"], arguments].concat())
}

fn says(run: &Run, all: &[&str]) {
    for words in all {
        assert!(run.stdout.contains(words), "`{words}` is missing in\n{}", run.stdout);
    }
}

#[test]
fn a_condition_has_the_values_of_its_parts() {
    let run = verified(RING, &["--property", "assertion"]);
    assert_eq!(run.verdict(), "false(assertion)", "{}", run.stderr);
    says(&run, &["`r->len < r->cap` does not hold: r->len = 2, r->cap = 2", "r = &pool[1]", "r->len = 1", "r->cap = 2"]);
    says(&run, &["__VERIFIER_nondet_int() = 3 ", "are folded"]);
    assert!(!run.stdout.contains("total ="), "what makes no difference is folded:\n{}", run.stdout);
}

#[test]
fn inputs_are_called_what_they_are() {
    let read = "#include <stdio.h>\n#include <assert.h>\nint main(void) {\n    assert(getchar() != 'q');\n    return 0;\n}\n";
    let run = verified(read, &["--property", "assertion", "--no-native"]);
    says(&run, &["1. standard input: 113 'q'   (p.c:4)", "input 1 = 113 'q'"]);
    let called = "int next(int x) { return x + 1; }\n";
    let run = verified(called, &["--property", "no-overflow", "--entry", "next", "--no-native"]);
    says(&run, &["  in next\n", "1. argument x = 2147483647\n"]);
}

#[test]
fn the_full_trace_has_every_change() {
    let run = verified(RING, &["--property", "assertion", "--full-trace"]);
    says(&run, &["r->data = malloc at p.c:18 (2 bytes)", "r->data[0] = 'x'", "r->low = 5", "total = 120", "r->state = FULL"]);
    assert!(!run.stdout.contains("folded"), "{}", run.stdout);
}

#[test]
fn inputs_are_made_smaller() {
    let source = "#include <string.h>
extern char __VERIFIER_nondet_char(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    char word[6];
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 5) n = 5;
    for (unsigned i = 0; i < n; i++)
        word[i] = __VERIFIER_nondet_char();
    word[n] = 0;
    if (strlen(word) == 3 && word[1] >= 'b')
        reach_error();
    return 0;
}
";
    let run = verified(source, &["--property", "unreach-call"]);
    says(&run, &["__VERIFIER_nondet_uint() = 3u ", "'a'"]);
    let asked = run.stdout.lines().filter(|line| line.contains("__VERIFIER_nondet_char() =")).count();
    assert_eq!(asked, 3, "{}", run.stdout);
}

#[test]
fn inputs_that_depend_on_each_other_are_made_smaller() {
    let source = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n    \
        int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();\n    if (a > 10 && b == a * 2)\n        reach_error();\n    \
        return 0;\n}\n";
    for engine in ["explore", "bmc"] {
        let run = verified(source, &["--property", "unreach-call", "--engine", engine, "--no-native"]);
        let values =
            run.stdout.lines().filter_map(|line| line.split_once("__VERIFIER_nondet_int() = ")?.1.split_whitespace().next()?.parse().ok());
        let values: Vec<i64> = values.collect();
        assert!(matches!(values[..], [a @ 11..=50, b] if b == 2 * a), "{engine}: {values:?}\n{}", run.stdout);
    }
}

#[test]
fn long_loops_are_told_in_short() {
    let source = "extern void reach_error(void);
int table[8];
static void count(int *sum, int i) {
    *sum += i % 3;
    table[i % 8] = i;
}
int main(void) {
    int sum = 0;
    for (int i = 0; i < 100000; i++)
        count(&sum, i);
    if (sum > 5)
        reach_error();
    return 0;
}
";
    let run = verified(source, &["--property", "unreach-call"]);
    says(&run, &["last condition: `sum > 5`: sum = 99999", "the middle of the run is left out", "alike", "*sum = 99999"]);
    assert_eq!(run.stdout.matches("iterations 3..").count(), 1, "behind the gap the first iteration is not known\n{}", run.stdout);
    assert!(run.stdout.contains(" iterations alike") && run.stdout.lines().count() < 120, "{}", run.stdout);
}

#[test]
fn pointers_that_the_library_stores_are_no_uninitialised_bytes() {
    let source = "#include <assert.h>\n#include <pthread.h>\nstatic void *f(void *x) { return x; }\nint main(void) {\n    \
        pthread_t one;\n    pthread_create(&one, 0, f, 0);\n    assert(one == 77);\n    return 0;\n}\n";
    let run = verified(source, &["--property", "assertion"]);
    says(&run, &["one = pthread_create at p.c:6"]);
    assert!(!run.stdout.contains("(uninitialised)"), "{}", run.stdout);
}
