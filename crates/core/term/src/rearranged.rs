//! Terms with their sums, products and bitwise chains in one order: `a + b + c` and `c + b + a` become the same term, with
//! what cancels gone. Programs that compute one thing in two orders are then decided without a solver, for which the
//! equality of two long sums is hard. Building terms this way from the start would cost every addition; it is done for
//! questions that would go to a solver.

use crate::op::Op;
use crate::sort::{Sort, mask};
use crate::store::{Term, TermStore};
use crate::walk::{Rewrite, rewrite};
use fathom_base::FxMap;
use std::collections::BTreeMap;
use std::convert::Infallible;

/// Longer chains are not rearranged.
const LONGEST: usize = 256;

/// Rewrites terms so that sums, products and bitwise chains have their operands in one order.
#[derive(Default)]
pub struct Rearranged {
    memo: FxMap<Term, Term>,
}

impl Rearranged {
    /// The rearranged term.
    pub fn apply(&mut self, store: &TermStore, root: Term) -> Term {
        let Ok(image) = rewrite(store, &mut self.memo, root, &mut Chains);
        image
    }
}

struct Chains;

impl Rewrite for Chains {
    type Error = Infallible;

    fn down(&mut self, store: &TermStore, term: Term) -> Option<Term> {
        let stays = matches!(store.op(term), Op::Forall(_) | Op::Exists(_)) || store.args(term).is_empty();
        stays.then_some(term)
    }

    fn up(&mut self, store: &TermStore, term: Term, args: &[Term]) -> Result<Term, Infallible> {
        let op = store.op(term);
        let plain = || if args == &store.args(term)[..] { term } else { store.build(op, args) };
        Ok(chain(store, op, args).unwrap_or_else(plain))
    }
}

/// The chain with its operands in order; None if the term is not a chain or too long.
fn chain(store: &TermStore, op: Op, args: &[Term]) -> Option<Term> {
    if !matches!(op, Op::BvAdd | Op::BvMul | Op::BvAnd | Op::BvOr | Op::BvXor) {
        return None;
    }
    let mut links = Vec::new();
    let mut open: Vec<Term> = args.to_vec();
    while let Some(term) = open.pop() {
        match store.op(term) == op {
            true => open.extend(store.args(term)),
            false => links.push(term),
        }
        if links.len() + open.len() > LONGEST {
            return None;
        }
    }
    let Sort::Bv(width) = store.sort(*args.first()?) else { return None };
    match op {
        Op::BvAdd if width <= 64 => return Some(sum(store, &links, width)),
        Op::BvAnd | Op::BvOr => {
            links.sort_unstable();
            links.dedup();
        }
        _ => links.sort_unstable(),
    }
    links.into_iter().reduce(|all, link| store.build(op, &[all, link]))
}

/// Multiples of the same term become one.
fn sum(store: &TermStore, links: &[Term], width: u32) -> Term {
    let mut factors: BTreeMap<Term, u64> = BTreeMap::new();
    let mut constant = 0u64;
    for &link in links {
        let (term, factor) = multiple(store, link);
        match term {
            Some(term) => {
                let known = factors.entry(term).or_default();
                *known = known.wrapping_add(factor) & mask(width);
            }
            None => constant = constant.wrapping_add(factor) & mask(width),
        }
    }
    let parts = factors.into_iter().filter(|(_, factor)| *factor != 0).map(|(term, factor)| match factor {
        1 => term,
        _ if factor == mask(width) => store.build(Op::BvNeg, &[term]),
        _ => store.build(Op::BvMul, &[term, store.bv(factor, width)]),
    });
    parts.chain([store.bv(constant, width)]).reduce(|all, part| store.bv_add(all, part)).unwrap_or(store.bv(0, width))
}

/// A summand as a multiple of a term, or a number.
fn multiple(store: &TermStore, link: Term) -> (Option<Term>, u64) {
    if let Some(bits) = store.const_bits(link) {
        return (None, bits);
    }
    match store.op(link) {
        Op::BvNeg => {
            let (term, factor) = multiple(store, store.arg(link, 0));
            (term, factor.wrapping_neg())
        }
        Op::BvMul => match [0, 1].map(|index| store.const_bits(store.arg(link, index))) {
            [Some(factor), None] => (Some(store.arg(link, 1)), factor),
            [None, Some(factor)] => (Some(store.arg(link, 0)), factor),
            _ => (Some(link), 1),
        },
        _ => (Some(link), 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Evaluator, Model, Value};

    fn numbers(seed: u64) -> impl Iterator<Item = u64> {
        let mut random = fastrand::Rng::with_seed(seed);
        std::iter::repeat_with(move || random.u64(..))
    }

    #[test]
    fn order_does_not_matter() {
        let store = TermStore::new();
        let xs: Vec<Term> = (0..20).map(|i| store.var(&format!("x{i}"), Sort::Bv(32))).collect();
        let sum = |xs: &[Term]| xs.iter().fold(store.bv(7, 32), |sum, &x| store.bv_add(sum, x));
        let mut turned = xs.clone();
        turned.rotate_left(5);
        turned.swap(0, 1);
        let mut rearranged = Rearranged::default();
        let halves = [sum(&xs), sum(&turned)].map(|sum| store.build(Op::BvLshr, &[sum, store.bv(1, 32)]));
        assert_ne!(halves[0], halves[1]);
        assert_eq!(rearranged.apply(&store, store.eq(halves[0], halves[1])), store.bool(true));
        // What was added and taken away again is gone.
        let back = xs.iter().fold(sum(&turned), |sum, &x| store.bv_sub(sum, x));
        assert_eq!(rearranged.apply(&store, back), store.bv(7, 32));
    }

    /// Random terms keep their values.
    #[test]
    fn values_stay() {
        let store = TermStore::new();
        let ops = [Op::BvAdd, Op::BvMul, Op::BvAnd, Op::BvOr, Op::BvXor, Op::BvNeg, Op::BvAdd];
        let mut changed = 0;
        for seed in 1..300 {
            let mut random = numbers(seed);
            let mut terms: Vec<Term> = (0..4).map(|i| store.var(&format!("v{i}"), Sort::Bv(8))).collect();
            terms.push(store.bv(random.next().unwrap() & 255, 8));
            for _ in 0..25 {
                let mut pick = || terms[random.next().unwrap() as usize % terms.len()];
                let (a, b) = (pick(), pick());
                let op = ops[random.next().unwrap() as usize % ops.len()];
                terms.push(if op == Op::BvNeg { store.build(op, &[a]) } else { store.build(op, &[a, b]) });
            }
            let term = *terms.last().unwrap();
            let image = Rearranged::default().apply(&store, term);
            changed += u32::from(image != term);
            for _ in 0..20 {
                let mut model = Model::default();
                for i in 0..4 {
                    let var = store.as_var(store.var(&format!("v{i}"), Sort::Bv(8))).unwrap();
                    model.values.insert(var, Value::Bits(random.next().unwrap() & 255));
                }
                let evaluator = Evaluator::new(model);
                assert_eq!(evaluator.eval(&store, term), evaluator.eval(&store, image), "seed {seed}");
            }
        }
        assert!(changed > 100, "{changed}");
    }
}
