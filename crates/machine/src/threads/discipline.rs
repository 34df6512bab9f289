//! Which lock protects what. Where every access to some bytes is made by a thread that has one and the same lock, an access commutes with
//! all that others can do until the lock is released: they would have to take the lock first. So it is no choice of a thread
//! (`schedule`). Nor is the release: what others can do before it is to wait for the lock, and those who wait can as well come later. A
//! critical section is then one step, which begins where the lock is taken (Lipton: *Reduction*, CACM 1975).
//!
//! That all accesses hold the lock is not known beforehand. It is taken for granted and watched, as in Stoller, Cohen: *Optimistic
//! synchronization-based state-space reduction* (FMSD 2006): the first access that breaks a rule which something was left out for ends the
//! search, and another begins that relies on less (`Distrust`). What counts is each access to memory that is shared, by a thread that is not
//! behind all that the others have done (they have ended, and it has joined them), whoever else is there at the moment.
//!
//! Why the search sees the rules broken if any run breaks them. Take a run and in it the first action that does: an access without the lock, a
//! release by a thread that has not got it, a write into a lock, a look at a lock that does not wait. Up to there all keep to the rules, so
//! the search has a run with the same actions but for the order of those that commute, in which threads may have gone on further
//! without showing anything. The thread's next action is the same, since what it does itself decides where it is; and whether it breaks a
//! rule depends on nothing else: the locks that it has are those it took, an object that is its own can become shared through
//! itself only, and a thread that it has not joined is not joined in any order.
//!
//! Under store buffers, and where locks themselves are checked, nothing is left out.

use crate::exec::code::Extent;
use crate::exec::machine::Machine;
use crate::exec::state::State;
use crate::exec::value::{ObjectKey, Val};
use crate::threads::table::{Phase, Thread};
use fathom_base::FxMap;
use fathom_ir::LockEvent;
use smallvec::SmallVec;
use std::collections::BTreeSet;

/// Of an object with more parts than this it is not told which part who accessed.
const MOST_PARTS: usize = 64;

/// Where a lock lies.
pub(crate) type Lock = (ObjectKey, i64);

/// What searches of this program relied on in vain: by the sites that make the objects, since each search numbers objects anew.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Distrust {
    /// Bytes that no lock protects.
    bytes: BTreeSet<(u32, i64, i64)>,
    /// Locks that do not keep others out.
    locks: BTreeSet<(u32, i64)>,
    /// Locks that somebody looks at without waiting.
    looked_at: BTreeSet<(u32, i64)>,
}

/// What is known of a lock.
struct LockNotes {
    at: i64,
    end: i64,
    is_broken: bool,
    is_looked_at: bool,
    /// Accesses were no choices because of it, or its releases.
    protects: bool,
    released_quietly: bool,
}

/// What is known of some bytes.
struct ByteNotes {
    from: i64,
    to: i64,
    /// The locks that all who accessed them had.
    locks: SmallVec<[Lock; 2]>,
    is_relied_on: bool,
}

#[derive(Default)]
struct Notes {
    locks: Vec<LockNotes>,
    bytes: Vec<ByteNotes>,
}

/// What a search has seen of who holds which locks when.
#[derive(Default)]
pub(crate) struct Discipline {
    distrust: Distrust,
    notes: FxMap<ObjectKey, Notes>,
    is_broken: bool,
    /// What memory is accessed is not known any more.
    is_blind: bool,
}

/// The bytes that an access is about.
struct Place {
    object: ObjectKey,
    site: u32,
    from: i64,
    to: i64,
}

impl Discipline {
    pub fn new(distrust: Distrust) -> Discipline {
        Discipline { distrust, ..Discipline::default() }
    }

