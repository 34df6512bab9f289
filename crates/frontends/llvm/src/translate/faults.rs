//! Processor faults: a division by zero, or an access to the page at address zero, raises a signal. If the
//! corresponding property was asked for, that is a violation; otherwise it ends the program, unless the program handles
//! the signal: in such programs, the run-time library's model of signals is called before each operation that may
//! fault.

use super::function::FunctionTranslator;
use fathom_ir::{Callee, Property, StatementKind};
use fathom_term::Term;

/// Linked in where the program handles such signals (`habits`).
const FAULT_UNLESS: &str = "fathom_fault_unless";

/// Accesses below are through null pointers: Linux maps nothing there.
const LOWEST_ADDRESS: u64 = 4096;

/// Signals by their numbers on Linux.
#[derive(Copy, Clone)]
pub enum Fault {
    Illegal = 4,
    Trap = 5,
    Arithmetic = 8,
    Segment = 11,
}

impl FunctionTranslator<'_, '_> {
    /// Where this condition does not hold, the processor sends a signal, unless that violates this property.
    pub fn fault_unless(&mut self, is_fine: Term, fault: Fault, property: Property) {
        if self.options.checks.contains(&property) || self.sources.library.contains(&self.name) {
            return;
        }
        let Some(function) = self.module.function(FAULT_UNLESS).filter(|f| !f.is_declaration()) else { return };
        let t = self.terms.clone();
        if t.const_bool(is_fine) == Some(true) {
            return;
        }
        let is_fine = t.ite(is_fine, t.bv(1, 32), t.bv(0, 32));
        let callee = Callee::Direct(self.procedure_of(function));
        self.emit(StatementKind::Call { targets: Vec::new(), callee, args: vec![is_fine, t.bv(fault as u64, 32)] });
    }

    /// In front of an access through a pointer.
    pub fn fault_if_null(&mut self, pointer: Term) {
        let lowest = self.terms.bv(LOWEST_ADDRESS, self.pointer_bits);
        self.fault_unless(self.terms.bv_ule(lowest, pointer), Fault::Segment, Property::ValidDeref);
    }
}
