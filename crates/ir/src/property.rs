//! What can go wrong, by name. The names are SV-COMP's where it has one.

use std::fmt;
use std::str::FromStr;
use thiserror::Error;

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Property {
    /// No call of `reach_error` or `__VERIFIER_error`.
    UnreachCall,
    /// No failing `assert` of the user's (C assert, __CPROVER_assert).
    Assertion,
    ValidDeref,
    ValidFree,
    ValidMemtrack,
    NoOverflow,
    DivByZero,
    Shift,
    /// No index outside an array that is a part of a larger object (outside the object: valid-deref).
    Bounds,
    /// No access through a null pointer (also part of valid-deref).
    Null,
    /// Every run ends.
    Termination,
    /// Boogie: no failing assertion, loop invariant, precondition at a call or postcondition.
    BoogieAssert,
}

impl Property {
    pub const ALL: [Property; 12] = [
        Property::UnreachCall,
        Property::Assertion,
        Property::ValidDeref,
        Property::ValidFree,
        Property::ValidMemtrack,
        Property::NoOverflow,
        Property::DivByZero,
        Property::Shift,
        Property::Bounds,
        Property::Null,
        Property::Termination,
        Property::BoogieAssert,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Property::UnreachCall => "unreach-call",
            Property::Assertion => "assertion",
            Property::ValidDeref => "valid-deref",
            Property::ValidFree => "valid-free",
            Property::ValidMemtrack => "valid-memtrack",
            Property::NoOverflow => "no-overflow",
            Property::DivByZero => "div-by-zero",
            Property::Shift => "shift",
            Property::Bounds => "bounds",
            Property::Null => "null",
            Property::Termination => "termination",
            Property::BoogieAssert => "boogie-assert",
        }
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown property `{0}`; known are: {known}", known = Property::ALL.map(Property::name).join(", "))]
pub struct PropertyParseError(pub String);

impl FromStr for Property {
    type Err = PropertyParseError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Property::ALL.into_iter().find(|p| p.name() == name).ok_or_else(|| PropertyParseError(name.to_string()))
    }
}
