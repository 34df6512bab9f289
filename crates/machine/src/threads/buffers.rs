//! Store buffers (`--memory-model tso|pso`): a store to memory that others can reach waits in a buffer of its thread. The thread itself
//! reads what it wrote last; others see the store when it leaves the buffer, which is a choice of the scheduler like the choice of
//! a thread (`schedule`). Under total store order (x86) the oldest store leaves first; under partial store order the oldest of
//! each location does (Owens, Sarkar, Sewell: *A better x86 memory model: x86-TSO*, TPHOLs 2009; SPARC V8, appendix K).
//!
//! A buffer is flushed before a locked section begins (in `pthread.c`, `__VERIFIER_atomic_begin` and atomic updates),
//! at fences, at joins, at the end of a thread, and when no other thread is left. Flushing it all at once loses no
//! behaviour: just before, the scheduler had the choice to release the stores one by one, with actions of other threads
//! in between, because these actions are visible then.
//!
//! Objects that no other thread can reach are written at once. Under total store order that makes no difference:
//! another thread can only reach such an object by a pointer that is still in the buffer. Under partial store order it
//! does; there the answer is `unknown` if a thread publishes an object without a fence after its stores to the object.

use crate::exec::code::ThreadAction;
use crate::exec::machine::{Cut, Machine, PathEnd};
use crate::exec::state::State;
use crate::exec::value::{ObjectKey, Val};
use crate::memory::objects::Memory;
use crate::replay::trace::TraceStep;
use crate::threads::table::{Thread, Threads};
use fathom_base::Loc;
use fathom_ir::{Fence, MemoryModel, SectionKind};
use std::rc::Rc;

/// What waits in a buffer.
#[derive(Clone)]
pub(crate) enum Delayed {
    Store(DelayedStore),
    /// Stores behind it become visible behind those before it.
    Fence,
}

/// A store that other threads do not see yet.
#[derive(Copy, Clone)]
pub(crate) struct DelayedStore {
    pub object: ObjectKey,
    pub offset: Val,
    pub length: u64,
    pub value: Val,
    /// It becomes visible behind all that come before it.
    pub releases: bool,
}

impl DelayedStore {
    /// Whether it may be to the same location as another; None: that depends on inputs.
    fn meets(&self, other: &DelayedStore) -> Option<bool> {
        if self.object != other.object || (self.offset, self.length) == (other.offset, other.length) {
            return Some(self.object == other.object);
        }
        let (Val::Bits(one), Val::Bits(two)) = (self.offset, other.offset) else { return None };
        Some(one < two + other.length && two < one + self.length)
    }
}

impl Thread {
    /// What it has stored and others do not see, the oldest first.
    pub(crate) fn delayed_stores(&self) -> impl Iterator<Item = &DelayedStore> {
        self.buffer.iter().filter_map(|delayed| match delayed {
            Delayed::Store(store) => Some(store),
            Delayed::Fence => None,
        })
    }

    fn delays(&self, object: ObjectKey) -> bool {
        self.delayed_stores().any(|store| store.object == object)
    }

    /// The places in the buffer of stores that may become visible next.
    fn next_visible(&self, model: MemoryModel) -> Vec<usize> {
        if model != MemoryModel::Pso {
            return (0..self.buffer.len().min(1)).collect();
        }
        let mut found = Vec::new();
        let mut earlier: Vec<&DelayedStore> = Vec::new();
        for (at, delayed) in self.buffer.iter().enumerate() {
            let Delayed::Store(store) = delayed else { break };
            let waits = (store.releases && at > 0) || earlier.iter().any(|other| other.meets(store) != Some(false));
            if !waits {
                found.push(at);
            }
            earlier.push(store);
        }
        found
    }
}

impl Threads {
    /// Threads and the places in their buffers of stores that may become visible next.
    pub(crate) fn next_visible(&self, model: MemoryModel) -> Vec<(u32, usize)> {
        let numbered = (0..).zip(&self.all);
        numbered.flat_map(|(number, thread)| thread.next_visible(model).into_iter().map(move |at| (number, at))).collect()
    }

