//! Abstract values: sets of the values that a term can have. Bit-vectors carry, besides their numbers, where they may
//! point (`Points`) and, if they encode a float, which floats: memory holds bits, and an interval of floats around zero
//! is no interval of bits.
//!
//! Provenance. A value that was computed from an object's address keeps that object through every operation. A pointer
//! that came out of memory may lead to any object whose address is ever in memory (`unknown`). A number that never was
//! an address (`forged`) may lead anywhere. The one thing that is taken from C rather than from the machine is that a
//! pointer out of memory does not lead to an object whose address never was in memory.

use fathom_domains::floats::{FpSet, Modes};
use fathom_domains::num::{MAX_WIDTH, Num, Thresholds};
use fathom_domains::unbounded::Range;
use fathom_ir::{ObjectId, ProcId};
use fathom_term::{FloatFormat, Sort, Value};
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::ToPrimitive;

/// A memory object as the analysis names it.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Object {
    Global(ObjectId),
    /// Everything that one `Alloc` statement allocated; the number counts these statements.
    Site(u32),
    Code(ProcId),
}

/// Where a bit-vector may point.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Points {
    /// Objects with their offsets, in order.
    pub targets: Vec<(Object, Num)>,
    /// Any object whose address is in memory.
    pub unknown: bool,
    /// A number out of nowhere that is large enough to be an address.
    pub forged: bool,
}

/// Nothing has an address below this.
pub const FIRST_ADDRESS: u128 = 0x1_0000;
/// More targets are not told apart.
const MAX_TARGETS: usize = 8;

/// The values of a bit-vector: its numbers, what it may point to, and the floats that its bits may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bits {
    pub num: Num,
    pub points: Points,
    pub float: Option<Box<FpSet>>,
}

/// A set of values of one sort.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Abs {
    /// Which truth values are possible.
    Bool {
        no: bool,
        yes: bool,
    },
    Bits(Bits),
    Float(FpSet),
    Int(Range<BigInt>),
    Real(Range<BigRational>),
    Mode(Modes),
    /// Anything of a sort that is not followed.
    Any,
}

/// Where widening may stop, for every kind of value.
#[derive(Clone, Debug, Default)]
pub struct AllThresholds {
    pub bits: std::collections::BTreeMap<u32, Thresholds>,
    pub ints: Vec<BigInt>,
    pub reals: Vec<BigRational>,
    pub floats: std::collections::BTreeMap<FloatFormat, Vec<i128>>,
}

impl AllThresholds {
    /// A fifth of the thresholds, for loops where stopping at all of them takes too long.
    pub fn coarse(&self) -> AllThresholds {
        fn few<T: Clone>(all: &[T]) -> Vec<T> {
            all.iter().skip(2).step_by(5).cloned().collect()
        }
        let bits =
            self.bits.iter().map(|(width, stops)| (*width, Thresholds { signed: few(&stops.signed), unsigned: few(&stops.unsigned) }));
        AllThresholds {
            bits: bits.collect(),
            ints: few(&self.ints),
            reals: few(&self.reals),
            floats: self.floats.iter().map(|(format, stops)| (*format, few(stops))).collect(),
        }
    }
}

impl Points {
    /// Exactly this place in an object.
    pub fn to(object: Object, offset: Num) -> Points {
        Points { targets: vec![(object, offset)], unknown: false, forged: false }
    }

    /// Any object.
    pub fn anywhere() -> Points {
        Points { targets: Vec::new(), unknown: true, forged: false }
    }

    /// Whether it points to nothing.
    pub fn is_number(&self) -> bool {
        self.targets.is_empty() && !self.unknown
    }

    fn merge(&self, other: &Points, combine: impl Fn(&Num, &Num) -> Num) -> Points {
        let mut targets = self.targets.clone();
        for (object, offset) in &other.targets {
            match targets.iter_mut().find(|(known, _)| known == object) {
                Some((_, known)) => *known = combine(known, offset),
                None => targets.push((*object, *offset)),
            }
        }
        targets.sort_by_key(|(object, _)| *object);
        let mut merged = Points { targets, unknown: self.unknown || other.unknown, forged: self.forged || other.forged };
        if merged.targets.len() > MAX_TARGETS {
            // Too many to tell apart: anywhere at all, since some of them may never have been in memory.
            merged = Points { targets: Vec::new(), unknown: true, forged: true };
        }
        merged
    }

