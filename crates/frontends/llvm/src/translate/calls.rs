//! Calls: of intrinsics and functions that Fathom knows (their meaning instead of a call), of the program's functions
//! by name or through pointers, and of inline assembly. A call through a prototype that differs from the definition
//! (K&R C) matches arguments by position and reinterprets bits.

use super::asm;
use super::constant::is_a;
use super::function::{FunctionTranslator, bounded, internal_choice};
use super::types::{Leaves, Scalar};
use super::{Translated, unsupported};
use crate::dialect::Unchecked;
use crate::llvm::{Type, Value};
use crate::passes::UNINITIALISED;
use crate::sanitizer::{CHECK, FOLDED, HANDLER};
use crate::scopes::{DECLARED_AGAIN, END_DYNAMIC, KEEP};
use crate::uses::USE;
use fathom_ir::{Assumption, Body, Callee, Fill, InputKind, Property, StatementKind, TerminatorKind};
use fathom_term::{Sort, Term, VarId};
use llvm_sys::core::*;

/// A call of a function that may be known.
pub struct Request {
    pub name: String,
    pub args: Vec<Leaves>,
    pub types: Vec<Type>,
    /// The arguments in LLVM, where there is a call at all.
    pub operands: Vec<Value>,
    pub result: Type,
    /// Whether anything looks at the result.
    pub is_used: bool,
}

impl Request {
    /// The only scalar of an argument.
    pub fn arg(&self, index: usize) -> Translated<Term> {
        match self.args.get(index).map(|leaves| &leaves[..]) {
            Some([term]) => Ok(*term),
            _ => unsupported(format!("a call of {} with unusual arguments", self.name)),
        }
    }
}

impl FunctionTranslator<'_, '_> {
    pub fn call(&mut self, instruction: Value) -> Translated<()> {
        let callee = resolve(Value(unsafe { LLVMGetCalledValue(instruction.0) }));
        if is_a(callee, LLVMIsAInlineAsm) {
            return self.inline_assembly(instruction, callee);
        }
        let Some(function) = callee.as_function() else {
            return self.indirect_call(instruction, callee);
        };
        let name = function.name();
        if name.starts_with(UNINITIALISED) {
            return self.uninitialised(instruction);
        }
        if name.starts_with("llvm.dbg.") {
            if name.starts_with("llvm.dbg.value") {
                self.debug_value(instruction);
            }
            return Ok(());
        }
        if let Some(kind) = name.strip_prefix(CHECK) {
            let folded = kind.strip_prefix(FOLDED);
            if folded.is_some() {
                self.program.native.hidden.insert(self.loc, "the compiler computes this constant before the program runs");
            }
            return self.clang_check(instruction, folded.unwrap_or(kind));
        }
        if name == KEEP {
            return Ok(());
        }
        if name == USE {
            let pointer = self.single(instruction.operand(0))?;
            self.emit(StatementKind::Use { pointer });
            return Ok(());
        }
        if name == DECLARED_AGAIN {
            let pointer = self.single(instruction.operand(0))?;
            self.emit(StatementKind::Forget { pointer });
            return Ok(());
        }
        if name == END_DYNAMIC {
            self.end_dynamic(instruction);
            return Ok(());
        }
        if let Some(kind) = name.strip_prefix(HANDLER) {
            return self.reached_handler(kind);
        }
        if name.starts_with("llvm.instrprof.") {
            return self.count(instruction, &name);
        }
        if self.is_defined_in_assembly(function) {
            return unsupported(format!("{name}, which assembly defines"));
        }
        let request = self.request(instruction, name)?;
        self.note_order_of_call(&request);
        let known = if request.name.starts_with("llvm.") {
            Some(self.intrinsic(&request)?)
        } else {
            let is_library = function.is_declaration() || self.sources.library.contains(&request.name);
            self.known_function(&request, is_library)?
        };
        match known {
            Some(_) if self.ended => Ok(()),
            // The result of `printf` is hardly ever used; but a variable that is never read holds its value.
            Some(_) if !instruction.has_uses() && !self.names.contains_key(&instruction) => Ok(()),
            Some(leaves) => {
                let leaves = self.fit(leaves, instruction.ty())?;
                // The overflow of a check that was not asked for must not be computed: it stays a term, as its parts have one
                // use each.
                match request.name.contains(".with.overflow.") {
                    true => {
                        self.note_addresses(instruction);
                        self.set_value(instruction, leaves);
                    }
                    false => self.bind(instruction, leaves),
                }
                Ok(())
            }
            None => self.direct_call(instruction, function, request),
        }
    }

