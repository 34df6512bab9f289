//! The circuits against `fathom_term::fold`, which says what the operations mean (exhaustively on a format of three
//! exponent and three significand bits, on special and random operands elsewhere), and against the machine's own floats.

use super::translate::{Encoding, Translator};
use fathom_base::FxMap;
use fathom_term::{Evaluator, FloatFormat, Model, Op, Sort, Term, TermStore, Value, fold};
use num_bigint::BigUint;
use std::rc::Rc;

const TINY: FloatFormat = FloatFormat { exponent: 3, significand: 3 };

/// An operation on variables, and its translation.
pub(super) struct Subject {
    store: Rc<TermStore>,
    op: Op,
    sort: Sort,
    sorts: Vec<Sort>,
    image: Term,
    images: Vec<Option<fathom_term::VarId>>,
}

impl Subject {
    pub fn new(op: Op, sorts: &[Sort]) -> Self {
        let store = Rc::new(TermStore::new());
        let vars: Vec<Term> = sorts.iter().enumerate().map(|(i, &sort)| store.var(&format!("x{i}"), sort)).collect();
        let term = store.build(op, &vars);
        let sort = store.sort(term);
        let mut translator = Translator::new(store.clone(), Encoding::Ieee);
        let root = if let Sort::Float(_) = sort { store.build(Op::FpToBits, &[term]) } else { term };
        let image = translator.translate(root).unwrap();
        let images = vars.iter().map(|&var| translator.image_of_variable(store.as_var(var).unwrap())).collect();
        Self { store, op, sort, sorts: sorts.to_vec(), image, images }
    }

    fn raw(&self, bits: &[BigUint]) -> Vec<Value> {
        bits.iter().zip(&self.sorts).map(|(b, s)| Value::bits(b.clone(), s.bits().unwrap())).collect()
    }

    fn result(&self, raw: &[Value]) -> Option<Value> {
        let pairs = self.images.iter().zip(raw).filter_map(|(&var, value)| Some((var?, value.clone())));
        let model = Model { values: pairs.collect(), functions: FxMap::default() };
        Evaluator::new(model).eval(&self.store, self.image)
    }

    /// Compares the result with one from elsewhere, up to the encoding of NaN.
    pub fn expect(&self, bits: &[BigUint], expected: BigUint) {
        let expected = canonical(&Value::bits(expected, self.sort.bits().unwrap()), self.sort);
        assert_eq!(self.result(&self.raw(bits)), Some(expected), "{:?} on {bits:x?}", self.op);
    }

    /// Compares both on raw bits; a NaN may come in any encoding.
    fn check(&self, bits: &[BigUint]) {
        let raw = self.raw(bits);
        let found = self.result(&raw);
        let meant: Vec<Value> = raw.iter().zip(&self.sorts).map(|(value, &sort)| canonical(value, sort)).collect();
        let expected = fold::general(self.op, self.sort, &self.sorts, &meant);
        assert_eq!(found, expected, "{:?} on {:?} of {:?}", self.op, meant, self.sorts);
    }
}

fn canonical(value: &Value, sort: Sort) -> Value {
    match sort {
        Sort::Float(format) => {
            fold::general(Op::FpFromBits(format), sort, &[Sort::Bv(format.width())], std::slice::from_ref(value)).unwrap()
        }
        Sort::RoundingMode => Value::Bits(value.to_u64().unwrap().min(4)),
        _ => value.clone(),
    }
}

/// Every operation on one format, with the sorts of its arguments.
fn operations(format: FloatFormat) -> Vec<(Op, Vec<Sort>)> {
    use Op::*;
    let (mode, float) = (Sort::RoundingMode, Sort::Float(format));
    let other = FloatFormat { exponent: format.exponent + 1, significand: format.significand.max(4) - 1 };
    let narrow = FloatFormat { exponent: format.exponent.max(3) - 1, significand: format.significand + 2 };
    let mut all = vec![(FpFma, vec![mode, float, float, float]), (Ite, vec![Sort::Bool, float, float])];
    all.extend([FpAdd, FpSub, FpMul, FpDiv].map(|op| (op, vec![mode, float, float])));
    all.extend([FpSqrt, FpRoundToIntegral].map(|op| (op, vec![mode, float])));
    all.extend([FpToFp(other), FpToFp(narrow)].map(|op| (op, vec![mode, float])));
    all.extend([FpRem, FpMin, FpMax, FpEq, FpLt, FpLe, Eq].map(|op| (op, vec![float, float])));
    let unary = [FpAbs, FpNeg, FpIsNan, FpIsInfinite, FpIsZero, FpIsNormal, FpIsSubnormal, FpIsNegative, FpIsPositive];
    all.extend(unary.map(|op| (op, vec![float])));
    for width in [1, 2, 5, 9] {
        all.extend([FpFromSigned(format), FpFromUnsigned(format)].map(|op| (op, vec![mode, Sort::Bv(width)])));
        all.extend([FpToSigned(width), FpToUnsigned(width)].map(|op| (op, vec![mode, float])));
    }
    all.push((FpFromBits(format), vec![Sort::Bv(format.width())]));
    all.push((FpToBits, vec![float]));
    all
}

