//! Undefined behaviour in constants that clang folds before it could check them: in initialisers of aggregates and of
//! static objects, in case labels, enumerations and sizes of arrays. The syntax tree still has the operators; their operands are what
//! clang computes, and the result is computed here once more, with numbers that are wide enough.

#![allow(non_upper_case_globals, reason = "constants of libclang in patterns")]

use crate::syntax::{Span, children, is_expression, is_in_system_header, kind, span, spelling, type_of};
use clang_sys::*;

/// An operation that C leaves undefined, as one of clang's checks (`sanitizer`).
pub struct Folded {
    pub check: &'static str,
    /// Whether a shift is by a number of bits that the type has; nothing else holds.
    pub holds: bool,
    /// Numbers and their widths.
    pub operands: Vec<(i128, u32)>,
    /// Of the operation.
    pub span: Span,
    /// The part of a function in which it is evaluated; None for what is evaluated before the program starts.
    pub during: Option<Span>,
    /// The variable that it is part of the declaration of.
    pub variable: Option<String>,
}

/// Where a constant stands.
#[derive(Copy, Clone)]
pub struct Context {
    pub during: Option<Span>,
    /// Whether it must be a constant, whatever the program does.
    pub is_constant: bool,
}

/// Functions that only look at their arguments.
const UNEVALUATED: [&str; 3] = ["__builtin_constant_p", "__builtin_object_size", "__builtin_dynamic_object_size"];

/// Whether this calls one of clang's own functions, which it computes whole where the arguments are constants.
pub fn calls_builtin(expression: CXCursor) -> bool {
    let name = spelling(expression);
    kind(expression) == CXCursor_CallExpr && name.starts_with("__builtin_") && !only_looks(expression)
}

/// Whether this calls a function that does not evaluate its arguments.
pub fn only_looks(expression: CXCursor) -> bool {
    kind(expression) == CXCursor_CallExpr && UNEVALUATED.contains(&spelling(expression).as_str())
}

/// Collects what is undefined in an expression that is evaluated.
pub fn collect(expression: CXCursor, context: Context, found: &mut Vec<Folded>) {
    if is_in_system_header(expression) {
        return;
    }
    let mut operands: Vec<CXCursor> = children(expression).into_iter().filter(|child| is_expression(*child)).collect();
    // What comes before belongs to the type.
    if matches!(kind(expression), CXCursor_CStyleCastExpr | CXCursor_CompoundLiteralExpr) {
        operands.drain(..operands.len().saturating_sub(1));
    }
    match kind(expression) {
        // sizeof and its like do not evaluate, and statements have checks of their own.
        CXCursor_UnaryExpr | CXCursor_StmtExpr => return,
        CXCursor_GenericSelectionExpr => {
            selected(expression, &operands).into_iter().for_each(|chosen| collect(chosen, context, found));
            return;
        }
        CXCursor_CallExpr if only_looks(expression) => return,
        // `c ? a : b`, and `__builtin_choose_expr(c, a, b)`, for which libclang has no kind.
        CXCursor_ConditionalOperator | CXCursor_UnexposedExpr if operands.len() == 3 => {
            collect(operands[0], context, found);
            if let Some(condition) = value(operands[0]) {
                collect(operands[if condition != 0 { 1 } else { 2 }], context, found);
            }
            return;
        }
        // `c ?: a`, which is stored as the value of c, twice a name for it, and a.
        CXCursor_UnexposedExpr if operands.len() == 4 => {
            collect(operands[0], context, found);
            if value(operands[0]) == Some(0) {
                collect(operands[3], context, found);
            }
            return;
        }
        CXCursor_BinaryOperator if operands.len() == 2 => {
            let operator = unsafe { clang_getCursorBinaryOperatorKind(expression) };
            let skips = match operator {
                CXBinaryOperator_LAnd => Some(false),
                CXBinaryOperator_LOr => Some(true),
                _ => None,
            };
            if skips.is_some_and(|skips| value(operands[0]).is_none_or(|left| (left != 0) == skips)) {
                return collect(operands[0], context, found);
            }
            found.extend(binary(expression, operator, &operands, context));
        }
        CXCursor_UnaryOperator if operands.len() == 1 && takes_address(expression) && kind(operands[0]) == CXCursor_ArraySubscriptExpr => {
            found.extend(index(operands[0], true, context));
            operands = children(operands[0]).into_iter().filter(|child| is_expression(*child)).collect();
        }
        CXCursor_UnaryOperator if operands.len() == 1 => found.extend(negation(expression, operands[0], context)),
        CXCursor_ArraySubscriptExpr => found.extend(index(expression, false, context)),
        CXCursor_UnexposedExpr | CXCursor_CStyleCastExpr if operands.len() == 1 => found.extend(cast(expression, operands[0], context)),
        _ => {}
    }
    operands.into_iter().for_each(|operand| collect(operand, context, found));
}