    fn request(&mut self, instruction: Value, name: String) -> Translated<Request> {
        let count = unsafe { LLVMGetNumArgOperands(instruction.0) };
        let operands: Vec<Value> = (0..count).map(|i| instruction.operand(i)).collect();
        let mut args = Vec::new();
        for &operand in &operands {
            // Metadata is an argument of some intrinsics only.
            args.push(if operand.ty().is_metadata() { Leaves::new() } else { self.value(operand)? });
            self.require_fit(operand);
        }
        let types = operands.iter().map(|o| o.ty()).collect();
        Ok(Request { name, args, types, operands, result: instruction.ty(), is_used: instruction.has_uses() })
    }

    /// Makes the scalars of a result fit the type that the call was given.
    fn fit(&mut self, leaves: Leaves, ty: Type) -> Translated<Leaves> {
        let wanted = self.leaves_of(ty)?;
        let mut fitted = Leaves::new();
        for (index, leaf) in wanted.into_iter().enumerate() {
            fitted.push(match leaves.get(index) {
                Some(&term) => self.reinterpret(term, self.sort_of(leaf.scalar)),
                None => self.arbitrary("unknown", leaf.scalar, internal_choice()),
            });
        }
        Ok(fitted)
    }

    fn uninitialised(&mut self, instruction: Value) -> Translated<()> {
        if !instruction.has_uses() {
            return Ok(());
        }
        let name = self.name_of(instruction);
        let leaves = self.leaves_of(instruction.ty())?;
        let marker = Value(unsafe { LLVMGetCalledValue(instruction.0) }).name();
        let variable = marker.strip_prefix(UNINITIALISED).and_then(|rest| rest.split('.').next()).unwrap_or_default();
        // A quantifier's variable stands for every value: reading it is what it is for.
        let is_bound = *self.unchecked == Unchecked::Everything;
        let input = || if is_bound { internal_choice() } else { InputKind::uninitialised(variable) };
        let values = leaves.iter().map(|leaf| self.arbitrary(&name, leaf.scalar, input())).collect();
        self.set_value(instruction, values);
        Ok(())
    }

    fn direct_call(&mut self, instruction: Value, function: Value, request: Request) -> Translated<()> {
        let ty = function.value_type();
        let mut expected = Vec::new();
        for param in ty.params() {
            expected.extend(self.leaves_of(param)?.iter().map(|leaf| leaf.scalar));
        }
        let fixed = ty.params().len();
        let mut args: Vec<Term> = Vec::new();
        for (index, leaves) in request.args.iter().enumerate() {
            // Beyond the parameters: into the variadic object, or dropped.
            if index >= fixed {
                if ty.is_variadic() && args.len() >= expected.len() {
                    self.push_variadic(instruction, index as u32, &request, &mut args)?;
                }
                continue;
            }
            args.extend(leaves);
        }
        args.truncate(if ty.is_variadic() { args.len() } else { expected.len() });
        for (arg, &scalar) in args.iter_mut().zip(&expected) {
            let passed = self.passed(*arg, scalar);
            *arg = self.held(passed);
        }
        if function.is_declaration() && !self.is_missing(function) {
            let is_written = self.written_arguments(function, &request);
            self.look_at_arguments(instruction, &request);
            self.program.add_stand_in(function, &is_written);
            self.forget_arguments(&request, &is_written);
        }
        let targets = self.locals_for(&self.name_of(instruction), ty.result())?;
        let callee = match self.is_missing(function) {
            true => Callee::Indirect(self.terms.bv(0, self.pointer_bits)),
            false => Callee::Direct(self.program.procedure_of(function)),
        };
        self.emit(StatementKind::Call { targets: targets.clone(), callee, args });
        self.follow_jump(Some(function));
        self.bind_results(instruction, &targets, ty.result())
    }

    /// What arrives of a value where the other side of a call takes it for another type: its bits, but numbers of the other
    /// kind are looked for in other registers.
    fn passed(&mut self, given: Term, scalar: Scalar) -> Term {
        let sort = self.sort_of(scalar);
        let is_float = |sort| matches!(sort, Sort::Float(_));
        match is_float(self.terms.sort(given)) == is_float(sort) {
            true => self.reinterpret(given, sort),
            false => self.arbitrary("passed", scalar, bounded("a call with a value of another type", "")),
        }
    }

    /// Code that Fathom doesn't see looks at what it is given.
    fn look_at_arguments(&mut self, instruction: Value, request: &Request) {
        for (index, leaves) in request.args.iter().enumerate() {
            // A struct in registers may have parts without a value.
            if let ([value], true) = (&leaves[..], instruction.argument_has(index as u32, "noundef")) {
                self.look(*value, &format!("argument {} of {}", index + 1, request.name));
            }
        }
    }

    /// Somebody looks at a value, which must have one.
    pub fn look(&mut self, value: Term, what: &str) {
        if self.options.checks.contains(&Property::Uninitialised) && self.terms.const_value(value).is_none() {
            self.emit(StatementKind::Look { value, what: what.to_string() });
        }
    }

