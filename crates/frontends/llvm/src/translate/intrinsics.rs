//! LLVM's intrinsics, as far as clang emits them for C.

use super::calls::Request;
use super::faults::Fault;
use super::function::{FunctionTranslator, bounded, internal_choice};
use super::types::{Leaves, Scalar};
use super::{Translated, Translator, unsupported};
use crate::llvm::{Opcode, Type, Value};
use fathom_ir::{Fill, InputKind, Property, StatementKind, StopKind};
use fathom_term::{FloatFormat, Op, Sort, Term};
use llvm_sys::core::*;
use smallvec::smallvec;

/// The attribute of a function that names the instructions which it may use.
const FEATURES: &str = "target-features";

impl FunctionTranslator<'_, '_> {
    pub fn intrinsic(&mut self, request: &Request) -> Translated<Leaves> {
        let full = request.name.strip_prefix("llvm.").unwrap_or(&request.name);
        let base = full.split('.').next().unwrap_or(full);
        match base {
            // Where one of these has a result, it is arbitrary.
            "lifetime" => {
                if let Some(&variable) = request.operands.get(1) {
                    self.scope(variable, full.starts_with("lifetime.start"));
                }
                Ok(Leaves::new())
            }
            "stackrestore" | "prefetch" | "va_end" | "donothing" | "var" | "sideeffect" | "invariant" | "pseudoprobe"
            | "readcyclecounter" => Ok(Leaves::new()),
            "assume" => {
                self.promised(request.arg(0)?);
                Ok(Leaves::new())
            }
            "experimental" if full.starts_with("experimental.constrained.") => {
                self.constrained(&full["experimental.constrained.".len()..], request)
            }
            "experimental" if full.starts_with("experimental.noalias.scope.decl") => Ok(Leaves::new()),
            "memcpy" | "memmove" => {
                let length = self.as_size(request.arg(2)?);
                let target = request.arg(0)?;
                self.emit(StatementKind::Copy { target, source: request.arg(1)?, length });
                self.forget_undefined_parts(target, request);
                Ok(Leaves::new())
            }
            "memset" => {
                let length = self.as_size(request.arg(2)?);
                let fill = Fill::Byte(request.arg(1)?);
                self.emit(StatementKind::Set { pointer: request.arg(0)?, fill, length });
                Ok(Leaves::new())
            }
            "trap" | "debugtrap" | "ubsantrap" => {
                let fault = if base == "debugtrap" { Fault::Trap } else { Fault::Illegal };
                self.fault_unless(self.terms.bool(false), fault, Property::Unreachable);
                self.stop(StopKind::Abort);
                Ok(Leaves::new())
            }
            "va_start" => self.va_start(request.arg(0)?),
            "va_copy" => self.va_copy(request.arg(0)?, request.arg(1)?),
            // A pointer without an object: nothing is done with it but handing it back.
            "frameaddress" | "returnaddress" => self.address_of_frame(base, request),
            "stacksave" => Ok(smallvec![self.terms.bv(0, self.pointer_bits)]),
            "threadlocal" => {
                let object = request.arg(0)?;
                Ok(smallvec![self.thread_local(object)])
            }
            "expect" | "launder" | "strip" | "ssa" | "arithmetic" | "ptr" | "annotation" => Ok(smallvec![request.arg(0)?]),
            "get" if full == "get.rounding" => Ok(self.flt_rounds()),
            "is" if full.starts_with("is.constant") => Ok(smallvec![self.terms.bool(false)]),
            "is" if full.starts_with("is.fpclass") => match self.terms.const_bits(request.arg(1)?) {
                Some(mask) => Ok(smallvec![self.is_of_class(request.arg(0)?, mask)]),
                None => unsupported("llvm.is.fpclass"),
            },
            "objectsize" => {
                let minimum = self.terms.const_bool(request.arg(1)?) == Some(true);
                let width = request.result.integer_bits();
                let known = request.operands.first().and_then(|&address| self.bytes_behind(address));
                Ok(smallvec![self.terms.bv(known.unwrap_or(if minimum { 0 } else { u64::MAX }), width)])
            }
            "sadd" | "uadd" | "ssub" | "usub" | "smul" | "umul" if full.contains(".with.overflow") => {
                let (result, overflow) = self.overflowing(base, request.arg(0)?, request.arg(1)?)?;
                Ok(smallvec![result, overflow])
            }
            "sadd" | "uadd" | "ssub" | "usub" if full.contains(".sat") => {
                Ok(smallvec![self.saturating(base, request.arg(0)?, request.arg(1)?)?])
            }
            "eh" => unsupported("exceptions"),
            _ => self.elementwise(base, full, request),
        }
    }

    /// `__builtin_assume`: where it does not hold, nothing has a meaning any more, as behind `__builtin_unreachable`.
    fn promised(&mut self, condition: Term) {
        if self.terms.const_bool(condition) != Some(true) {
            self.program.native.hidden.insert(self.loc, "the sanitizer does not look at __builtin_assume");
            self.assert_that(condition, Property::Unreachable, "what __builtin_assume promises does not hold".to_string());
            self.assume(condition);
        }
    }

