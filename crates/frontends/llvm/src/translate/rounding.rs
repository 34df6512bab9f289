//! Rounding modes that change at run time. A program that never mentions `fesetround` rounds to nearest, and its terms
//! say so; in one that does, the mode is a variable of the whole program that starts as round-to-nearest. Such programs
//! are compiled with `-frounding-math`, so that clang doesn't compute `1.0 / 3.0` itself, to nearest; it then writes
//! arithmetic as "constrained" intrinsics, as with `#pragma STDC FENV_ACCESS ON`, which are read here too.

use super::calls::Request;
use super::function::FunctionTranslator;
use super::types::{Leaves, Scalar};
use super::{Translated, Translator, unsupported};
use crate::llvm::{Module, Opcode, Value};
use fathom_ir::StatementKind;
use fathom_term::{Op, RoundingMode, Sort, Term, TermStore};
use llvm_sys::LLVMRealPredicate;
use llvm_sys::core::LLVMGetMDString;
use smallvec::smallvec;

/// glibc's numbers on x86.
const MODES: [(u64, RoundingMode); 4] = [
    (0, RoundingMode::NearestEven),
    (0x400, RoundingMode::TowardNegative),
    (0x800, RoundingMode::TowardPositive),
    (0xc00, RoundingMode::TowardZero),
];

/// Whether the program may change the mode.
pub fn changes_rounding(module: &Module) -> bool {
    let setter = module.function("fesetround").filter(|f| f.is_declaration() && f.has_uses());
    setter.is_some_and(|setter| !setter.users().iter().all(|call| call.operand(0).as_constant_int() == Some(0)))
}

/// The variable that holds the mode, for programs that may change it.
pub fn rounding_variable(module: &Module, terms: &TermStore) -> Option<Term> {
    changes_rounding(module).then(|| terms.fresh("rounding_mode", Sort::RoundingMode))
}

impl Translator<'_> {
    /// The mode in force.
    pub fn rounding(&self) -> Term {
        self.rounding_mode.unwrap_or_else(|| self.nearest_even())
    }

    /// For what is exact in every mode, or rounded by the compiler.
    pub fn nearest_even(&self) -> Term {
        self.terms.rounding_mode(RoundingMode::NearestEven)
    }
}

impl FunctionTranslator<'_, '_> {
    /// 0 if the mode is known and now in force.
    pub fn set_rounding(&mut self, request: &Request) -> Translated<Leaves> {
        let t = self.terms.clone();
        let Some(variable) = self.rounding_mode else { return Ok(smallvec![t.bv(0, 32)]) };
        let wanted = t.resize_unsigned(request.arg(0)?, 32);
        let is = |code: u64| t.eq(wanted, t.bv(code, 32));
        let mode = MODES.iter().fold(variable, |rest, (code, mode)| t.ite(is(*code), t.rounding_mode(*mode), rest));
        let is_known = t.or_all(MODES.iter().map(|(code, _)| is(*code)));
        if let Some(var) = t.as_var(variable) {
            self.emit(StatementKind::Assign(vec![(var, mode)]));
        }
        Ok(smallvec![t.ite(is_known, t.bv(0, 32), t.bv(1, 32))])
    }

    pub fn get_rounding(&mut self) -> Leaves {
        let t = &self.terms;
        let current = self.rounding();
        let number =
            MODES.iter().fold(t.bv(0, 32), |rest, (code, mode)| t.ite(t.eq(current, t.rounding_mode(*mode)), t.bv(*code, 32), rest));
        smallvec![number]
    }

    /// `FLT_ROUNDS`: the same mode in the numbers of `<float.h>`.
    pub fn flt_rounds(&mut self) -> Leaves {
        let t = &self.terms;
        let current = self.rounding();
        let numbers = [(RoundingMode::TowardZero, 0), (RoundingMode::TowardPositive, 2), (RoundingMode::TowardNegative, 3)];
        let number = numbers
            .into_iter()
            .fold(t.bv(1, 32), |rest, (mode, number)| t.ite(t.eq(current, t.rounding_mode(mode)), t.bv(number, 32), rest));
        smallvec![number]
    }