    /// A function without a body may write to what its arguments point to, except to what its prototype calls const.
    fn written_arguments(&self, function: Value, request: &Request) -> Vec<bool> {
        if !self.options.undefined_writes || function.writes_no_argument() {
            return Vec::new();
        }
        let is_const = self.sources.constness.get(&request.name);
        let is_const = |index: usize| {
            is_const.and_then(|all| all.get(index)).copied().unwrap_or(false) || function.has_parameter_attribute(index as u32, "readonly")
        };
        request.types.iter().enumerate().map(|(index, ty)| ty.is_pointer() && !is_const(index)).collect()
    }

    fn forget_arguments(&mut self, request: &Request, is_written: &[bool]) {
        for (leaves, _) in request.args.iter().zip(is_written).filter(|(_, is_written)| **is_written) {
            let [pointer] = leaves[..] else { continue };
            self.emit(StatementKind::Forget { pointer });
            // Other threads may see what it has written before it writes more.
            if self.module.function("pthread_create").is_some() {
                self.assume_for_ledger(Assumption::FewStatesOfUnseenWrites);
                self.emit(StatementKind::Forget { pointer });
            }
        }
    }

    fn indirect_call(&mut self, instruction: Value, callee: Value) -> Translated<()> {
        let pointer = self.single(callee)?;
        let request = self.request(instruction, "a function pointer".to_string())?;
        let ty = Type(unsafe { LLVMGetCalledFunctionType(instruction.0) });
        let fixed = ty.params().len();
        let mut args = Vec::new();
        for (index, leaves) in request.args.iter().enumerate() {
            // `f()` of old C has no parameters in its type at all: then they are not variadic ones.
            if ty.is_variadic() && fixed > 0 && index >= fixed {
                self.push_variadic(instruction, index as u32, &request, &mut args)?;
            } else {
                args.extend(leaves.iter().map(|&leaf| self.held(leaf)));
            }
        }
        let targets = self.locals_for(&self.name_of(instruction), instruction.ty())?;
        self.emit(StatementKind::Call { targets: targets.clone(), callee: Callee::Indirect(pointer), args });
        self.follow_jump(None);
        self.bind_results(instruction, &targets, instruction.ty())
    }

    fn bind_results(&mut self, instruction: Value, targets: &[VarId], ty: Type) -> Translated<()> {
        let leaves = self.values_of(targets, ty)?;
        let wanted = self.leaves_of(instruction.ty())?;
        let passed = leaves.iter().zip(wanted).map(|(&leaf, wanted)| self.passed(leaf, wanted.scalar)).collect();
        let fitted = self.fit(passed, instruction.ty())?;
        self.bind(instruction, fitted);
        Ok(())
    }

    /// Inline assembly is not read. Without instructions in it an output is what the input of the same register was, and
    /// anything if there is none.
    fn inline_assembly(&mut self, instruction: Value, callee: Value) -> Translated<()> {
        let mut length = 0;
        let start = unsafe { LLVMGetInlineAsmAsmString(callee.0, &mut length) };
        let template = unsafe { std::slice::from_raw_parts(start.cast::<u8>(), length) };
        // For the assembler of x86, `#` starts a comment.
        let is_comment = |line: &str| line.trim().is_empty() || line.trim_start().starts_with('#');
        let is_empty = String::from_utf8_lossy(template).lines().all(is_comment);
        let start = unsafe { LLVMGetInlineAsmConstraintString(callee.0, &mut length) };
        let constraints = unsafe { std::slice::from_raw_parts(start.cast::<u8>(), length) };
        let constraints = String::from_utf8_lossy(constraints).into_owned();
        let operands = asm::operands(&constraints);
        if !is_empty {
            self.assume_for_ledger(Assumption::InlineAssembly);
            let text = String::from_utf8_lossy(template);
            let is_symbol = |word: &str| self.module.global(word).is_some() || self.module.function(word).is_some();
            if let Some(symbol) = asm::symbols(&text).find(|word| is_symbol(word)) {
                return unsupported(format!("inline assembly that names {symbol}"));
            }
            if asm::calls_system(&text) {
                return unsupported("inline assembly that calls the operating system");
            }
            if asm::jumps_by_address(&text) {
                return unsupported("inline assembly that calls code by its address");
            }
            if self.options.checks.contains(&Property::Termination) && asm::goes_round(&text) {
                return unsupported("inline assembly that may go round for ever");
            }
            if let Some(fence) = asm::fence(&text) {
                self.emit_fence(fence);
            }
            if constraints.contains("~{memory}") {
                if asm::follows_registers(&text) {
                    return unsupported("inline assembly that follows pointers");
                }
                self.forget_operands(instruction)?;
            }
        }
        for operand in operands.iter().filter(|operand| operand.is_output && operand.is_memory && !(is_empty && operand.is_kept)) {
            self.assembly_in_memory(instruction, operand.argument)?;
        }
        if instruction.ty().is_void() {
            return Ok(());
        }
        let mut leaves = Leaves::new();
        let outputs: Vec<&asm::Operand> = operands.iter().filter(|operand| operand.is_output && !operand.is_memory).collect();
        let wanted = self.leaves_of(instruction.ty())?;
        for (index, leaf) in wanted.iter().enumerate() {
            let kept = outputs.get(index).filter(|_| is_empty && outputs.len() == wanted.len()).and_then(|output| output.tied);
            leaves.push(match kept {
                Some(argument) => {
                    let given = self.single(instruction.operand(argument))?;
                    self.reinterpret(given, self.sort_of(leaf.scalar))
                }
                None => self.arbitrary("assembly", leaf.scalar, bounded("inline assembly", "")),
            });
        }
        self.bind(instruction, leaves);
        Ok(())
    }

