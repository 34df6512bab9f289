//! Integer arithmetic, comparisons and casts. Where clang did not write the checks (bitcode that was compiled elsewhere),
//! what the instructions tell is checked: signed overflow where there is `nsw`, division by zero, `MIN / -1`, shift
//! amounts. An operation on `i1` is done on one bit and read back.

use super::faults::Fault;
use super::function::FunctionTranslator;
use super::types::{Leaves, Scalar};
use super::{Translated, Translator, unsupported};
use crate::llvm::{Opcode, Type, Value};
use crate::sanitizer::CHECK;
use fathom_ir::{Property, StatementKind};
use fathom_term::{Op, Sort, Term};
use llvm_sys::LLVMIntPredicate;
use llvm_sys::core::LLVMGetCalledValue;
use smallvec::smallvec;

impl Translator<'_> {
    /// The value of an integer operation, wrapping.
    pub fn integer_operation(&self, opcode: Opcode, a: Term, b: Term) -> Translated<Term> {
        let t = &self.terms;
        use Opcode::*;
        if t.sort(a) == Sort::Bool {
            return Ok(match opcode {
                LLVMAnd | LLVMMul => t.and(a, b),
                LLVMOr => t.or(a, b),
                LLVMXor | LLVMAdd | LLVMSub => t.build(Op::Xor, &[a, b]),
                _ => {
                    let wide = self.integer_operation(opcode, self.to_bits(a), self.to_bits(b))?;
                    t.eq(wide, t.bv(1, 1))
                }
            });
        }
        let op = match opcode {
            LLVMAdd => return Ok(t.bv_add(a, b)),
            LLVMSub => return Ok(t.bv_sub(a, b)),
            LLVMMul => Op::BvMul,
            LLVMUDiv => Op::BvUdiv,
            LLVMSDiv => Op::BvSdiv,
            LLVMURem => Op::BvUrem,
            LLVMSRem => Op::BvSrem,
            LLVMShl => Op::BvShl,
            LLVMLShr => Op::BvLshr,
            LLVMAShr => Op::BvAshr,
            LLVMAnd => Op::BvAnd,
            LLVMOr => Op::BvOr,
            LLVMXor => Op::BvXor,
            _ => return unsupported(format!("the operation {opcode:?}")),
        };
        Ok(t.build(op, &[a, b]))
    }

    pub fn compare_integers(&self, predicate: LLVMIntPredicate, a: Term, b: Term) -> Translated<Term> {
        let t = &self.terms;
        use LLVMIntPredicate::*;
        match predicate {
            LLVMIntEQ => return Ok(t.eq(a, b)),
            LLVMIntNE => return Ok(t.ne(a, b)),
            _ => {}
        }
        let (a, b) = (self.to_bits(a), self.to_bits(b));
        Ok(match predicate {
            LLVMIntULT => t.bv_ult(a, b),
            LLVMIntULE => t.bv_ule(a, b),
            LLVMIntUGT => t.bv_ult(b, a),
            LLVMIntUGE => t.bv_ule(b, a),
            LLVMIntSLT => t.bv_slt(a, b),
            LLVMIntSLE => t.bv_sle(a, b),
            LLVMIntSGT => t.bv_slt(b, a),
            _ => t.bv_sle(b, a),
        })
    }

    /// Casts between integers and pointers, and of raw bits.
    pub fn cast(&self, opcode: Opcode, operand: &[Term], from: Type, to: Type) -> Translated<Leaves> {
        use Opcode::*;
        let target = self.leaves_of(to)?;
        if matches!(opcode, LLVMBitCast) && (operand.len() != 1 || target.len() != 1) {
            return self.bitcast_vector(operand, from, to);
        }
        let mut result = Leaves::new();
        for (&value, leaf) in operand.iter().zip(&target) {
            result.push(self.cast_scalar(opcode, value, leaf.scalar)?);
        }
        Ok(result)
    }

    fn cast_scalar(&self, opcode: Opcode, value: Term, to: Scalar) -> Translated<Term> {
        let t = &self.terms;
        use Opcode::*;
        match (opcode, to) {
            (LLVMTrunc | LLVMPtrToInt, Scalar::Int(1)) => {
                let bits = self.to_bits(value);
                Ok(t.eq(t.extract(bits, 0, 0), t.bv(1, 1)))
            }
            (LLVMTrunc | LLVMZExt | LLVMPtrToInt | LLVMIntToPtr, _) => {
                let width = self.memory_or_register_width(to);
                match t.sort(value) {
                    Sort::Bool => Ok(t.bool_to_bv(value, width)),
                    _ => Ok(t.resize_unsigned(value, width)),
                }
            }
            (LLVMSExt, Scalar::Int(width)) => match t.sort(value) {
                Sort::Bool => Ok(t.ite(value, t.build(Op::BvNot, &[t.bv(0, width)]), t.bv(0, width))),
                _ => Ok(t.resize_signed(value, width)),
            },
            (LLVMAddrSpaceCast, _) => Ok(value),
            (LLVMBitCast, _) => Ok(self.reinterpret(value, self.sort_of(to))),
            _ => unsupported(format!("the cast {opcode:?}")),
        }
    }

    fn memory_or_register_width(&self, scalar: Scalar) -> u32 {
        match scalar {
            Scalar::Int(bits) => bits,
            other => self.memory_bits(other),
        }
    }

    /// Reinterprets the bits of a vector as another vector or scalar of the same size.
    fn bitcast_vector(&self, operand: &[Term], from: Type, to: Type) -> Translated<Leaves> {
        let t = &self.terms;
        let mut whole: Option<Term> = None;
        for &leaf in operand {
            let bits = self.to_bits(leaf);
            whole = Some(whole.map_or(bits, |low| t.concat(bits, low)));
        }
        let Some(whole) = whole else { return unsupported(format!("a cast from {}", from.show())) };
        let mut result = Leaves::new();
        let mut low = 0;
        for leaf in self.leaves_of(to)? {
            let width = match leaf.scalar {
                Scalar::Int(bits) => bits,
                other => self.memory_bits(other),
            };
            let sort = self.sort_of(leaf.scalar);
            result.push(self.reinterpret(t.extract(whole, low + width - 1, low), sort));
            low += width;
        }
        Ok(result)
    }

    /// Does the signed sum, difference or product leave its range? Adding a negative number makes less unless it wraps,
    /// adding another never makes less unless it wraps; subtraction likewise.
    pub fn signed_overflow(&self, opcode: Opcode, a: Term, b: Term) -> Term {
        let t = &self.terms;
        let width = t.sort(a).width();
        let zero = t.bv(0, width);
        let lowest = self.most_negative(width);
        match opcode {
            Opcode::LLVMMul => t.build(Op::BvSmulOverflow, &[a, b]),
            Opcode::LLVMAdd if t.op(b).is_const() => self.sum_with_constant_overflows(a, b),
            Opcode::LLVMAdd if t.op(a).is_const() => self.sum_with_constant_overflows(b, a),
            Opcode::LLVMAdd => t.ne(t.bv_slt(b, zero), t.bv_slt(t.bv_add(a, b), a)),
            _ if a == zero => t.eq(b, lowest),
            _ if t.op(b).is_const() && b != lowest => self.sum_with_constant_overflows(a, t.build(Op::BvNeg, &[b])),
            _ => t.ne(t.bv_slt(b, zero), t.bv_slt(a, t.bv_sub(a, b))),
        }
    }

    fn sum_with_constant_overflows(&self, a: Term, constant: Term) -> Term {
        let t = &self.terms;
        let width = t.sort(a).width();
        let zero = t.bv(0, width);
        let lowest = self.most_negative(width);
        if t.bv_slt(constant, zero) == t.bool(true) {
            t.bv_slt(a, t.bv_sub(lowest, constant))
        } else {
            let highest = t.build(Op::BvNot, &[lowest]);
            t.bv_slt(t.bv_sub(highest, constant), a)
        }
    }

    pub fn most_negative(&self, width: u32) -> Term {
        let t = &self.terms;
        if width == 1 { t.bv(1, 1) } else { t.concat(t.bv(1, 1), t.bv(0, width - 1)) }
    }
}

