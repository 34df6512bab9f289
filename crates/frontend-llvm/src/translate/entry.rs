//! Where execution starts. `main` with parameters, or one after which `atexit` handlers run, gets a small procedure in
//! front of it: any argument count from 1, an array of that many arbitrary pointers with a null behind them, and the
//! handlers behind the call.

use super::Translator;
use super::function::FunctionTranslator;
use crate::llvm::{Type, Value};
use fathom_base::Loc;
use fathom_ir::{AllocKind, Callee, InputKind, ProcId, Procedure, StatementKind, TerminatorKind};
use fathom_term::{Sort, Term};

/// More arguments than any system passes.
const MAX_ARGUMENTS: u64 = 1 << 16;
/// The run-time library's function that runs `atexit` handlers; it is linked in when `atexit` is used.
const RUN_HANDLERS: &str = "fathom_run_handlers";

impl Translator<'_> {
    /// The procedure to start with.
    pub fn start(&mut self, entry: Value) -> ProcId {
        let main = self.procedure_of(entry);
        let params = entry.value_type().params();
        let has_arguments = entry.name() == "main" && is_main_signature(&params);
        let handlers = self.exit_handlers();
        if !has_arguments && (handlers.is_none() || !params.is_empty()) {
            return main;
        }
        let name = format!("{}.caller", entry.name());
        let mut writer = FunctionTranslator::new(self, entry);
        writer.name.clone_from(&name);
        let block = writer.new_block("entry".to_string());
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

    fn exit_handlers(&self) -> Option<Value> {
        self.module.function("atexit").filter(|f| f.has_uses())?;
        self.module.function(RUN_HANDLERS).filter(|f| !f.is_declaration())
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
        if let Some(handlers) = self.exit_handlers() {
            let callee = Callee::Direct(self.procedure_of(handlers));
            self.emit(StatementKind::Call { targets: Vec::new(), callee, args: Vec::new() });
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