    fn is_within(&self, other: &Points) -> bool {
        let covered =
            |(object, offset): &(Object, Num)| other.targets.iter().any(|(known, range)| known == object && offset.is_within(range));
        (!self.unknown || other.unknown)
            && (!self.forged || other.forged)
            && (self.targets.iter().all(covered) || other.unknown && other.forged)
    }

    /// What any operation may make of operands that may be addresses: the same objects at any offset.
    pub fn blurred(&self) -> Points {
        let blur = |(object, offset): &(Object, Num)| (*object, Num::top(offset.width));
        Points { targets: self.targets.iter().map(blur).collect(), ..*self }
    }

    /// Everything that either points to.
    pub fn union(&self, other: &Points) -> Points {
        self.merge(other, Num::join)
    }
}

impl Bits {
    /// A number that is no pointer.
    pub fn number(num: Num) -> Bits {
        Bits { num, points: Points::default(), float: None }
    }

    /// Something out of memory that nothing is known of. Only what is as wide as a pointer can be one; a pointer that
    /// is put together from parts is a number that may lead anywhere.
    pub fn unknown(width: u32, pointer_bits: u32) -> Bits {
        let points = if width >= pointer_bits { Points::anywhere() } else { Points::default() };
        Bits { num: Num::top(width), points, float: None }
    }

    /// Whether it may be a number that was never an address but is large enough to be one.
    pub fn may_be_forged(&self) -> bool {
        self.points.forged || self.points.is_number() && self.num.umax >= FIRST_ADDRESS
    }

    fn points_for_merge(&self) -> Points {
        Points { forged: self.may_be_forged(), ..self.points.clone() }
    }

    fn merge_points(&self, other: &Bits, combine: impl Fn(&Num, &Num) -> Num) -> Points {
        if self.points.is_number() && other.points.is_number() {
            return Points::default();
        }
        self.points_for_merge().merge(&other.points_for_merge(), combine)
    }

    fn merge_floats(&self, other: &Bits, combine: impl Fn(&FpSet, &FpSet) -> FpSet) -> Option<Box<FpSet>> {
        let format = self.float.as_ref().or(other.float.as_ref())?.format;
        if [self, other].iter().any(|bits| bits.float.as_ref().is_some_and(|f| f.format != format)) {
            return None;
        }
        let merged = combine(&self.as_float(format), &other.as_float(format));
        (!merged.is_top()).then(|| Box::new(merged))
    }

    /// The floats that these bits encode.
    pub fn as_float(&self, format: FloatFormat) -> FpSet {
        if let Some(known) = &self.float
            && known.format == format
        {
            return (**known).clone();
        }
        let from_bits = fathom_domains::float_conversions::from_encoding(format, &self.num);
        debug_assert_eq!(from_bits.format, format);
        from_bits
    }

    fn is_within(&self, other: &Bits) -> bool {
        let floats = match &other.float {
            None => true,
            Some(set) => self.as_float(set.format).is_within(set),
        };
        let points = if self.points.is_number() && other.points.is_number() {
            true
        } else {
            self.points_for_merge().is_within(&other.points_for_merge())
        };
        floats && points && self.num.is_within(&other.num)
    }
}

impl Abs {
    pub const ANY_BOOL: Abs = Abs::Bool { no: true, yes: true };

    /// Any value of a sort that came out of nowhere (an input, an uninitialised variable).
    pub fn top(sort: Sort) -> Abs {
        match sort {
            Sort::Bool => Abs::ANY_BOOL,
            Sort::Bv(width) if width <= MAX_WIDTH => Abs::Bits(Bits::number(Num::top(width))),
            Sort::Float(format) if format.width() <= 128 && format.significand > 1 => Abs::Float(FpSet::top(format)),
            Sort::Int => Abs::Int(Range::top()),
            Sort::Real => Abs::Real(Range::top()),
            Sort::RoundingMode => Abs::Mode(Modes::ALL),
            _ => Abs::Any,
        }
    }