impl FunctionTranslator<'_, '_> {
    pub fn binary(&mut self, instruction: Value) -> Translated<Leaves> {
        let opcode = instruction.opcode();
        let a = self.value(instruction.operand(0))?;
        let b = self.value(instruction.operand(1))?;
        let is_index = is_only_an_index(instruction);
        let mut result = Leaves::new();
        for (&a, &b) in a.iter().zip(&b) {
            if self.terms.sort(a) == Sort::Bool {
                // Wraps, and is not checked.
            } else if is_index {
                let fits = self.terms.not(self.program.signed_overflow(opcode, a, b));
                self.note_product(instruction, fits);
            } else {
                self.check(instruction, opcode, a, b);
            }
            let b = if is_shift(opcode) && !instruction.ty().is_vector() { self.amount(b) } else { b };
            result.push(self.program.integer_operation(opcode, a, b)?);
        }
        Ok(result)
    }

    /// How far x86 shifts: it looks at the low bits of the amount only.
    fn amount(&self, amount: Term) -> Term {
        let t = &self.terms;
        match t.sort(amount) {
            Sort::Bv(width) if [32, 64, 128].contains(&width) && !self.sources.library.contains(&self.name) => {
                t.build(Op::BvAnd, &[amount, t.bv(u64::from(width) - 1, width)])
            }
            _ => amount,
        }
    }

