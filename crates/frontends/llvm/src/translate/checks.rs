//! The checks that clang wrote (`sanitizer`), as assertions: which property each kind belongs to, and the conditions
//! where one kind stands for several.
//!
//! A signed left shift has two meanings. C asks for a value that is not negative and whose multiple fits the type;
//! C++ before C++20 lets it use the sign bit. That is `shift`. For `no-overflow` (SV-COMP: a signed operation whose value
//! is not representable) only the multiple counts: `-1 << 3` is -8, and `1 << 31` overflows in C alone.

use super::function::FunctionTranslator;
use super::{Translated, unsupported};
use crate::llvm::Value;
use fathom_ir::{Property, StopKind};
use fathom_term::{Op, Term};

impl FunctionTranslator<'_, '_> {
    /// A call of a check: `kind(condition, operands)`.
    pub fn clang_check(&mut self, instruction: Value, kind: &str) -> Translated<()> {
        match kind {
            "divrem_signed" | "divrem_unsigned" if instruction.operand_count() > 3 => {
                let (a, b) = (self.single(instruction.operand(1))?, self.single(instruction.operand(2))?);
                // Numbers of one bit are truth values elsewhere.
                let (a, b) = (self.to_bits(a), self.to_bits(b));
                self.check_division(a, b, kind == "divrem_signed");
                Ok(())
            }
            "shift_left" | "shift_left_cpp" if instruction.operand_count() > 3 => {
                let in_range = self.single(instruction.operand(0))?;
                let (value, count) = (self.single(instruction.operand(1))?, self.single(instruction.operand(2))?);
                let (value, count) = (self.to_bits(value), self.to_bits(count));
                self.check_left_shift(in_range, value, count, kind == "shift_left_cpp");
                Ok(())
            }
            "type_mismatch" if instruction.operand_count() > 3 => {
                let pointer = self.single(instruction.operand(1))?;
                self.check_pointer(pointer, instruction.operand(2).as_constant_int().unwrap_or(0));
                Ok(())
            }
            "whole_array" if !self.options.checks.contains(&Property::Bounds) => Ok(()),
            "out_of_bounds" | "whole_array" if instruction.operand_count() > 2 => {
                let (in_bounds, index) = (self.single(instruction.operand(0))?, self.single(instruction.operand(1))?);
                let index = self.to_bits(index);
                if self.terms.sort(index).width() > self.pointer_bits {
                    self.program.native.hidden.insert(self.loc, "the sanitizer looks at the index after it was cut");
                }
                let condition = self.terms.and(in_bounds, self.fits_pointer(index));
                let (property, message) = meaning(kind)?;
                self.assert_that(condition, property, message.to_string());
                Ok(())
            }
            _ => {
                let condition = self.single(instruction.operand(0))?;
                let (property, message) = meaning(kind)?;
                self.assert_that(condition, property, message.to_string());
                Ok(())
            }
        }
    }

    /// A handler that is called on a way of its own: the program must not come there.
    pub fn reached_handler(&mut self, kind: &str) -> Translated<()> {
        let (property, message) = meaning(kind.trim_end_matches("_v1").trim_end_matches("_abort"))?;
        self.assert_that(self.terms.bool(false), property, message.to_string());
        if matches!(property, Property::Unreachable | Property::Return) {
            self.stop(StopKind::Unreachable);
        }
        Ok(())
    }

    /// An array parameter with `static` (C17 6.7.6.3) is never null, of which clang's sanitizer says nothing.
    pub fn check_promised_arguments(&mut self) {
        if !self.options.checks.contains(&Property::Nonnull) {
            return;
        }
        for (index, parameter) in (0..).zip(self.function.params()) {
            if let (true, Ok(pointer)) = (self.function.has_parameter_attribute(index, "dereferenceable"), self.single(parameter)) {
                let is_some = self.terms.ne(pointer, self.terms.bv(0, self.pointer_bits));
                self.program.native.hidden.insert(self.loc, "the sanitizer does not look at array parameters with `static`");
                self.assert_that(is_some, Property::Nonnull, NULL_ARGUMENT.to_string());
            }
        }
    }

    /// Whether a signed number is one of the width of pointers.
    pub fn fits_pointer(&self, number: Term) -> Term {
        let (t, bits) = (&self.terms, self.pointer_bits);
        let width = t.sort(number).width();
        if width <= bits { t.bool(true) } else { t.eq(t.resize_signed(t.resize_signed(number, bits), width), number) }
    }

