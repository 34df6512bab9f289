//! Which objects more than one thread can reach. An object belongs to the thread that made it until its address is
//! written into a shared object, handed to a new thread or returned from a thread; then it is shared for ever, with
//! everything reachable from it. Globals are shared from the start.
//!
//! Sound because these are the only ways in which an address can reach another thread, unless it is guessed; any other
//! access to an object of another thread makes the path unsupported (`check_owner`).

use crate::exec::machine::{Machine, Step};
use crate::exec::state::State;
use crate::exec::value::{ObjectKey, Val};
use crate::memory::objects::ObjectKind;

/// A new object belongs to the running thread.
pub(crate) fn own(state: &mut State, object: ObjectKey) {
    if let Some(threads) = &mut state.threads {
        threads.owners.insert_mut(object, threads.running);
    }
}

impl Machine {
    pub(crate) fn check_owner(&mut self, state: &State, object: ObjectKey) -> Step<()> {
        let Some(threads) = &state.threads else { return Ok(()) };
        match threads.owners.get(&object) {
            Some(&owner) if owner != threads.running => {
                Err(self.unsupported(state, "an address that one thread guessed of another's memory"))
            }
            _ => Ok(()),
        }
    }

    /// A value was written into an object.
    pub(crate) fn stored(&mut self, state: &mut State, object: ObjectKey, value: Val) {
        let is_private = state.threads.as_ref().is_none_or(|threads| threads.owners.contains_key(&object));
        if !is_private {
            self.publish(state, &[value]);
        }
    }

    /// Makes the objects that these values point to shared.
    pub(crate) fn publish(&mut self, state: &mut State, values: &[Val]) {
        let mut open = self.mentioned_objects(values);
        while let Some(object) = open.pop() {
            let Some(threads) = &mut state.threads else { return };
            if !threads.owners.remove_mut(&object) {
                continue;
            }
            if let Some(found) = state.memory.get(object).cloned() {
                open.extend(self.objects_in(&found));
            }
        }
    }

    /// When the first thread is started: what the program has so far belongs to its first thread, unless globals
    /// lead to it.
    pub(crate) fn divide_memory(&mut self, state: &mut State) {
        let thread_local = self.thread_local_objects();
        let all: Vec<_> = state.memory.sorted().into_iter().map(|(key, object)| (key, object.clone())).collect();
        let is_private =
            |key: &ObjectKey, kind: ObjectKind| matches!(kind, ObjectKind::Stack | ObjectKind::Heap) || thread_local.contains(key);
        let Some(threads) = &mut state.threads else { return };
        for (key, _) in all.iter().filter(|(key, object)| is_private(key, object.kind)) {
            threads.owners.insert_mut(*key, 0);
        }
        let mut known: Vec<Val> = state.globals.to_vec();
        for (_, object) in all.iter().filter(|(key, object)| !is_private(key, object.kind)) {
            known.extend(self.objects_in(object).into_iter().map(|object| Val::Pointer { object, offset: 0 }));
        }
        self.publish(state, &known);
    }

    pub(crate) fn thread_local_objects(&self) -> Vec<ObjectKey> {
        let objects = self.program.objects.iter().zip(&self.image.globals);
        objects.filter(|(object, _)| object.thread_local).map(|(_, (key, _))| *key).collect()
    }
}
