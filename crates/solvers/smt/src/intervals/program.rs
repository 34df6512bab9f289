//! A query as a flat list of operations on ranges, so that it can be evaluated on thousands of boxes. What the ranges
//! cannot express (bit-vectors that aren't constant, arrays, unknown rounding modes) may be anything.

use fathom_base::FxMap;
use fathom_domains::float_interval::{FloatInterval, Truth, at, equal, identical, infinity, less, position};
use fathom_term::{FloatFormat, Op, RoundingMode, Sort, Term, TermStore, Value, VarId, float, fold};
use num_traits::ToPrimitive;
use smallvec::SmallVec;

/// The abstract value of a term in a box.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum AbstractValue {
    Truth(Truth),
    Float(FloatFormat, FloatInterval),
    /// A bit-vector, rounding mode or array.
    Value(Value),
    Nothing,
}

/// A float that is arbitrary before the constraints: a variable, or the bits of one.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Leaf {
    pub var: VarId,
    pub format: FloatFormat,
}

enum Step {
    Leaf(usize),
    Constant(AbstractValue),
    Operation { op: Op, sort: Sort, sorts: SmallVec<[Sort; 3]>, args: SmallVec<[u32; 3]> },
}

pub(crate) struct Program {
    steps: Vec<Step>,
    pub leaves: Vec<Leaf>,
    /// Where the conditions are.
    pub roots: Vec<usize>,
    indices: FxMap<Term, u32>,
}

/// Larger queries are not tried.
const MAX_STEPS: usize = 20_000;
const MAX_LEAVES: usize = 16;

impl Program {
    /// Compiles conditions; None if they are too large or have no floats.
    pub fn new(store: &TermStore, conditions: &[Term]) -> Option<Self> {
        let mut program = Self { steps: Vec::new(), leaves: Vec::new(), roots: Vec::new(), indices: FxMap::default() };
        for &condition in conditions {
            let root = program.add(store, condition)?;
            program.roots.push(root as usize);
        }
        (!program.leaves.is_empty() && program.leaves.len() <= MAX_LEAVES).then_some(program)
    }

    /// The number of steps.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    fn add(&mut self, store: &TermStore, root: Term) -> Option<u32> {
        let mut stack = vec![(root, false)];
        while let Some((term, ready)) = stack.pop() {
            if self.indices.contains_key(&term) {
                continue;
            }
            let args = store.args(term);
            let quantified = matches!(store.op(term), Op::Forall(_) | Op::Exists(_));
            if !ready && !quantified && self.leaf(store, term).is_none() && !args.is_empty() {
                stack.push((term, true));
                stack.extend(args.iter().map(|&arg| (arg, false)));
                continue;
            }
            if self.steps.len() >= MAX_STEPS {
                return None;
            }
            let step = self.step(store, term);
            self.indices.insert(term, self.steps.len() as u32);
            self.steps.push(step);
        }
        self.indices.get(&root).copied()
    }

    fn leaf(&self, store: &TermStore, term: Term) -> Option<Leaf> {
        match (store.op(term), store.sort(term)) {
            (Op::Var(var), Sort::Float(format)) if format.width() <= 128 => Some(Leaf { var, format }),
            (Op::FpFromBits(format), _) if format.width() <= 128 => store.as_var(store.arg(term, 0)).map(|var| Leaf { var, format }),
            _ => None,
        }
    }

    fn step(&mut self, store: &TermStore, term: Term) -> Step {
        let (op, sort) = (store.op(term), store.sort(term));
        if let Some(leaf) = self.leaf(store, term) {
            self.leaves.push(leaf);
            return Step::Leaf(self.leaves.len() - 1);
        }
        let args = store.args(term);
        if let Some(value) = store.const_value(term) {
            return Step::Constant(from_value(&value, sort));
        }
        if args.is_empty() || matches!(op, Op::Forall(_) | Op::Exists(_)) {
            return Step::Constant(anything(sort));
        }
        let sorts: SmallVec<[Sort; 3]> = args.iter().map(|&arg| store.sort(arg)).collect();
        let args: SmallVec<[u32; 3]> = args.iter().map(|arg| self.indices[arg]).collect();
        self.constant_step(op, sort, &sorts, &args).unwrap_or(Step::Operation { op, sort, sorts, args })
    }

    /// Tables in memory are long chains of stores; what is constant is computed once.
    fn constant_step(&self, op: Op, sort: Sort, sorts: &[Sort], args: &[u32]) -> Option<Step> {
        let value = |index: &u32| match &self.steps[*index as usize] {
            Step::Constant(AbstractValue::Value(value)) => Some(value.clone()),
            _ => None,
        };
        let values: SmallVec<[Value; 3]> = args.iter().map(value).collect::<Option<_>>()?;
        Some(Step::Constant(from_value(&fold::general(op, sort, sorts, &values)?, sort)))
    }

    /// Computes every step in a box.
    pub fn evaluate(&self, leaves: &[FloatInterval], known: &mut Vec<AbstractValue>) {
        known.clear();
        for step in &self.steps {
            let result = match step {
                Step::Leaf(index) => AbstractValue::Float(self.leaves[*index].format, leaves[*index]),
                Step::Constant(constant) => constant.clone(),
                Step::Operation { op, sort, sorts, args } => operation(*op, *sort, sorts, args, known).unwrap_or_else(|| anything(*sort)),
            };
            known.push(result);
        }
    }

    /// The leaf at a position, and the arguments of an operation there.
    pub fn leaf_at(&self, index: usize) -> Option<usize> {
        match self.steps[index] {
            Step::Leaf(index) => Some(index),
            _ => None,
        }
    }

    /// The operation at a position, and the positions of its arguments.
    pub fn operation_at(&self, index: usize) -> Option<(Op, &[u32])> {
        match &self.steps[index] {
            Step::Operation { op, args, .. } => Some((*op, args)),
            _ => None,
        }
    }
}

