//! Invariants over integers as conditions over the program's variables. Integers are computed in bit-vectors that are wide enough for
//! their bounds, so nothing wraps around. Where a program has mathematical integers of its own, an invariant about those alone is
//! taken as it is.

use fathom_base::FxMap;
use fathom_term::{Op, Sort, Substitution, Term, TermStore, Value, VarId};
use num_bigint::{BigInt, Sign};
use num_traits::{One, Zero};

/// Translates the interpretation of a predicate back to bit-vectors.
pub struct Back<'a> {
    store: &'a TermStore,
    /// The program's variable behind each variable of the invariant.
    variables: FxMap<VarId, VarId>,
    widest: u32,
    done: FxMap<Term, Image>,
}

/// The image of a part of an invariant.
#[derive(Clone)]
enum Image {
    /// A condition, or an array as the program has it.
    Plain(Term),
    /// An integer between two numbers, as a bit-vector just wide enough.
    Number(Term, BigInt, BigInt),
}

impl<'a> Back<'a> {
    /// `pairs` are variables of the invariant with those of the program that they stand for.
    pub fn new(store: &'a TermStore, pairs: impl IntoIterator<Item = (VarId, VarId)>, widest: u32) -> Self {
        Self { store, variables: pairs.into_iter().collect(), widest, done: FxMap::default() }
    }

    /// The conjuncts of an invariant that have an image.
    pub fn conjuncts(&mut self, invariant: Term) -> Vec<Term> {
        let mut parts = Vec::new();
        fathom_flat::add_conjuncts(self.store, invariant, &mut parts);
        let mut images: Vec<Term> = parts.into_iter().filter_map(|part| self.condition(part)).collect();
        images.retain(|&image| self.store.const_bool(image) != Some(true));
        images
    }

    fn condition(&mut self, part: Term) -> Option<Term> {
        let bits = |var: &VarId| matches!(self.store.var_sort(self.variables[var]), Sort::Bv(_) | Sort::Array(_));
        let mentioned: Vec<VarId> = self.store.subterms([part]).filter_map(|term| self.store.as_var(term)).collect();
        if mentioned.iter().any(|var| !self.variables.contains_key(var)) {
            return None;
        }
        if !mentioned.iter().any(bits) {
            let pairs = mentioned.iter().map(|var| (*var, self.store.var_term(self.variables[var])));
            return Some(Substitution::new(pairs).apply(self.store, part));
        }
        match self.image(part)? {
            Image::Plain(condition) => Some(condition),
            Image::Number(..) => None,
        }
    }

    /// The image of a term; None if it has none.
    fn image(&mut self, root: Term) -> Option<Image> {
        let mut stack = vec![(root, false)];
        while let Some((term, ready)) = stack.pop() {
            if self.done.contains_key(&term) {
                continue;
            }
            let args = self.store.args(term);
            if !ready && !args.is_empty() {
                if matches!(self.store.op(term), Op::Forall(_) | Op::Exists(_)) {
                    return None;
                }
                stack.push((term, true));
                stack.extend(args.iter().map(|&arg| (arg, false)));
                continue;
            }
            let images: Vec<Image> = args.iter().map(|arg| self.done[arg].clone()).collect();
            let image = if args.is_empty() { self.leaf(term)? } else { self.operation(term, &images)? };
            self.done.insert(term, image);
        }
        self.done.get(&root).cloned()
    }

    fn leaf(&self, term: Term) -> Option<Image> {
        let store = self.store;
        if let Some(var) = store.as_var(term) {
            let own = *self.variables.get(&var)?;
            let value = store.var_term(own);
            return Some(match store.var_sort(own) {
                Sort::Bv(width) => Image::Number(value, -(BigInt::one() << (width - 1)), (BigInt::one() << (width - 1)) - 1),
                _ => Image::Plain(value),
            });
        }
        match store.const_value(term)? {
            Value::Int(value) => self.number((*value).clone()),
            Value::Bits(_) if store.sort(term) == Sort::Bool => Some(Image::Plain(term)),
            _ => None,
        }
    }

    fn number(&self, value: BigInt) -> Option<Image> {
        let width = self.width(&value, &value)?;
        Some(Image::Number(self.constant(&value, width), value.clone(), value))
    }

    fn constant(&self, value: &BigInt, width: u32) -> Term {
        let size = BigInt::one() << width;
        let bits = if value.sign() == Sign::Minus { value + size } else { value.clone() };
        self.store.constant(&Value::bits(bits.to_biguint().unwrap_or_default(), width), Sort::Bv(width))
    }

    /// Bits for all numbers in a range.
    fn width(&self, low: &BigInt, high: &BigInt) -> Option<u32> {
        let bits = low.bits().max(high.bits()) + 1;
        u32::try_from(bits).ok().filter(|&width| width <= self.widest)
    }

    fn extended(&self, term: Term, width: u32) -> Term {
        match self.store.sort(term).width() >= width {
            true => term,
            false => self.store.resize_signed(term, width),
        }
    }

