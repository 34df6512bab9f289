//! Terms over bit-vectors as terms over mathematical integers: a bit-vector is its signed value. Bounds of every value are kept, so
//! that only sums that could leave the range of their width are brought back into it. What has no linear form becomes a fresh
//! variable within bounds.

use fathom_base::FxMap;
use fathom_term::{Op, Rewrite, Sort, Term, TermStore, Value, VarId, rewrite};
use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{One, Zero};

/// The variables of clauses, and the terms of one clause.
pub struct Integers<'a> {
    store: &'a TermStore,
    /// Whether sums that leave the range of their width come back into it.
    wraps: bool,
    /// Images of the program's variables.
    variables: FxMap<VarId, Term>,
    clause: Clause,
    memo: FxMap<Term, Term>,
}

/// The parts of the clause that is being written.
#[derive(Default)]
pub struct Clause {
    /// Its variables.
    pub variables: Vec<VarId>,
    /// Ranges of these.
    pub ranges: Vec<Term>,
    bounds: FxMap<Term, (BigInt, BigInt)>,
}

impl<'a> Integers<'a> {
    /// For bit-vectors that wrap around, or for ones that are taken to be unbounded.
    pub fn new(store: &'a TermStore, wraps: bool) -> Self {
        Self { store, wraps, variables: FxMap::default(), clause: Clause::default(), memo: FxMap::default() }
    }

    /// The image of a sort; None for floats and what else has none.
    pub fn sort(&self, sort: Sort) -> Option<Sort> {
        match sort {
            Sort::Bool | Sort::Int | Sort::Real => Some(sort),
            Sort::Bv(_) => Some(Sort::Int),
            Sort::Array(id) => {
                let (index, element) = self.store.array_sort_parts(id);
                Some(self.store.array_sort(self.sort(index)?, self.sort(element)?))
            }
            Sort::Float(_) | Sort::RoundingMode | Sort::Opaque(_) => None,
        }
    }

    /// The image of a program variable in the current clause.
    pub fn variable(&mut self, var: VarId) -> Option<Term> {
        let sort = self.store.var_sort(var);
        let image = match self.variables.get(&var) {
            Some(&image) => image,
            None => {
                let image = self.store.fresh("horn", self.sort(sort)?);
                self.variables.insert(var, image);
                image
            }
        };
        self.declare(image, sort);
        Some(image)
    }

    /// Begins a clause.
    pub fn begin(&mut self) {
        self.clause = Clause::default();
        self.memo.clear();
    }

    /// Ends a clause: its variables with their ranges.
    pub fn end(&mut self) -> Clause {
        std::mem::take(&mut self.clause)
    }

    /// The image of a term in the current clause.
    pub fn term(&mut self, term: Term) -> Term {
        let mut memo = std::mem::take(&mut self.memo);
        let image = rewrite(self.store, &mut memo, term, self).unwrap_or_else(|never| match never {});
        self.memo = memo;
        image
    }

    /// A variable of the clause that stands for a value of this sort.
    fn declare(&mut self, image: Term, sort: Sort) {
        let Some(var) = self.store.as_var(image) else { return };
        if self.clause.variables.contains(&var) {
            return;
        }
        self.clause.variables.push(var);
        if let Sort::Bv(width) = sort {
            let (low, high) = signed_range(width);
            // Without ranges there is less for the solver to generalise over.
            self.clause.ranges.extend(self.wraps.then(|| self.within(image, &low, &high)));
            self.clause.bounds.insert(image, (low, high));
        }
    }

    /// Any value of this sort; a sort without an image has one as a Boolean that nobody looks at.
    fn any(&mut self, sort: Sort) -> Term {
        let image = self.store.fresh("any", self.sort(sort).unwrap_or(Sort::Bool));
        self.declare(image, sort);
        image
    }

    fn any_within(&mut self, low: BigInt, high: BigInt) -> Term {
        let image = self.store.fresh("any", Sort::Int);
        self.clause.variables.extend(self.store.as_var(image));
        self.clause.ranges.push(self.within(image, &low, &high));
        self.bounded(image, low, high)
    }