pub(crate) fn anything(sort: Sort) -> AbstractValue {
    match sort {
        Sort::Bool => AbstractValue::Truth(Truth::UNKNOWN),
        Sort::Float(format) if format.width() <= 128 => AbstractValue::Float(format, FloatInterval::everything(format)),
        _ => AbstractValue::Nothing,
    }
}

fn from_value(value: &Value, sort: Sort) -> AbstractValue {
    match sort {
        Sort::Bool => AbstractValue::Truth(Truth::of(value.is_true())),
        Sort::Float(format) => match value.to_biguint().to_u128() {
            Some(bits) => AbstractValue::Float(format, FloatInterval::point(format, bits)),
            None => AbstractValue::Nothing,
        },
        Sort::Bv(_) | Sort::RoundingMode | Sort::Array(_) => AbstractValue::Value(value.clone()),
        _ => AbstractValue::Nothing,
    }
}

fn operation(op: Op, sort: Sort, sorts: &[Sort], args: &[u32], known: &[AbstractValue]) -> Option<AbstractValue> {
    use Op::*;
    let arg = |i: usize| &known[args[i] as usize];
    let truth = |i: usize| match arg(i) {
        AbstractValue::Truth(truth) => Some(*truth),
        _ => None,
    };
    let float = |i: usize| match arg(i) {
        AbstractValue::Float(_, range) => Some(*range),
        _ => None,
    };
    Some(match op {
        Not => AbstractValue::Truth(truth(0)?.negated()),
        And => AbstractValue::Truth(truth(0)?.and(truth(1)?)),
        Or => AbstractValue::Truth(truth(0)?.or(truth(1)?)),
        Xor => AbstractValue::Truth(truth(0)?.xor(truth(1)?)),
        Ite => match (truth(0)?, arg(1), arg(2)) {
            (Truth { may_fail: false, .. }, then, _) => then.clone(),
            (Truth { may_hold: false, .. }, _, otherwise) => otherwise.clone(),
            (_, AbstractValue::Float(format, a), AbstractValue::Float(_, b)) => AbstractValue::Float(*format, a.hull(b)),
            (_, AbstractValue::Truth(a), AbstractValue::Truth(b)) => {
                AbstractValue::Truth(Truth { may_hold: a.may_hold || b.may_hold, may_fail: a.may_fail || b.may_fail })
            }
            (_, a, b) if a == b => a.clone(),
            _ => return None,
        },
        Eq => AbstractValue::Truth(match (arg(0), arg(1)) {
            (AbstractValue::Truth(a), AbstractValue::Truth(b)) => a.xor(*b).negated(),
            (AbstractValue::Float(_, a), AbstractValue::Float(_, b)) => identical(a, b),
            // One array may be written in several ways.
            (AbstractValue::Value(a), AbstractValue::Value(b)) if a == b || !matches!(a, Value::Array(_)) => Truth::of(a == b),
            _ => return None,
        }),
        FpEq => AbstractValue::Truth(equal(&float(0)?, &float(1)?)),
        FpLt => AbstractValue::Truth(less(&float(0)?, &float(1)?, false)),
        FpLe => AbstractValue::Truth(less(&float(0)?, &float(1)?, true)),
        _ if matches!(sort, Sort::Float(_)) => return float_operation(op, sort.format(), sorts, args, known),
        _ if matches!(sorts.first(), Some(Sort::Float(_))) => return of_float(op, sorts[0].format(), float(0)?),
        FpToSigned(_) | FpToUnsigned(_) => {
            let AbstractValue::Value(mode) = arg(0) else { return None };
            let (format, range) = (sorts[1].format(), float(1)?);
            if range.nan || !range.has_numbers() {
                return None;
            }
            let image = |bound: i128| {
                let bits = Value::bits(at(format, bound).into(), format.width());
                fold::general(op, sort, sorts, &[mode.clone(), bits])
            };
            // Both ends on the same integer, which is not the value of what doesn't fit.
            let (low, high) = (image(range.low)?, image(range.high)?);
            if low == high && (range.low == range.high || low.to_u64() != Some(0)) { AbstractValue::Value(low) } else { return None }
        }
        _ => {
            let values = args.iter().map(|&at| match &known[at as usize] {
                AbstractValue::Value(value) => Some(value.clone()),
                AbstractValue::Truth(truth) if truth.may_hold != truth.may_fail => Some(Value::bool(truth.may_hold)),
                _ => None,
            });
            let values: SmallVec<[Value; 3]> = values.collect::<Option<_>>()?;
            from_value(&fold::general(op, sort, sorts, &values)?, sort)
        }
    })
}

