//! Writes in a program with contracts: after each, the frames of `runtime/contracts.c` check whether the contracts in
//! force allow it; they are also notified of each new object. A write of the program that is not allowed violates its
//! contract; one of the C library is unsupported, because contracts cannot name the library's internal state.

use super::function::FunctionTranslator;
use fathom_ir::{Aspect, Callee, Fill, InputKind, Property, StatementKind, ThreadOperation};
use fathom_term::{Sort, Term};

/// The functions of the run-time library that keep the frames, of which none is asked.
const KEEPERS: &str = "fathom_frame";
/// What is called from here, so that it must be linked in.
pub const ASKED: [&str; 4] = ["fathom_frame_allows", "fathom_frame_frees", "fathom_frame_library", "fathom_frame_made"];

/// What a statement does to memory.
enum Effect {
    Makes(Term),
    Writes(Term, Term),
    /// Ends an object.
    Ends(Term),
    /// Code that is not there may change all of an object.
    Forgets(Term),
}

impl FunctionTranslator<'_, '_> {
    /// Asks the frames about a statement that was just written.
    pub fn ask_frames(&mut self, effect: &StatementKind) {
        if !self.options.contracts || self.name.starts_with(KEEPERS) {
            return;
        }
        if let StatementKind::Thread(ThreadOperation::Start { .. }) = effect {
            self.emit(StatementKind::Unsupported("a thread in a program of which contracts are used".into()));
        }
        if let Some(effect) = self.effect(effect) {
            self.ask_about(effect);
        }
    }

    /// What a contract says may be written becomes arbitrary: exactly these bytes where their number is known, and otherwise all of the
    /// object, which is more.
    pub fn forget_bytes(&mut self, from: Term, count: Term, input: InputKind) {
        if self.terms.const_bits(count).is_some() {
            self.emit(StatementKind::Set { pointer: from, fill: Fill::Arbitrary(input), length: count });
        } else {
            self.emit_unasked(StatementKind::Forget { pointer: from });
            self.ask_about(Effect::Writes(from, count));
        }
    }

    fn ask_about(&mut self, effect: Effect) {
        let of_library = self.sources.library.contains(&self.name);
        match effect {
            Effect::Makes(object) => _ = self.call_frames("fathom_frame_made", vec![object]),
            Effect::Writes(from, count) if of_library => _ = self.call_frames("fathom_frame_library", vec![from, count]),
            Effect::Writes(from, count) => {
                let allowed = self.call_frames("fathom_frame_allows", vec![from, count]);
                self.demand(allowed, "writes what its contract does not say that it writes");
            }
            Effect::Ends(object) => {
                let allowed = self.call_frames("fathom_frame_frees", vec![object]);
                self.demand(allowed, "frees an object that was there before, which its contract does not say");
            }
            Effect::Forgets(pointer) => {
                let (base, size) = (self.ask_object(pointer, Aspect::Base), self.ask_object(pointer, Aspect::Size));
                self.call_frames("fathom_frame_library", vec![base, size]);
            }
        }
    }

    fn effect(&self, statement: &StatementKind) -> Option<Effect> {
        Some(match statement {
            StatementKind::Alloc { target, .. } => Effect::Makes(self.terms.var_term(*target)),
            StatementKind::Store { pointer, value } => {
                let Sort::Bv(width) = self.terms.sort(*value) else { return None };
                Effect::Writes(*pointer, self.terms.bv(u64::from(width / 8), self.pointer_bits))
            }
            StatementKind::Copy { target, length, .. } => Effect::Writes(*target, *length),
            StatementKind::Set { pointer, length, .. } => Effect::Writes(*pointer, *length),
            StatementKind::Free { pointer, .. } => Effect::Ends(*pointer),
            StatementKind::Forget { pointer } => Effect::Forgets(*pointer),
            _ => return None,
        })
    }

    fn demand(&mut self, allowed: Option<Term>, what: &str) {
        let Some(allowed) = allowed else { return };
        let message = format!("{} {what}", self.name);
        self.emit(StatementKind::Assert { condition: allowed, property: Property::Assertion, message });
    }

    fn call_frames(&mut self, name: &str, args: Vec<Term>) -> Option<Term> {
        let function = self.module.function(name).filter(|function| !function.is_declaration())?;
        let callee = Callee::Direct(self.procedure_of(function));
        let targets = self.locals_for("allowed", function.value_type().result()).unwrap_or_default();
        let answer = targets.first().map(|&target| self.terms.var_term(target));
        self.emit(StatementKind::Call { targets, callee, args });
        answer
    }
}