    fn within(&self, term: Term, low: &BigInt, high: &BigInt) -> Term {
        let store = self.store;
        store.and(self.le(store.int(low.clone()), term), self.le(term, store.int(high.clone())))
    }

    fn le(&self, a: Term, b: Term) -> Term {
        self.store.build(Op::IntLe, &[a, b])
    }

    fn lt(&self, a: Term, b: Term) -> Term {
        self.store.build(Op::IntLt, &[a, b])
    }

    fn add(&self, a: Term, b: Term) -> Term {
        self.store.build(Op::IntAdd, &[a, b])
    }

    fn times(&self, a: Term, factor: &BigInt) -> Term {
        self.store.build(Op::IntMul, &[self.store.int(factor.clone()), a])
    }

    fn bounded(&mut self, term: Term, low: BigInt, high: BigInt) -> Term {
        if self.constant(term).is_none() {
            self.clause.bounds.insert(term, (low, high));
        }
        term
    }

    fn constant(&self, term: Term) -> Option<BigInt> {
        match self.store.const_value(term)? {
            Value::Int(value) => Some((*value).clone()),
            _ => None,
        }
    }

    /// The bounds of a bit-vector's image.
    fn bounds(&self, image: Term, width: u32) -> (BigInt, BigInt) {
        match self.constant(image) {
            Some(value) => (value.clone(), value),
            None => self.clause.bounds.get(&image).cloned().unwrap_or_else(|| signed_range(width)),
        }
    }

    /// A value with these bounds as the signed value of its low bits.
    fn brought_back(&mut self, value: Term, low: BigInt, high: BigInt, width: u32) -> Term {
        let (least, most) = signed_range(width);
        if low >= least && high <= most {
            return self.bounded(value, low, high);
        }
        if !self.wraps {
            return self.bounded(value, low.max(least), high.min(most));
        }
        let size = BigInt::one() << width;
        let store = self.store;
        let image = if low >= &least - &size && high <= &most + &size {
            let down = self.add(value, store.int(-size.clone()));
            let up = self.add(value, store.int(size));
            let too_large = self.lt(store.int(most.clone()), value);
            store.ite(too_large, down, store.ite(self.lt(value, store.int(least.clone())), up, value))
        } else {
            let shifted = self.add(value, store.int(-least.clone()));
            self.add(store.build(Op::IntMod, &[shifted, store.int(size)]), store.int(least.clone()))
        };
        self.bounded(image, least, most)
    }

    /// The unsigned value.
    fn unsigned(&mut self, image: Term, width: u32) -> Term {
        let (low, high) = self.bounds(image, width);
        if low.sign() != Sign::Minus {
            return image;
        }
        let size = BigInt::one() << width;
        let store = self.store;
        let negative = self.lt(image, store.int(0));
        let value = store.ite(negative, self.add(image, store.int(size.clone())), image);
        match high.sign() {
            Sign::Minus => self.bounded(value, low + &size, high + size),
            _ => self.bounded(value, BigInt::zero(), size - 1),
        }
    }

    fn sum(&mut self, args: &[Term], width: u32) -> Term {
        let mut total = args[0];
        for &next in &args[1..] {
            let ((a, b), (c, d)) = (self.bounds(total, width), self.bounds(next, width));
            let sum = self.add(total, next);
            total = self.brought_back(sum, a + c, b + d, width);
        }
        total
    }

    /// A value times a constant, and its bounds.
    fn scaled(&self, image: Term, factor: &BigInt, width: u32) -> (Term, BigInt, BigInt) {
        let (low, high) = self.bounds(image, width);
        let (a, b) = (low * factor, high * factor);
        (self.times(image, factor), a.clone().min(b.clone()), a.max(b))
    }

    fn product(&mut self, args: &[Term], width: u32) -> Term {
        let (factor, other) = match (self.constant(args[0]), self.constant(args[1])) {
            (Some(factor), _) => (factor, args[1]),
            (_, Some(factor)) => (factor, args[0]),
            _ => return self.any(Sort::Bv(width)),
        };
        let (value, low, high) = self.scaled(other, &factor, width);
        self.brought_back(value, low, high, width)
    }

