//! valid-memtrack: when the program ends, every heap object that was not freed must still be reachable from globals
//! (or, after exit, from the frames that are still there). Pointers hidden in arithmetic count as pointers, so a leak
//! is only reported when no stored value mentions the object's address at all.

use crate::contents::Base;
use crate::machine::Machine;
use crate::memory::{Object, ObjectKind};
use crate::state::State;
use crate::value::{ObjectKey, Val};
use fathom_base::FxSet;
use fathom_term::{Op, Term};

impl Machine {
    /// A live heap object that nothing reaches.
    pub(crate) fn lost_object(&self, state: &State) -> Option<ObjectKey> {
        let objects = state.memory.sorted();
        let mut reached: FxSet<ObjectKey> = FxSet::default();
        let mut open: Vec<ObjectKey> = Vec::new();
        let mut seen_terms: FxSet<Term> = FxSet::default();
        let mut roots = Vec::new();
        for frame in &state.frames {
            roots.extend(frame.locals.iter().copied());
        }
        roots.extend(state.globals.iter().copied());
        for value in roots {
            self.mentioned(value, &mut seen_terms, &mut open);
        }
        open.extend(objects.iter().filter(|(_, o)| matches!(o.kind, ObjectKind::Global | ObjectKind::Stack)).map(|(k, _)| *k));
        while let Some(key) = open.pop() {
            if !reached.insert(key) {
                continue;
            }
            if let Some(object) = state.memory.get(key) {
                self.pointers_in(object, &mut seen_terms, &mut open);
            }
        }
        objects.into_iter().find(|(key, object)| object.kind == ObjectKind::Heap && !reached.contains(key)).map(|(key, _)| key)
    }

    fn pointers_in(&self, object: &Object, seen: &mut FxSet<Term>, found: &mut Vec<ObjectKey>) {
        for (_, cell) in object.contents.cells() {
            self.mentioned(cell.value, seen, found);
        }
        for (_, word) in object.contents.concrete_words(self.book.pointer_bits() as u64 / 8) {
            found.extend(self.book.object_at(word));
        }
        if let Base::Array { term, .. } = object.contents.base {
            self.mentioned(Val::Term(term), seen, found);
        }
    }

    /// Objects whose address occurs in a value, as symbol or as number.
    fn mentioned(&self, value: Val, seen: &mut FxSet<Term>, found: &mut Vec<ObjectKey>) {
        match value {
            Val::Bits(bits) => found.extend(self.book.object_at(bits)),
            Val::Pointer { object, .. } => found.push(object),
            Val::Term(term) => {
                let mut open = vec![term];
                while let Some(term) = open.pop() {
                    if !seen.insert(term) {
                        continue;
                    }
                    match self.store.op(term) {
                        Op::Var(var) => found.extend(self.book.object_of(var)),
                        Op::Const(bits) => found.extend(self.book.object_at(bits)),
                        _ => open.extend(self.store.args(term)),
                    }
                }
            }
        }
    }
}
