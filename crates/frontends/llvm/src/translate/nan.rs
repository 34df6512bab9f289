//! Signs and payloads of NaNs. Terms have a single NaN, C programs can distinguish many: copies, negation, `fabs` and
//! `copysign` keep or change bits, and code can read the bytes of a float. So variables and parameters that hold copies
//! hold the *bits* of a float, and the value of such a variable is `FpFromBits(variable)`: its bits are still there to
//! be copied. What arithmetic computes is a float; C leaves open which NaN it is, so its bits (`float_bits`) are those
//! of a quiet NaN with an arbitrary sign and payload. As machines do, an operand that is NaN decides about that
//! payload: the same operation gives the same NaN for the same operands, and two arbitrary constants of the program
//! (one for new NaNs, one for those that an operand hands on) say which. `FpFromBits` of such bits simplifies to the
//! float itself, so programs that never look at bits never meet them.
//!
//! A `phi` becomes a variable of bits only where a copy can come in and its bits can be observed.
//!
//! Loads and stores keep signaling NaNs, as SSE does; that x87 makes them quiet when 32-bit code returns a float is not
//! modelled.

use super::Translator;
use super::constant::is_a;
use super::function::FunctionTranslator;
use super::types::Scalar;
use crate::llvm::{Opcode, Value};
use fathom_base::{FxMap, FxSet};
use fathom_ir::Variable;
use fathom_term::{FloatFormat, Op, Sort, Term, TermStore, VarId, float};
use llvm_sys::core::*;
use std::cell::RefCell;

/// What arithmetic leaves open, as far as the program needs it.
#[derive(Default)]
pub struct OpenNans {
    variables: RefCell<Vec<Variable>>,
    /// What floats are computed from that have a variable of their own.
    definitions: RefCell<FxMap<Term, Term>>,
}

impl OpenNans {
    pub fn take_globals(&self) -> Vec<Variable> {
        self.variables.take()
    }

    /// An arbitrary constant of the program.
    fn choice(&self, terms: &TermStore, what: &str, width: u32) -> Term {
        let name = format!("{}{what}.{width}", Variable::OPEN_NAN);
        let term = terms.var(&name, Sort::Bv(width));
        let id = terms.as_var(term).expect("a variable");
        let mut variables = self.variables.borrow_mut();
        if variables.iter().all(|known| known.id != id) {
            variables.push(Variable { id, name, sort: Sort::Bv(width) });
        }
        term
    }
}