    fn check(&mut self, instruction: Value, opcode: Opcode, a: Term, b: Term) {
        let t = self.terms.clone();
        let width = t.sort(a).width();
        let zero = t.bv(0, width);
        use Opcode::*;
        match opcode {
            // clang's own check stands before it, and knows the types; it has none for complex numbers and vectors.
            LLVMUDiv | LLVMURem | LLVMSDiv | LLVMSRem if self.is_checked && has_check_of_divisor(instruction) => {
                self.look(b, "the divisor")
            }
            LLVMShl | LLVMLShr | LLVMAShr if self.is_checked => {}
            LLVMAdd | LLVMSub | LLVMMul if instruction.has_nsw() => {
                let name = match opcode {
                    LLVMAdd => "addition",
                    LLVMMul => "multiplication",
                    _ if a == zero => "negation",
                    _ => "subtraction",
                };
                let safe = t.not(self.program.signed_overflow(opcode, a, b));
                self.assert_that(safe, Property::NoOverflow, format!("signed overflow in {name}"));
            }
            LLVMUDiv | LLVMURem | LLVMSDiv | LLVMSRem => {
                self.look(b, "the divisor");
                self.check_division(a, b, matches!(opcode, LLVMSDiv | LLVMSRem));
            }
            LLVMShl | LLVMLShr | LLVMAShr => {
                let in_range = t.bv_ult(b, t.bv(width as u64, width));
                self.assert_that(in_range, Property::Shift, format!("shift by less than 0 or by {width} or more"));
            }
            _ => {}
        }
    }

    pub fn check_division(&mut self, a: Term, b: Term, signed: bool) {
        let t = self.terms.clone();
        let width = t.sort(a).width();
        let zero = t.bv(0, width);
        self.fault_unless(t.ne(b, zero), Fault::Arithmetic, Property::DivByZero);
        self.assert_that(t.ne(b, zero), Property::DivByZero, "division by zero".to_string());
        if signed {
            let lowest = t.eq(a, self.program.most_negative(width));
            let minus_one = t.eq(b, t.build(Op::BvNot, &[zero]));
            let safe = t.not(t.and(lowest, minus_one));
            self.assert_that(safe, Property::NoOverflow, "signed overflow in division".to_string());
            // Wider numbers are divided by a function, which goes on.
            if width <= self.pointer_bits && t.const_bool(safe) != Some(true) && !self.options.checks.contains(&Property::NoOverflow) {
                self.fault_unless(safe, Fault::Arithmetic, Property::NoOverflow);
                self.emit(StatementKind::Assume(safe));
            }
        }
    }

    pub fn integer_comparison(&mut self, instruction: Value) -> Translated<Leaves> {
        let predicate = unsafe { llvm_sys::core::LLVMGetICmpPredicate(instruction.0) };
        let a = self.value(instruction.operand(0))?;
        let b = self.value(instruction.operand(1))?;
        self.program.map_leaves(&a, &b, |program, a, b| program.compare_integers(predicate, a, b))
    }

    pub fn select(&mut self, instruction: Value) -> Translated<Leaves> {
        let condition = self.value(instruction.operand(0))?;
        let then = self.value(instruction.operand(1))?;
        let otherwise = self.value(instruction.operand(2))?;
        let t = &self.terms;
        let pairs = then.iter().zip(&otherwise).enumerate();
        Ok(pairs
            .map(|(i, (&then, &otherwise))| {
                let condition = if condition.len() == 1 { condition[0] } else { condition[i] };
                t.ite(condition, then, otherwise)
            })
            .collect())
    }

    pub fn integer_cast(&mut self, instruction: Value) -> Translated<Leaves> {
        let operand = instruction.operand(0);
        let value = self.value(operand)?;
        self.program.cast(instruction.opcode(), &value, operand.ty(), instruction.ty())
    }

    pub fn single(&mut self, value: Value) -> Translated<Term> {
        match self.value(value)?[..] {
            [term] => Ok(term),
            _ => unsupported(format!("a vector where a scalar is expected: {}", value.ty().show())),
        }
    }

    pub fn one(term: Term) -> Leaves {
        smallvec![term]
    }
}

/// The product of an index and a row size that clang makes for variable-length arrays is not arithmetic of the user's.
fn is_only_an_index(instruction: Value) -> bool {
    if instruction.opcode() != Opcode::LLVMMul || !instruction.has_nsw() {
        return false;
    }
    let users = instruction.users();
    !users.is_empty() && users.iter().all(|user| user.opcode() == Opcode::LLVMGetElementPtr)
}

fn is_shift(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::LLVMShl | Opcode::LLVMLShr | Opcode::LLVMAShr)
}

/// Whether one of clang's checks looks at the divisor, or nothing is there to check.
fn has_check_of_divisor(division: Value) -> bool {
    let divisor = division.operand(1);
    let is_check = |user: &Value| {
        // SAFETY: asks about a call of a live module.
        user.opcode() == Opcode::LLVMCall && Value(unsafe { LLVMGetCalledValue(user.0) }).name().starts_with(CHECK)
    };
    divisor.is_constant() || divisor.users().iter().any(is_check)
}