    /// Code that is marked as changing memory is a barrier or works on what it gets pointers to.
    fn forget_operands(&mut self, instruction: Value) -> Translated<()> {
        let count = unsafe { LLVMGetNumArgOperands(instruction.0) };
        for operand in (0..count).map(|index| instruction.operand(index)).filter(|operand| operand.ty().is_pointer()) {
            let pointer = self.single(operand)?;
            self.emit(StatementKind::Forget { pointer });
        }
        Ok(())
    }

    /// Outputs like `=*m` are written through a pointer argument.
    fn assembly_in_memory(&mut self, instruction: Value, argument: u32) -> Translated<()> {
        let Some(ty) = instruction.element_type(argument) else { return unsupported("inline assembly") };
        let pointer = self.single(instruction.operand(argument))?;
        let length = self.terms.bv(self.layout.alloc_size(ty), self.pointer_bits);
        self.emit(StatementKind::Set { pointer, fill: Fill::Arbitrary(bounded("inline assembly", "")), length });
        Ok(())
    }

    /// A body for a function that is only declared but known, for calls through its address.
    pub fn modelled_body(&mut self) -> Option<Body> {
        let entry = self.new_block("entry".to_string());
        let ty = self.function.value_type();
        let mut args = Vec::new();
        for param in self.function.params() {
            args.push(self.value(param).ok()?);
        }
        let request =
            Request { name: self.name.clone(), args, types: ty.params(), operands: Vec::new(), result: ty.result(), is_used: true };
        let known = match self.known_function(&request, true) {
            Ok(known) => known?,
            Err(super::Unsupported(what)) => {
                self.terminate(TerminatorKind::Unsupported(what));
                return Some(self.finish(entry));
            }
        };
        if !self.ended {
            let leaves = self.fit(known, ty.result()).ok()?;
            let results = self.results.iter().zip(leaves);
            let assignment: Vec<(VarId, Term)> = results.map(|(&var, leaf)| self.assigned(var, leaf)).collect();
            if !assignment.is_empty() {
                self.emit(StatementKind::Assign(assignment));
            }
            self.terminate(TerminatorKind::Return);
        }
        Some(self.finish(entry))
    }

    /// The text that a pointer to a constant string points to.
    pub fn constant_text(&self, value: Value) -> Option<String> {
        let global = value.as_global()?;
        let initial = Value::new(unsafe { LLVMGetInitializer(global.0) })?;
        // LLVM keeps an empty text as an aggregate of zeros, and asks nothing before it looks into a text.
        if is_a(initial, LLVMIsAConstantAggregateZero) {
            return Some(String::new());
        }
        if !is_a(initial, LLVMIsAConstantDataArray) || unsafe { LLVMIsConstantString(initial.0) } == 0 {
            return None;
        }
        let mut length = 0;
        let start = unsafe { LLVMGetAsString(initial.0, &mut length) };
        let bytes = unsafe { std::slice::from_raw_parts(start.cast::<u8>(), length) };
        let end = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
        Some(String::from_utf8_lossy(&bytes[..end]).into_owned())
    }

    /// A number of any width as one of pointer width.
    pub fn as_size(&self, term: Term) -> Term {
        let bits = self.to_bits(term);
        self.terms.resize_unsigned(bits, self.pointer_bits)
    }

    /// Is the number not zero?
    pub fn is_true(&self, term: Term) -> Term {
        match self.terms.sort(term) {
            Sort::Bool => term,
            _ => {
                let bits = self.to_bits(term);
                self.terms.ne(bits, self.terms.bv(0, self.terms.sort(bits).width()))
            }
        }
    }
}

/// Follows aliases to what they name.
fn resolve(value: Value) -> Value {
    match value.as_alias() {
        Some(alias) => resolve(Value(unsafe { LLVMAliasGetAliasee(alias.0) })),
        None => value,
    }
}