impl Translator<'_> {
    fn bit_pattern(&self, format: FloatFormat, bits: u128) -> Term {
        let value = fathom_term::Value::bits(bits.into(), format.width());
        self.terms.constant(&value, Sort::Bv(format.width()))
    }

    fn sign_mask(&self, format: FloatFormat) -> Term {
        self.bit_pattern(format, float::signed_zero(format, true))
    }

    /// Whether the float is a copy of bits, perhaps with another sign, so that it has bits of its own.
    pub fn is_copy(&self, x: Term) -> bool {
        let t = &self.terms;
        match t.op(x) {
            Op::FpFromBits(_) => true,
            Op::FpNeg | Op::FpAbs => self.is_copy(t.arg(x, 0)),
            Op::Ite => self.is_copy(t.arg(x, 1)) || self.is_copy(t.arg(x, 2)),
            _ => false,
        }
    }

    /// The bits of a float, with the sign and payload of NaN.
    pub fn float_bits(&self, x: Term) -> Term {
        let t = &self.terms;
        let format = t.sort(x).format();
        match t.op(x) {
            Op::FpFromBits(_) => t.arg(x, 0),
            Op::FpNeg if self.is_copy(x) => t.build(Op::BvXor, &[self.float_bits(t.arg(x, 0)), self.sign_mask(format)]),
            Op::FpAbs if self.is_copy(x) => {
                let magnitude = t.build(Op::BvNot, &[self.sign_mask(format)]);
                t.build(Op::BvAnd, &[self.float_bits(t.arg(x, 0)), magnitude])
            }
            Op::Ite if self.is_copy(x) => {
                let [condition, then, otherwise] = [0, 1, 2].map(|index| t.arg(x, index));
                t.ite(condition, self.float_bits(then), self.float_bits(otherwise))
            }
            // Integers become numbers.
            Op::FpFromSigned(_) | Op::FpFromUnsigned(_) => t.build(Op::FpToBits, &[x]),
            _ => t.ite(self.is_nan(x), self.made_nan(x), t.build(Op::FpToBits, &[x])),
        }
    }

    /// The bits of the NaN that arithmetic made, if it made one.
    fn made_nan(&self, x: Term) -> Term {
        let t = &self.terms;
        let x = self.open_nans.definitions.borrow().get(&x).copied().unwrap_or(x);
        let format = t.sort(x).format();
        let quiet = self.bit_pattern(format, float::nan(format));
        t.build(Op::BvOr, &[self.open_payload(x), quiet])
    }

    fn open_payload(&self, x: Term) -> Term {
        let t = &self.terms;
        let format = t.sort(x).format();
        match t.op(x) {
            Op::FpNeg => return t.build(Op::BvXor, &[self.made_nan(t.arg(x, 0)), self.sign_mask(format)]),
            Op::FpAbs => {
                let magnitude = t.build(Op::BvNot, &[self.sign_mask(format)]);
                return t.build(Op::BvAnd, &[self.made_nan(t.arg(x, 0)), magnitude]);
            }
            // A conversion keeps the sign and the upper part of the payload, on x86 and where clang computes it.
            Op::FpToFp(_) => {
                let given = t.arg(x, 1);
                let bits = if self.is_copy(given) { self.float_bits(given) } else { self.made_nan(given) };
                return self.converted_nan(bits, t.sort(given).format(), format);
            }
            _ => {}
        }
        // Where the constants do not matter they are zero: what x86 does, so that native runs show the same.
        let new = t.build(Op::BvXor, &[self.open_nans.choice(t, "of new values", format.width()), self.sign_mask(format)]);
        t.args(x).into_iter().rev().fold(new, |rest, operand| match t.op(operand) {
            Op::FpFromBits(from) => {
                let change = self.open_nans.choice(t, "of operands", format.width());
                let payload = self.converted_nan(t.arg(operand, 0), from, format);
                t.ite(self.is_nan(operand), t.build(Op::BvXor, &[payload, change]), rest)
            }
            _ => rest,
        })
    }

    /// The NaN of another format with this sign and the upper part of this payload.
    fn converted_nan(&self, bits: Term, from: FloatFormat, to: FloatFormat) -> Term {
        if from == to {
            return bits;
        }
        let t = &self.terms;
        let (given, wanted) = (from.significand as u32 - 1, to.significand as u32 - 1);
        let sign = t.extract(bits, from.width() - 1, from.width() - 1);
        let fraction = match given < wanted {
            true => t.concat(t.extract(bits, given - 1, 0), t.bv(0, wanted - given)),
            false => t.extract(bits, given - 1, given - wanted),
        };
        let exponent = t.build(Op::BvNot, &[t.bv(0, to.width() - 1 - wanted)]);
        t.concat(sign, t.concat(exponent, fraction))
    }

    /// Is the sign bit set? What is a number for sure is asked as a float, which solvers like better.
    pub fn sign_bit(&self, x: Term) -> Term {
        let t = &self.terms;
        let format = t.sort(x).format();
        let bits = self.float_bits(x);
        let bit = t.extract(bits, format.width() - 1, format.width() - 1);
        t.ite(self.is_nan(x), t.eq(bit, t.bv(1, 1)), t.build(Op::FpIsNegative, &[x]))
    }

    /// Is it a quiet NaN?
    pub fn is_quiet_nan(&self, x: Term) -> Term {
        let t = &self.terms;
        let quiet = t.sort(x).format().significand as u32 - 2;
        let bit = t.extract(self.float_bits(x), quiet, quiet);
        t.and(self.is_nan(x), t.eq(bit, t.bv(1, 1)))
    }

    /// The sort of a variable that may hold copies of a scalar.
    pub fn variable_sort(&self, scalar: Scalar) -> Sort {
        match scalar {
            Scalar::Float(format) => Sort::Bv(format.width()),
            other => self.sort_of(other),
        }
    }

    /// What a variable of that sort holds for a value.
    pub fn held(&self, value: Term) -> Term {
        match self.terms.sort(value) {
            Sort::Float(_) => self.float_bits(value),
            _ => value,
        }
    }
}

