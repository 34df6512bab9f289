//! The properties that can be checked. The names are SV-COMP's where it has one.

use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A property that can be decided: something that must not happen on any run.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Property {
    /// No call of `reach_error` or `__VERIFIER_error`.
    UnreachCall,
    /// No failing `assert` of the user's (C assert, __CPROVER_assert).
    Assertion,
    /// Every access is inside a live object.
    ValidDeref,
    /// Only live heap objects are freed, at their start and by the right function.
    ValidFree,
    /// Every heap object that is not freed stays reachable.
    ValidMemtrack,
    /// Everything that was allocated is freed when the program ends.
    ValidMemcleanup,
    /// Nothing that the program does depends on an object or variable that has no value yet.
    Uninitialised,
    /// The result of signed integer arithmetic always fits its type.
    NoOverflow,
    /// No integer is divided by zero.
    DivByZero,
    /// Every shift is by at least 0 and by less than the width.
    Shift,
    /// No index outside an array that is a part of a larger object (outside the object: valid-deref).
    Bounds,
    /// No access through a null pointer (also part of valid-deref).
    Null,
    /// Every access is to an address that suits its type.
    Alignment,
    /// No conversion of a float to an integer type that can't hold it.
    FloatCast,
    /// The length of a variable-length array is positive.
    VlaBound,
    /// No read of a bool or enumeration that has no value of its type.
    InvalidValue,
    /// No null pointer is passed or returned where an attribute of the function (`nonnull`) forbids it.
    Nonnull,
    /// `__builtin_unreachable()` is never reached.
    Unreachable,
    /// C++: control never flows off the end of a function that must return a value.
    Return,
    /// No pointer arithmetic that leaves the address space or applies to null.
    PointerOverflow,
    /// No builtin function is called with an argument for which it is undefined (`__builtin_ctz(0)`).
    Builtin,
    /// No use of a pointer to an object that has ended, not even a comparison.
    Dangling,
    /// No two threads access the same byte, one of them to write it and one of them not atomically, without an order between them.
    NoDataRace,
    /// No thread waits for ever because all others that run wait as well.
    Deadlock,
    /// No lock is used in a way that POSIX leaves undefined: unlocked by a thread that does not have it, or used once destroyed;
    /// and no threads wait for each other's mutexes in a circle.
    Locks,
    /// No recursion fills the stack.
    StackOverflow,
    /// Every run ends.
    Termination,
    /// Boogie: no failing assertion, loop invariant, precondition at a call or postcondition.
    BoogieAssert,
}

impl Property {
    /// All properties.
    pub const ALL: [Property; 28] = [
        Property::UnreachCall,
        Property::Assertion,
        Property::ValidDeref,
        Property::ValidFree,
        Property::ValidMemtrack,
        Property::ValidMemcleanup,
        Property::Uninitialised,
        Property::NoOverflow,
        Property::DivByZero,
        Property::Shift,
        Property::Bounds,
        Property::Null,
        Property::Alignment,
        Property::FloatCast,
        Property::VlaBound,
        Property::InvalidValue,
        Property::Nonnull,
        Property::Unreachable,
        Property::Return,
        Property::PointerOverflow,
        Property::Builtin,
        Property::Dangling,
        Property::NoDataRace,
        Property::Deadlock,
        Property::Locks,
        Property::StackOverflow,
        Property::Termination,
        Property::BoogieAssert,
    ];

    /// The properties that `--check` can ask for: undefined behaviour that SV-COMP has no property for.
    pub const CHECKS: [Property; 15] = [
        Property::DivByZero,
        Property::Shift,
        Property::Bounds,
        Property::Null,
        Property::Alignment,
        Property::FloatCast,
        Property::VlaBound,
        Property::InvalidValue,
        Property::Nonnull,
        Property::Unreachable,
        Property::Return,
        Property::PointerOverflow,
        Property::Builtin,
        Property::Dangling,
        Property::Locks,
    ];

    /// The name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Property::UnreachCall => "unreach-call",
            Property::Assertion => "assertion",
            Property::ValidDeref => "valid-deref",
            Property::ValidFree => "valid-free",
            Property::ValidMemtrack => "valid-memtrack",
            Property::ValidMemcleanup => "valid-memcleanup",
            Property::Uninitialised => "uninitialised",
            Property::NoOverflow => "no-overflow",
            Property::DivByZero => "div-by-zero",
            Property::Shift => "shift",
            Property::Bounds => "bounds",
            Property::Null => "null",
            Property::Alignment => "alignment",
            Property::FloatCast => "float-cast-overflow",
            Property::VlaBound => "vla-bound",
            Property::InvalidValue => "invalid-value",
            Property::Nonnull => "nonnull",
            Property::Unreachable => "unreachable",
            Property::Return => "return",
            Property::PointerOverflow => "pointer-overflow",
            Property::Builtin => "builtin",
            Property::Dangling => "dangling",
            Property::NoDataRace => "no-data-race",
            Property::Deadlock => "deadlock",
            Property::Locks => "locks",
            Property::StackOverflow => "stack-overflow",
            Property::Termination => "termination",
            Property::BoogieAssert => "boogie-assert",
        }
    }

    /// The groups of clang's `-fsanitize=` whose instrumentation checks this property.
    pub fn sanitizers(self) -> &'static [&'static str] {
        match self {
            Property::NoOverflow => &["signed-integer-overflow", "shift"],
            Property::DivByZero => &["integer-divide-by-zero"],
            Property::Shift => &["shift"],
            Property::Bounds => &["array-bounds"],
            Property::Null => &["null"],
            Property::Alignment => &["alignment"],
            Property::FloatCast => &["float-cast-overflow"],
            Property::VlaBound => &["vla-bound"],
            Property::InvalidValue => &["bool", "enum"],
            Property::Nonnull => &["nonnull-attribute", "returns-nonnull-attribute"],
            Property::Unreachable => &["unreachable"],
            Property::Return => &["return"],
            Property::PointerOverflow => &["pointer-overflow"],
            Property::Builtin => &["builtin"],
            Property::UnreachCall | Property::Assertion | Property::ValidDeref | Property::ValidFree => &[],
            Property::ValidMemtrack | Property::ValidMemcleanup | Property::Dangling => &[],
            Property::Uninitialised | Property::NoDataRace | Property::Deadlock | Property::Locks | Property::StackOverflow => &[],
            Property::Termination | Property::BoogieAssert => &[],
        }
    }

    /// Whether the property is checked by `Assert` statements of the program; the others are checked by the machine, at memory
    /// accesses or at the end of a run.
    pub fn is_asserted(self) -> bool {
        use Property as P;
        let of_memory = matches!(self, P::ValidDeref | P::ValidFree | P::ValidMemtrack | P::ValidMemcleanup | P::Null | P::Dangling);
        !of_memory && !matches!(self, P::NoDataRace | P::Deadlock | P::Termination | P::Uninitialised | P::StackOverflow)
    }

    /// Whether a violation is undefined behaviour of C, and not a failing check that the programmer wrote.
    pub fn is_undefined_behaviour(self) -> bool {
        let is_memory = matches!(self, Property::ValidDeref | Property::ValidFree);
        is_memory || matches!(self, Property::NoOverflow | Property::NoDataRace) || Property::CHECKS.contains(&self)
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that no property has.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown property `{0}`; known are: {known}", known = Property::ALL.map(Property::name).join(", "))]
pub struct PropertyParseError(pub String);

impl FromStr for Property {
    type Err = PropertyParseError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Property::ALL.into_iter().find(|p| p.name() == name).ok_or_else(|| PropertyParseError(name.to_string()))
    }
}