    /// Any value at all, addresses included.
    pub fn unknown(sort: Sort, pointer_bits: u32) -> Abs {
        match Abs::top(sort) {
            Abs::Bits(bits) if bits.num.width >= pointer_bits => {
                Abs::Bits(Bits { points: Points { unknown: true, forged: true, ..Points::default() }, ..bits })
            }
            other => other,
        }
    }

    /// One truth value.
    pub fn bool(value: bool) -> Abs {
        Abs::Bool { no: !value, yes: value }
    }

    /// A truth value that is known, or either.
    pub fn truth(known: Option<bool>) -> Abs {
        known.map_or(Abs::ANY_BOOL, Abs::bool)
    }

    /// Exactly this value.
    pub fn constant(value: &Value, sort: Sort) -> Abs {
        match (sort, value) {
            (Sort::Bool, Value::Bits(bits)) => Abs::bool(*bits != 0),
            (Sort::RoundingMode, Value::Bits(code)) => Abs::Mode(Modes::only(fathom_term::RoundingMode::from_code(*code))),
            (Sort::Bv(width), value) if width <= MAX_WIDTH => match value.to_biguint().to_u128() {
                Some(bits) => Abs::Bits(Bits::number(Num::constant(bits, width))),
                None => Abs::top(sort),
            },
            (Sort::Float(format), value) => match (value.to_biguint().to_u128(), Abs::top(sort)) {
                (Some(bits), Abs::Float(_)) => Abs::Float(FpSet::constant(format, bits)),
                (_, other) => other,
            },
            (Sort::Int, Value::Int(int)) => Abs::Int(Range::constant((**int).clone())),
            (Sort::Real, Value::Real(real)) => Abs::Real(Range::constant((**real).clone())),
            _ => Abs::Any,
        }
    }

    /// The one value, if it is a number and the only member.
    pub fn as_constant(&self) -> Option<Value> {
        match self {
            Abs::Bool { no, yes } => (no != yes).then(|| Value::bool(*yes)),
            Abs::Bits(bits) => bits.num.as_constant().map(|c| Value::bits(BigUint::from(c), bits.num.width)),
            Abs::Float(set) => set.as_constant().map(|c| Value::bits(BigUint::from(c), set.format.width())),
            Abs::Int(range) => range.as_constant().map(|c| Value::int(c.clone())),
            Abs::Real(range) => range.as_constant().map(|c| Value::real(c.clone())),
            Abs::Mode(modes) => (modes.0.count_ones() == 1).then(|| Value::Bits(modes.0.trailing_zeros() as u64)),
            Abs::Any => None,
        }
    }

    /// Whether the value is a member; what soundness means for tests.
    #[cfg(test)]
    pub fn contains(&self, value: &Value) -> bool {
        match (self, value) {
            (Abs::Bool { no, yes }, Value::Bits(bits)) => {
                if *bits != 0 {
                    *yes
                } else {
                    *no
                }
            }
            (Abs::Bits(bits), value) => value.to_biguint().to_u128().is_some_and(|v| {
                bits.num.contains(v) && bits.float.as_ref().is_none_or(|set| set.contains(fathom_term::float::canonical(set.format, v)))
            }),
            (Abs::Float(set), value) => value.to_biguint().to_u128().is_some_and(|v| set.contains(v)),
            (Abs::Int(range), Value::Int(int)) => range.contains(int),
            (Abs::Real(range), Value::Real(real)) => range.contains(real),
            (Abs::Mode(modes), Value::Bits(code)) => modes.0 & 1 << *code != 0,
            _ => true,
        }
    }

    pub fn join(&self, other: &Abs) -> Abs {
        match (self, other) {
            (Abs::Bool { no: a, yes: b }, Abs::Bool { no: c, yes: d }) => Abs::Bool { no: *a || *c, yes: *b || *d },
            (Abs::Bits(a), Abs::Bits(b)) if a.num.width == b.num.width => {
                Abs::Bits(Bits { num: a.num.join(&b.num), points: a.merge_points(b, Num::join), float: a.merge_floats(b, FpSet::join) })
            }
            (Abs::Float(a), Abs::Float(b)) if a.format == b.format => Abs::Float(a.join(b)),
            (Abs::Int(a), Abs::Int(b)) => Abs::Int(a.join(b)),
            (Abs::Real(a), Abs::Real(b)) => Abs::Real(a.join(b)),
            (Abs::Mode(a), Abs::Mode(b)) => Abs::Mode(Modes(a.0 | b.0)),
            _ => Abs::Any,
        }
    }