    /// Two numbers in bit-vectors of one width.
    fn alike(&self, a: &Image, b: &Image) -> Option<(Term, Term)> {
        let (Image::Number(a, ..), Image::Number(b, ..)) = (a, b) else { return None };
        let width = self.store.sort(*a).width().max(self.store.sort(*b).width());
        Some((self.extended(*a, width), self.extended(*b, width)))
    }

    fn operation(&self, term: Term, images: &[Image]) -> Option<Image> {
        let store = self.store;
        let op = store.op(term);
        let plain: Option<Vec<Term>> = images.iter().map(|image| if let Image::Plain(term) = image { Some(*term) } else { None }).collect();
        match (op, images) {
            (Op::Not | Op::And | Op::Or | Op::Xor, _) => Some(Image::Plain(store.build(op, &plain?))),
            (Op::Eq, [Image::Plain(a), Image::Plain(b)]) => Some(Image::Plain(store.eq(*a, *b))),
            (Op::Eq, [a, b]) => self.alike(a, b).map(|(a, b)| Image::Plain(store.eq(a, b))),
            (Op::IntLe, [a, b]) => self.alike(a, b).map(|(a, b)| Image::Plain(store.bv_sle(a, b))),
            (Op::IntLt, [a, b]) => self.alike(a, b).map(|(a, b)| Image::Plain(store.bv_slt(a, b))),
            (Op::Ite, [Image::Plain(condition), Image::Plain(a), Image::Plain(b)]) => Some(Image::Plain(store.ite(*condition, *a, *b))),
            (Op::Ite, [Image::Plain(condition), a, b]) => {
                let (x, y) = self.alike(a, b)?;
                let (Image::Number(_, a, b), Image::Number(_, c, d)) = (a, b) else { return None };
                Some(Image::Number(store.ite(*condition, x, y), a.min(c).clone(), b.max(d).clone()))
            }
            (Op::IntAdd | Op::IntMul, [first, rest @ ..]) => rest.iter().try_fold(first.clone(), |sum, next| self.combined(op, &sum, next)),
            (Op::IntNeg, [value]) => self.combined(Op::IntMul, &self.number(BigInt::from(-1))?, value),
            (Op::IntDiv | Op::IntMod, [value, by]) => self.divided(op, value, by),
            (Op::Select, [Image::Plain(array), index]) => self.element(*array, index),
            _ => None,
        }
    }

    fn combined(&self, op: Op, a: &Image, b: &Image) -> Option<Image> {
        let (Image::Number(x, a, b), Image::Number(y, c, d)) = (a, b) else { return None };
        let ends = match op {
            Op::IntAdd => vec![a + c, b + d],
            _ => vec![a * c, a * d, b * c, b * d],
        };
        let (low, high) = (ends.iter().min()?.clone(), ends.iter().max()?.clone());
        let width = self.width(&low, &high)?.max(self.store.sort(*x).width()).max(self.store.sort(*y).width());
        let (x, y) = (self.extended(*x, width), self.extended(*y, width));
        let value = if op == Op::IntAdd { self.store.bv_add(x, y) } else { self.store.bv_mul(x, y) };
        Some(Image::Number(value, low, high))
    }

    /// Euclidean division by a positive constant.
    fn divided(&self, op: Op, value: &Image, by: &Image) -> Option<Image> {
        let (Image::Number(_, low, high), Image::Number(_, by_low, by_high)) = (value, by) else { return None };
        if by_low != by_high || by_low.sign() != Sign::Plus {
            return None;
        }
        let store = self.store;
        let (x, y) = self.alike(value, by)?;
        let width = store.sort(x).width();
        let zero = self.constant(&BigInt::zero(), width);
        let rest = store.build(Op::BvSrem, &[x, y]);
        let rest = store.ite(store.bv_slt(rest, zero), store.bv_add(rest, y), rest);
        if op == Op::IntMod {
            return Some(Image::Number(rest, BigInt::zero(), by_low - 1));
        }
        // The dividend without the rest is a multiple; it may need one more bit.
        let wide = width + 1;
        let multiple = store.bv_sub(store.resize_signed(x, wide), store.resize_signed(rest, wide));
        let quotient = store.build(Op::BvSdiv, &[multiple, store.resize_signed(y, wide)]);
        Some(Image::Number(quotient, low / by_low - 1, high / by_low + 1))
    }

    fn element(&self, array: Term, index: &Image) -> Option<Image> {
        let store = self.store;
        let Sort::Array(id) = store.sort(array) else { return None };
        let (index_sort, element) = store.array_sort_parts(id);
        let index = match (index_sort, index) {
            (Sort::Bv(width), Image::Number(index, ..)) if store.sort(*index).width() > width => store.extract(*index, width - 1, 0),
            (Sort::Bv(width), Image::Number(index, ..)) => self.extended(*index, width),
            (_, Image::Plain(index)) => *index,
            _ => return None,
        };
        let value = store.select(array, index);
        Some(match element {
            Sort::Bv(width) => Image::Number(value, -(BigInt::one() << (width - 1)), (BigInt::one() << (width - 1)) - 1),
            _ => Image::Plain(value),
        })
    }
}