    fn lock_at(&mut self, lock: Lock, site: u32) -> &mut LockNotes {
        let locks = &mut self.notes.entry(lock.0).or_default().locks;
        let at = match locks.iter().position(|known| known.at == lock.1) {
            Some(at) => at,
            None => {
                let (is_broken, is_looked_at) =
                    (self.distrust.locks.contains(&(site, lock.1)), self.distrust.looked_at.contains(&(site, lock.1)));
                locks.push(LockNotes { at: lock.1, end: lock.1, is_broken, is_looked_at, protects: false, released_quietly: false });
                locks.len() - 1
            }
        };
        &mut locks[at]
    }

    fn is_sound(&self, lock: Lock) -> bool {
        let known = self.notes.get(&lock.0).and_then(|notes| notes.locks.iter().find(|known| known.at == lock.1));
        known.is_some_and(|known| !known.is_broken)
    }

    /// The lock may let others in.
    fn break_lock(&mut self, lock: Lock, site: u32) {
        let notes = self.lock_at(lock, site);
        notes.is_broken = true;
        if notes.protects || notes.released_quietly {
            self.distrust.locks.insert((site, lock.1));
            self.is_broken = true;
        }
    }

    /// The library's access to the bytes of a lock: whether others can do nothing meanwhile but wait for it.
    fn lock_accessed(&mut self, lock: Lock, place: &Place, thread: &Thread) -> bool {
        let notes = self.lock_at(lock, place.site);
        if place.to > notes.end {
            notes.end = place.to;
            let end = notes.end;
            let others = &self.notes[&lock.0];
            let overlaps = others.bytes.iter().any(|bytes| bytes.from < end && lock.1 < bytes.to)
                || others.locks.iter().any(|other| other.at != lock.1 && other.at < end && lock.1 < other.end);
            if overlaps {
                self.break_lock(lock, place.site);
            }
        }
        let notes = self.lock_at(lock, place.site);
        let is_quiet = !notes.is_broken && !notes.is_looked_at && thread.sections == 1 && thread.held.contains(&lock);
        notes.released_quietly |= is_quiet;
        is_quiet
    }

    /// Any other access: whether a lock keeps others from these bytes.
    fn accessed(&mut self, place: &Place, thread: &Thread) -> bool {
        let Place { object, site, from, to } = *place;
        let meets = |at: i64, end: i64| from < end && at < to;
        let locks = self.notes.get(&object).map_or(&[][..], |notes| &notes.locks);
        let hit: Vec<i64> = locks.iter().filter(|lock| meets(lock.at, lock.end)).map(|lock| lock.at).collect();
        hit.into_iter().for_each(|at| self.break_lock((object, at), site));
        let held: SmallVec<[Lock; 2]> = thread.held.iter().copied().filter(|&lock| self.is_sound(lock)).collect();
        let is_distrusted = self.distrust.bytes.iter().any(|&(of, at, end)| of == site && meets(at, end));
        let known = &mut self.notes.entry(object).or_default().bytes;
        let mut merged = ByteNotes { from, to, locks: if is_distrusted { SmallVec::new() } else { held }, is_relied_on: false };
        let is_crowded = known.len() >= MOST_PARTS;
        known.retain(|bytes| {
            let is_met = is_crowded || meets(bytes.from, bytes.to);
            if is_met {
                merged.from = merged.from.min(bytes.from);
                merged.to = merged.to.max(bytes.to);
                merged.locks.retain(|lock| bytes.locks.contains(lock));
                merged.is_relied_on |= bytes.is_relied_on;
            }
            !is_met
        });
        let protecting = merged.locks.clone();
        if protecting.is_empty() && merged.is_relied_on {
            self.distrust.bytes.insert((site, merged.from, merged.to));
            self.is_broken = true;
        }
        merged.is_relied_on |= !protecting.is_empty();
        known.push(merged);
        for &(of, at) in &protecting {
            let notes = self.notes.get_mut(&of).and_then(|notes| notes.locks.iter_mut().find(|lock| lock.at == at));
            notes.into_iter().for_each(|lock| lock.protects = true);
        }
        !protecting.is_empty()
    }

    fn relies_on_something(&self) -> bool {
        self.notes.values().flat_map(|notes| &notes.locks).any(|lock| lock.protects || lock.released_quietly)
    }
}

