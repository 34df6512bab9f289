//! Where execution starts. `main` with parameters or files, or one with constructors before it and `atexit` handlers and
//! destructors after it, gets a small procedure in front of it that calls them all. `arguments` says what main is given,
//! and `harness` what another function is.

use super::Translator;
use super::function::FunctionTranslator;
use super::harness_c::HarnessInC;
use super::types::float_format;
use crate::llvm::{Type, Value};
use fathom_base::Loc;
use fathom_ir::{Callee, FAULT_HANDLING, ProcId, Procedure, StatementKind, StopKind, TerminatorKind};
use fathom_term::{Sort, Term};

/// The run-time library's functions that run handlers of `atexit` and `at_quick_exit`, and that of SIGABRT; they are linked in
/// when the program registers such a handler.
const RUN_HANDLERS: &str = "fathom_run_handlers";
const RUN_QUICK_HANDLERS: &str = "fathom_run_quick_handlers";
const RUN_ABORT_HANDLER: &str = "fathom_run_abort_handler";

impl Translator<'_> {
    /// The procedure to start with.
    pub fn start(&mut self, entry: Value) -> ProcId {
        let main = self.procedure_of(entry);
        // Engines look for these, called or not.
        for name in FAULT_HANDLING {
            if let Some(function) = self.handlers(name) {
                self.procedure_of(function);
            }
        }
        let params = entry.value_type().params();
        self.native.entry_is_static = entry.is_internal();
        if params.is_empty() && entry.name() != "main" {
            self.native.entry_driver = Some(HarnessInC::default().finish(entry));
        }
        let has_arguments = entry.name() == "main" && is_main_signature(&params);
        let constructors = self.constructors();
        let rounding = self.rounding_mode.and_then(|mode| self.terms.as_var(mode));
        let has_company = !constructors.is_empty()
            || self.handlers(RUN_HANDLERS).is_some()
            || !self.destructors().is_empty()
            || rounding.is_some()
            || self.has_any_environment()
            || self.options.environment.has_files()
            || (entry.name() != "main" && gives_pointers(entry.value_type().result()));
        if params.is_empty() && !has_company {
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
        let environment = writer.walked_environment();
        writer.make_files();
        let most = constructors.iter().map(|function| function.params().len()).max().unwrap_or(0);
        let given = match has_arguments || most > 0 {
            true => writer.main_arguments(&constructors, most.clamp(params.len().max(2), 3), environment),
            false => Vec::new(),
        };
        for &constructor in &constructors {
            writer.call_with(constructor, &given);
        }
        let args = match has_arguments {
            true => given[..params.len()].to_vec(),
            false => writer.entry_arguments(entry).into_iter().map(|arg| writer.held(arg)).collect(),
        };
        let targets = writer.locals_for("result", entry.value_type().result()).unwrap_or_default();
        writer.emit(StatementKind::Call { targets: targets.clone(), callee: Callee::Direct(main), args });
        if !has_arguments && entry.name() != "main" {
            writer.hand_over(entry.value_type().result(), &targets);
        }
        let status = targets.first().map_or(writer.terms.bv(0, 32), |&result| writer.terms.var_term(result));
        writer.run_exit_handlers(status);
        // What main was given is there to the end, with what the program stored in it.
        match has_arguments {
            true => writer.stop(StopKind::Exit),
            false => writer.terminate(TerminatorKind::Return),
        }
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
            align: 1,
        })
    }

    /// One of the run-time library's functions that run handlers, if the program can have some.
    fn handlers(&self, name: &str) -> Option<Value> {
        self.module.function(name).filter(|f| !f.is_declaration())
    }
}

/// Whether the result may hand memory to the caller.
fn gives_pointers(result: Type) -> bool {
    result.is_pointer() || (!result.is_void() && !result.is_integer() && float_format(result).is_none())
}

fn is_main_signature(params: &[Type]) -> bool {
    (1..=3).contains(&params.len())
        && params[0].is_integer()
        && params[0].integer_bits() == 32
        && params[1..].iter().all(|p| p.is_pointer())
}

impl FunctionTranslator<'_, '_> {
    /// What runs when the program ends: `atexit` handlers, then destructors.
    pub fn run_exit_handlers(&mut self, status: Term) {
        if let Some(run) = self.handlers(RUN_HANDLERS) {
            let status = match self.terms.sort(status) {
                Sort::Bv(_) => self.terms.resize_unsigned(status, 32),
                _ => self.terms.bv(0, 32),
            };
            let callee = Callee::Direct(self.procedure_of(run));
            self.emit(StatementKind::Call { targets: Vec::new(), callee, args: vec![status] });
            self.refuse_jump(run);
        }
        let destructors = self.destructors();
        self.call_all(&destructors);
    }

    pub fn run_quick_exit_handlers(&mut self) {
        let run = self.handlers(RUN_QUICK_HANDLERS);
        self.call_all(run.as_slice());
    }

    /// SIGABRT is raised, whose handler may return; then the program ends all the same.
    pub fn abort(&mut self) {
        let run = self.handlers(RUN_ABORT_HANDLER);
        self.call_all(run.as_slice());
        self.stop(StopKind::Abort);
    }

    fn call_all(&mut self, functions: &[Value]) {
        for &function in functions {
            self.call_with(function, &[]);
        }
    }

    /// A call with the first of these arguments, as many as the function takes.
    fn call_with(&mut self, function: Value, arguments: &[Term]) {
        let targets = self.locals_for("result", function.value_type().result()).unwrap_or_default();
        let callee = Callee::Direct(self.procedure_of(function));
        let args = arguments.iter().take(function.params().len()).copied().collect();
        self.emit(StatementKind::Call { targets, callee, args });
        self.refuse_jump(function);
    }
}
