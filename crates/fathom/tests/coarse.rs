//! The engine `coarse` on programs whose memory it leaves out: what it must still prove, and what it must leave open.

mod common;

use common::{Bench, Run};

fn run(engine: &str, program: &str) -> Run {
    let bench = Bench::new();
    let file = bench.write("program.c", program);
    bench.verify(&[file.to_str().unwrap(), "--engine", engine, "--property", "unreach-call", "--timeout", "20s"])
}

fn verdict(program: &str) -> String {
    run("coarse", program).verdict().to_string()
}

const CALLS: &str = r#"
extern void reach_error(void) __attribute__((noreturn));
extern int __VERIFIER_nondet_int(void);
struct operations { int (*open)(int); void (*close)(void); long (*other)(long, long); };
static int locks;
static int lock(int how) { locks++; return how; }
static void unlock(void) { locks--; }
static long forbidden(long a, long b) { if (locks != LOCKS) reach_error(); return a + b; }
struct operations table = { lock, unlock, forbidden };
int main(void) {
    struct operations *chosen = &table;
    for (;;) {
        locks = 0;
        if (__VERIFIER_nondet_int()) chosen->other(1, 2);
    }
}
"#;

/// A pointer to a function that takes two numbers leads to none that takes something else.
#[test]
fn calls_through_pointers_lead_to_functions_of_their_type() {
    assert_eq!(verdict(&CALLS.replace("LOCKS", "0")), "true");
    assert!(verdict(&CALLS.replace("LOCKS", "1")).starts_with("unknown("));
}

const FORMATTING: &str = r#"
#include <stdio.h>
extern void reach_error(void) __attribute__((noreturn));
extern char *name_of(int);
static int depth;
int main(void) {
    char text[80];
    depth = 1;
    int length = snprintf(text, sizeof text, name_of(7), 1, 2L, 3.0, "four");
    if (depth != DEPTH) reach_error();
    return length;
}
"#;

/// Whatever the format is, and whatever is written where.
#[test]
fn formatted_output_changes_nothing_that_stays_exact() {
    assert_eq!(verdict(&FORMATTING.replace("DEPTH", "1")), "true");
    assert!(verdict(&FORMATTING.replace("DEPTH", "2")).starts_with("unknown("));
}

const INDEX: &str = r#"
extern void reach_error(void) __attribute__((noreturn));
extern int *somewhere(void);
static int table[8];
static int state;
int main(void) {
    for (;;) {
        int index = *somewhere();
        if (table[index] > 3) state = 0;
        if (state != STATE) reach_error();
    }
}
"#;

/// An index that comes from memory is one that is allowed: that is what the ledger says.
#[test]
fn accesses_are_taken_to_be_valid() {
    assert_eq!(verdict(&INDEX.replace("STATE", "0")), "true");
    assert!(verdict(&INDEX.replace("STATE", "1")).starts_with("unknown("));
}

const OUTSIDE: &str = r#"
extern void reach_error(void) __attribute__((noreturn));
extern void outside(void);
int state;
int main(void) {
    state = 0;
    outside();
    if (state != 0) reach_error();
    return 0;
}
"#;

/// The coarser program has no call of such a function, but its proof rests on what is assumed of it. The certifier compares
/// the two programs.
#[test]
fn what_is_left_out_is_accounted_for() {
    let proved = run("coarse", OUTSIDE);
    assert_eq!(proved.verdict(), "true");
    for said in ["`outside` has no body", "assurance: checked", "the coarser program was compared with the original"] {
        assert!(proved.stdout.contains(said), "{}", proved.stdout);
    }
}

const MEMORY: &str = r#"
extern void reach_error(void) __attribute__((noreturn));
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int a[2] = { 0, 0 };
    int i = 0;
    while (__VERIFIER_nondet_int()) {
        if (a[i & 1] != 0) reach_error();
        a[(i + 1) & 1] = 1;
        i++;
    }
    return 0;
}
"#;

/// `invariants` cut this loop and kept the array as it was.
#[test]
fn a_loop_that_writes_memory_is_not_cut() {
    assert!(run("invariants", MEMORY).verdict().starts_with("unknown("));
    assert_eq!(run("explore", MEMORY).verdict(), "false(unreach-call)");
}
