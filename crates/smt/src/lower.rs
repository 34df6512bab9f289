//! Removes operations that no solver has. `FpToBits(f)`, the encoding of a float, becomes a fresh bit-vector variable
//! `b` with the side condition `FpFromBits(b) = f and (f is NaN -> b = the canonical NaN)`. The side condition fixes
//! exactly one `b` for every `f` (encodings are unique except for NaN), so a formula and its lowered form together
//! with the side conditions have the same models over the original variables, and a side condition may be asserted
//! anywhere without making anything unsatisfiable. The memo lives as long as the run: equal terms share a variable.
//!
//! Below a quantifier the variable would have to depend on what is bound: such terms stay, and solvers refuse them.

use crate::symbols::{VarSets, vars_of};
use fathom_base::{FxMap, FxSet};
use fathom_term::{Op, Sort, Term, TermStore, Value, VarId, float};
use smallvec::SmallVec;
use std::rc::Rc;

/// A term that solvers understand.
#[derive(Clone)]
pub struct Lowered {
    pub term: Term,
    /// What must be asserted wherever the term is used; may repeat between terms.
    pub sides: Rc<[Term]>,
}

pub struct Lowering {
    memo: FxMap<Term, Term>,
    /// From a lowered float to its encoding.
    encodings: FxMap<Term, Term>,
    sides: FxMap<VarId, Term>,
    results: FxMap<Term, Rc<[Term]>>,
    none: Rc<[Term]>,
}

impl Default for Lowering {
    fn default() -> Self {
        Self {
            memo: FxMap::default(),
            encodings: FxMap::default(),
            sides: FxMap::default(),
            results: FxMap::default(),
            none: Rc::from([]),
        }
    }
}

impl Lowering {
    pub fn lower(&mut self, store: &TermStore, sets: &VarSets, term: Term) -> Lowered {
        if !sets.encodes_floats(store, term) {
            return Lowered { term, sides: self.none.clone() };
        }
        let lowered = self.rewrite(store, sets, term);
        if let Some(sides) = self.results.get(&term) {
            return Lowered { term: lowered, sides: sides.clone() };
        }
        let sides = self.sides_of(store, sets, lowered);
        self.results.insert(term, sides.clone());
        Lowered { term: lowered, sides }
    }

    fn rewrite(&mut self, store: &TermStore, sets: &VarSets, root: Term) -> Term {
        let mut stack = vec![(root, false)];
        while let Some((term, ready)) = stack.pop() {
            if self.memo.contains_key(&term) {
                continue;
            }
            let op = store.op(term);
            if !sets.encodes_floats(store, term) || matches!(op, Op::Forall(_) | Op::Exists(_)) {
                self.memo.insert(term, term);
                continue;
            }
            let args = store.args(term);
            if !ready {
                stack.push((term, true));
                stack.extend(args.iter().map(|&arg| (arg, false)));
                continue;
            }
            let images: SmallVec<[Term; 4]> = args.iter().map(|arg| self.memo[arg]).collect();
            let image = match (op, &images[..]) {
                (Op::FpToBits, &[float]) => self.encoding(store, float),
                _ => store.build(op, &images),
            };
            self.memo.insert(term, image);
        }
        self.memo[&root]
    }

    /// The variable that stands for the encoding of a (lowered) float.
    fn encoding(&mut self, store: &TermStore, float: Term) -> Term {
        let format = store.sort(float).format();
        let width = format.width();
        if let Some(value) = store.const_value(float) {
            return store.constant(&value, Sort::Bv(width));
        }
        if let Some(&known) = self.encodings.get(&float) {
            return known;
        }
        let nan = store.constant(&Value::bits(float::nan(format).into(), width), Sort::Bv(width));
        let is_nan = store.build(Op::FpIsNan, &[float]);
        if store.op(float) == Op::FpFromBits(format) {
            // The encoding of a decoded number is there already.
            return store.ite(is_nan, nan, store.arg(float, 0));
        }
        let bits = store.fresh("fp.bits", Sort::Bv(width));
        let same = store.eq(store.build(Op::FpFromBits(format), &[bits]), float);
        let canonical = store.implies(is_nan, store.eq(bits, nan));
        if let Some(var) = store.as_var(bits) {
            self.sides.insert(var, store.and(same, canonical));
        }
        self.encodings.insert(float, bits);
        bits
    }

    /// The side conditions of all encodings that a lowered term mentions, and of those that they mention.
    fn sides_of(&self, store: &TermStore, sets: &VarSets, lowered: Term) -> Rc<[Term]> {
        let mut found = Vec::new();
        let mut seen = FxSet::default();
        let mut waiting = vec![lowered];
        while let Some(term) = waiting.pop() {
            for var in vars_of(&sets.of(store, term)) {
                if let Some(&side) = self.sides.get(&var)
                    && seen.insert(var)
                {
                    found.push(side);
                    waiting.push(side);
                }
            }
        }
        Rc::from(found)
    }
}
