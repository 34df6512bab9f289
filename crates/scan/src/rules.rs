//! Kinds of faults. Analysers have their own names for rules; this file maps them to Fathom's properties. An alarm
//! whose rule corresponds to none (style, deprecated functions) stays open.

use fathom_ir::Property;
use serde::{Deserialize, Serialize};

/// A kind of fault, as far as that decides what is to be checked.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// An access or a call through a null pointer.
    Null,
    /// An access outside of an object.
    Bounds,
    /// An access to an object that has ended.
    UseAfterFree,
    /// A wrong free: twice, of something else, by the wrong function.
    BadFree,
    /// Memory that is lost.
    Leak,
    /// A value that was never written is used.
    Uninitialised,
    /// A division by zero.
    Division,
    /// A shift by a wrong amount.
    Shift,
    /// Signed arithmetic that overflows.
    Overflow,
    /// A conversion of a float that does not fit.
    Conversion,
    /// A length of a variable-length array that is not positive.
    ArrayLength,
    /// Two threads without an order between them.
    Race,
    /// An assertion or an error call.
    Assertion,
    /// Something that no property of Fathom is about.
    Other,
}

impl Class {
    /// The properties of which one is violated where the alarm is right.
    pub fn properties(self) -> &'static [Property] {
        match self {
            Class::Null => &[Property::ValidDeref, Property::Null, Property::Nonnull],
            Class::Bounds => &[Property::ValidDeref, Property::Bounds, Property::PointerOverflow],
            Class::UseAfterFree => &[Property::ValidDeref, Property::ValidFree, Property::Dangling],
            Class::BadFree => &[Property::ValidFree],
            Class::Leak => &[Property::ValidMemtrack],
            Class::Uninitialised => &[Property::Uninitialised],
            Class::Division => &[Property::DivByZero],
            Class::Shift => &[Property::Shift],
            Class::Overflow => &[Property::NoOverflow],
            Class::Conversion => &[Property::FloatCast],
            Class::ArrayLength => &[Property::VlaBound],
            Class::Race => &[Property::NoDataRace],
            Class::Assertion => &[Property::UnreachCall, Property::Assertion, Property::Unreachable],
            Class::Other => &[],
        }
    }

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Class::Null => "null pointer",
            Class::Bounds => "out of bounds",
            Class::UseAfterFree => "use after free",
            Class::BadFree => "bad free",
            Class::Leak => "leak",
            Class::Uninitialised => "uninitialised",
            Class::Division => "division by zero",
            Class::Shift => "shift",
            Class::Overflow => "overflow",
            Class::Conversion => "conversion",
            Class::ArrayLength => "array length",
            Class::Race => "race",
            Class::Assertion => "assertion",
            Class::Other => "other",
        }
    }
}

/// Parts of rule names, in lower case, and what they mean; the first that fits counts. They cover clang's analyzer, cppcheck,
/// gcc's -fanalyzer, Infer and CodeQL.
const RULES: &[(&str, Class)] = &[
    ("deadstores", Class::Other),
    ("vlasize", Class::ArrayLength),
    ("insecureapi", Class::Other),
    ("double-free", Class::BadFree),
    ("doublefree", Class::BadFree),
    ("double_free", Class::BadFree),
    ("mismatcheddealloc", Class::BadFree),
    ("mismatching-deallocation", Class::BadFree),
    ("mismatchallocdealloc", Class::BadFree),
    ("free-of-non-heap", Class::BadFree),
    ("autovarinvaliddealloc", Class::BadFree),
    ("use-after-free", Class::UseAfterFree),
    ("use_after_free", Class::UseAfterFree),
    ("deallocuse", Class::UseAfterFree),
    ("stackaddressescape", Class::Other),
    ("danglinglifetime", Class::UseAfterFree),
    ("invalidlifetime", Class::UseAfterFree),
    ("returndanglinglifetime", Class::UseAfterFree),
    ("leak", Class::Leak),
    ("nulldereference", Class::Null),
    ("null_dereference", Class::Null),
    ("nullptr_dereference", Class::Null),
    ("null-dereference", Class::Null),
    ("null-argument", Class::Null),
    ("nullpointer", Class::Null),
    ("nonnullparam", Class::Null),
    ("callandmessage", Class::Null),
    ("cstring.nullarg", Class::Null),
    ("nullability", Class::Null),
    ("uninit", Class::Uninitialised),
    ("undefinedbinaryoperator", Class::Uninitialised),
    ("dividezero", Class::Division),
    ("zerodiv", Class::Division),
    ("division", Class::Division),
    ("divide_by_zero", Class::Division),
    ("bitwiseshift", Class::Shift),
    ("shift", Class::Shift),
    ("integeroverflow", Class::Overflow),
    ("integer_overflow", Class::Overflow),
    ("signedintegeroverflow", Class::Overflow),
    ("overflow-in-arith", Class::Overflow),
    ("arraybound", Class::Bounds),
    ("arrayindexoutofbounds", Class::Bounds),
    ("out-of-bounds", Class::Bounds),
    ("outofbounds", Class::Bounds),
    ("bufferaccess", Class::Bounds),
    ("buffer_overrun", Class::Bounds),
    ("buffer-over", Class::Bounds),
    ("buffer-under", Class::Bounds),
    ("cstring.bufferoverlap", Class::Other),
    ("overflow-buffer", Class::Bounds),
    ("overrunning-write", Class::Bounds),
    ("float-cast", Class::Conversion),
    ("floatconversionoverflow", Class::Conversion),
    ("race", Class::Race),
];

