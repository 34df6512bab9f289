//! Sorts of terms. Composite sorts are interned in the store, so a sort is a small copyable value.

/// An IEEE-754 binary format as SMT-LIB counts it: exponent bits, and significand bits with the hidden one.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FloatFormat {
    /// Bits of the exponent.
    pub exponent: u16,
    /// Bits of the significand with the hidden one, as SMT-LIB counts.
    pub significand: u16,
}

impl FloatFormat {
    /// IEEE binary16.
    pub const HALF: Self = Self { exponent: 5, significand: 11 };
    /// IEEE binary32, C's `float`.
    pub const SINGLE: Self = Self { exponent: 8, significand: 24 };
    /// IEEE binary64, C's `double`.
    pub const DOUBLE: Self = Self { exponent: 11, significand: 53 };
    /// x87 extended precision; its stored form has an explicit integer bit that this format leaves out.
    pub const X87: Self = Self { exponent: 15, significand: 64 };
    /// IEEE binary128.
    pub const QUAD: Self = Self { exponent: 15, significand: 113 };

    /// Bits of the interchange form: sign, exponent, significand without the hidden bit.
    pub fn width(self) -> u32 {
        self.exponent as u32 + self.significand as u32
    }
}

/// An interned array sort.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ArraySortId(pub u32);

/// An uninterpreted sort, named by the user's program.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OpaqueSortId(pub u32);

/// The sort of a term.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// A bit-vector of this width, at least 1.
    Bv(u32),
    /// IEEE floats with one NaN.
    Float(FloatFormat),
    /// The five rounding modes of IEEE.
    RoundingMode,
    /// Mathematical integers.
    Int,
    /// Real numbers; constants are rational.
    Real,
    /// Total maps from one sort to another: SMT arrays, Boogie maps.
    Array(ArraySortId),
    /// An uninterpreted sort.
    Opaque(OpaqueSortId),
}

impl Sort {
    /// Bits of the value where it has a fixed-size encoding (Bool is one bit, a rounding mode three).
    pub fn bits(self) -> Option<u32> {
        match self {
            Sort::Bool => Some(1),
            Sort::Bv(width) => Some(width),
            Sort::Float(format) => Some(format.width()),
            Sort::RoundingMode => Some(3),
            Sort::Int | Sort::Real | Sort::Array(_) | Sort::Opaque(_) => None,
        }
    }

    /// Whether every value of the sort fits a `u64`, so that constants cost no allocation.
    pub fn is_small(self) -> bool {
        self.bits().is_some_and(|bits| bits <= 64)
    }

    /// Whether constants of the sort that fit a `u64` are kept as plain bits. Integers are: those that fit an `i64`, in
    /// two's complement; larger ones are kept in a table of the store, so every integer still has one form.
    pub fn has_small_constants(self) -> bool {
        self.is_small() || self == Sort::Int
    }

    /// Width of a bit-vector sort. Panics on other sorts: the caller built an ill-sorted term.
    pub fn width(self) -> u32 {
        match self {
            Sort::Bv(width) => width,
            other => panic!("bit-vector expected, found {other:?}"),
        }
    }

    /// The format of a float sort. Panics on other sorts.
    pub fn format(self) -> FloatFormat {
        match self {
            Sort::Float(format) => format,
            other => panic!("float expected, found {other:?}"),
        }
    }
}

/// All ones in the low `width` bits (`width` up to 64).
pub fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// The low `width` bits of `bits` read as a two's complement number.
pub fn sign_extend(bits: u64, width: u32) -> i64 {
    let unused = 64 - width;
    ((bits << unused) as i64) >> unused
}