    pub fn widen(&self, next: &Abs, thresholds: &AllThresholds) -> Abs {
        match (self, next) {
            (Abs::Bits(a), Abs::Bits(b)) if a.num.width == b.num.width => {
                let none = Thresholds::default();
                let of = |width: u32| thresholds.bits.get(&width).unwrap_or(&none);
                let stops = |format: FloatFormat| thresholds.floats.get(&format).map_or(&[][..], Vec::as_slice);
                let widen_offset = |x: &Num, y: &Num| x.widen(y, of(x.width));
                Abs::Bits(Bits {
                    num: a.num.widen(&b.num, of(a.num.width)),
                    points: a.merge_points(b, widen_offset),
                    float: a.merge_floats(b, |x, y| x.widen(y, stops(x.format))),
                })
            }
            (Abs::Float(a), Abs::Float(b)) if a.format == b.format => {
                Abs::Float(a.widen(b, thresholds.floats.get(&a.format).map_or(&[][..], Vec::as_slice)))
            }
            (Abs::Int(a), Abs::Int(b)) => Abs::Int(a.widen(b, &thresholds.ints)),
            (Abs::Real(a), Abs::Real(b)) => Abs::Real(a.widen(b, &thresholds.reals)),
            _ => self.join(next),
        }
    }

    /// Values that are in both; None if there are none. Provenance stays that of `self`: a condition says nothing of it.
    pub fn meet(&self, other: &Abs) -> Option<Abs> {
        Some(match (self, other) {
            (Abs::Bool { no: a, yes: b }, Abs::Bool { no: c, yes: d }) => {
                let (no, yes) = (*a && *c, *b && *d);
                if !no && !yes {
                    return None;
                }
                Abs::Bool { no, yes }
            }
            (Abs::Bits(a), Abs::Bits(b)) if a.num.width == b.num.width => {
                let float = match (&a.float, &b.float) {
                    (Some(x), Some(y)) if x.format == y.format => Some(Box::new(x.meet(y)?)),
                    (x, y) => x.clone().or_else(|| y.clone()),
                };
                Abs::Bits(Bits { num: a.num.meet(&b.num)?, points: a.points.clone(), float })
            }
            (Abs::Float(a), Abs::Float(b)) if a.format == b.format => Abs::Float(a.meet(b)?),
            (Abs::Int(a), Abs::Int(b)) => Abs::Int(a.meet(b)?),
            (Abs::Real(a), Abs::Real(b)) => Abs::Real(a.meet(b)?),
            (Abs::Mode(a), Abs::Mode(b)) => {
                if a.0 & b.0 == 0 {
                    return None;
                }
                Abs::Mode(Modes(a.0 & b.0))
            }
            _ => self.clone(),
        })
    }

    pub fn is_within(&self, other: &Abs) -> bool {
        match (self, other) {
            (_, Abs::Any) => true,
            (Abs::Bool { no: a, yes: b }, Abs::Bool { no: c, yes: d }) => (!a || *c) && (!b || *d),
            (Abs::Bits(a), Abs::Bits(b)) if a.num.width == b.num.width => a.is_within(b),
            (Abs::Float(a), Abs::Float(b)) => a.is_within(b),
            (Abs::Int(a), Abs::Int(b)) => a.is_within(b),
            (Abs::Real(a), Abs::Real(b)) => a.is_within(b),
            (Abs::Mode(a), Abs::Mode(b)) => a.0 & !b.0 == 0,
            _ => false,
        }
    }

    pub fn is_top(&self) -> bool {
        match self {
            Abs::Bool { no, yes } => *no && *yes,
            Abs::Bits(bits) => bits.num.is_top() && bits.float.is_none(),
            Abs::Float(set) => set.is_top(),
            Abs::Int(range) => range.is_top(),
            Abs::Real(range) => range.is_top(),
            Abs::Mode(modes) => *modes == Modes::ALL,
            Abs::Any => true,
        }
    }

    pub fn num(&self) -> Option<&Num> {
        match self {
            Abs::Bits(bits) => Some(&bits.num),
            _ => None,
        }
    }
}