/// The kind of fault that a rule is about. `unix.Malloc` of clang has several kinds, which its messages tell apart.
pub fn class_of(rule: &str, message: &str) -> Class {
    let (rule, message) = (rule.to_lowercase(), message.to_lowercase());
    if rule.contains("malloc") || rule.contains("newdelete") {
        let by_message = [
            ("leak", Class::Leak),
            ("use of memory after", Class::UseAfterFree),
            ("use-after", Class::UseAfterFree),
            ("use of zero-allocated", Class::Bounds),
            ("free", Class::BadFree),
            ("release", Class::BadFree),
            ("deallocat", Class::BadFree),
        ];
        if let Some((_, class)) = by_message.iter().find(|(part, _)| message.contains(part)) {
            return *class;
        }
    }
    // clang has several rules for what its checker of calls sees.
    let is_undefined = ["uninitialized", "undefined or garbage", "garbage value"].iter().any(|part| message.contains(part));
    if is_undefined && !rule.contains("vlasize") {
        return Class::Uninitialised;
    }
    RULES.iter().find(|(part, _)| rule.contains(part)).map_or(Class::Other, |(_, class)| *class)
}

/// The kind of fault that the violation of a property is.
pub fn class_of_property(property: Property) -> Class {
    match property {
        Property::UnreachCall | Property::Assertion | Property::Unreachable => Class::Assertion,
        Property::ValidDeref | Property::Bounds | Property::PointerOverflow => Class::Bounds,
        Property::ValidFree => Class::BadFree,
        Property::ValidMemtrack | Property::ValidMemcleanup => Class::Leak,
        Property::Uninitialised => Class::Uninitialised,
        Property::NoOverflow => Class::Overflow,
        Property::DivByZero => Class::Division,
        Property::Shift => Class::Shift,
        Property::Null | Property::Nonnull => Class::Null,
        Property::FloatCast => Class::Conversion,
        Property::VlaBound => Class::ArrayLength,
        Property::NoDataRace => Class::Race,
        Property::Dangling => Class::UseAfterFree,
        _ => Class::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_of_several_tools() {
        let cases = [
            ("core.NullDereference", "Dereference of null pointer", Class::Null),
            ("unix.Malloc", "Use of memory after it is freed", Class::UseAfterFree),
            ("unix.Malloc", "Attempt to free released memory", Class::BadFree),
            ("unix.Malloc", "Potential leak of memory pointed to by 'p'", Class::Leak),
            ("core.CallAndMessage", "1st function call argument is an uninitialized value", Class::Uninitialised),
            ("core.CallAndMessage", "Called function pointer is null (null dereference)", Class::Null),
            ("core.DivideZero", "Division by zero", Class::Division),
            ("core.VLASize", "Declared variable-length array (VLA) uses a garbage value as its size", Class::ArrayLength),
            ("deadcode.DeadStores", "Value stored to 'x' is never read", Class::Other),
            ("arrayIndexOutOfBounds", "Array 'a[4]' accessed at index 4", Class::Bounds),
            ("-Wanalyzer-malloc-leak", "leak of 'p'", Class::Leak),
            ("-Wanalyzer-double-free", "double-'free' of 'p'", Class::BadFree),
            ("-Wanalyzer-null-dereference", "dereference of NULL 'p'", Class::Null),
            ("NULL_DEREFERENCE", "could be null", Class::Null),
            ("cpp/integer-overflow-tainted", "may overflow", Class::Other),
        ];
        for (rule, message, class) in cases {
            assert_eq!(class_of(rule, message), class, "{rule}: {message}");
        }
    }
}
