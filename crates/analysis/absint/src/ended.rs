//! Which objects may have ended, for judging accesses. The other parts of the analysis take an object that has ended for alive, which
//! only adds values. An object of the analysis stands for everything that one statement allocates, one after the other, so it
//! counts as ended from the first end on; one of the stack begins anew when nothing leads to those that ended any more.

use crate::context::Context;
use crate::state::State;
use crate::value::{Abs, Object};
use fathom_ir::{AllocKind, ProcId};
use fathom_term::VarId;
use std::rc::Rc;

impl Context {
    /// The object that a value leads to ends.
    pub(crate) fn note_end(&self, state: &mut State, value: &Abs) {
        let memory = Rc::make_mut(&mut state.memory);
        let Abs::Bits(bits) = value else {
            memory.heap_ended = true;
            return;
        };
        memory.heap_ended |= bits.points.unknown || bits.may_be_forged();
        memory.ended.extend(bits.points.targets.iter().map(|(object, _)| *object).filter(|object| matches!(object, Object::Site(_))));
    }

    /// A procedure returns: its objects on the stack end.
    pub(crate) fn note_end_of_frame(&self, state: &mut State, procedure: ProcId) {
        let own = (0u32..).zip(&self.sites).filter(|(_, site)| site.procedure == procedure && site.kind == AllocKind::Stack);
        let mut own = own.map(|(site, _)| Object::Site(site)).filter(|object| !state.memory.ended.contains(object)).peekable();
        if own.peek().is_some() {
            let own: Vec<Object> = own.collect();
            Rc::make_mut(&mut state.memory).ended.extend(own);
        }
    }

    /// An object begins, whose address goes to a variable. Its procedure runs only once at a time, so what leads to earlier ones is
    /// in its variables or in memory; callers that hold one see it end once more when the procedure returns. Of the heap
    /// this is not so.
    pub(crate) fn note_beginning(&self, state: &mut State, target: VarId, object: Object) {
        let Object::Site(site) = object else { return };
        if self.sites[site as usize].kind == AllocKind::Heap || !state.memory.ended.contains(&object) {
            return;
        }
        let leads = |value: &Abs| matches!(value, Abs::Bits(bits) if bits.points.targets.iter().any(|(known, _)| *known == object));
        let is_held = state.vars.iter().any(|(var, value)| *var != target && leads(value)) || state.memory.leads_to(object);
        if !is_held {
            Rc::make_mut(&mut state.memory).ended.remove(&object);
        }
    }

    /// Whether an object may have ended.
    pub(crate) fn may_have_ended(&self, state: &State, object: Object) -> bool {
        let Object::Site(site) = object else { return false };
        state.memory.ended.contains(&object) || state.memory.heap_ended && self.sites[site as usize].kind == AllocKind::Heap
    }
}
