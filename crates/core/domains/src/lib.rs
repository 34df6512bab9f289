//! Sets of values that abstract interpretation, the layers before a solver and interpolants compute with. Each operation gives a
//! set that contains the results for all members of its arguments (Cousot and Cousot, POPL 1977).
//!
//! There is one domain per kind of number, and two where one representation can't serve both:
//!
//! | domain | values | exact? | used by |
//! | --- | --- | --- | --- |
//! | `fathom_term::Bounds` | bit-vectors up to 64 bits: an unsigned and a signed interval | no | every term when it is made, path conditions |
//! | `num` | bit-vectors up to 126 bits: both intervals and known bits | no | abstract interpretation |
//! | `RangeSet` | integers: sorted ranges | yes | conditions on one unknown |
//! | `ValueSet` | a `RangeSet` of the values of one bit-vector | yes | interpolants, path conditions |
//! | `unbounded` | mathematical integers and rationals: an interval with open ends | no | abstract interpretation |
//! | `float_interval` | IEEE floats: an interval in which both zeros are one, and NaN | no | boxes of float inputs |
//! | `floats` | the same with the zeros told apart, in any rounding modes | no | abstract interpretation |
//!
//! `Bounds` is apart from `num` because it is computed for every term that is made: 64-bit arithmetic without known bits is
//! several times as fast, and `term` is below this crate. `floats` tells zeros apart because their encodings and divisions
//! by them differ; its arithmetic is that of `float_interval`.

mod conditions;
pub mod float_conversions;
pub mod float_interval;
pub mod floats;
pub mod num;
mod num_ops;
mod range_set;
pub mod unbounded;
mod value_set;

pub use conditions::{as_set, as_set_of_term, set_width, value_set};
pub use range_set::RangeSet;
pub use value_set::ValueSet;