    /// How many bytes there are from an address to the end of its object, as compilers know it without optimisation: an
    /// object of the program by its name, at a constant distance.
    fn bytes_behind(&mut self, address: Value) -> Option<u64> {
        let is_constant_step =
            |value: Value| unsafe { !LLVMIsAConstantExpr(value.0).is_null() && LLVMGetConstOpcode(value.0) == Opcode::LLVMGetElementPtr };
        let mut base = address;
        while base.opcode() == Opcode::LLVMGetElementPtr || is_constant_step(base) {
            base = base.operand(0);
        }
        let ty = match base.opcode() {
            Opcode::LLVMAlloca => {
                base.operand(0).as_constant_int().filter(|&count| count == 1).map(|_| unsafe { LLVMGetAllocatedType(base.0) })
            }
            _ => base.as_global().filter(|global| !global.is_declaration()).map(|global| unsafe { LLVMGlobalGetValueType(global.0) }),
        };
        let size = self.layout.alloc_size(Type(ty?));
        let (from, to) = (self.single(base).ok()?, self.single(address).ok()?);
        let distance = self.terms.bv_sub(to, from);
        size.checked_sub(self.terms.const_bits(distance)?)
    }

    /// A local that is initialised from a constant is arbitrary where the initialiser says nothing.
    fn forget_undefined_parts(&mut self, target: Term, request: &Request) {
        let Some(global) = request.operands.get(1).and_then(|source| source.as_global()) else { return };
        for (offset, length) in self.undefined_parts(global) {
            let pointer = self.offset(target, offset);
            let length = self.terms.bv(length, self.pointer_bits);
            self.emit(StatementKind::Set { pointer, fill: Fill::Arbitrary(InputKind::uninitialised("")), length });
        }
    }

    /// Some address; those of callers may be missing.
    fn address_of_frame(&mut self, base: &str, request: &Request) -> Translated<Leaves> {
        let name = if base == "frameaddress" { "__builtin_frame_address" } else { "__builtin_return_address" };
        let address = self.arbitrary("frame", Scalar::Pointer, bounded(name, "void *"));
        if self.terms.const_bits(request.arg(0)?) == Some(0) {
            self.assume(self.terms.ne(address, self.terms.bv(0, self.pointer_bits)));
        }
        Ok(smallvec![address])
    }

    /// Intrinsics that work on each element of a vector alike.
    fn elementwise(&mut self, base: &str, full: &str, request: &Request) -> Translated<Leaves> {
        let Some(first) = request.args.first() else { return unsupported(format!("llvm.{full}")) };
        let mut result = Leaves::new();
        if request.args.iter().any(|leaves| leaves.is_empty()) {
            return unsupported(format!("llvm.{full}"));
        }
        for index in 0..first.len() {
            let args: Vec<Term> = request.args.iter().map(|leaves| *leaves.get(index).unwrap_or(&leaves[0])).collect();
            let term = match self.terms.sort(args[0]) {
                Sort::Float(_) => self.float_intrinsic(base, &args)?,
                _ => self.integer_intrinsic(base, &args)?,
            };
            match term {
                Some(term) => result.push(term),
                None => return unsupported(format!("llvm.{full}")),
            }
        }
        Ok(result)
    }

    /// Fused or not is the compiler's choice: x86 does it in two steps unless it was told to use its FMA instructions, which
    /// are not for `long double`.
    pub fn multiply_add(&self, mode: Term, [x, y, z]: [Term; 3]) -> Term {
        let t = &self.terms;
        let has_instruction = self.function.string_attribute(FEATURES).is_some_and(|all| all.split(',').any(|one| one == "+fma"));
        if has_instruction && t.sort(x) != Sort::Float(FloatFormat::X87) {
            return t.build(Op::FpFma, &[mode, x, y, z]);
        }
        t.build(Op::FpAdd, &[mode, t.build(Op::FpMul, &[mode, x, y]), z])
    }

    fn float_intrinsic(&mut self, base: &str, args: &[Term]) -> Translated<Option<Term>> {
        let nearest = self.rounding();
        match base {
            "fmuladd" => Ok(Some(self.multiply_add(nearest, [args[0], args[1], args[2]]))),
            "canonicalize" => Ok(Some(args[0])),
            "powi" | "pow" | "exp" | "log" | "sin" | "cos" => Ok(None),
            _ => self.float_function(base, args),
        }
    }

