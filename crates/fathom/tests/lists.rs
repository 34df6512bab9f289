//! The engine `lists` through the built binary: lists of any length are proved right, and where a proof would be wrong
//! there is none.

mod common;

use common::Bench;

const HEAD: &str = "extern int __VERIFIER_nondet_int(void); extern void abort(void); void reach_error(void) { abort(); }
extern void *malloc(unsigned long); extern void free(void *);
typedef struct node { struct node *next, *prev, *own; int data; } N;
static N *node(int data) { N *n = malloc(sizeof(N)); n->next = 0; n->prev = 0; n->own = n; n->data = data; return n; }\n";

const PUSH: &str = "N *a = 0; while (__VERIFIER_nondet_int()) { N *n = node(1); n->next = a; a = n; }";
const APPEND: &str = "N *a = node(1), *t = a; while (__VERIFIER_nondet_int()) { t->next = node(1); t->next->prev = t; t = t->next; }";
const RELEASE: &str = "while (a) { N *n = a->next; free(a); a = n; }";

fn verdict(property: &str, body: &[&str]) -> String {
    let bench = Bench::new();
    bench.write("p.c", format!("{HEAD}int main(void) {{ {} return 0; }}", body.join("\n")));
    let flags = format!("p.c --engine lists --property {property} --timeout 20s --no-native");
    let run = bench.verify(&flags.split_whitespace().collect::<Vec<_>>());
    run.verdict().to_string()
}

#[track_caller]
fn is_proved(property: &str, body: &[&str]) {
    assert_eq!(verdict(property, body), "true");
}

/// What can fail has no proof; that it fails is for others to find.
#[track_caller]
fn is_not_proved(property: &str, body: &[&str]) {
    let verdict = verdict(property, body);
    assert!(verdict.starts_with("unknown("), "{verdict}");
}

#[test]
fn every_node_was_made_alike() {
    is_proved("unreach-call", &[PUSH, "for (N *p = a; p; p = p->next) if (p->data != 1) reach_error();"]);
}

#[test]
fn one_node_that_differs_is_not_forgotten() {
    is_not_proved(
        "unreach-call",
        &[
            "int odd = 0;",
            PUSH,
            "if (a && a->next && a->next->next) a->next->next->data = 2;",
            "for (N *p = a; p; p = p->next) if (p->data != 1) reach_error();",
        ],
    );
}

#[test]
fn stretches_of_a_list_stay_apart() {
    let ones_and_twos = "N *a = node(0), *t = a;
        while (__VERIFIER_nondet_int()) { t->data = 1; t->next = node(0); t = t->next; }
        while (__VERIFIER_nondet_int()) { t->data = 2; t->next = node(0); t = t->next; }
        t->data = 3; N *p = a;
        while (p->data == 1) p = p->next;";
    is_proved("unreach-call", &[ones_and_twos, "while (p->data == 2) p = p->next;", "if (p->data != 3) reach_error();"]);
    is_not_proved("unreach-call", &[ones_and_twos, "if (p->data != 3) reach_error();"]);
}

#[test]
fn back_pointers_lead_back() {
    is_proved("unreach-call", &[APPEND, "for (N *p = a; p->next; p = p->next) if (p->next->prev != p) reach_error();"]);
    is_proved(
        "unreach-call",
        &[APPEND, "while (t->prev) { if (t->prev->next != t) reach_error(); t = t->prev; }", "if (t != a) reach_error();"],
    );
    is_not_proved("unreach-call", &[APPEND, "if (t->prev && t->prev->prev) reach_error();"]);
    is_not_proved("unreach-call", &[APPEND, "if (t->prev && t->prev->prev && t->prev->prev->prev == a) reach_error();"]);
}

#[test]
fn nodes_know_themselves() {
    is_proved("unreach-call", &[PUSH, "for (N *p = a; p; p = p->next) if (p->own != p) reach_error();"]);
    is_not_proved(
        "unreach-call",
        &[PUSH, "for (N *p = a; p; p = p->next) p->own = a;", "for (N *p = a; p; p = p->next) if (p->own != p) reach_error();"],
    );
}

