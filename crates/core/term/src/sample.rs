//! Random terms for tests, here and in the solver adapters. Each term is generated twice: simplified by the constructors,
//! and without simplification; a model under which the two differ shows a wrong rule. Operands repeat
//! often and constants prefer the corners (0, 1, all ones, the extremes, masks, powers of two), because that is what
//! rules look for.

use crate::eval::{Evaluator, Model};
use crate::float;
use crate::op::Op;
use crate::smtlib::Symbols;
use crate::sort::{FloatFormat, Sort};
use crate::store::{Term, TermStore};
use crate::value::{ArrayValue, Value};
use fathom_base::FxMap;
pub use fathom_base::Random;
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::One;
use std::rc::Rc;

/// A term as `build` makes it, and the same without any simplification.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Made by the simplifying constructors.
    pub simplified: Term,
    /// The same operations without simplification.
    pub raw: Term,
}

/// A random number of so many bits.
pub fn random_biguint(random: &mut Random, width: u32) -> BigUint {
    let digits: Vec<u32> = (0..width.div_ceil(32)).map(|_| random.bits() as u32).collect();
    BigUint::new(digits) & ((BigUint::one() << width) - 1u8)
}

/// Which theories terms may come from, besides Booleans and bit-vectors.
#[derive(Copy, Clone, Debug, Default)]
pub struct Theories {
    /// Terms with arrays.
    pub arrays: bool,
    /// Terms with floats.
    pub floats: bool,
    /// Terms with mathematical integers and real numbers.
    pub numbers: bool,
}

/// The usual formats of floats in random terms: small ones, where corner cases are frequent.
pub const FORMATS: [FloatFormat; 3] =
    [FloatFormat { exponent: 3, significand: 4 }, FloatFormat { exponent: 4, significand: 5 }, FloatFormat::HALF];

/// Makes random terms in a store.
pub struct Sampler<'a> {
    /// Where the terms are made.
    pub store: &'a TermStore,
    /// The source of every choice; equal seeds give equal terms.
    pub random: Random,
    /// What may occur in the terms.
    pub theories: Theories,
    /// The widest bit-vector.
    pub max_width: u32,
    /// The formats of floats that occur.
    pub formats: Vec<FloatFormat>,
    /// Terms that were made before, by sort, to be used again.
    pool: FxMap<Sort, Vec<Pair>>,
}

impl<'a> Sampler<'a> {
    /// A sampler with this seed for these theories.
    pub fn new(store: &'a TermStore, seed: u64, theories: Theories, max_width: u32) -> Self {
        let random = Random::new(seed);
        Self { store, random, theories, max_width, formats: FORMATS.to_vec(), pool: FxMap::default() }
    }

    /// Forgets operands, so that the next term stands alone.
    pub fn forget(&mut self) {
        self.pool.clear();
    }

    /// A width, mostly small.
    pub fn width(&mut self) -> u32 {
        let width = match self.random.below(10) {
            0..5 => 1 + self.random.below(8) as u32,
            5..8 => self.random.pick(&[8, 16, 32, 64]),
            _ => 1 + self.random.below(130) as u32,
        };
        width.min(self.max_width)
    }

    /// A sort of the theories that were asked for.
    pub fn any_sort(&mut self) -> Sort {
        match self.random.below(12) {
            0 | 1 => Sort::Bool,
            2 if self.theories.floats => Sort::Float(self.random.pick(&self.formats)),
            3 if self.theories.numbers => self.random.pick(&[Sort::Int, Sort::Real]),
            4 if self.theories.arrays => self.array_sort(),
            _ => Sort::Bv(self.width()),
        }
    }

    fn array_sort(&mut self) -> Sort {
        let index = self.random.pick(&[1, 2, 4, 8]);
        let element = self.random.pick(&[1, 4, 8]);
        self.store.array_sort(Sort::Bv(index), Sort::Bv(element))
    }

    /// A term of this sort, at most `depth` operations deep (reused operands may add to that).
    pub fn term(&mut self, sort: Sort, depth: u32) -> Pair {
        if let Some(known) = self.pool.get(&sort)
            && self.random.chance(35)
        {
            let known = known.clone();
            return self.random.pick(&known);
        }
        let pair = if depth == 0 || self.random.chance(10) { self.leaf(sort) } else { self.compound(sort, depth - 1) };
        self.pool.entry(sort).or_default().push(pair);
        pair
    }

    fn compound(&mut self, sort: Sort, depth: u32) -> Pair {
        let (op, sorts) = self.operation(sort);
        let mut args: Vec<Pair> = sorts.iter().map(|&sort| self.term(sort, depth)).collect();
        if let [Sort::Bv(width), other] = sorts[..]
            && other == Sort::Bv(width)
            && self.random.chance(30)
        {
            let at = self.random.below(2) as usize;
            args[1 - at] = self.near(args[at], width);
        }
        self.combine(op, sort, &args)
    }

