//! Inputs: the functions by which test programs ask for arbitrary values, and those that assume and assert.

use super::calls::Request;
use super::function::FunctionTranslator;
use super::types::{Leaf, Leaves, Scalar};
use super::{Translated, unsupported};
use crate::llvm::Value;
use fathom_ir::{Callee, Control, Fill, INPUT_PREFIXES, InputKind, InputType, Property, StatementKind, StopKind};
use fathom_term::{Sort, Term};
use llvm_sys::core::{LLVMGetBasicBlockParent, LLVMGetInstructionParent};

/// Called when a C assertion has failed; the position of the text among the arguments.
const FAILED_ASSERTIONS: [(&str, usize); 5] =
    [("__assert_fail", 0), ("__assert", 0), ("__assert_rtn", 3), ("__assert_func", 3), ("_assert", 0)];
/// How the intrinsics of verifiers begin. One that is unknown here means something that no arbitrary result stands for.
const INTRINSICS: [&str; 9] = ["__VERIFIER_", "__CPROVER_", "__ESBMC_", "klee_", "__SMACK_", "__llbmc_", "__ikos_", "__crab_", "__astree_"];
/// Those of them that bind a variable.
const QUANTIFIERS: [&str; 2] = ["__ESBMC_forall", "__ESBMC_exists"];
/// Behind `klee_`, these are input functions.
const KLEE_TYPES: [&str; 6] = ["int", "char", "short", "long", "double", "float"];

impl FunctionTranslator<'_, '_> {
    /// The meaning of a function by its name: None if it has none but its body's.
    pub fn known_function(&mut self, request: &Request, only_declared: bool) -> Translated<Option<Leaves>> {
        let name = request.name.as_str();
        let control = Control::of_function(name);
        // Where others are asked about than its calls, one with a body does what that says: fail an assertion, for instance.
        let checks = &self.options.checks;
        let is_asked = checks.is_empty() || checks.contains(&Property::UnreachCall);
        if control == Some(Control::Error) && (only_declared || is_asked) {
            let message = format!("{name}() is reached");
            self.emit_violation(Property::UnreachCall, message);
            self.stop(StopKind::Abort);
            return Ok(Some(Leaves::new()));
        }
        if !only_declared {
            return Ok(None);
        }
        if control == Some(Control::Assume) {
            let condition = self.is_true(request.arg(0)?);
            self.assume(condition);
            return Ok(Some(Leaves::new()));
        }
        if control == Some(Control::Assert) {
            let condition = self.is_true(request.arg(0)?);
            let text = request.operands.get(1).and_then(|&text| self.constant_text(text));
            self.assert_that(condition, Property::Assertion, text.unwrap_or_else(|| "assertion".to_string()));
            return Ok(Some(Leaves::new()));
        }
        if let Some((_, position)) = FAILED_ASSERTIONS.iter().find(|(known, _)| *known == name) {
            let text = request.operands.get(*position).and_then(|&text| self.constant_text(text));
            self.emit_violation(Property::Assertion, text.unwrap_or_else(|| "assertion".to_string()));
            self.abort();
            return Ok(Some(Leaves::new()));
        }
        if let Some(result) = self.input(request)? {
            return Ok(Some(result));
        }
        if let Some(result) = self.library(request)? {
            return Ok(Some(result));
        }
        if let Some(result) = self.mathematics(request)? {
            return Ok(Some(result));
        }
        if let Some(result) = self.uninterpreted(request)? {
            return Ok(Some(result));
        }
        if INTRINSICS.iter().any(|prefix| name.starts_with(prefix)) && self.module.function(name).is_none_or(|f| f.is_declaration()) {
            return unsupported(format!("{name}, an intrinsic that Fathom does not know"));
        }
        Ok(None)
    }

    /// What ESBMC's quantifiers say of a variable is an expression of C only in form: where one is called, nothing of the
    /// function can be translated, for it would be evaluated before.
    pub fn refuse_quantifiers(&mut self) {
        for name in QUANTIFIERS {
            let Some(quantifier) = self.module.function(name).filter(|function| function.is_declaration()) else { continue };
            let is_here = |call: &Value| unsafe { LLVMGetBasicBlockParent(LLVMGetInstructionParent(call.0)) } == self.function.0;
            if quantifier.users().iter().any(is_here) {
                self.emit(StatementKind::Unsupported(format!("{name}, an intrinsic that Fathom does not know")));
            }
        }
    }