#[test]
fn reversing_keeps_the_nodes() {
    let reverse = "N *r = 0; while (a) { N *n = a->next; a->next = r; r = a; a = n; }";
    is_proved("unreach-call", &[PUSH, reverse, "for (N *p = r; p; p = p->next) if (p->data != 1) reach_error();"]);
    is_proved("valid-memsafety", &[PUSH, reverse, "a = r;", RELEASE]);
}

#[test]
fn a_ring_leads_to_its_start() {
    let ring = "N *a = node(0), *t = a; while (__VERIFIER_nondet_int()) { t->next = node(1); t = t->next; } t->next = a;";
    let walk = "N *p = a->next; while (p != a) { if (p->data != 1) reach_error(); p = p->next; }";
    is_proved("unreach-call", &[ring, walk, "if (p->data != 0) reach_error();"]);
    is_not_proved("unreach-call", &[ring, "if (a->next->next == a && a->next != a) reach_error();"]);
}

/// A node in front of a ring is no part of it: the last node of the ring leads to the second, not to the first.
#[test]
fn a_way_into_a_ring_is_not_the_ring() {
    let lasso = "N *a = node(1), *t = a; t->next = node(1); t = t->next; N *start = 0;
        while (__VERIFIER_nondet_int()) { t->next = node(1); t = t->next; } t->next = a; a = 0; N *n = node(1); n->next = t->next; t = 0;";
    is_not_proved(
        "unreach-call",
        &[
            lasso,
            "N *p = n->next; while (p->next != n->next && __VERIFIER_nondet_int()) p = p->next; if (p->next == n->next) reach_error();",
        ],
    );
}

#[test]
fn memory_of_lists() {
    is_proved("valid-memsafety", &[PUSH, RELEASE]);
    is_proved("valid-memsafety", &[APPEND, RELEASE]);
    is_not_proved("valid-memsafety", &[PUSH]);
    is_not_proved("valid-memsafety", &[PUSH, "while (a && a->next) { N *n = a->next; free(a); a = n; }"]);
    is_not_proved("valid-memsafety", &[APPEND, "if (a->next) free(a->next);", RELEASE]);
    is_not_proved("valid-memsafety", &[PUSH, "N *p = a;", RELEASE, "if (p) p->data = 1;"]);
}

/// The number of nodes is not forgotten before it is large.
#[test]
fn short_lists_stay_exact() {
    let two = "N *a = node(1); a->next = node(1); int n = 0; for (N *p = a; p; p = p->next) n++;";
    is_proved("unreach-call", &[two, "if (n != 2) reach_error();"]);
}

#[test]
fn numbers_that_keep_changing_become_arbitrary() {
    let counted = "N *a = 0; int n = 0; while (__VERIFIER_nondet_int()) { N *x = node(n); x->next = a; a = x; n++; }";
    is_proved("valid-memsafety", &[counted, RELEASE]);
    is_not_proved("unreach-call", &[counted, "for (N *p = a; p; p = p->next) if (p->data == 9) reach_error();"]);
}

/// Each node's data obeys a law that the loop establishes node by node, however often it tries.
#[test]
fn data_of_nodes_obeys_laws() {
    let stocked = "N *a = 0; while (__VERIFIER_nondet_int()) {
        int d = __VERIFIER_nondet_int(); if (d < 0) continue; N *n = node(d); n->next = a; a = n; }
        for (N *p = a; p; ) { int d = __VERIFIER_nondet_int(); if (d < 0 || d > p->data) continue; p->data = d; p = p->next; }";
    is_proved("unreach-call", &[stocked, "for (N *p = a; p; p = p->next) if (p->data < 0) reach_error();"]);
    is_not_proved("unreach-call", &[stocked, "for (N *p = a; p; p = p->next) if (p->data < 1) reach_error();"]);
}

/// A number that was compared with the address of a node still is that address when the node was folded away.
#[test]
fn compared_addresses_stay() {
    let guess = "unsigned long guess = __VERIFIER_nondet_ulong(); int seen = 0;
        for (N *p = a; p; p = p->next) if ((unsigned long)p == guess) seen = 1;
        if (seen) { int again = 0; for (N *p = a; p; p = p->next) if ((unsigned long)p == guess) again = 1; if (again) reach_error(); }";
    is_not_proved("unreach-call", &["extern unsigned long __VERIFIER_nondet_ulong(void);", PUSH, guess]);
}