impl FunctionTranslator<'_, '_> {
    /// The scalar that a variable holds.
    pub fn value_of_variable(&self, scalar: Scalar, var: VarId) -> Term {
        let (t, term) = (&self.terms, self.terms.var_term(var));
        match (scalar, t.sort(term)) {
            (Scalar::Float(format), Sort::Bv(_)) => t.build(Op::FpFromBits(format), &[term]),
            _ => term,
        }
    }

    /// What to assign to a variable so that it holds the value.
    pub fn assigned(&self, var: VarId, value: Term) -> (VarId, Term) {
        match self.terms.var_sort(var) {
            Sort::Bv(_) => (var, self.held(value)),
            _ => (var, value),
        }
    }

    /// A variable of its own for a computed scalar, and its value.
    pub fn variable_for(&mut self, name: &str, value: Term) -> ((VarId, Term), Term) {
        let sort = self.terms.sort(value);
        let Sort::Float(format) = sort else {
            let (var, term) = self.local_term(name, sort);
            return ((var, value), term);
        };
        if self.is_copy(value) {
            let var = self.local(name, Sort::Bv(format.width()));
            return (self.assigned(var, value), self.value_of_variable(Scalar::Float(format), var));
        }
        let (var, term) = self.local_term(name, sort);
        self.open_nans.definitions.borrow_mut().insert(term, value);
        ((var, value), term)
    }
}

/// Whether a copy of a float can come into the `phi`, and the bits of what comes out can be observed.
pub fn carries_bits(phi: Value) -> bool {
    has_copied_source(phi) && has_observer(phi)
}

fn has_copied_source(phi: Value) -> bool {
    let mut seen = FxSet::default();
    let mut open = vec![phi];
    while let Some(value) = open.pop() {
        if !seen.insert(value) {
            continue;
        }
        if value.is_constant() {
            if !is_a(value, LLVMIsAConstantFP) || is_nan_constant(value) {
                return true;
            }
            continue;
        }
        if !is_a(value, LLVMIsAInstruction) {
            return true;
        }
        use Opcode::*;
        match value.opcode() {
            LLVMPHI | LLVMFNeg | LLVMFreeze => open.extend(value.operands()),
            LLVMSelect => open.extend([value.operand(1), value.operand(2)]),
            LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFRem | LLVMFPTrunc | LLVMFPExt | LLVMSIToFP | LLVMUIToFP => {}
            _ => return true,
        }
    }
    false
}

fn has_observer(phi: Value) -> bool {
    let mut seen = FxSet::default();
    let mut open = vec![phi];
    while let Some(value) = open.pop() {
        if !seen.insert(value) {
            continue;
        }
        for user in value.users() {
            use Opcode::*;
            match user.opcode() {
                LLVMPHI | LLVMFNeg | LLVMFreeze | LLVMSelect => open.push(user),
                LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFRem | LLVMFPTrunc | LLVMFPExt | LLVMFPToSI | LLVMFPToUI | LLVMFCmp => {}
                _ => return true,
            }
        }
    }
    false
}

/// Is a constant of a float type NaN?
pub fn is_nan_constant(value: Value) -> bool {
    let mut loses = 0;
    // SAFETY: only asked about constants of LLVM's class ConstantFP.
    unsafe { LLVMConstRealGetDouble(value.0, &mut loses) }.is_nan()
}
