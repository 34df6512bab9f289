//! What a verifier can be asked, and what a native run can show.

/// A question that can be put to the verifier.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Property {
    /// `reach_error` is not called.
    UnreachCall,
    /// No `assert` fails.
    Assertion,
    /// The result of signed integer arithmetic always fits its type.
    NoOverflow,
    /// Every access is inside a live object.
    ValidDeref,
    /// Only live heap objects are freed, at their start.
    ValidFree,
    /// Every heap object that is not freed stays reachable.
    ValidMemtrack,
    /// No integer is divided by zero.
    DivByZero,
    /// Every shift is by at least 0 and by less than the width.
    Shift,
    /// No index is outside its array.
    Bounds,
    /// No access through a null pointer.
    Null,
    /// No use of a value that was never written.
    Uninitialised,
}

/// Something that a run did and that ends its meaning. Each comes from one kind of check of a sanitizer, or is stated by
/// a template.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Event {
    /// Signed arithmetic whose result does not fit.
    Overflow,
    /// An integer was divided by zero.
    DivByZero,
    /// A shift whose result the type can't hold.
    ShiftResult,
    /// A left shift of a negative value.
    ShiftNegative,
    /// A count that is negative or not below the width.
    ShiftCount,
    /// An index outside its array.
    Bounds,
    /// An access through a null pointer.
    Null,
    /// An access to an address that does not suit its type.
    Alignment,
    /// An access beyond an object whose size the compiler knows.
    ObjectSize,
    /// A float was converted to a type that can't hold it.
    FloatCast,
    /// A bool or enumeration without a value of its type was read.
    InvalidValue,
    /// A variable-length array with a length that is not positive.
    VlaBound,
    /// `__builtin_unreachable()` was reached.
    Unreachable,
    /// Null was passed or returned where an attribute forbids it.
    NonNull,
    /// Pointer arithmetic that leaves the address space or applies to null.
    PointerOverflow,
    /// A builtin function was called with an argument for which it is undefined.
    Builtin,
    /// An access outside of every live object.
    Deref,
    /// Something was freed that is not the start of a live heap object.
    Free,
    /// Memory was still allocated at the end, and unreachable.
    Leak,
    /// A value depends on memory that was never written.
    Uninitialised,
    /// The process died without a report.
    Crash,
    /// The run did not end in time.
    Timeout,
}

impl Event {
    /// As `driver.c`, the sanitizers' handlers and the tables of cases call it.
    pub fn by_name(name: &str) -> Option<Event> {
        Some(match name {
            "add_overflow" | "sub_overflow" | "mul_overflow" | "negate_overflow" | "divrem_overflow" => Event::Overflow,
            "divrem_zero" => Event::DivByZero,
            "shift_result" => Event::ShiftResult,
            "shift_negative" => Event::ShiftNegative,
            "shift_count" => Event::ShiftCount,
            "out_of_bounds" | "bounds" => Event::Bounds,
            "null" => Event::Null,
            "alignment" | "alignment_assumption" => Event::Alignment,
            "object_size" => Event::ObjectSize,
            "float_cast_overflow" => Event::FloatCast,
            "load_invalid_value" => Event::InvalidValue,
            "vla_bound_not_positive" => Event::VlaBound,
            "builtin_unreachable" | "missing_return" => Event::Unreachable,
            "nonnull_arg" | "nonnull_return_v1" | "nullability_arg" => Event::NonNull,
            "pointer_overflow" => Event::PointerOverflow,
            "invalid_builtin" => Event::Builtin,
            "deref" => Event::Deref,
            "free" => Event::Free,
            "leak" => Event::Leak,
            "uninitialised" => Event::Uninitialised,
            "crash" => Event::Crash,
            "timeout" => Event::Timeout,
            _ => return None,
        })
    }
}

impl Property {
    /// What the command line needs to check it.
    pub fn flags(self) -> &'static [&'static str] {
        match self {
            Property::UnreachCall => &["--property", "unreach-call"],
            Property::Assertion => &["--property", "assertion"],
            Property::NoOverflow => &["--property", "no-overflow"],
            Property::ValidDeref => &["--property", "valid-deref"],
            Property::ValidFree => &["--property", "valid-free"],
            Property::ValidMemtrack => &["--property", "valid-memtrack"],
            Property::DivByZero => &["--check", "div-by-zero"],
            Property::Shift => &["--check", "shift"],
            Property::Bounds => &["--check", "bounds"],
            Property::Null => &["--check", "null"],
            Property::Uninitialised => &["--property", "uninitialised"],
        }
    }

    /// The property with this name on the command line.
    pub fn by_name(name: &str) -> Option<Property> {
        use Property::*;
        let all = [UnreachCall, Assertion, NoOverflow, ValidDeref, ValidFree, ValidMemtrack, DivByZero, Shift, Bounds, Null, Uninitialised];
        all.into_iter().find(|property| property.name() == name)
    }

    /// The name in a verdict `false(NAME)`.
    pub fn name(self) -> &'static str {
        self.flags()[1]
    }

    /// Whether this event is a violation; no answer where the definitions of the property leave it open.
    pub fn violated_by(self, event: Event) -> Option<bool> {
        match (self, event) {
            (Property::NoOverflow, Event::Overflow | Event::ShiftResult)
            | (Property::ValidDeref, Event::Deref)
            | (Property::ValidFree, Event::Free)
            | (Property::ValidMemtrack, Event::Leak)
            | (Property::DivByZero, Event::DivByZero)
            | (Property::Shift, Event::ShiftResult | Event::ShiftNegative | Event::ShiftCount)
            | (Property::Bounds, Event::Bounds)
            | (Property::Null, Event::Null)
            | (Property::Uninitialised, Event::Uninitialised) => Some(true),
            // A leak is seen at the end, after everything else went well.
            (_, Event::Leak) => Some(false),
            _ => None,
        }
    }

    /// Whether the question is about the value that a corner observes.
    pub fn is_about_values(self) -> bool {
        matches!(self, Property::UnreachCall | Property::Assertion)
    }
}
