//! Where execution starts. `main` with parameters gets them from a small procedure in front of it: any argument count
//! from 1, and an array of that many arbitrary pointers with a null behind them.

use super::Translator;
use super::function::FunctionTranslator;
use crate::llvm::Value;
use fathom_base::Loc;
use fathom_ir::{AllocKind, Callee, InputKind, ProcId, Procedure, StatementKind, TerminatorKind};
use fathom_term::Sort;

/// More arguments than any system passes.
const MAX_ARGUMENTS: u64 = 1 << 16;

impl Translator<'_> {
    /// The procedure to start with.
    pub fn start(&mut self, entry: Value) -> ProcId {
        let main = self.procedure_of(entry);
        let params = entry.value_type().params();
        let is_main = entry.name() == "main"
            && (2..=3).contains(&params.len())
            && params[0].is_integer()
            && params[0].integer_bits() == 32
            && params[1..].iter().all(|p| p.is_pointer());
        if !is_main {
            return main;
        }
        self.assume_for_ledger("argc is at least 1, and argv an array of argc arbitrary pointers and a null pointer");
        let name = "main.caller".to_string();
        let mut writer = FunctionTranslator::new(self, entry);
        writer.name.clone_from(&name);
        let block = writer.new_block("entry".to_string());
        let (t, bits) = (writer.terms.clone(), writer.pointer_bits);
        let (argc_var, argc) = writer.local_term("argc", Sort::Bv(32));
        let input = InputKind { source: "argc".to_string(), type_name: "int".to_string(), signed: true };
        writer.emit(StatementKind::Havoc { vars: vec![argc_var], input: Some(input) });
        let in_range = t.and(t.bv_ult(t.bv(0, 32), argc), t.bv_ult(argc, t.bv(MAX_ARGUMENTS, 32)));
        writer.assume(in_range);
        let mut args = vec![argc];
        for _ in &params[1..] {
            let word = t.bv(bits as u64 / 8, bits);
            let end = t.bv_mul(t.resize_unsigned(argc, bits), word);
            let (target, array) = writer.local_term("argv", Sort::Bv(bits));
            writer.emit(StatementKind::Alloc {
                target,
                size: t.bv_add(end, word),
                align: bits as u64 / 8,
                kind: AllocKind::Stack,
                zeroed: false,
                name: "argv".to_string(),
            });
            writer.emit(StatementKind::Store { pointer: t.bv_add(array, end), value: t.bv(0, bits) });
            args.push(array);
        }
        let targets = writer.locals_for("result", entry.value_type().result()).unwrap_or_default();
        writer.emit(StatementKind::Call { targets, callee: Callee::Direct(main), args });
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
}