    /// The library's version of `rand` and `random` that gives the same numbers after the same seed, if the program can
    /// seed twice.
    fn seeded(&self, name: &str) -> Option<Value> {
        self.module.function(&format!("fathom_{name}")).filter(|f| !f.is_declaration())
    }

    fn emit_violation(&mut self, property: Property, message: String) {
        let condition = self.terms.bool(false);
        self.emit(StatementKind::Assert { condition, property, message });
    }

    fn input(&mut self, request: &Request) -> Translated<Option<Leaves>> {
        let name = request.name.as_str();
        match name {
            "klee_make_symbolic" => {
                let text = request.operands.get(2).and_then(|&text| self.constant_text(text));
                return self.fill_with_input(request, text.unwrap_or_default()).map(Some);
            }
            "__VERIFIER_nondet_memory" => return self.fill_with_input(request, String::new()).map(Some),
            "klee_range" => return self.range(request).map(Some),
            "rand" | "random" => {
                if let Some(draw) = self.seeded(name) {
                    let targets = self.locals_for("drawn", draw.value_type().result())?;
                    let callee = Callee::Direct(self.procedure_of(draw));
                    self.emit(StatementKind::Call { targets: targets.clone(), callee, args: Vec::new() });
                    return self.values_of(&targets, draw.value_type().result()).map(Some);
                }
                let value = self.input_of(request, "int", true)?;
                let term = value[0];
                let width = self.terms.sort(term).width();
                self.assume(self.terms.bv_ule(term, self.terms.bv(i32::MAX as u64, width)));
                return Ok(Some(value));
            }
            _ => {}
        }
        let of_klee = || name.strip_prefix("klee_").filter(|kind| KLEE_TYPES.contains(kind));
        let Some(kind) = INPUT_PREFIXES.iter().find_map(|prefix| name.strip_prefix(prefix)).or_else(of_klee) else { return Ok(None) };
        if request.result.is_void() {
            return Ok(None);
        }
        let (type_name, signed) = InputType::of_suffix(kind).map_or((kind, true), |known| (known.name, known.signed));
        let value = self.input_of(request, type_name, signed)?;
        if matches!(kind, "bool" | "_Bool") && value.len() == 1 && self.terms.sort(value[0]) != Sort::Bool {
            let width = self.terms.sort(value[0]).width();
            self.assume(self.terms.bv_ult(value[0], self.terms.bv(2, width)));
        }
        Ok(Some(value))
    }

    /// One arbitrary value of the result's type; floats are asked for by their bits.
    fn input_of(&mut self, request: &Request, type_name: &str, signed: bool) -> Translated<Leaves> {
        let mut result = Leaves::new();
        let leaves = self.leaves_of(request.result)?;
        let input = || InputKind { source: request.name.clone(), type_name: type_name.to_string(), signed };
        // clang returns a number of 128 bits in two halves.
        if let ([Scalar::Int(64), Scalar::Int(64)], true) = (&*scalars(&leaves), type_name.ends_with("__int128")) {
            let whole = self.arbitrary("input", Scalar::Int(128), input());
            return Ok([0, 64].into_iter().map(|low| self.terms.extract(whole, low + 63, low)).collect());
        }
        for leaf in leaves {
            result.push(self.arbitrary("input", leaf.scalar, input()));
        }
        if result.is_empty() {
            return unsupported(format!("a call of {} without a result", request.name));
        }
        Ok(result)
    }

    fn fill_with_input(&mut self, request: &Request, name: String) -> Translated<Leaves> {
        let (pointer, length) = (request.arg(0)?, self.as_size(request.arg(1)?));
        let input = InputKind { source: request.name.clone(), type_name: name, signed: false };
        self.emit(StatementKind::Set { pointer, fill: Fill::Arbitrary(input), length });
        Ok(Leaves::new())
    }

    /// klee_range(begin, end, name): begin <= result < end.
    fn range(&mut self, request: &Request) -> Translated<Leaves> {
        let (begin, end) = (request.arg(0)?, request.arg(1)?);
        let value = self.input_of(request, "int", true)?;
        let term: Term = value[0];
        let within = self.terms.and(self.terms.bv_sle(begin, term), self.terms.bv_slt(term, end));
        self.assume(within);
        Ok(value)
    }
}

fn scalars(leaves: &[Leaf]) -> Vec<Scalar> {
    leaves.iter().map(|leaf| leaf.scalar).collect()
}

/// The C type that an input function's name promises, if it is one and the type is known.
pub fn nondet_type(name: &str) -> Option<&'static str> {
    InputType::of_function(name).and_then(|known| known.compiled)
}