    /// Whether another thread than the running one has a store to this object that is not visible yet.
    pub(crate) fn others_delay(&self, object: ObjectKey) -> bool {
        (0..).zip(&self.all).any(|(number, thread): (u32, &Thread)| number != self.running && thread.delays(object))
    }
}

impl Machine {
    pub(crate) fn has_store_buffers(&self, state: &State) -> bool {
        state.threads.is_some() && self.program.memory_model.has_store_buffers()
    }

    /// Before a store of the running thread to this object: whether it waits in the buffer, and if so, whether it releases. To be
    /// asked of every store.
    pub(crate) fn delay_of_store(&mut self, state: &mut State, object: ObjectKey) -> Option<bool> {
        if !self.has_store_buffers(state) {
            return None;
        }
        let model = self.program.memory_model;
        let is_shared = self.is_shared_value(state, Val::Pointer { object, offset: 0 });
        let is_of_library = self.is_of_library(object);
        let threads = state.threads.as_mut()?;
        if threads.live() == 1 {
            self.show_all(state);
            return None;
        }
        let current = threads.current_mut();
        if !is_shared {
            if model == MemoryModel::Pso && !current.unordered.contains(&object) {
                Rc::make_mut(&mut current.unordered).insert(object);
            }
            return None;
        }
        if is_of_library {
            return None;
        }
        match (current.sections, current.section_kind) {
            (0, _) | (1, SectionKind::Store) => Some(false),
            (1, SectionKind::Release) => Some(true),
            _ => None,
        }
    }

    pub(crate) fn delay(&mut self, state: &mut State, store: DelayedStore) {
        let owners = state.threads.as_ref().map(|threads| threads.owners.clone());
        self.publish(state, &[store.value]);
        let (Some(owners), Some(threads)) = (owners, &mut state.threads) else { return };
        let is_partial = self.program.memory_model == MemoryModel::Pso;
        let current = &threads.all[threads.running as usize];
        let is_published = |object: &ObjectKey| owners.contains_key(object) && !threads.owners.contains_key(object);
        let is_unordered = is_partial && !store.releases && current.unordered.iter().any(is_published);
        let is_unclear = is_partial && current.delayed_stores().any(|other| other.meets(&store).is_none());
        Rc::make_mut(&mut threads.current_mut().buffer).push(Delayed::Store(store));
        if is_unordered {
            self.give_up_proof(state, "a pointer that no fence keeps behind stores to what it leads to, under partial store order");
        }
        if is_unclear {
            self.give_up_proof(state, "stores that may be to one location, depending on inputs, under partial store order");
        }
    }

    /// Some behaviour is left out from here on.
    fn give_up_proof(&mut self, state: &State, what: &str) {
        if let PathEnd::Cut(cut @ Cut::Unsupported { .. }) = self.unsupported(state, what)
            && !self.found.cuts.contains(&cut)
        {
            self.found.cuts.push(cut);
        }
    }

    /// What the running thread reads: the memory that all share, with its own stores on top.
    pub(crate) fn read_behind_buffer(&mut self, state: &mut State, object: ObjectKey, offset: Val, length: u64) -> Option<Val> {
        let own = self.own_stores(state, object);
        if own.is_empty() {
            return None;
        }
        // Arbitrary bytes that are read get their names in the memory that stays.
        self.read_visible(state, object, offset, length);
        let kept = state.memory.get(object).cloned()?;
        for store in own {
            self.write_visible(state, object, store.offset, store.length, store.value);
        }
        let value = self.read_visible(state, object, offset, length);
        state.memory.put_back(object, kept);
        Some(value)
    }

    /// All memory as the running thread sees this object, if that is not as others see it.
    pub(crate) fn memory_behind_buffer(&mut self, state: &State, object: ObjectKey) -> Option<Memory> {
        let own = self.own_stores(state, object);
        if own.is_empty() {
            return None;
        }
        let mut state = state.clone();
        for store in own {
            self.write_visible(&mut state, object, store.offset, store.length, store.value);
        }
        Some(state.memory)
    }