    /// Quotient or remainder of a value that is not negative by a constant.
    fn divided(&mut self, op: Op, value: Term, by: &BigInt, width: u32) -> Term {
        let (_, high) = self.bounds(value, width + 1);
        let image = self.store.build(op, &[value, self.store.int(by.clone())]);
        let most: BigInt = if op == Op::IntDiv { high / by } else { high.min(by - 1) };
        self.bounded(image, BigInt::zero(), most)
    }

    fn unsigned_division(&mut self, op: Op, args: &[Term], width: u32) -> Term {
        let Some(by) = self.constant(args[1]).map(|by| unsigned_value(by, width)).filter(|by| !by.is_zero()) else {
            return self.any(Sort::Bv(width));
        };
        let value = self.unsigned(args[0], width);
        let image = self.divided(op, value, &by, width);
        let (low, high) = self.bounds(image, width + 1);
        self.brought_back(image, low, high, width)
    }

    /// Rounded towards zero; a remainder has the dividend's sign.
    fn signed_division(&mut self, op: Op, args: &[Term], width: u32) -> Term {
        let Some(by) = self.constant(args[1]).filter(|by| !by.is_zero()) else { return self.any(Sort::Bv(width)) };
        let store = self.store;
        let size = if by.sign() == Sign::Minus { -by.clone() } else { by.clone() };
        let (low, high) = self.bounds(args[0], width);
        let of = |value: Term| store.build(op, &[value, store.int(size.clone())]);
        let minus = |value: Term| store.build(Op::IntNeg, &[value]);
        let (ahead, behind) = (of(args[0]), minus(of(minus(args[0]))));
        let rounded = if low.sign() == Sign::Minus { store.ite(self.lt(args[0], store.int(0)), behind, ahead) } else { ahead };
        if op == Op::IntMod {
            let most: BigInt = size - 1;
            let least = if low.sign() == Sign::Minus { -most.clone() } else { BigInt::zero() };
            return self.bounded(rounded, least, most);
        }
        let value = if by.sign() == Sign::Minus { minus(rounded) } else { rounded };
        let (a, b) = (&low / &by, &high / &by);
        let (low, high) = (a.clone().min(b.clone()).min(BigInt::zero()), a.max(b).max(BigInt::zero()));
        self.brought_back(value, low, high, width)
    }

    fn masked(&mut self, args: &[Term], width: u32) -> Term {
        let (mask, value) = match (self.constant(args[0]), self.constant(args[1])) {
            (Some(mask), _) => (mask, args[1]),
            (_, Some(mask)) => (mask, args[0]),
            _ => return self.any(Sort::Bv(width)),
        };
        if mask.sign() == Sign::Minus {
            return self.any(Sort::Bv(width));
        }
        let next: BigInt = &mask + 1;
        let is_power = next.trailing_zeros() == Some(next.bits() - 1);
        if is_power {
            let value = self.unsigned(value, width);
            return self.divided(Op::IntMod, value, &next, width);
        }
        self.any_within(BigInt::zero(), mask)
    }

    fn shifted(&mut self, op: Op, args: &[Term], width: u32) -> Term {
        let by = self.constant(args[1]).and_then(|by| u32::try_from(by).ok()).filter(|by| *by < width);
        let Some(by) = by else { return self.any(Sort::Bv(width)) };
        let factor = BigInt::one() << by;
        match op {
            Op::BvShl => {
                let (value, low, high) = self.scaled(args[0], &factor, width);
                self.brought_back(value, low, high, width)
            }
            Op::BvLshr => {
                let value = self.unsigned(args[0], width);
                let image = self.divided(Op::IntDiv, value, &factor, width);
                let (low, high) = self.bounds(image, width + 1);
                self.brought_back(image, low, high, width)
            }
            _ => self.floored(args[0], by, width),
        }
    }

    /// The value without its low bits.
    fn floored(&mut self, image: Term, bits: u32, width: u32) -> Term {
        let (low, high) = self.bounds(image, width);
        let value = self.store.build(Op::IntDiv, &[image, self.store.int(BigInt::one() << bits)]);
        self.bounded(value, low >> bits, high >> bits)
    }