impl Machine {
    /// What an earlier search should not have relied on, if this one has to begin again; None in it if nothing is to be relied on.
    pub fn relied_in_vain(&self) -> Option<Option<Distrust>> {
        let discipline = self.discipline.as_ref().filter(|discipline| discipline.is_broken)?;
        Some((!discipline.is_blind).then(|| discipline.distrust.clone()))
    }

    /// Notes an access to memory that others can reach: whether a lock keeps them from it.
    pub(crate) fn is_protected(&mut self, state: &State, pointer: Val, extent: Extent) -> bool {
        let Some(threads) = state.threads.as_ref().filter(|_| self.discipline.is_some()) else { return false };
        if pointer == Val::Bits(0) || threads.is_behind_all() {
            return false;
        }
        let Val::Pointer { object, offset } = pointer else {
            let objects = if let Val::Term(_) = pointer { self.mentioned_objects(&[pointer]) } else { Vec::new() };
            if objects.is_empty() {
                self.lose_sight();
            }
            objects.into_iter().for_each(|object| _ = self.note_access(threads.current(), object, i64::MIN, i64::MAX));
            return false;
        };
        match extent {
            Extent::Bytes(bytes) => self.note_access(threads.current(), object, offset, offset.saturating_add_unsigned(bytes)),
            Extent::Length => self.note_access(threads.current(), object, offset, i64::MAX),
            Extent::Object => self.note_access(threads.current(), object, i64::MIN, i64::MAX),
        }
    }

    fn note_access(&mut self, thread: &Thread, object: ObjectKey, from: i64, to: i64) -> bool {
        let place = Place { object, site: self.book.origin(object).site, from, to };
        let Some(discipline) = &mut self.discipline else { return false };
        match thread.in_hand.filter(|lock| lock.0 == object && lock.1 <= from) {
            Some(lock) => discipline.lock_accessed(lock, &place, thread),
            None => discipline.accessed(&place, thread),
        }
    }

    /// All memory is looked at: for blocks that nothing leads to, without any lock.
    pub(crate) fn look_at_all_blocks(&mut self, state: &State) {
        if self.counts_objects() && state.threads.as_ref().is_some_and(|threads| !threads.is_behind_all()) {
            self.lose_sight();
        }
    }

    /// An access whose place is not known.
    pub(crate) fn lose_sight(&mut self) {
        let Some(discipline) = &mut self.discipline else { return };
        if discipline.relies_on_something() {
            (discipline.is_broken, discipline.is_blind) = (true, true);
        } else {
            self.discipline = None;
        }
    }

    /// What the statements around this one do to a lock.
    pub(crate) fn lock_event(&mut self, state: &mut State, event: LockEvent, lock: Val) {
        let Some(threads) = state.threads.as_mut().filter(|_| self.discipline.is_some()) else { return };
        let Val::Pointer { object, offset } = lock else { return self.lose_sight() };
        let (lock, site) = ((object, offset), self.book.origin(object).site);
        let Some(discipline) = &mut self.discipline else { return };
        let current = &mut threads.all[threads.running as usize];
        match event {
            LockEvent::Wanted => current.in_hand = Some(lock),
            LockEvent::Taken => {
                current.held.push(lock);
                current.held.sort_unstable();
            }
            LockEvent::Released => match current.held.iter().position(|&held| held == lock) {
                Some(at) => {
                    current.held.remove(at);
                    // As at a start of a thread, others may come before whatever this one does next that they see.
                    threads.changes += 1;
                    threads.dirty = true;
                    threads.phase = Phase::Running;
                }
                None => discipline.break_lock(lock, site),
            },
            LockEvent::Looked => {
                let notes = discipline.lock_at(lock, site);
                notes.is_looked_at = true;
                if notes.released_quietly {
                    discipline.distrust.looked_at.insert((site, lock.1));
                    discipline.is_broken = true;
                }
            }
        }
    }
}