    fn own_stores(&self, state: &State, object: ObjectKey) -> Vec<DelayedStore> {
        match &state.threads {
            Some(threads) if self.program.memory_model.has_store_buffers() => {
                threads.current().delayed_stores().filter(|store| store.object == object).copied().collect()
            }
            _ => Vec::new(),
        }
    }

    /// One store leaves the buffer of its thread.
    pub(crate) fn show(&mut self, state: &mut State, thread: u32, at: usize) {
        let Some(threads) = &mut state.threads else { return };
        let number = thread + 1;
        let Some(thread) = threads.all.get_mut(thread as usize).filter(|thread| at < thread.buffer.len()) else { return };
        let buffer = Rc::make_mut(&mut thread.buffer);
        let delayed = buffer.remove(at);
        while let Some(Delayed::Fence) = buffer.first() {
            buffer.remove(0);
        }
        threads.changes += 1;
        if let Delayed::Store(store) = delayed
            && state.memory.get(store.object).is_some()
        {
            self.write_visible(state, store.object, store.offset, store.length, store.value);
            self.note_seen(state, number, &store);
        }
    }

    fn note_seen(&mut self, state: &State, thread: u32, store: &DelayedStore) {
        let loc = if state.frames.is_empty() { Loc::UNKNOWN } else { self.location(state) };
        if let (Val::Bits(offset), Some(recorder)) = (store.offset, self.recorder(state)) {
            recorder.step(TraceStep::Seen { thread, object: store.object, offset, length: store.length, loc });
        }
    }

    /// Everything that the running thread has stored becomes visible.
    pub(crate) fn show_own(&mut self, state: &mut State) {
        let running = state.running_thread();
        let Some(threads) = &mut state.threads else { return };
        let current = threads.current_mut();
        current.unordered = Rc::default();
        for _ in 0..threads.all[running as usize].buffer.len() {
            self.show(state, running, 0);
        }
    }

    /// Everything that any thread has stored becomes visible.
    pub(crate) fn show_all(&mut self, state: &mut State) {
        let waiting = |state: &State| {
            let threads = state.threads.as_ref()?;
            (0..).zip(&threads.all).find(|(_, thread): &(u32, &Thread)| !thread.buffer.is_empty()).map(|(number, _)| number)
        };
        while let Some(thread) = waiting(state) {
            self.show(state, thread, 0);
        }
    }

    /// Whether others see how the buffer is emptied before this action.
    pub(crate) fn empties_buffer(&self, state: &State, action: &ThreadAction) -> bool {
        let waits = state.threads.as_ref().is_some_and(|threads| !threads.current().buffer.is_empty());
        waits && is_ordered(action)
    }

    /// What an action means to the running thread's stores.
    pub(crate) fn order_stores(&mut self, state: &mut State, action: &ThreadAction) {
        if !self.has_store_buffers(state) {
            return;
        }
        if is_ordered(action) {
            self.show_own(state);
        }
        let is_partial = self.program.memory_model == MemoryModel::Pso;
        match action {
            ThreadAction::Fence(Fence::Stores) if is_partial => {
                let Some(threads) = &mut state.threads else { return };
                let current = threads.current_mut();
                current.unordered = Rc::default();
                if let Some(Delayed::Store(_)) = current.buffer.last() {
                    Rc::make_mut(&mut current.buffer).push(Delayed::Fence);
                }
            }
            ThreadAction::AtomicBegin(SectionKind::Update) if is_partial => {
                self.give_up_proof(state, "an atomic update that releases nothing, under partial store order");
            }
            _ => {}
        }
    }
}

/// Whether everything that the thread has stored is visible before this action.
fn is_ordered(action: &ThreadAction) -> bool {
    match action {
        ThreadAction::AtomicBegin(kind) => matches!(kind, SectionKind::Ordered | SectionKind::Update),
        ThreadAction::Fence(fence) => *fence == Fence::Full,
        ThreadAction::Start { .. } | ThreadAction::Join { .. } | ThreadAction::Exit { .. } => true,
        ThreadAction::Number { .. } | ThreadAction::Current { .. } | ThreadAction::Local { .. } => false,
        ThreadAction::AtomicEnd | ThreadAction::Lock { .. } => false,
    }
}
