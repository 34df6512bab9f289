//! Values of terms under a model. Everything of at most 64 bits is plain bits and costs no allocation.

use crate::sort::{FloatFormat, Sort};
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};
use rpds::RedBlackTreeMap;
use std::rc::Rc;

/// A constant of any sort.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// Bool, Bv and Float up to 64 bits, RoundingMode; elements of opaque sorts by number.
    Bits(u64),
    /// Bv and Float above 64 bits.
    Wide(Rc<BigUint>),
    /// A mathematical integer.
    Int(Rc<BigInt>),
    /// A rational number, as a value of sort Real.
    Real(Rc<BigRational>),
    /// A total map.
    Array(Rc<ArrayValue>),
}

/// An array: a default and the indices where it differs (no entry equals the default, so equal arrays are equal values;
/// for index sorts with finitely many values two representations of one array remain possible).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArrayValue {
    /// The element at every index without an entry.
    pub default: Value,
    /// Changing one shares the rest: the values of a long chain of writes have most in common.
    pub entries: RedBlackTreeMap<Value, Value>,
}

impl Value {
    /// The truth value false.
    pub const FALSE: Value = Value::Bits(0);
    /// The truth value true.
    pub const TRUE: Value = Value::Bits(1);

    /// A truth value.
    pub fn bool(value: bool) -> Self {
        Value::Bits(value as u64)
    }

    /// An integer.
    pub fn int(value: impl Into<BigInt>) -> Self {
        Value::Int(Rc::new(value.into()))
    }

    /// A real number.
    pub fn real(value: BigRational) -> Self {
        Value::Real(Rc::new(value))
    }

    /// Bits of any width, in the representation that the width asks for. Excess bits are cut.
    pub fn bits(bits: BigUint, width: u32) -> Self {
        if width <= 64 {
            let low = bits.iter_u64_digits().next().unwrap_or(0);
            return Value::Bits(low & crate::sort::mask(width));
        }
        let excess = bits.bits() > width as u64;
        Value::Wide(Rc::new(if excess { bits & ((BigUint::from(1u8) << width) - 1u8) } else { bits }))
    }

    /// Whether this is the truth value true.
    pub fn is_true(&self) -> bool {
        *self == Value::TRUE
    }

    /// The bits as a small number, whatever the representation.
    pub fn to_u64(&self) -> Option<u64> {
        match self {
            Value::Bits(bits) => Some(*bits),
            Value::Wide(bits) => bits.to_u64(),
            Value::Int(int) => int.to_u64(),
            Value::Real(_) | Value::Array(_) => None,
        }
    }

    /// Bits of a Bv or Float value.
    pub fn to_biguint(&self) -> BigUint {
        match self {
            Value::Bits(bits) => BigUint::from(*bits),
            Value::Wide(bits) => (**bits).clone(),
            other => panic!("bits expected, found {other:?}"),
        }
    }

    /// The integer. Panics on values of other sorts.
    pub fn as_int(&self) -> &BigInt {
        match self {
            Value::Int(int) => int,
            other => panic!("integer expected, found {other:?}"),
        }
    }

    /// The real number. Panics on values of other sorts.
    pub fn as_real(&self) -> &BigRational {
        match self {
            Value::Real(real) => real,
            other => panic!("real expected, found {other:?}"),
        }
    }

    /// The array. Panics on values of other sorts.
    pub fn as_array(&self) -> &Rc<ArrayValue> {
        match self {
            Value::Array(array) => array,
            other => panic!("array expected, found {other:?}"),
        }
    }

    /// Equality of two values of one sort. Arrays are compared by what they hold: an array that lists every index never
    /// uses its default, so two representations may be the same array.
    pub fn same(&self, other: &Value, sort: Sort, store: &crate::TermStore) -> bool {
        let (Value::Array(a), Value::Array(b), Sort::Array(id)) = (self, other, sort) else { return self == other };
        let (index, element) = store.array_sort_parts(id);
        let indices: std::collections::BTreeSet<&Value> = a.entries.keys().chain(b.entries.keys()).collect();
        let agree = indices.iter().all(|&at| a.get(at).same(b.get(at), element, store));
        let all_listed = cardinality(index) == Some(indices.len() as u128);
        agree && (all_listed || a.default.same(&b.default, element, store))
    }

    /// What a variable without an entry in a model means: zero, everywhere.
    pub fn zero(sort: Sort, store: &crate::TermStore) -> Self {
        match sort {
            Sort::Int => Value::int(0),
            Sort::Real => Value::real(BigRational::zero()),
            Sort::Array(id) => {
                let (_, element) = store.array_sort_parts(id);
                Value::Array(Rc::new(ArrayValue { default: Value::zero(element, store), entries: RedBlackTreeMap::new() }))
            }
            Sort::Opaque(_) => Value::Bits(0),
            Sort::Bool | Sort::RoundingMode => Value::Bits(0),
            Sort::Bv(width) => Value::bits(BigUint::zero(), width),
            Sort::Float(FloatFormat { .. }) => Value::bits(BigUint::zero(), sort.bits().unwrap_or(64)),
        }
    }
}

/// How many values a sort has; None if they are too many to be listed in an array.
fn cardinality(sort: Sort) -> Option<u128> {
    match sort {
        Sort::Bool => Some(2),
        Sort::RoundingMode => Some(5),
        Sort::Bv(width) => (width <= 40).then(|| 1 << width),
        // One NaN stands for all of them.
        Sort::Float(f) => (f.width() <= 40).then(|| (1 << f.width()) - (2 << (f.significand - 1)) + 3),
        Sort::Int | Sort::Real | Sort::Array(_) | Sort::Opaque(_) => None,
    }
}

impl ArrayValue {
    /// The element at an index.
    pub fn get(&self, index: &Value) -> &Value {
        self.entries.get(index).unwrap_or(&self.default)
    }

    /// The array with one element changed.
    pub fn with(&self, index: Value, element: Value) -> Self {
        let mut changed = self.clone();
        if element == changed.default {
            changed.entries.remove_mut(&index);
        } else {
            changed.entries.insert_mut(index, element);
        }
        changed
    }
}