/// Evaluates a predicate on one float, such as whether it is NaN.
fn of_float(op: Op, format: FloatFormat, range: FloatInterval) -> Option<AbstractValue> {
    let among = |low: i128, high: i128, others: bool| {
        let overlap = range.has_numbers() && range.low <= high && low <= range.high;
        let inside = range.has_numbers() && low <= range.low && range.high <= high && !range.nan;
        Truth { may_hold: overlap || others, may_fail: !inside }
    };
    let top = infinity(format);
    let least_normal = 1i128 << (format.significand - 1);
    let magnitude = range.absolute();
    let of_magnitude = |low: i128, high: i128| {
        let overlap = magnitude.has_numbers() && magnitude.low <= high && low <= magnitude.high;
        let inside = magnitude.has_numbers() && low <= magnitude.low && magnitude.high <= high && !range.nan;
        Truth { may_hold: overlap, may_fail: !inside }
    };
    Some(AbstractValue::Truth(match op {
        Op::FpIsNan => Truth { may_hold: range.nan, may_fail: range.has_numbers() },
        Op::FpIsZero => of_magnitude(0, 0),
        Op::FpIsInfinite => of_magnitude(top, top),
        Op::FpIsSubnormal => of_magnitude(1, least_normal - 1),
        Op::FpIsNormal => of_magnitude(least_normal, top - 1),
        // Zero may have either sign.
        Op::FpIsNegative => among(-top, -1, range.has_numbers() && range.contains_zero()),
        Op::FpIsPositive => among(1, top, range.has_numbers() && range.contains_zero()),
        _ => return None,
    }))
}

fn float_operation(op: Op, format: FloatFormat, sorts: &[Sort], args: &[u32], known: &[AbstractValue]) -> Option<AbstractValue> {
    use Op::*;
    let float = |i: usize| match &known[args[i] as usize] {
        AbstractValue::Float(_, range) => Some(*range),
        _ => None,
    };
    let range = match op {
        FpNeg => float(0)?.negated(),
        FpAbs => float(0)?.absolute(),
        FpMin => float(0)?.min(&float(1)?),
        FpMax => float(0)?.max(&float(1)?),
        FpFromBits(_) => match &known[args[0] as usize] {
            AbstractValue::Value(value) => FloatInterval::point(format, value.to_biguint().to_u128()?),
            _ => return None,
        },
        FpRem => float(0)?.rem(&float(1)?, format),
        _ => {
            let AbstractValue::Value(Value::Bits(code)) = &known[args[0] as usize] else { return None };
            let mode = RoundingMode::from_code(*code);
            match op {
                FpAdd => float(1)?.add(&float(2)?, format, mode),
                FpSub if args[1] == args[2] => float(1)?.minus_itself(format),
                FpSub => float(1)?.add(&float(2)?.negated(), format, mode),
                FpMul if args[1] == args[2] => float(1)?.square(format, mode),
                FpMul => float(1)?.mul(&float(2)?, format, mode),
                FpDiv => float(1)?.div(&float(2)?, format, mode),
                FpSqrt => float(1)?.sqrt(format, mode),
                FpRoundToIntegral => float(1)?.map(format, format, |a| float::round_to_integral(format, mode, a)),
                FpToFp(_) => {
                    let from = sorts[1].format();
                    float(1)?.map(from, format, |a| float::convert(from, format, mode, a))
                }
                FpFromSigned(_) | FpFromUnsigned(_) => match &known[args[1] as usize] {
                    AbstractValue::Value(value) => {
                        let result = fold::general(op, Sort::Float(format), sorts, &[Value::Bits(*code), value.clone()])?;
                        FloatInterval::point(format, result.to_biguint().to_u128()?)
                    }
                    _ => integers(op, format, sorts[1], mode)?,
                },
                _ => return None,
            }
        }
    };
    Some(AbstractValue::Float(format, range))
}

/// Every integer of a width, as a float.
fn integers(op: Op, format: FloatFormat, sort: Sort, mode: RoundingMode) -> Option<FloatInterval> {
    let width = sort.width().min(127);
    if sort.width() > 126 {
        return None;
    }
    let (low, high) = match op {
        Op::FpFromSigned(_) => (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1),
        _ => (0, (1i128 << width) - 1),
    };
    let image = |number: i128| position(format, float::from_int(format, mode, &number.into()));
    Some(FloatInterval { low: image(low), high: image(high), nan: false })
}
