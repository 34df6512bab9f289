//! Bounds of terms, computed once when a term is interned and kept only if they exclude some value of its sort.

use super::{Inner, Term, TermStore};
use crate::bounds::{self, Bounds};
use crate::op::Op;
use crate::sort::Sort;
use smallvec::SmallVec;

impl Inner {
    pub(super) fn bounded_width(&self, sort: Sort) -> Option<u32> {
        bounds::bounded_width(sort, |id| self.array_sorts[id.0 as usize].1)
    }

    fn bounds(&self, term: Term, width: u32) -> Bounds {
        match self.nodes[term.0 as usize].op {
            Op::Const(bits) => Bounds::exactly(bits, width),
            _ => self.bounds.get(&term).copied().unwrap_or(Bounds::everything(width)),
        }
    }

    pub(super) fn bounds_of_parts(&self, op: Op, width: u32, args: &[Term]) -> Option<Bounds> {
        if matches!(op, Op::BvExtract { .. }) && self.bounded_width(self.nodes[args[0].0 as usize].sort).is_none() {
            return None;
        }
        // What takes no part (conditions, indices) has a width of no meaning.
        let known = args.iter().map(|&arg| {
            let width = self.bounded_width(self.nodes[arg.0 as usize].sort);
            width.map_or((Bounds::everything(1), 1), |width| (self.bounds(arg, width), width))
        });
        bounds::bounds(op, width, &known.collect::<SmallVec<[_; 3]>>())
    }
}

impl TermStore {
    /// The truth value of a comparison for all values of its variables, if the bounds of its sides decide it.
    pub(crate) fn decided_by_bounds(&self, op: Op, a: Term, b: Term) -> Option<bool> {
        let Sort::Bv(width) = self.sort(a) else { return None };
        if width > 64 {
            return None;
        }
        let inner = self.inner.borrow();
        // Without any there is nothing to compare.
        if [a, b].iter().all(|term| !inner.nodes[term.0 as usize].op.is_const() && !inner.bounds.contains_key(term)) {
            return None;
        }
        Bounds::compare(op, inner.bounds(a, width), inner.bounds(b, width), width)
    }
}