/// What a `_Generic` selects: libclang does not say, but it is what has the value (none, if that is undefined) and the type of
/// the whole, if only one does.
fn selected(generic: CXCursor, operands: &[CXCursor]) -> Option<CXCursor> {
    let whole = value(generic);
    let is_like = |operand: &&CXCursor| type_of(**operand).kind == type_of(generic).kind && value(**operand) == whole;
    // The first decides and is not evaluated.
    let mut alike = operands.iter().skip(1).filter(is_like);
    alike.next().copied().filter(|_| alike.next().is_none())
}

fn binary(expression: CXCursor, operator: CXBinaryOperatorKind, operands: &[CXCursor], context: Context) -> Option<Folded> {
    let (width, is_signed) = integer(type_of(expression))?;
    let (a, b) = (value(operands[0])?, value(operands[1])?);
    let lowest = -1i128 << (width - 1);
    let fits = |number: Option<i128>| !is_signed || number.is_some_and(|number| (lowest..=!lowest).contains(&number));
    let folded =
        |check, holds, operands| Some(Folded { check, holds, operands, span: span(expression), during: context.during, variable: None });
    match operator {
        CXBinaryOperator_Add if !fits(a.checked_add(b)) => folded("add_overflow", false, Vec::new()),
        CXBinaryOperator_Sub if !fits(a.checked_sub(b)) => folded("sub_overflow", false, Vec::new()),
        CXBinaryOperator_Mul if !fits(a.checked_mul(b)) => folded("mul_overflow", false, Vec::new()),
        CXBinaryOperator_Div | CXBinaryOperator_Rem if b == 0 || (is_signed && a == lowest && b == -1) => {
            folded(if is_signed { "divrem_signed" } else { "divrem_unsigned" }, false, vec![(a, width), (b, width)])
        }
        CXBinaryOperator_Shl | CXBinaryOperator_Shr => {
            let (count_width, _) = integer(type_of(operands[1]))?;
            let in_range = (0..i128::from(width)).contains(&b);
            let is_left = operator == CXBinaryOperator_Shl && is_signed;
            let shifted = || Some(a << b).filter(|shifted| shifted >> b == a);
            // Flags such as `1 << 31` and `0xff << 24` are common in tables and labels, and every compiler takes them.
            let is_flag = || context.is_constant && shifted().is_some_and(|shifted| shifted >> (width - 1) <= 1);
            let keeps_value = || a >= 0 && (fits(shifted()) || is_flag());
            match (is_left, in_range) {
                (true, true) if !keeps_value() => folded("shift_left", true, vec![(a, width), (b, count_width)]),
                (true, false) => folded("shift_left", false, vec![(a, width), (b, count_width)]),
                (false, false) => folded("shift_out_of_bounds", false, Vec::new()),
                _ => None,
            }
        }
        _ => None,
    }
}

fn negation(expression: CXCursor, operand: CXCursor, context: Context) -> Option<Folded> {
    // SAFETY: asks about a cursor of a live tree.
    let negates = unsafe { clang_getCursorUnaryOperatorKind(expression) } == CXUnaryOperator_Minus;
    let (width, is_signed) = integer(type_of(expression))?;
    let overflows = negates && is_signed && value(operand)? == -1i128 << (width - 1);
    overflows.then(|| Folded {
        check: "negate_overflow",
        holds: false,
        operands: Vec::new(),
        span: span(expression),
        during: context.during,
        variable: None,
    })
}

fn takes_address(expression: CXCursor) -> bool {
    // SAFETY: asks about a cursor of a live tree.
    unsafe { clang_getCursorUnaryOperatorKind(expression) == CXUnaryOperator_AddrOf }
}

/// An index outside of an array; the address behind the last element may be taken. The last array of a structure may go on
/// behind it, as clang has it.
fn index(expression: CXCursor, end_is_fine: bool, context: Context) -> Option<Folded> {
    let operands: Vec<CXCursor> = children(expression).into_iter().filter(|child| is_expression(*child)).collect();
    let &[base, at] = operands.as_slice() else { return None };
    let array = if kind(base) == CXCursor_UnexposedExpr { *children(base).first()? } else { base };
    if type_of(array).kind != CXType_ConstantArray || kind(array) == CXCursor_MemberRefExpr {
        return None;
    }
    // SAFETY: asks about a type of a live tree.
    let length = i128::from(unsafe { clang_getArraySize(type_of(array)) });
    let at = value(at)?;
    let is_inside = 0 <= at && at < length + i128::from(end_is_fine);
    (!is_inside).then(|| Folded {
        check: "out_of_bounds",
        holds: false,
        operands: Vec::new(),
        span: span(expression),
        during: context.during,
        variable: None,
    })
}