    fn integer_intrinsic(&mut self, base: &str, args: &[Term]) -> Translated<Option<Term>> {
        let t = self.terms.clone();
        let x = args[0];
        if t.sort(x) == Sort::Bool {
            let wide: Vec<Term> = args.iter().map(|&a| self.to_bits(a)).collect();
            let result = self.integer_intrinsic(base, &wide)?;
            return Ok(result.map(|r| t.eq(r, t.bv(1, 1))));
        }
        let width = t.sort(x).width();
        Ok(Some(match base {
            "ctpop" => self.population_count(x),
            "ctlz" | "cttz" => {
                let count = if base == "ctlz" { self.leading_zeros(x) } else { self.trailing_zeros(x) };
                // The second argument says that zero has no result: it may be anything.
                match args.get(1).and_then(|&poison| t.const_bool(poison)) {
                    Some(true) => {
                        let anything = self.arbitrary("undefined", Scalar::Int(width), internal_choice());
                        t.ite(t.eq(x, t.bv(0, width)), anything, count)
                    }
                    _ => count,
                }
            }
            "bswap" => self.reverse_chunks(x, 8),
            "bitreverse" => self.reverse_chunks(x, 1),
            "fshl" | "fshr" => self.funnel_shift(base == "fshl", x, args[1], args[2]),
            "abs" => t.ite(t.bv_slt(x, t.bv(0, width)), t.build(Op::BvNeg, &[x]), x),
            "smax" => t.ite(t.bv_slt(x, args[1]), args[1], x),
            "smin" => t.ite(t.bv_slt(args[1], x), args[1], x),
            "umax" => t.ite(t.bv_ult(x, args[1]), args[1], x),
            "umin" => t.ite(t.bv_ult(args[1], x), args[1], x),
            "ptrmask" => t.build(Op::BvAnd, &[x, t.resize_unsigned(args[1], width)]),
            _ => return Ok(None),
        }))
    }
}

impl Translator<'_> {
    fn population_count(&self, x: Term) -> Term {
        let t = &self.terms;
        let width = t.sort(x).width();
        let bit = |i| t.resize_unsigned(t.extract(x, i, i), width);
        (0..width).fold(t.bv(0, width), |sum, i| t.bv_add(sum, bit(i)))
    }

    fn leading_zeros(&self, x: Term) -> Term {
        let t = &self.terms;
        let width = t.sort(x).width();
        let is_set = |i| t.eq(t.extract(x, i, i), t.bv(1, 1));
        (0..width).fold(t.bv(width as u64, width), |rest, i| t.ite(is_set(i), t.bv((width - 1 - i) as u64, width), rest))
    }

    fn trailing_zeros(&self, x: Term) -> Term {
        let t = &self.terms;
        let width = t.sort(x).width();
        let is_set = |i| t.eq(t.extract(x, i, i), t.bv(1, 1));
        (0..width).rev().fold(t.bv(width as u64, width), |rest, i| t.ite(is_set(i), t.bv(i as u64, width), rest))
    }

    /// The lowest chunk becomes the highest.
    fn reverse_chunks(&self, x: Term, chunk: u32) -> Term {
        let t = &self.terms;
        let width = t.sort(x).width();
        (1..width / chunk).fold(t.extract(x, chunk - 1, 0), |high, i| t.concat(high, t.extract(x, (i + 1) * chunk - 1, i * chunk)))
    }

    /// Shifts the pair (high, low) by an amount modulo the width and takes its upper or lower half.
    fn funnel_shift(&self, left: bool, high: Term, low: Term, amount: Term) -> Term {
        let t = &self.terms;
        let width = t.sort(high).width();
        let amount = t.build(Op::BvUrem, &[amount, t.bv(width as u64, width)]);
        let both = t.concat(high, low);
        let amount = t.resize_unsigned(amount, 2 * width);
        if left {
            t.extract(t.build(Op::BvShl, &[both, amount]), 2 * width - 1, width)
        } else {
            t.extract(t.build(Op::BvLshr, &[both, amount]), width - 1, 0)
        }
    }

    /// The wrapped result and whether it wrapped. `operation` is `sadd`, `usub` and so on.
    fn overflowing(&self, operation: &str, a: Term, b: Term) -> Translated<(Term, Term)> {
        let t = &self.terms;
        if t.sort(a) == Sort::Bool {
            return unsupported("overflow of one bit");
        }
        let opcode = match &operation[1..] {
            "add" => Opcode::LLVMAdd,
            "sub" => Opcode::LLVMSub,
            _ => Opcode::LLVMMul,
        };
        let result = self.integer_operation(opcode, a, b)?;
        let overflow = match (operation.starts_with('s'), opcode) {
            (true, _) => self.signed_overflow(opcode, a, b),
            (false, Opcode::LLVMAdd) => t.bv_ult(result, a),
            (false, Opcode::LLVMSub) => t.bv_ult(a, b),
            (false, _) => t.build(Op::BvUmulOverflow, &[a, b]),
        };
        Ok((result, overflow))
    }

    fn saturating(&self, operation: &str, a: Term, b: Term) -> Translated<Term> {
        let t = &self.terms;
        let (result, overflow) = self.overflowing(operation, a, b)?;
        let width = t.sort(a).width();
        let lowest = self.most_negative(width);
        let limit = match operation {
            "uadd" => t.build(Op::BvNot, &[t.bv(0, width)]),
            "usub" => t.bv(0, width),
            // The sum overflows towards the sign of its first operand, and so does the difference.
            _ => t.ite(t.bv_slt(a, t.bv(0, width)), lowest, t.build(Op::BvNot, &[lowest])),
        };
        Ok(t.ite(overflow, limit, result))
    }
}
