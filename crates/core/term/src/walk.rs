//! Walks over terms that others build upon: every part once, rewriting from the leaves up, and which parts occur more than
//! once. Terms of any depth are walked with explicit stacks, and a part that is shared is looked at once.

use crate::op::Op;
use crate::store::{Args, Term, TermStore};
use fathom_base::{FxMap, FxSet};

/// The parts of some terms, themselves included, each once; users before their arguments.
pub struct Subterms<'a> {
    store: &'a TermStore,
    open: Vec<Term>,
    seen: FxSet<Term>,
}

impl Iterator for Subterms<'_> {
    type Item = Term;

    fn next(&mut self) -> Option<Term> {
        loop {
            let term = self.open.pop()?;
            if self.seen.insert(term) {
                self.open.extend(self.store.args(term));
                return Some(term);
            }
        }
    }
}

impl TermStore {
    /// The parts of these terms, themselves included, each once.
    pub fn subterms(&self, roots: impl IntoIterator<Item = Term>) -> Subterms<'_> {
        Subterms { store: self, open: roots.into_iter().collect(), seen: FxSet::default() }
    }

    /// The conjuncts of a condition from left to right, each where it stands: the condition itself if it is no conjunction.
    pub fn conjuncts(&self, condition: Term) -> Vec<Term> {
        let mut open = vec![condition];
        let mut found = Vec::new();
        while let Some(term) = open.pop() {
            match self.op(term) {
                Op::And => open.extend(self.args(term).into_iter().rev()),
                _ => found.push(term),
            }
        }
        found
    }

    /// Low bits of a bit-vector that are surely zero; looks `fuel` levels deep.
    pub fn trailing_zeros(&self, term: Term, fuel: u32) -> u32 {
        if fuel == 0 {
            return 0;
        }
        let zeros = |index: usize| self.trailing_zeros(self.arg(term, index), fuel - 1);
        match self.op(term) {
            Op::Const(0) => u32::MAX,
            Op::Const(bits) => bits.trailing_zeros(),
            Op::BvAdd | Op::BvOr | Op::BvXor => zeros(0).min(zeros(1)),
            Op::BvMul => zeros(0).saturating_add(zeros(1)),
            Op::BvAnd => zeros(0).max(zeros(1)),
            Op::BvNeg | Op::BvZeroExtend(_) | Op::BvSignExtend(_) => zeros(0),
            Op::BvShl => zeros(0).saturating_add(self.const_bits(self.arg(term, 1)).unwrap_or(0) as u32),
            Op::Ite => zeros(1).min(zeros(2)),
            Op::BvConcat => {
                let (low, width) = (zeros(1), self.sort(self.arg(term, 1)).width());
                if low >= width { width.saturating_add(zeros(0)) } else { low }
            }
            Op::BvExtract { low, .. } => zeros(0).saturating_sub(low),
            _ => 0,
        }
    }
}

/// What terms become, given what their arguments became.
pub trait Rewrite {
    /// Why a rewriting can stop before its end.
    type Error;

    /// The image of a term whose arguments need not be looked at.
    fn down(&mut self, store: &TermStore, term: Term) -> Option<Term>;

    /// The image of a term with these images of its arguments.
    fn up(&mut self, store: &TermStore, term: Term, args: &[Term]) -> Result<Term, Self::Error>;
}

/// Rewrites a term from the leaves up. What the memo has is not rewritten again.
pub fn rewrite<R: Rewrite>(store: &TermStore, memo: &mut FxMap<Term, Term>, root: Term, by: &mut R) -> Result<Term, R::Error> {
    let mut stack = vec![(root, false)];
    while let Some((term, ready)) = stack.pop() {
        if memo.contains_key(&term) {
            continue;
        }
        let args = store.args(term);
        if ready {
            let images: Args = args.iter().map(|arg| memo[arg]).collect();
            let image = by.up(store, term, &images)?;
            memo.insert(term, image);
        } else if let Some(image) = by.down(store, term) {
            memo.insert(term, image);
        } else {
            stack.push((term, true));
            stack.extend(args.iter().map(|&arg| (arg, false)));
        }
    }
    Ok(memo[&root])
}

/// The parts of a term outside of quantifiers, and which of them occur more than once.
pub struct Shared {
    /// Arguments before users, each once.
    pub order: Vec<Term>,
    occurrences: FxMap<Term, u32>,
}

impl Shared {
    /// Looks at a term and at the parts of those for which `enter` says so.
    pub fn of<E>(store: &TermStore, root: Term, mut enter: impl FnMut(Term) -> Result<bool, E>) -> Result<Shared, E> {
        let mut shared = Shared { order: Vec::new(), occurrences: FxMap::default() };
        let mut stack = vec![(root, false)];
        while let Some((term, ready)) = stack.pop() {
            if ready {
                shared.order.push(term);
                continue;
            }
            let count = shared.occurrences.entry(term).or_insert(0);
            *count += 1;
            if *count > 1 || !enter(term)? {
                continue;
            }
            stack.push((term, true));
            if !matches!(store.op(term), Op::Forall(_) | Op::Exists(_)) {
                stack.extend(store.args(term).iter().rev().map(|&arg| (arg, false)));
            }
        }
        Ok(shared)
    }

    /// Whether a part occurs more than once.
    pub fn is_shared(&self, term: Term) -> bool {
        self.occurrences.get(&term).is_some_and(|count| *count > 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sort::Sort;
    use std::convert::Infallible;

    #[test]
    fn low_zeros_are_seen() {
        let store = TermStore::new();
        let x = store.var("x", Sort::Bv(32));
        let op = |op, args: &[Term]| store.intern(op, Sort::Bv(32), args);
        let constant = |bits| store.bv(bits, 32);
        let times8 = op(Op::BvMul, &[x, constant(8)]);
        let cases = [
            (times8, 3),
            (op(Op::BvShl, &[x, constant(4)]), 4),
            (op(Op::BvAnd, &[x, constant(0xff00)]), 8),
            (op(Op::BvXor, &[times8, constant(4)]), 2),
            (op(Op::BvAdd, &[times8, constant(16)]), 3),
            (store.intern(Op::BvExtract { high: 15, low: 1 }, Sort::Bv(15), &[times8]), 2),
            (op(Op::BvAdd, &[times8, x]), 0),
        ];
        for (term, zeros) in cases {
            assert_eq!(store.trailing_zeros(term, 8), zeros);
        }
        assert_eq!(store.trailing_zeros(times8, 1), 0);
    }

    #[test]
    fn arguments_come_before_users_and_shared_parts_are_known() {
        let store = TermStore::new();
        let (x, y) = (store.var("x", Sort::Bv(8)), store.var("y", Sort::Bv(8)));
        let sum = store.build(Op::BvUdiv, &[x, y]);
        let both = store.build(Op::BvUrem, &[sum, store.build(Op::BvUdiv, &[y, sum])]);
        let Ok(shared) = Shared::of(&store, both, |_| Ok::<bool, Infallible>(true));
        let at = |term: Term| shared.order.iter().position(|&other| other == term);
        assert!(at(x) < at(sum) && at(sum) < at(both) && at(both) == Some(shared.order.len() - 1));
        assert!(shared.is_shared(sum) && shared.is_shared(y) && !shared.is_shared(x) && !shared.is_shared(both));
        assert_eq!(store.subterms([both]).count(), shared.order.len());
    }
}