    /// A constant that the term can be equal to, or a neighbour of one: comparisons with it are true for some models only.
    fn near(&mut self, pair: Pair, width: u32) -> Pair {
        let mut model = Model::default();
        for var in Symbols::of(self.store, &[pair.raw]).vars {
            model.values.insert(var, self.value(self.store.var_sort(var)));
        }
        let Some(value) = Evaluator::new(model).eval(self.store, pair.raw) else { return self.leaf(Sort::Bv(width)) };
        let bits = value.to_biguint() + self.random.pick(&[0u8, 1, 2]);
        // Less one, in the ring of this width.
        let bits = bits + ((BigUint::one() << width) - 1u8);
        let term = self.store.constant(&Value::bits(bits, width), Sort::Bv(width));
        Pair { simplified: term, raw: term }
    }

    /// An operation over operands, both ways.
    pub fn combine(&self, op: Op, sort: Sort, args: &[Pair]) -> Pair {
        let simplified: Vec<Term> = args.iter().map(|arg| arg.simplified).collect();
        let raw: Vec<Term> = args.iter().map(|arg| arg.raw).collect();
        Pair { simplified: self.store.build(op, &simplified), raw: self.store.intern(op, sort, &raw) }
    }

    /// A constant or a variable of this sort.
    pub fn leaf(&mut self, sort: Sort) -> Pair {
        let is_array = matches!(sort, Sort::Array(_));
        let term = if self.random.chance(45) && !is_array {
            let value = self.value(sort);
            self.store.constant(&value, sort)
        } else {
            let number = self.random.below(3);
            self.store.var(&format!("{sort:?}_{number}"), sort)
        };
        Pair { simplified: term, raw: term }
    }

