//! The end of the program: what must be freed or reachable by then.

use crate::exec::machine::{Cut, Machine, PathEnd};
use crate::exec::state::State;
use crate::exec::value::Val;
use fathom_ir::{Property, StopKind};

impl Machine {
    pub(crate) fn stop(&mut self, state: &mut State, kind: &StopKind) -> PathEnd {
        match kind {
            StopKind::Exit | StopKind::Abort => self.end(state),
            StopKind::Unreachable => PathEnd::Finished,
        }
    }

    /// The program ends.
    pub(crate) fn end(&mut self, state: &mut State) -> PathEnd {
        self.show_all(state);
        self.look_at_all_blocks(state);
        if self.checks.contains(&Property::ValidMemcleanup) && !self.takes_for_granted(state) {
            let mut left = state.memory.sorted().into_iter();
            if let Some((object, found)) = left.find(|(key, object)| self.is_to_be_freed(*key, object)) {
                if found.chain.is_some() {
                    return PathEnd::Cut(Cut::Bound("whether a row of objects is empty".to_string()));
                }
                self.note_fault(object, Val::Bits(0), Val::Bits(0));
                let message = format!("{} is not freed when the program ends", self.object_name(object));
                return self.violated(state, Property::ValidMemcleanup, &message);
            }
        }
        self.finish(state)
    }

    /// The program ends, or goes round for ever: what is still allocated must be reachable.
    pub(crate) fn finish(&mut self, state: &mut State) -> PathEnd {
        if !self.checks.contains(&Property::ValidMemtrack) || self.takes_for_granted(state) {
            return PathEnd::Finished;
        }
        self.look_at_all_blocks(state);
        if let Err(end) = self.verify(state) {
            return end;
        }
        match self.lost_object(state) {
            Ok(None) => {}
            Ok(Some((lost, model))) => {
                self.note_fault(lost, Val::Bits(0), Val::Bits(0));
                let message = format!("{} is neither freed nor reachable any more", self.object_name(lost));
                self.report(state, &model, Property::ValidMemtrack, &message);
                return PathEnd::Violated;
            }
            Err(end) => return end,
        }
        PathEnd::Finished
    }
}
