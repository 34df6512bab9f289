//! The encoding of a float, for solvers that have no such operation: a fresh variable `b` with the condition that `b`
//! encodes the float, and is the one NaN if the float is NaN. The condition fixes exactly one `b` for every float
//! (encodings are unique except for NaN), so it may be asserted anywhere without making anything unsatisfiable. If the
//! float was made from bits, or is a constant, its bits are known already and no variable is needed.

use crate::float;
use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Term, TermStore};
use crate::value::Value;

/// The term that replaces `FpToBits(x)`.
pub struct FloatBits {
    /// A bit-vector of the float's width.
    pub bits: Term,
    /// The side condition that must be asserted wherever the bits are used.
    pub condition: Option<Term>,
}

/// The bits of a float. Each call makes a new variable, so the caller must remember the result.
pub fn float_bits(store: &TermStore, float: Term) -> FloatBits {
    let format = store.sort(float).format();
    let sort = Sort::Bv(format.width());
    if let Some(value) = store.const_value(float) {
        return FloatBits { bits: store.constant(&value, sort), condition: None };
    }
    let nan = store.constant(&Value::bits(float::nan(format).into(), format.width()), sort);
    let is_nan = store.build(Op::FpIsNan, &[float]);
    if store.op(float) == Op::FpFromBits(format) {
        return FloatBits { bits: store.ite(is_nan, nan, store.arg(float, 0)), condition: None };
    }
    let bits = store.fresh("fp.bits", sort);
    let same = store.eq(store.build(Op::FpFromBits(format), &[bits]), float);
    let canonical = store.implies(is_nan, store.eq(bits, nan));
    FloatBits { bits, condition: Some(store.and(same, canonical)) }
}
