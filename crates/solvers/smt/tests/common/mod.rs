//! Random terms and numbers for the tests, from a seed.
#![allow(dead_code, reason = "each test file uses a part of this")]

use fathom_term::{Op, Sort, Term, TermStore};

/// A small generator of random numbers (splitmix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

pub const WIDTH: u32 = 3;

pub fn variables(store: &TermStore, count: usize) -> Vec<Term> {
    (0..count).map(|i| store.var(&format!("x{i}"), Sort::Bv(WIDTH))).collect()
}

/// A bit-vector term over one or two of the variables.
pub fn number(store: &TermStore, random: &mut Random, vars: &[Term]) -> Term {
    let a = random.pick(vars);
    let constant = store.bv(random.next(), WIDTH);
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
    let b = if random.below(2) == 0 { store.bv(random.next(), WIDTH) } else { number(store, random, vars) };
    match random.below(7) {
        0 => store.eq(a, b),
        1 => store.ne(a, b),
        2 => store.bv_ult(a, b),
        3 => store.bv_sle(a, b),
        4 => store.eq(random.pick(vars), store.bv(random.next(), WIDTH)),
        5 => store.and(store.bv_ule(a, b), store.ne(random.pick(vars), store.bv(random.next(), WIDTH))),
        _ => store.or(store.bv_ult(b, a), store.bv_slt(random.pick(vars), store.bv(1, WIDTH))),
    }
}
