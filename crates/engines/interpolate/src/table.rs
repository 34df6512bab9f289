//! Interpolants of finished subtrees, by location. A state that satisfies one need not be followed: all its runs take
//! paths that were followed, and nothing fails there. Entries that others subsume are dropped; when memory is short,
//! those that never helped are dropped first, beginning with the oldest.

use crate::limits::Limits;
use crate::tree::Closed;
use fathom_base::FxMap;
use fathom_interpolants::{Interpolant, Label, Point, ValueSet, point_of};
use fathom_machine::{Machine, ObjectKey, Slot, State, Val};
use fathom_term::{Sort, Term};
use std::rc::Rc;

struct Entry {
    label: Label,
    /// The node, if the label may change.
    node: Option<u32>,
    number: u32,
    size: usize,
    /// Objects of the stack must be the same: returning ends them.
    stack: Rc<[Vec<ObjectKey>]>,
    hits: u64,
}

/// The number of a group, and the values of its slots.
type Key = (usize, Vec<u64>);

/// The slots that entries of a place are found by.
#[derive(Default)]
struct Keys {
    groups: Vec<Vec<Slot>>,
}

impl Keys {
    /// Where an entry belongs.
    fn key(&mut self, interpolant: &Interpolant, limits: &Limits) -> Key {
        let single = |slot: &Slot| interpolant.sets.get(slot).and_then(ValueSet::single);
        let values = |group: &Vec<Slot>| group.iter().map(single).collect::<Option<Vec<u64>>>();
        let own: Vec<Slot> = interpolant.sets.keys().copied().filter(|slot| single(slot).is_some()).take(limits.slots).collect();
        if !self.groups.contains(&own) && self.groups.len() < limits.groups {
            self.groups.push(own.clone());
        }
        // Its own group, or else the largest that fits; the last resort is the group of no slot.
        let fits = self.groups.iter().enumerate().filter_map(|(at, group)| Some((at, group, values(group)?)));
        let best = fits.max_by_key(|(_, group, _)| (**group == own, group.len()));
        match best {
            Some((at, _, values)) => (at, values),
            None => {
                self.groups.push(Vec::new());
                (self.groups.len() - 1, Vec::new())
            }
        }
    }
}

/// The interpolants of finished nodes, by location.
pub struct Table {
    limits: Rc<Limits>,
    places: FxMap<Point, Keys>,
    /// Entries by place and, where it allows one value of a key only, by that value.
    entries: FxMap<(Point, Key), Vec<Entry>>,
    bytes: usize,
    limit: usize,
    pub most_bytes: usize,
    pub evicted: u64,
    pub compared: u64,
}

/// A node that subsumes a state, and how.
pub struct Subsumer {
    pub interpolant: Rc<Interpolant>,
    /// The node that it belongs to, if it may change.
    pub node: Option<u32>,
    pub number: u32,
    /// What was shown to follow from the state's constraints.
    pub shown: Term,
}

fn stack_of(state: &State) -> Rc<[Vec<ObjectKey>]> {
    state.frames.iter().map(|frame| frame.stack_objects.to_vec()).collect()
}

impl Table {
    /// A table of at most so many bytes.
    pub fn new(limit: usize, limits: Rc<Limits>) -> Self {
        let (places, entries) = (FxMap::default(), FxMap::default());
        Table { limits, places, entries, bytes: 0, limit, most_bytes: 0, evicted: 0, compared: 0 }
    }

