//! Floating point: arithmetic, C's comparisons, and conversions. Converting a float that does not
//! fit the integer gives what x86 gives (the most negative number), because the term's own value is only defined in
//! range.

use super::function::FunctionTranslator;
use super::types::{Leaves, Scalar};
use super::{Translated, Translator, unsupported};
use crate::llvm::{Opcode, Value};
use fathom_term::{FloatFormat, Op, RoundingMode, Sort, Term};
use llvm_sys::LLVMRealPredicate;
use llvm_sys::core::LLVMGetFCmpPredicate;

impl Translator<'_> {
    pub fn is_nan(&self, x: Term) -> Term {
        self.terms.build(Op::FpIsNan, &[x])
    }

    pub fn compare_floats(&self, predicate: LLVMRealPredicate, a: Term, b: Term) -> Term {
        let t = &self.terms;
        let unordered = t.or(self.is_nan(a), self.is_nan(b));
        let equal = || t.build(Op::FpEq, &[a, b]);
        let less = || t.build(Op::FpLt, &[a, b]);
        let greater = || t.build(Op::FpLt, &[b, a]);
        let at_most = || t.build(Op::FpLe, &[a, b]);
        let at_least = || t.build(Op::FpLe, &[b, a]);
        use LLVMRealPredicate::*;
        match predicate {
            LLVMRealPredicateFalse => t.bool(false),
            LLVMRealOEQ => equal(),
            LLVMRealOGT => greater(),
            LLVMRealOGE => at_least(),
            LLVMRealOLT => less(),
            LLVMRealOLE => at_most(),
            LLVMRealONE => t.or(less(), greater()),
            LLVMRealORD => t.not(unordered),
            LLVMRealUNO => unordered,
            LLVMRealUEQ => t.or(unordered, equal()),
            // The negation of an ordered comparison is the opposite one, or unordered.
            LLVMRealUGT => t.not(at_most()),
            LLVMRealUGE => t.not(less()),
            LLVMRealULT => t.not(at_least()),
            LLVMRealULE => t.not(greater()),
            LLVMRealUNE => t.not(equal()),
            LLVMRealPredicateTrue => t.bool(true),
        }
    }

    /// The smallest power of two that no longer fits, as a float of this format (infinity if the format ends before).
    fn power_of_two(&self, format: FloatFormat, exponent: u32) -> Term {
        let t = &self.terms;
        let one = t.bv(1, exponent + 2);
        let power = t.build(Op::BvShl, &[one, t.bv(exponent as u64, exponent + 2)]);
        t.build(Op::FpFromUnsigned(format), &[self.nearest_even(), power])
    }

    /// `fptosi` and `fptoui`: truncation, with a value for what does not fit.
    pub fn float_to_integer(&self, x: Term, width: u32, signed: bool) -> Term {
        let t = &self.terms;
        let format = t.sort(x).format();
        let zero_mode = t.rounding_mode(RoundingMode::TowardZero);
        let op = if signed { Op::FpToSigned(width) } else { Op::FpToUnsigned(width) };
        let converted = t.build(op, &[zero_mode, x]);
        // Compare the truncated value: -0.7 is a fine unsigned 0, and -2^31 - 0.5 a fine int.
        let whole = t.build(Op::FpRoundToIntegral, &[zero_mode, x]);
        let top = self.power_of_two(format, if signed { width - 1 } else { width });
        let bottom = match signed {
            true => t.build(Op::FpNeg, &[top]),
            false => t.build(Op::FpFromUnsigned(format), &[self.nearest_even(), t.bv(0, 8)]),
        };
        // `whole < infinity` still admits what a short format can't exceed; an infinite `x` itself is cut off there.
        let fits = t.and(t.build(Op::FpLe, &[bottom, whole]), t.build(Op::FpLt, &[whole, top]));
        let fits = t.and(fits, t.not(t.build(Op::FpIsInfinite, &[x])));
        let indefinite = self.most_negative(width);
        t.ite(fits, converted, indefinite)
    }
}

impl FunctionTranslator<'_, '_> {
    pub fn float_binary(&mut self, instruction: Value) -> Translated<Leaves> {
        let op = match instruction.opcode() {
            Opcode::LLVMFAdd => Op::FpAdd,
            Opcode::LLVMFSub => Op::FpSub,
            Opcode::LLVMFMul => Op::FpMul,
            Opcode::LLVMFDiv => Op::FpDiv,
            _ => Op::FpRem,
        };
        let a = self.value(instruction.operand(0))?;
        let b = self.value(instruction.operand(1))?;
        let mode = self.program.rounding();
        if op == Op::FpRem {
            return self.program.map_leaves(&a, &b, |program, a, b| Ok(program.fmod(a, b)));
        }
        self.program.map_leaves(&a, &b, |program, a, b| Ok(program.terms.build(op, &[mode, a, b])))
    }

    pub fn float_negation(&mut self, instruction: Value) -> Translated<Leaves> {
        let value = self.value(instruction.operand(0))?;
        Ok(value.iter().map(|&x| self.terms.build(Op::FpNeg, &[x])).collect())
    }

    pub fn float_comparison(&mut self, instruction: Value) -> Translated<Leaves> {
        let predicate = unsafe { LLVMGetFCmpPredicate(instruction.0) };
        let a = self.value(instruction.operand(0))?;
        let b = self.value(instruction.operand(1))?;
        self.program.map_leaves(&a, &b, |program, a, b| Ok(program.compare_floats(predicate, a, b)))
    }

    pub fn float_cast(&mut self, instruction: Value) -> Translated<Leaves> {
        let value = self.value(instruction.operand(0))?;
        let target = self.program.leaves_of(instruction.ty())?;
        let mut result = Leaves::new();
        for (&x, leaf) in value.iter().zip(&target) {
            result.push(self.convert_float(instruction.opcode(), x, leaf.scalar)?);
        }
        Ok(result)
    }

    pub fn convert_float(&self, opcode: Opcode, x: Term, to: Scalar) -> Translated<Term> {
        let t = &self.terms;
        let mode = self.program.rounding();
        use Opcode::*;
        Ok(match (opcode, to) {
            (LLVMFPTrunc | LLVMFPExt, Scalar::Float(format)) => t.build(Op::FpToFp(format), &[mode, x]),
            (LLVMSIToFP | LLVMUIToFP, Scalar::Float(format)) => {
                let bits = self.program.to_bits(x);
                let signed = matches!(opcode, LLVMSIToFP);
                t.build(if signed { Op::FpFromSigned(format) } else { Op::FpFromUnsigned(format) }, &[mode, bits])
            }
            (LLVMFPToSI | LLVMFPToUI, Scalar::Int(width)) => {
                // What does not fit is undefined in C; these are the conversions that x86 code uses.
                let (through, signed) = match (matches!(opcode, LLVMFPToSI), width) {
                    (_, 0..32) => (32, true),
                    (false, 32) => (64, true),
                    (signed, _) => (width, signed),
                };
                let bits = self.program.float_to_integer(x, through, signed);
                self.program.reinterpret(t.resize_unsigned(bits, width), if width == 1 { Sort::Bool } else { Sort::Bv(width) })
            }
            _ => return unsupported(format!("the cast {opcode:?}")),
        })
    }
}