/// Random bits that are often special: an exponent or a fraction at one of its ends, or next to another operand.
fn random_bits(random: &mut fastrand::Rng, sort: Sort, others: &[BigUint]) -> BigUint {
    let width = sort.bits().unwrap();
    let mut word = |bits: u32| {
        let raw = (0..bits.div_ceil(64)).fold(BigUint::default(), |all, _| (all << 64u32) + random.u64(..));
        raw & ((BigUint::from(1u8) << bits) - 1u8)
    };
    let Sort::Float(format) = sort else { return word(width) };
    let fraction_bits = u32::from(format.significand) - 1;
    let ones = |bits: u32| (BigUint::from(1u8) << bits) - 1u8;
    let choice = word(8).iter_u32_digits().next().unwrap_or(0);
    if choice & 7 == 7
        && let Some(other) = others.iter().find(|other| other.bits() > 3)
    {
        // A neighbour, or the negation.
        return if choice & 8 == 0 { other ^ BigUint::from(choice >> 4 & 3) } else { other ^ (BigUint::from(1u8) << (width - 1)) };
    }
    let exponent = match choice & 3 {
        0 => BigUint::default(),
        1 => ones(format.exponent.into()) - BigUint::from(choice >> 2 & 1),
        2 => (ones(format.exponent.into()) >> 1u32) + BigUint::from(choice >> 2 & 7),
        _ => word(format.exponent.into()),
    };
    let fraction = match choice >> 5 & 3 {
        0 => BigUint::default(),
        1 => ones(fraction_bits),
        _ => word(fraction_bits),
    };
    (word(1) << (width - 1)) | ((exponent & ones(format.exponent.into())) << fraction_bits) | fraction
}

fn check_random(format: FloatFormat, operations: &[(Op, Vec<Sort>)], rounds: u32) {
    let mut random = fastrand::Rng::with_seed(u64::from(format.width()));
    for (op, sorts) in operations {
        let subject = Subject::new(*op, sorts);
        for _ in 0..rounds {
            let mut bits: Vec<BigUint> = Vec::new();
            for &sort in sorts {
                let value = random_bits(&mut random, sort, &bits);
                bits.push(value);
            }
            subject.check(&bits);
        }
    }
}

#[test]
fn three_and_three_bits_exhaustively() {
    for (op, sorts) in operations(TINY) {
        let subject = Subject::new(op, &sorts);
        let widths: Vec<u32> = sorts.iter().map(|sort| sort.bits().unwrap()).collect();
        let total: u32 = widths.iter().sum();
        // Three operands are too many to try all; a stride that shares no factor with their number visits all parts.
        let stride = if total > 16 { 1009 } else { 1 };
        for code in (0..1u64 << total).step_by(stride) {
            let mut rest = code;
            let take = |width: &u32| {
                let part = rest & ((1 << width) - 1);
                rest >>= width;
                BigUint::from(part)
            };
            let bits: Vec<BigUint> = widths.iter().map(take).collect();
            subject.check(&bits);
        }
    }
}

#[test]
fn odd_formats() {
    for (exponent, significand) in [(2, 2), (2, 7), (3, 9), (5, 2), (4, 4), (5, 5)] {
        let format = FloatFormat { exponent, significand };
        check_random(format, &operations(format), 200);
    }
}

#[test]
fn formats_in_use() {
    for format in [FloatFormat::HALF, FloatFormat::SINGLE, FloatFormat::DOUBLE, FloatFormat::X87] {
        let rounds = if format.width() > 32 { 40 } else { 100 };
        check_random(format, &operations(format), rounds);
    }
    let without_wide = operations(FloatFormat::QUAD).into_iter().filter(|(op, _)| !matches!(op, Op::FpToFp(_)));
    check_random(FloatFormat::QUAD, &without_wide.collect::<Vec<_>>(), 10);
    let mode = Sort::RoundingMode;
    for (from, to) in [(FloatFormat::QUAD, FloatFormat::DOUBLE), (FloatFormat::DOUBLE, FloatFormat::HALF)] {
        check_random(from, &[(Op::FpToFp(to), vec![mode, Sort::Float(from)])], 100);
        check_random(to, &[(Op::FpToFp(from), vec![mode, Sort::Float(to)])], 100);
    }
    for width in [32, 64] {
        let float = Sort::Float(FloatFormat::DOUBLE);
        for op in [Op::FpToSigned(width), Op::FpToUnsigned(width)] {
            check_random(FloatFormat::DOUBLE, &[(op, vec![mode, float])], 200);
        }
        for op in [Op::FpFromSigned(FloatFormat::DOUBLE), Op::FpFromUnsigned(FloatFormat::SINGLE)] {
            check_random(FloatFormat::DOUBLE, &[(op, vec![mode, Sort::Bv(width)])], 200);
        }
    }
}