    /// `llvm.experimental.constrained.NAME.TYPES`.
    pub fn constrained(&mut self, name: &str, request: &Request) -> Translated<Leaves> {
        let [target] = self.leaves_of(request.result)?[..] else { return unsupported("vectors with FENV_ACCESS") };
        let args: Vec<Term> = request.args.iter().filter(|leaves| leaves.len() == 1).map(|leaves| leaves[0]).collect();
        let name = name.split('.').next().unwrap_or(name);
        let (t, mode) = (self.terms.clone(), self.rounding());
        let Some(&x) = args.first() else { return unsupported(format!("the operation {name} with FENV_ACCESS")) };
        let op = match name {
            "fadd" => Op::FpAdd,
            "fsub" => Op::FpSub,
            "fmul" => Op::FpMul,
            "fdiv" => Op::FpDiv,
            "frem" => return Ok(smallvec![self.fmod(x, args[1])]),
            "fma" => Op::FpFma,
            "fcmp" | "fcmps" => {
                let predicate = request.operands.get(2).map(|&p| metadata_text(p)).unwrap_or_default();
                let Some(predicate) = float_predicate(&predicate) else { return unsupported("a comparison of floats") };
                return Ok(smallvec![self.compare_floats(predicate, x, args[1])]);
            }
            "fptosi" => return Ok(smallvec![self.convert_float(Opcode::LLVMFPToSI, x, target.scalar)?]),
            "fptoui" => return Ok(smallvec![self.convert_float(Opcode::LLVMFPToUI, x, target.scalar)?]),
            "sitofp" => return Ok(smallvec![self.convert_float(Opcode::LLVMSIToFP, x, target.scalar)?]),
            "uitofp" => return Ok(smallvec![self.convert_float(Opcode::LLVMUIToFP, x, target.scalar)?]),
            "fptrunc" | "fpext" => return Ok(smallvec![self.convert_float(Opcode::LLVMFPTrunc, x, target.scalar)?]),
            "fmuladd" => return Ok(smallvec![self.multiply_add(mode, [x, args[1], args[2]])]),
            _ => {
                return match (self.float_function(name, &args)?, target.scalar) {
                    (Some(result), Scalar::Float(_) | Scalar::Int(_)) => Ok(smallvec![result]),
                    _ => unsupported(format!("the operation {name} with FENV_ACCESS")),
                };
            }
        };
        let mut operands = vec![mode];
        operands.extend(&args);
        Ok(smallvec![t.build(op, &operands)])
    }
}

fn metadata_text(value: Value) -> String {
    let mut length = 0;
    let start = unsafe { LLVMGetMDString(value.0, &mut length) };
    if start.is_null() {
        return String::new();
    }
    let bytes = unsafe { std::slice::from_raw_parts(start.cast::<u8>(), length as usize) };
    String::from_utf8_lossy(bytes).into_owned()
}

fn float_predicate(name: &str) -> Option<LLVMRealPredicate> {
    use LLVMRealPredicate::*;
    Some(match name {
        "oeq" => LLVMRealOEQ,
        "ogt" => LLVMRealOGT,
        "oge" => LLVMRealOGE,
        "olt" => LLVMRealOLT,
        "ole" => LLVMRealOLE,
        "one" => LLVMRealONE,
        "ord" => LLVMRealORD,
        "uno" => LLVMRealUNO,
        "ueq" => LLVMRealUEQ,
        "ugt" => LLVMRealUGT,
        "uge" => LLVMRealUGE,
        "ult" => LLVMRealULT,
        "ule" => LLVMRealULE,
        "une" => LLVMRealUNE,
        _ => return None,
    })
}
