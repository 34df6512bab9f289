//! Where execution starts. `main` with parameters, or one with constructors before it and `atexit` handlers and
//! destructors after it, gets a small procedure in front of it that calls them all. Arguments are any count from 1, and
//! an array of that many arbitrary pointers with a null behind them.

use super::Translator;
use super::function::FunctionTranslator;
use crate::llvm::{Type, Value};
use fathom_base::Loc;
use fathom_ir::{AllocKind, Callee, InputKind, ProcId, Procedure, StatementKind, TerminatorKind};
use fathom_term::{Sort, Term};
use llvm_sys::core::LLVMGetInitializer;

/// More arguments than any system passes.
const MAX_ARGUMENTS: u64 = 1 << 16;
/// The run-time library's function that runs `atexit` handlers; it is linked in when `atexit` is used.
const RUN_HANDLERS: &str = "fathom_run_handlers";
/// LLVM's tables of functions that run before and after main.
const CONSTRUCTORS: &str = "llvm.global_ctors";
const DESTRUCTORS: &str = "llvm.global_dtors";

impl Translator<'_> {
    /// The procedure to start with.
    pub fn start(&mut self, entry: Value) -> ProcId {
        let main = self.procedure_of(entry);
        let params = entry.value_type().params();
        let has_arguments = entry.name() == "main" && is_main_signature(&params);
        let constructors = self.structors(CONSTRUCTORS);
        let rounding = self.rounding_mode.and_then(|mode| self.terms.as_var(mode));
        let has_company = !constructors.is_empty() || !self.exit_functions().is_empty() || rounding.is_some();
        if !has_arguments && (!has_company || !params.is_empty()) {
            return main;
        }
        let name = format!("{}.caller", entry.name());
        let mut writer = FunctionTranslator::new(self, entry);
        writer.name.clone_from(&name);
        let block = writer.new_block("entry".to_string());
        if let Some(mode) = rounding {
            let nearest = writer.nearest_even();
            writer.emit(StatementKind::Assign(vec![(mode, nearest)]));
        }
        writer.call_all(constructors);
        let args = if has_arguments { writer.main_arguments(params.len()) } else { Vec::new() };
        let targets = writer.locals_for("result", entry.value_type().result()).unwrap_or_default();
        writer.emit(StatementKind::Call { targets, callee: Callee::Direct(main), args });
        writer.run_exit_handlers();
        writer.terminate(TerminatorKind::Return);
        let body = writer.finish(block);
        let locals = std::mem::take(&mut writer.locals);
        self.add_procedure(Procedure {
            name,
            params: Vec::new(),
            results: Vec::new(),
            variadic: None,
            locals,
            body: Some(body),
            loc: Loc::UNKNOWN,
            address: None,
        })
    }

    /// What runs when the program ends: `atexit` handlers, then destructors.
    fn exit_functions(&self) -> Vec<Value> {
        let handlers = self.module.function("atexit").filter(|f| f.has_uses());
        let run_handlers = handlers.and_then(|_| self.module.function(RUN_HANDLERS)).filter(|f| !f.is_declaration());
        let mut destructors = self.structors(DESTRUCTORS);
        destructors.reverse();
        run_handlers.into_iter().chain(destructors).collect()
    }

    /// The functions of a table of `{ priority, function, data }`, lowest priority first.
    fn structors(&self, table: &str) -> Vec<Value> {
        let initial = self.module.global(table).and_then(|t| Value::new(unsafe { LLVMGetInitializer(t.0) }));
        let Some(initial) = initial else { return Vec::new() };
        let mut entries: Vec<(u64, Value)> = initial
            .operands()
            .filter(|entry| entry.operand_count() >= 2)
            .filter_map(|entry| Some((entry.operand(0).as_constant_int()?, entry.operand(1).as_function()?)))
            .collect();
        entries.sort_by_key(|(priority, _)| *priority);
        entries.into_iter().map(|(_, function)| function).collect()
    }
}

fn is_main_signature(params: &[Type]) -> bool {
    (2..=3).contains(&params.len())
        && params[0].is_integer()
        && params[0].integer_bits() == 32
        && params[1..].iter().all(|p| p.is_pointer())
}

impl FunctionTranslator<'_, '_> {
    pub fn run_exit_handlers(&mut self) {
        let functions = self.exit_functions();
        self.call_all(functions);
    }

    fn call_all(&mut self, functions: Vec<Value>) {
        for function in functions {
            let targets = self.locals_for("result", function.value_type().result()).unwrap_or_default();
            let callee = Callee::Direct(self.procedure_of(function));
            self.emit(StatementKind::Call { targets, callee, args: Vec::new() });
        }
    }

    /// argc, argv and perhaps envp.
    fn main_arguments(&mut self, count: usize) -> Vec<Term> {
        self.assume_for_ledger("argc is at least 1, and argv an array of argc arbitrary pointers and a null pointer");
        let (t, bits) = (self.terms.clone(), self.pointer_bits);
        let (argc_var, argc) = self.local_term("argc", Sort::Bv(32));
        let input = InputKind { source: "argc".to_string(), type_name: "int".to_string(), signed: true };
        self.emit(StatementKind::Havoc { vars: vec![argc_var], input: Some(input) });
        let in_range = t.and(t.bv_ult(t.bv(0, 32), argc), t.bv_ult(argc, t.bv(MAX_ARGUMENTS, 32)));
        self.assume(in_range);
        let mut args = vec![argc];
        for _ in 1..count {
            let word = t.bv(bits as u64 / 8, bits);
            let end = t.bv_mul(t.resize_unsigned(argc, bits), word);
            let (target, array) = self.local_term("argv", Sort::Bv(bits));
            self.emit(StatementKind::Alloc {
                target,
                size: t.bv_add(end, word),
                align: bits as u64 / 8,
                kind: AllocKind::Stack,
                zeroed: false,
                name: "argv".to_string(),
            });
            self.emit(StatementKind::Store { pointer: t.bv_add(array, end), value: t.bv(0, bits) });
            args.push(array);
        }
        args
    }
}