    fn extracted(&mut self, image: Term, high: u32, low: u32, width: u32) -> Term {
        let value = if low == 0 { image } else { self.floored(image, low, width) };
        let (least, most) = self.bounds(value, width);
        self.brought_back(value, least, most, high - low + 1)
    }

    fn concatenated(&mut self, args: &[Term], low_width: u32, width: u32) -> Term {
        let factor = BigInt::one() << low_width;
        let (value, least, most) = self.scaled(args[0], &factor, width - low_width);
        let low = self.unsigned(args[1], low_width);
        let image = self.add(value, low);
        self.bounded(image, least, most + factor - 1)
    }

    fn overflows(&mut self, op: Op, args: &[Term], width: u32) -> Term {
        let is_signed = op == Op::BvSmulOverflow;
        let (factor, other) = match (self.constant(args[0]), self.constant(args[1])) {
            (Some(factor), _) => (factor, args[1]),
            (_, Some(factor)) => (factor, args[0]),
            _ => return self.any(Sort::Bool),
        };
        let (least, most) = if is_signed { signed_range(width) } else { (BigInt::zero(), (BigInt::one() << width) - 1) };
        let (factor, other) = if is_signed { (factor, other) } else { (unsigned_value(factor, width), self.unsigned(other, width)) };
        let product = self.times(other, &factor);
        self.store.not(self.within(product, &least, &most))
    }

    fn element(&mut self, args: &[Term], sort: Sort) -> Term {
        let image = self.store.build(Op::Select, args);
        if let Sort::Bv(width) = sort {
            let (low, high) = signed_range(width);
            self.clause.ranges.push(self.within(image, &low, &high));
        }
        image
    }

    /// The image of an operation on integers, if it is linear.
    fn linear(&mut self, op: Op, args: &[Term], sort: Sort) -> Term {
        let is_linear = match op {
            Op::IntMul => args.iter().filter(|&&arg| self.constant(arg).is_none()).count() <= 1,
            Op::IntDiv | Op::IntMod => self.constant(args[1]).is_some_and(|by| !by.is_zero()),
            Op::RealMul => args.iter().any(|&arg| self.store.op(arg).is_const()),
            Op::RealDiv => self.store.op(args[1]).is_const(),
            _ => true,
        };
        if is_linear { self.store.build(op, args) } else { self.any(sort) }
    }

    fn constant_of(&mut self, term: Term, sort: Sort) -> Option<Term> {
        match (sort, self.store.const_value(term)?) {
            (Sort::Bv(width), value) => {
                let bits = match value {
                    Value::Bits(bits) => BigUint::from(bits),
                    Value::Wide(bits) => (*bits).clone(),
                    _ => return None,
                };
                Some(self.store.int(signed_value(bits.into(), width)))
            }
            (Sort::Bool | Sort::Int | Sort::Real, _) => Some(term),
            _ => None,
        }
    }

    /// Whether an operation means the same of the images.
    fn keeps(&self, op: Op, term: Term) -> bool {
        let has_image = |part: Term| self.sort(self.store.sort(part)).is_some();
        matches!(op, Op::Not | Op::And | Op::Or | Op::Xor | Op::Eq | Op::Ite)
            && has_image(term)
            && self.store.args(term).iter().all(|&arg| has_image(arg))
    }
}