    fn check_pointer(&mut self, pointer: Term, logarithm: u64) {
        let t = self.terms.clone();
        let zero = t.bv(0, self.pointer_bits);
        if self.options.checks.contains(&Property::Null) {
            self.assert_that(t.ne(pointer, zero), Property::Null, "an access through a null pointer, or a member of one".to_string());
        }
        if self.options.checks.contains(&Property::Alignment) {
            let rest = t.build(Op::BvAnd, &[pointer, t.bv((1 << logarithm) - 1, self.pointer_bits)]);
            let message = format!("an address that is no multiple of {}, which its type wants", 1u64 << logarithm);
            self.assert_that(t.eq(rest, zero), Property::Alignment, message);
        }
    }

    fn check_left_shift(&mut self, in_range: Term, value: Term, count: Term, is_cpp: bool) {
        let t = self.terms.clone();
        let (width, count_width) = (t.sort(value).width(), t.sort(count).width());
        let zero = t.bv(0, width);
        self.assert_that(in_range, Property::Shift, format!("shift by less than 0 or by {width} or more"));
        // A count in range fits the value's width.
        let by = t.resize_unsigned(count, width);
        let highest = t.build(Op::BvNot, &[if is_cpp { zero } else { self.program.most_negative(width) }]);
        let not_too_large = t.bv_ule(value, t.build(Op::BvLshr, &[highest, by]));
        let keeps_value = t.and(t.bv_sle(zero, value), not_too_large);
        let message = "left shift of a negative value or out of the type's range".to_string();
        self.assert_that(t.or(t.not(in_range), keeps_value), Property::Shift, message);
        let lowest = self.program.most_negative(width);
        let [least, most] = [lowest, t.build(Op::BvNot, &[lowest])].map(|limit| t.build(Op::BvAshr, &[limit, by]));
        let fits = t.and(t.bv_sle(least, value), t.bv_sle(value, most));
        let fits = if is_cpp { t.or(fits, not_too_large) } else { fits };
        let is_nothing = t.or(t.eq(value, zero), t.bv_slt(count, t.bv(0, count_width)));
        self.assert_that(t.ite(in_range, fits, is_nothing), Property::NoOverflow, "signed overflow in a left shift".to_string());
    }
}

const NULL_ARGUMENT: &str = "null for an argument that must not be null";

/// The property that a kind of handler belongs to, and what to tell people.
fn meaning(kind: &str) -> Translated<(Property, &'static str)> {
    Ok(match kind {
        "add_overflow" => (Property::NoOverflow, "signed overflow in addition"),
        "sub_overflow" => (Property::NoOverflow, "signed overflow in subtraction"),
        "mul_overflow" => (Property::NoOverflow, "signed overflow in multiplication"),
        "negate_overflow" => (Property::NoOverflow, "signed overflow in negation"),
        "divrem_overflow" | "divrem_signed" | "divrem_unsigned" => (Property::DivByZero, "division by zero or signed overflow in division"),
        "shift_out_of_bounds" | "shift_left" | "shift_left_cpp" => (Property::Shift, "shift by less than 0 or by the width or more"),
        "out_of_bounds" | "whole_array" => (Property::Bounds, "an index outside its array"),
        "vla_bound_not_positive" => (Property::VlaBound, "the length of a variable-length array is not positive"),
        "float_cast_overflow" => (Property::FloatCast, "a float that the integer type can't hold"),
        "load_invalid_value" => (Property::InvalidValue, "a value that the type does not have"),
        "nonnull_arg" | "nullability_arg" => (Property::Nonnull, NULL_ARGUMENT),
        "nonnull_return" | "nullability_return" => (Property::Nonnull, "null from a function that must not return it"),
        "builtin_unreachable" => (Property::Unreachable, "__builtin_unreachable() is reached"),
        "missing_return" => (Property::Return, "the end of a function that should have returned a value"),
        "alignment_assumption" => (Property::Alignment, "an address that is not aligned as it was promised to be"),
        "pointer_overflow" => (Property::PointerOverflow, "pointer arithmetic outside the address space or on null"),
        "invalid_builtin" => (Property::Builtin, "zero for a builtin function that is not defined for it"),
        other => return unsupported(format!("the sanitizer's check {other}")),
    })
}
