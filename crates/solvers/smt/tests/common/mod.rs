//! Random terms and numbers for the tests, from a seed.
#![allow(dead_code, reason = "each test file uses a part of this")]

pub use fathom_term::sample::Random;
use fathom_term::{Op, Sort, Term, TermStore};

pub const WIDTH: u32 = 3;

pub fn variables(store: &TermStore, count: usize) -> Vec<Term> {
    (0..count).map(|i| store.var(&format!("x{i}"), Sort::Bv(WIDTH))).collect()
}

/// A bit-vector term over one or two of the variables.
pub fn number(store: &TermStore, random: &mut Random, vars: &[Term]) -> Term {
    let a = random.pick(vars);
    let constant = store.bv(random.bits(), WIDTH);
    match random.below(6) {
        0 => a,
        1 => store.bv_add(a, constant),
        2 => store.bv_add(a, random.pick(vars)),
        3 => store.bv_mul(a, random.pick(vars)),
        4 => store.build(Op::BvUrem, &[a, constant]),
        _ => store.build(Op::BvXor, &[a, random.pick(vars)]),
    }
}

pub fn condition(store: &TermStore, random: &mut Random, vars: &[Term]) -> Term {
    let a = number(store, random, vars);
    let b = if random.below(2) == 0 { store.bv(random.bits(), WIDTH) } else { number(store, random, vars) };
    match random.below(7) {
        0 => store.eq(a, b),
        1 => store.ne(a, b),
        2 => store.bv_ult(a, b),
        3 => store.bv_sle(a, b),
        4 => store.eq(random.pick(vars), store.bv(random.bits(), WIDTH)),
        5 => store.and(store.bv_ule(a, b), store.ne(random.pick(vars), store.bv(random.bits(), WIDTH))),
        _ => store.or(store.bv_ult(b, a), store.bv_slt(random.pick(vars), store.bv(1, WIDTH))),
    }
}