impl Rewrite for Integers<'_> {
    type Error = std::convert::Infallible;

    fn down(&mut self, store: &TermStore, term: Term) -> Option<Term> {
        let sort = store.sort(term);
        match store.op(term) {
            Op::Var(var) => Some(self.variable(var).unwrap_or_else(|| self.any(sort))),
            Op::Const(_) | Op::BigConst(_) => Some(self.constant_of(term, sort).unwrap_or_else(|| self.any(sort))),
            Op::Forall(_) | Op::Exists(_) | Op::Apply(_) => Some(self.any(sort)),
            _ if self.sort(sort).is_none() => Some(self.any(sort)),
            _ => None,
        }
    }

    fn up(&mut self, store: &TermStore, term: Term, args: &[Term]) -> Result<Term, Self::Error> {
        let (op, sort) = (store.op(term), store.sort(term));
        if self.keeps(op, term) {
            let image = store.build(op, args);
            if let (Op::Ite, Sort::Bv(width)) = (op, sort) {
                let ((a, b), (c, d)) = (self.bounds(args[1], width), self.bounds(args[2], width));
                return Ok(self.bounded(image, a.min(c), b.max(d)));
            }
            return Ok(image);
        }
        let first = store.args(term).first().map_or(Sort::Bool, |&arg| store.sort(arg));
        let Sort::Bv(from) = first else { return Ok(self.other(op, term, args, sort)) };
        let image = match op {
            Op::BvAdd => self.sum(args, from),
            Op::BvMul if args.len() == 2 => self.product(args, from),
            Op::BvNeg | Op::BvNot => {
                let (value, low, high) = self.scaled(args[0], &BigInt::from(-1), from);
                let off = BigInt::from(u8::from(op == Op::BvNot));
                let value = self.add(value, store.int(-off.clone()));
                self.brought_back(value, low - &off, high - off, from)
            }
            Op::BvUdiv => self.unsigned_division(Op::IntDiv, args, from),
            Op::BvUrem => self.unsigned_division(Op::IntMod, args, from),
            Op::BvSdiv => self.signed_division(Op::IntDiv, args, from),
            Op::BvSrem => self.signed_division(Op::IntMod, args, from),
            Op::BvAnd if args.len() == 2 => self.masked(args, from),
            Op::BvShl | Op::BvLshr | Op::BvAshr => self.shifted(op, args, from),
            Op::BvSlt => self.lt(args[0], args[1]),
            Op::BvUlt => {
                let (a, b) = (self.unsigned(args[0], from), self.unsigned(args[1], from));
                self.lt(a, b)
            }
            Op::BvSmulOverflow | Op::BvUmulOverflow => self.overflows(op, args, from),
            Op::BvConcat => self.concatenated(args, store.sort(store.arg(term, 1)).width(), sort.width()),
            Op::BvExtract { high, low } => self.extracted(args[0], high, low, from),
            Op::BvZeroExtend(_) | Op::BvToInt => self.unsigned(args[0], from),
            Op::BvSignExtend(_) => args[0],
            Op::ConstArray(_) => self.other(op, term, args, sort),
            _ => self.any(sort),
        };
        Ok(image)
    }
}

impl Integers<'_> {
    /// Operations on what is no bit-vector.
    fn other(&mut self, op: Op, term: Term, args: &[Term], sort: Sort) -> Term {
        let store = self.store;
        let array = |array: Sort| match array {
            Sort::Array(_) => self.sort(array),
            _ => None,
        };
        match op {
            Op::Select if array(store.sort(store.arg(term, 0))).is_some() => self.element(args, sort),
            Op::Store if array(sort).is_some() => store.build(op, args),
            Op::ConstArray(of) => match self.sort(of) {
                Some(of) => store.const_array(of, args[0]),
                None => self.any(sort),
            },
            Op::IntToBv(width) => match self.constant(args[0]) {
                Some(value) => store.int(signed_value(value, width)),
                None => {
                    let (low, high) = signed_range(width + 2);
                    self.brought_back(args[0], low, high, width)
                }
            },
            Op::IntAdd | Op::IntMul | Op::IntNeg | Op::IntDiv | Op::IntMod | Op::IntLt | Op::IntLe => self.linear(op, args, sort),
            Op::RealAdd | Op::RealMul | Op::RealNeg | Op::RealDiv | Op::RealLt | Op::RealLe => self.linear(op, args, sort),
            Op::IntToReal | Op::RealToInt => store.build(op, args),
            _ => self.any(sort),
        }
    }
}

fn signed_range(width: u32) -> (BigInt, BigInt) {
    let half = BigInt::one() << (width - 1);
    (-half.clone(), half - 1)
}

fn unsigned_value(value: BigInt, width: u32) -> BigInt {
    if value.sign() == Sign::Minus { value + (BigInt::one() << width) } else { value }
}

/// The signed value of the low bits.
fn signed_value(value: BigInt, width: u32) -> BigInt {
    let size = BigInt::one() << width;
    let low = ((value % &size) + &size) % &size;
    if low >= BigInt::one() << (width - 1) { low - size } else { low }
}