/// A float that the integer type cannot hold (C17 6.3.1.4). What libclang tells of a `long double` is rounded.
fn cast(expression: CXCursor, operand: CXCursor, context: Context) -> Option<Folded> {
    let (width, is_signed) = integer(type_of(expression)).filter(|_| type_of(expression).kind != CXType_Bool)?;
    if !matches!(type_of(operand).kind, CXType_Half | CXType_Float | CXType_Double) {
        return None;
    }
    let (least, most) = if is_signed { (-exp2(width - 1), exp2(width - 1)) } else { (0.0, exp2(width)) };
    let number = float_value(operand)?.trunc();
    let fits = least <= number && number < most;
    (!fits).then(|| Folded {
        check: "float_cast_overflow",
        holds: false,
        operands: Vec::new(),
        span: span(expression),
        during: context.during,
        variable: None,
    })
}

fn exp2(exponent: u32) -> f64 {
    f64::from(exponent).exp2()
}

fn float_value(expression: CXCursor) -> Option<f64> {
    // SAFETY: the result is freed after its last use.
    unsafe {
        let result = clang_Cursor_Evaluate(expression);
        if result.is_null() {
            return None;
        }
        let number = (clang_EvalResult_getKind(result) == CXEval_Float).then(|| clang_EvalResult_getAsDouble(result));
        clang_EvalResult_dispose(result);
        number
    }
}

/// Width and signedness of an integer type.
fn integer(ty: CXType) -> Option<(u32, bool)> {
    let is_signed = match ty.kind {
        CXType_Char_S | CXType_SChar | CXType_Short | CXType_Int | CXType_Long | CXType_LongLong | CXType_Int128 => true,
        CXType_Bool | CXType_Char_U | CXType_UChar | CXType_UShort | CXType_UInt | CXType_ULong | CXType_ULongLong | CXType_UInt128 => {
            false
        }
        _ => return None,
    };
    // SAFETY: asks about a type of a live tree.
    let bytes = u32::try_from(unsafe { clang_Type_getSizeOf(ty) }).ok()?;
    Some((bytes * 8, is_signed))
}

/// The value of an integer constant; the bits of an unsigned one of 128 bits.
fn value(expression: CXCursor) -> Option<i128> {
    let (width, is_signed) = integer(type_of(expression))?;
    if width > 64 {
        return wide_value(expression, is_signed);
    }
    // SAFETY: the result is freed after its last use.
    unsafe {
        let result = clang_Cursor_Evaluate(expression);
        if result.is_null() {
            return None;
        }
        let number = (clang_EvalResult_getKind(result) == CXEval_Int).then(|| match is_signed {
            true => i128::from(clang_EvalResult_getAsLongLong(result)),
            false => i128::from(clang_EvalResult_getAsUnsigned(result)),
        });
        clang_EvalResult_dispose(result);
        number
    }
}

/// libclang tells values of up to 64 bits; there are no literals that are wider, only casts of them and what is computed from those.
fn wide_value(expression: CXCursor, is_signed: bool) -> Option<i128> {
    let operands: Vec<CXCursor> = children(expression).into_iter().filter(|child| is_expression(*child)).collect();
    let operand = |at: usize| operands.get(at).and_then(|operand| value(*operand));
    match (kind(expression), operands.len()) {
        (CXCursor_UnexposedExpr | CXCursor_ParenExpr | CXCursor_CStyleCastExpr, 1) => operand(0),
        (CXCursor_UnaryOperator, 1) => match unsafe { clang_getCursorUnaryOperatorKind(expression) } {
            CXUnaryOperator_Minus => Some(operand(0)?.wrapping_neg()),
            CXUnaryOperator_Not => Some(!operand(0)?),
            CXUnaryOperator_Plus => operand(0),
            _ => None,
        },
        (CXCursor_BinaryOperator, 2) => {
            let (a, b) = (operand(0)?, operand(1)?);
            let count = || u32::try_from(b).ok().filter(|count| *count < 128);
            match unsafe { clang_getCursorBinaryOperatorKind(expression) } {
                CXBinaryOperator_Add => Some(a.wrapping_add(b)),
                CXBinaryOperator_Sub => Some(a.wrapping_sub(b)),
                CXBinaryOperator_Mul => Some(a.wrapping_mul(b)),
                CXBinaryOperator_Or => Some(a | b),
                CXBinaryOperator_And => Some(a & b),
                CXBinaryOperator_Xor => Some(a ^ b),
                CXBinaryOperator_Shl => Some(a << count()?),
                CXBinaryOperator_Shr if is_signed => Some(a >> count()?),
                CXBinaryOperator_Shr => Some(((a as u128) >> count()?) as i128),
                _ => None,
            }
        }
        _ => None,
    }
}
