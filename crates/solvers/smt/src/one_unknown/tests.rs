//! Random conditions over one small bit-vector, against every number.

use super::Set;
use super::linear::Forms;
use super::model;
use super::solve::Solving;
use fathom_term::{Evaluator, Op, Sort, Term, TermStore};

struct Random(fastrand::Rng);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0.u64(..limit)
    }

    fn constant(&mut self, store: &TermStore, width: u32) -> Term {
        let bits = self.below(1 << width.min(16));
        store.bv(bits & fathom_term::mask(width), width)
    }

    fn term(&mut self, store: &TermStore, unknown: Term, width: u32, depth: u32) -> Term {
        if depth == 0 {
            return store.resize_signed(unknown, width);
        }
        let inner = |random: &mut Random, width: u32| random.term(store, unknown, width, depth - 1);
        match self.below(13) {
            0 | 1 => {
                let (a, b) = (inner(self, width), inner(self, width));
                store.bv_add(a, b)
            }
            2 | 3 => {
                let (a, b) = (inner(self, width), self.constant(store, width));
                store.bv_add(a, b)
            }
            4 => {
                let (a, by) = (inner(self, width), store.bv(self.below(6), width));
                store.bv_mul(a, by)
            }
            5 => store.build(Op::BvNeg, &[inner(self, width)]),
            6 => store.build(Op::BvNot, &[inner(self, width)]),
            7 => {
                let narrow = inner(self, width - 1);
                store.resize_signed(narrow, width)
            }
            8 => {
                let narrow = inner(self, width - 1);
                store.resize_unsigned(narrow, width)
            }
            9 => {
                let wide = inner(self, width + 2);
                let low = self.below(3) as u32;
                store.extract(wide, low + width - 1, low)
            }
            10 => {
                let (a, by) = (inner(self, width), store.bv(self.below(7) + 1, width));
                store.build([Op::BvUrem, Op::BvUdiv][self.below(2) as usize], &[a, by])
            }
            11 => {
                let (a, by) = (inner(self, width), store.bv(self.below(u64::from(width)), width));
                store.build([Op::BvShl, Op::BvLshr, Op::BvAshr][self.below(3) as usize], &[a, by])
            }
            _ => {
                let condition = self.condition(store, unknown, depth - 1);
                let (a, b) = (inner(self, width), inner(self, width));
                store.ite(condition, a, b)
            }
        }
    }

    fn condition(&mut self, store: &TermStore, unknown: Term, depth: u32) -> Term {
        let width = 5 + self.below(4) as u32;
        let inner = |random: &mut Random| random.condition(store, unknown, depth.saturating_sub(1));
        match self.below(if depth == 0 { 4 } else { 8 }) {
            0 | 1 => {
                let (a, b) = (self.term(store, unknown, width, depth.min(3)), self.constant(store, width));
                store.bv_slt(a, b)
            }
            2 => {
                let (a, b) = (self.term(store, unknown, width, depth.min(3)), self.term(store, unknown, width, depth.min(2)));
                store.bv_ult(a, b)
            }
            3 => {
                let (a, b) = (self.term(store, unknown, width, depth.min(3)), self.constant(store, width));
                store.eq(a, b)
            }
            4 => store.not(inner(self)),
            5 => {
                let (a, b) = (inner(self), inner(self));
                store.and(a, b)
            }
            6 => {
                let (a, b) = (inner(self), inner(self));
                store.or(a, b)
            }
            _ => {
                let (a, b) = (inner(self), inner(self));
                store.eq(a, b)
            }
        }
    }
}

#[test]
fn the_set_is_what_the_evaluator_says() {
    let store = TermStore::new();
    let unknown = store.var("unknown", Sort::Bv(6));
    let var = store.as_var(unknown).unwrap();
    let mut random = Random(fastrand::Rng::with_seed(1));
    let mut forms = Forms::default();
    let mut decided = 0;
    for round in 0..6_000 {
        let condition = random.condition(&store, unknown, 1 + round % 3);
        let Some(found) = Solving::new(&store, &mut forms).holds(condition, &Set::of((-32, 31))) else { continue };
        decided += 1;
        let right = (-32..32).filter(|&number| Evaluator::new(model(var, number, 6)).holds(&store, condition) == Some(true));
        let right: Set = right.map(|number| (number, number)).collect();
        assert_eq!(found, right, "{}", fathom_term::smtlib::print_term(&store, condition));
    }
    assert!(decided > 5_000, "{decided}");
}

#[test]
fn the_ends_of_64_bits() {
    let store = TermStore::new();
    let unknown = store.var("unknown", Sort::Bv(64));
    let number = |number: i64| store.bv(number as u64, 64);
    let all = Set::of((i128::from(i64::MIN), i128::from(i64::MAX)));
    let mut forms = Forms::default();
    let mut holds = |condition| Solving::new(&store, &mut forms).holds(condition, &all);
    // Twice a number is small and negative near zero and near the ends.
    let twice = store.bv_mul(unknown, number(2));
    let small = store.and(store.bv_slt(number(-4), twice), store.bv_slt(twice, number(0)));
    let expected: Set = [(-1, -1), (i128::from(i64::MAX), i128::from(i64::MAX))].into_iter().collect();
    assert_eq!(holds(small), Some(expected));
    let largest = store.eq(store.bv_add(unknown, number(1)), number(i64::MIN));
    assert_eq!(holds(largest), Some(Set::of((i128::from(i64::MAX), i128::from(i64::MAX)))));
    // A point far out, whose number becomes large before it is multiplied again.
    let low = store.extract(store.bv_mul(unknown, number(0x7000_0001)), 31, 0);
    let product = store.bv_mul(store.resize_unsigned(low, 64), number(3 << 40 | 1));
    let far = store.eq(unknown, number(1 << 62 | 5));
    let expected = (0x7000_0001u64.wrapping_mul(1 << 62 | 5) & 0xffff_ffff).wrapping_mul(3 << 40 | 1);
    let point = Some(Set::of((1 << 62 | 5, 1 << 62 | 5)));
    assert_eq!(holds(far), point);
    let there = Solving::new(&store, &mut Forms::default()).holds(store.eq(product, store.bv(expected, 64)), &point.clone().unwrap());
    assert_eq!(there, point);
    // Too many ranges, and a factor that would not fit.
    assert_eq!(holds(store.bv_slt(store.bv_mul(unknown, number(1000)), number(5))), None);
    assert_eq!(holds(store.bv_slt(store.bv_mul(unknown, number(i64::MAX / 3)), number(5))), None);
}