    /// Adds the interpolant of a node whose subtree is known to be right.
    pub fn insert(&mut self, closed: Closed) {
        let Some(interpolant) = closed.label.borrow().clone() else { return };
        let stack = stack_of(&closed.start);
        let key = self.places.entry(closed.point.clone()).or_default().key(&interpolant, &self.limits);
        let place = (closed.point, key);
        let entries = self.entries.entry(place.clone()).or_default();
        let known = |entry: &Entry| entry.label.borrow().clone().filter(|_| entry.stack == stack);
        if entries.iter().any(|entry| entry.node.is_none() && known(entry).is_some_and(|known| known.is_weaker_than(&interpolant))) {
            return;
        }
        let before = entries.len();
        let bytes = &mut self.bytes;
        entries.retain(|entry| {
            let lost = entry.label.borrow().is_none();
            // A label that may still become stronger replaces none.
            let subsumed = closed.node.is_none() && known(entry).is_some_and(|known| interpolant.is_weaker_than(&known));
            if subsumed || lost {
                *bytes -= entry.size;
            }
            !subsumed && !lost
        });
        let hits = (before - entries.len()) as u64;
        let size = interpolant.size();
        if entries.len() >= self.limits.together {
            // The least useful one goes; of equals the oldest.
            if let Some(worst) = (0..entries.len()).min_by_key(|&i| entries[i].hits) {
                self.bytes -= entries.remove(worst).size;
                self.evicted += 1;
            }
        }
        if self.bytes + size > self.limit {
            self.evict();
        }
        if self.bytes + size > self.limit {
            return;
        }
        self.bytes += size;
        self.most_bytes = self.most_bytes.max(self.bytes);
        self.entries.entry(place).or_default().push(Entry {
            label: closed.label,
            node: closed.node,
            number: closed.number,
            size,
            stack,
            hits,
        });
    }

    /// Everything that never helped goes; if that is not enough, everything.
    fn evict(&mut self) {
        let before: usize = self.entries.values().map(Vec::len).sum();
        for entries in self.entries.values_mut() {
            entries.retain(|entry| entry.hits > 0);
            entries.iter_mut().for_each(|entry| entry.hits /= 2);
        }
        self.entries.retain(|_, entries| !entries.is_empty());
        self.bytes = self.entries.values().flatten().map(|entry| entry.size).sum();
        if self.bytes > self.limit / 2 {
            self.entries.clear();
            self.bytes = 0;
        }
        self.evicted += (before - self.entries.values().map(Vec::len).sum::<usize>()) as u64;
    }

    /// How many interpolants there are.
    pub fn len(&self) -> usize {
        self.entries.values().map(Vec::len).sum()
    }

    /// Roughly how much memory they take.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// An interpolant that the state satisfies.
    pub fn find(&mut self, machine: &mut Machine, state: &mut State) -> Option<Subsumer> {
        if !state.is_certain() || !state.path.verified {
            return None;
        }
        let point = point_of(state);
        let keys = self.places.get(&point)?;
        let groups = keys.groups.clone();
        let stack = stack_of(state);
        for (number, group) in groups.into_iter().enumerate() {
            let mut value = |slot: Slot| match machine.slot_value(state, slot)? {
                Val::Bits(bits) => Some(bits),
                pointer @ Val::Pointer { .. } if !machine.mentions_address(pointer) => {
                    let address = machine.grounded(pointer, Sort::Bv(machine.book.pointer_bits()));
                    machine.store.const_bits(address)
                }
                Val::Pointer { .. } | Val::Term(_) => None,
            };
            let Some(values) = group.into_iter().map(&mut value).collect::<Option<Vec<u64>>>() else { continue };
            if let Some(found) = self.find_among((point.clone(), (number, values)), machine, state, &stack) {
                return Some(found);
            }
        }
        None
    }

    fn find_among(
        &mut self,
        key: (Point, Key),
        machine: &mut Machine,
        state: &mut State,
        stack: &Rc<[Vec<ObjectKey>]>,
    ) -> Option<Subsumer> {
        let entries = self.entries.get_mut(&key)?;
        for index in (0..entries.len()).rev() {
            let entry = &mut entries[index];
            self.compared += 1;
            if entry.stack != *stack {
                continue;
            }
            let Some(interpolant) = entry.label.borrow().clone() else { continue };
            if let Some(shown) = interpolant.subsumes(machine, state) {
                entry.hits += 1;
                let (node, number) = (entry.node, entry.number);
                // The entry that helped is moved to the end, where the next search begins.
                let entry = entries.remove(index);
                entries.push(entry);
                return Some(Subsumer { interpolant, node, number, shown });
            }
        }
        None
    }
}