    /// A value of this sort, often from a corner.
    pub fn value(&mut self, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bits(self.random.below(2)),
            Sort::RoundingMode => Value::Bits(self.random.below(5)),
            Sort::Opaque(_) => Value::Bits(self.random.below(3)),
            Sort::Bv(width) => Value::bits(self.corner_bits(width), width),
            Sort::Float(format) => self.float_value(format),
            Sort::Int => Value::int(self.random.below(9) as i64 - 4),
            Sort::Real => {
                let (numer, denom) = (self.random.below(9) as i64 - 4, 1 + self.random.below(3) as i64);
                Value::real(BigRational::new(BigInt::from(numer), BigInt::from(denom)))
            }
            Sort::Array(id) => {
                let (index, element) = self.store.array_sort_parts(id);
                let mut array = ArrayValue { default: self.value(element), entries: Default::default() };
                for _ in 0..self.random.below(4) {
                    let (at, what) = (self.value(index), self.value(element));
                    array = array.with(at, what);
                }
                Value::Array(Rc::new(array))
            }
        }
    }

    fn corner_bits(&mut self, width: u32) -> BigUint {
        let one = BigUint::one();
        let ones = (&one << width) - 1u8;
        let bit = self.random.below(width as u64);
        match self.random.below(9) {
            0 => BigUint::ZERO,
            1 => one,
            2 => ones,
            3 => one << (width - 1),
            4 => (one << (width - 1)) - 1u8,
            5 => one << bit,
            6 => (one << bit) - 1u8,
            7 => BigUint::from(self.random.below(2 * width as u64)) & ones,
            _ => random_biguint(&mut self.random, width),
        }
    }

    fn float_value(&mut self, format: FloatFormat) -> Value {
        let negative = self.random.chance(50);
        let bits = match self.random.below(8) {
            0 => float::nan(format),
            1 => float::infinity(format, negative),
            2 => float::signed_zero(format, negative),
            3 => float::signed_zero(format, negative) | 1,
            4 => float::from_int(format, crate::RoundingMode::NearestEven, &BigInt::from(self.random.below(9) as i64 - 4)),
            5 => float::infinity(format, negative) - 1,
            _ => {
                let digits = random_biguint(&mut self.random, format.width()).iter_u64_digits().collect::<Vec<_>>();
                let bits = digits.iter().rev().fold(0u128, |all, &digit| all << 64 | digit as u128);
                float::canonical(format, bits)
            }
        };
        Value::bits(BigUint::from(bits), format.width())
    }

    /// An operation with this result sort, and the sorts of its arguments.
    pub fn operation(&mut self, sort: Sort) -> (Op, Vec<Sort>) {
        if self.random.chance(12) {
            return (Op::Ite, vec![Sort::Bool, sort, sort]);
        }
        match sort {
            Sort::Bool => self.predicate(),
            Sort::Bv(width) => self.bv_operation(width),
            Sort::Float(format) => self.float_operation(format),
            Sort::Int | Sort::Real => self.number_operation(sort),
            Sort::Array(id) => {
                let (index, element) = self.store.array_sort_parts(id);
                match self.random.below(4) {
                    0 => (Op::ConstArray(sort), vec![element]),
                    _ => (Op::Store, vec![sort, index, element]),
                }
            }
            Sort::RoundingMode | Sort::Opaque(_) => (Op::Ite, vec![Sort::Bool, sort, sort]),
        }
    }

    fn predicate(&mut self) -> (Op, Vec<Sort>) {
        use Op::*;
        let width = Sort::Bv(self.width());
        match self.random.below(10) {
            0 => (Not, vec![Sort::Bool]),
            1 | 2 => (self.random.pick(&[And, Or, Xor]), vec![Sort::Bool; 2]),
            3 | 4 => {
                let sort = self.any_sort();
                (Eq, vec![sort; 2])
            }
            5 if self.theories.floats => {
                let float = Sort::Float(self.random.pick(&self.formats));
                let class = [FpIsNan, FpIsInfinite, FpIsZero, FpIsNormal, FpIsSubnormal, FpIsNegative, FpIsPositive];
                match self.random.below(2) {
                    0 => (self.random.pick(&[FpEq, FpLt, FpLe]), vec![float; 2]),
                    _ => (self.random.pick(&class), vec![float]),
                }
            }
            6 if self.theories.numbers => match self.random.below(2) {
                0 => (self.random.pick(&[IntLt, IntLe]), vec![Sort::Int; 2]),
                _ => (self.random.pick(&[RealLt, RealLe]), vec![Sort::Real; 2]),
            },
            7 => (self.random.pick(&[BvSmulOverflow, BvUmulOverflow]), vec![width; 2]),
            _ => (self.random.pick(&[BvUlt, BvSlt]), vec![width; 2]),
        }
    }

    fn bv_operation(&mut self, width: u32) -> (Op, Vec<Sort>) {
        use Op::*;
        let sort = Sort::Bv(width);
        let binary = [BvAdd, BvAdd, BvMul, BvUdiv, BvUrem, BvSdiv, BvSrem, BvAnd, BvOr, BvXor, BvShl, BvLshr, BvAshr];
        match self.random.below(12) {
            0 => (self.random.pick(&[BvNeg, BvNot]), vec![sort]),
            1 | 2 if width > 1 => {
                let low = 1 + self.random.below(width as u64 - 1) as u32;
                (BvConcat, vec![Sort::Bv(width - low), Sort::Bv(low)])
            }
            3 | 4 => {
                let (below, above) = (self.random.below(9) as u32, self.random.below(9) as u32);
                (BvExtract { high: below + width - 1, low: below }, vec![Sort::Bv(width + below + above)])
            }
            5 | 6 if width > 1 => {
                let narrow = 1 + self.random.below(width as u64 - 1) as u32;
                (self.random.pick(&[BvZeroExtend(width), BvSignExtend(width)]), vec![Sort::Bv(narrow)])
            }
            7 if self.theories.arrays => {
                let index = Sort::Bv(self.random.pick(&[1, 2, 4, 8]));
                (Select, vec![self.store.array_sort(index, sort), index])
            }
            8 if self.theories.numbers => (IntToBv(width), vec![Sort::Int]),
            9 if self.theories.floats => {
                let format = self.random.pick(&self.formats);
                if format.width() == width && self.random.chance(50) {
                    return (FpToBits, vec![Sort::Float(format)]);
                }
                let op = self.random.pick(&[FpToSigned(width), FpToUnsigned(width)]);
                (op, vec![Sort::RoundingMode, Sort::Float(format)])
            }
            _ => (self.random.pick(&binary), vec![sort; 2]),
        }
    }

    fn float_operation(&mut self, format: FloatFormat) -> (Op, Vec<Sort>) {
        use Op::*;
        let (sort, mode) = (Sort::Float(format), Sort::RoundingMode);
        match self.random.below(10) {
            0..3 => (self.random.pick(&[FpAdd, FpSub, FpMul, FpDiv]), vec![mode, sort, sort]),
            3 => (FpFma, vec![mode, sort, sort, sort]),
            4 => (self.random.pick(&[FpSqrt, FpRoundToIntegral]), vec![mode, sort]),
            5 => (self.random.pick(&[FpMin, FpMax, FpRem]), vec![sort, sort]),
            6 => (self.random.pick(&[FpAbs, FpNeg]), vec![sort]),
            7 if self.theories.numbers => (FpFromReal(format), vec![mode, Sort::Real]),
            7 => (FpFromBits(format), vec![Sort::Bv(format.width())]),
            8 => (FpToFp(format), vec![mode, Sort::Float(self.random.pick(&self.formats))]),
            _ => {
                let from = Sort::Bv(self.width());
                (self.random.pick(&[FpFromSigned(format), FpFromUnsigned(format)]), vec![mode, from])
            }
        }
    }

    fn number_operation(&mut self, sort: Sort) -> (Op, Vec<Sort>) {
        use Op::*;
        let is_int = sort == Sort::Int;
        match self.random.below(8) {
            0 => (if is_int { IntNeg } else { RealNeg }, vec![sort]),
            1 if is_int => (BvToInt, vec![Sort::Bv(self.width().min(8))]),
            1 if self.theories.floats => (FpToReal, vec![Sort::Float(self.random.pick(&self.formats))]),
            1 => (IntToReal, vec![Sort::Int]),
            2 if is_int => (RealToInt, vec![Sort::Real]),
            2 => (RealDiv, vec![sort; 2]),
            3 if is_int => (self.random.pick(&[IntDiv, IntMod]), vec![sort; 2]),
            4 => (if is_int { IntMul } else { RealMul }, vec![sort; 2]),
            _ => (if is_int { IntAdd } else { RealAdd }, vec![sort; 2]),
        }
    }
}
