//! Which terms over addresses are the same in every layout.

use crate::memory::address::{AddressBook, Origin};
use fathom_term::{Op, Term, TermStore};
use std::rc::Rc;

fn is_settled(term: impl Fn(&TermStore, Term, Term) -> Term) -> bool {
    let store = Rc::new(TermStore::new());
    let mut book = AddressBook::new(store.clone(), 64);
    let [a, b] = [0, 1].map(|site| book.object(Origin { site, occurrence: 0 }, Some(8), 8).expect("room"));
    let term = term(&store, book.symbol(a), book.symbol(b));
    book.same_in_every_layout(term).is_some()
}

#[test]
fn places_inside_of_objects_differ_but_an_end_may_be_a_beginning() {
    let plus = |s: &TermStore, a: Term, by: u64| s.bv_add(a, s.bv(by, 64));
    assert!(is_settled(|s, a, b| s.eq(plus(s, a, 7), b)));
    assert!(!is_settled(|s, a, b| s.eq(plus(s, a, 8), b)));
    assert!(!is_settled(|s, a, b| s.eq(plus(s, a, 1 << 20), b)));
    assert!(is_settled(|s, a, _| s.eq(plus(s, a, 8), s.bv(0, 64))));
    assert!(is_settled(|s, a, _| s.eq(a, s.bv(u64::MAX, 64))));
    assert!(!is_settled(|s, a, _| s.eq(a, s.bv(0x5000, 64))));
    assert!(is_settled(|s, a, _| s.eq(a, s.bv(0x5001, 64))), "it is aligned");
}

#[test]
fn order_is_known_within_an_object_only() {
    let plus = |s: &TermStore, a: Term, by: u64| s.bv_add(a, s.bv(by, 64));
    assert!(is_settled(|s, a, _| s.bv_ult(a, plus(s, a, 8))));
    assert!(is_settled(|s, a, _| s.bv_ult(plus(s, a, 4u64.wrapping_neg()), a)));
    assert!(!is_settled(|s, a, _| s.bv_ult(plus(s, a, 1 << 40), a)), "that may wrap around");
    assert!(!is_settled(|s, a, b| s.bv_ult(a, b)));
}

#[test]
fn of_the_bits_those_of_the_alignment_are_known() {
    assert!(is_settled(|s, a, _| s.build(Op::BvAnd, &[a, s.bv(7, 64)])));
    assert!(!is_settled(|s, a, _| s.build(Op::BvAnd, &[a, s.bv(15, 64)])));
    assert!(!is_settled(|s, a, _| s.build(Op::BvLshr, &[a, s.bv(3, 64)])));
}

#[test]
fn choices_and_maps_are_looked_through() {
    let choice = |s: &TermStore| s.var("c", fathom_term::Sort::Bool);
    assert!(is_settled(|s, a, b| s.eq(s.ite(choice(s), a, b), s.bv(0, 64))));
    assert!(is_settled(|s, a, b| s.eq(s.ite(choice(s), a, s.bv(0, 64)), b)));
    assert!(!is_settled(|s, a, b| s.bv_ult(s.ite(choice(s), a, b), a)));
    let wide = fathom_term::Sort::Bv(64);
    assert!(is_settled(|s, a, b| {
        let map = s.const_array(s.array_sort(wide, wide), s.bv(0, 64));
        let map = s.build(Op::Store, &[map, s.var("i", wide), a]);
        s.eq(s.select(map, s.var("j", wide)), b)
    }));
}
