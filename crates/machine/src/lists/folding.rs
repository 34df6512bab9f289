//! Folding: list segments whose inner nodes only their neighbours point to become chains, and numbers that a loop keeps
//! changing become arbitrary, so that the states of a loop over lists repeat. A folded state includes the original
//! state: if nothing fails from the folded state, nothing fails from the original; but a failure may not exist in the
//! program.
//!
//! Two neighbours may be folded if their other contents are the same, or plain data that may become arbitrary, and if
//! only their own pointers point to the node that disappears. Two objects are folded only if there is a third one next
//! to them, so short lists stay unchanged.

use crate::exec::machine::Machine;
use crate::exec::state::State;
use crate::exec::value::{ObjectKey, Val};
use crate::lists::chains::{Chain, Segment, end_of};
use crate::lists::nodes::Node;
use crate::memory::access::write_value;
use crate::memory::contents::Base;
use crate::memory::objects::{Object, ObjectKind};
use fathom_base::{FxMap, FxSet};
use fathom_term::{Symbol, VarId};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// With more heap objects than this, data of nodes becomes arbitrary.
const FEW_OBJECTS: usize = 16;
/// With more than this, list segments are not looked for.
const MOST_OBJECTS: usize = 200;
/// Larger objects are no nodes of lists.
const LARGEST_NODE: u64 = 512;

/// Who leads to an object.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Reference {
    /// An object, by the pointer at this offset.
    Field(ObjectKey, u64),
    /// Anything else.
    Other,
}

type References = FxMap<ObjectKey, Vec<Reference>>;

/// How two neighbours become one.
struct Fold {
    first: ObjectKey,
    second: ObjectKey,
    segment: Segment,
}

impl Machine {
    /// The state at a loop head, folded.
    pub fn fold(&mut self, state: &mut State) {
        if state.threads.is_some() {
            return;
        }
        let roots = self.live_values(state);
        self.sweep(state, &roots);
        while let Some(fold) = self.next_fold(state, &roots) {
            self.make_one(state, fold);
        }
        self.let_go_of_counters(state);
    }

    /// The values of variables that the state may still look at.
    pub(crate) fn live_values(&mut self, state: &State) -> Vec<Val> {
        let mut values: Vec<Val> = state.globals.to_vec();
        for (level, frame) in state.frames.iter().enumerate() {
            values.extend(self.live_locals(&state.frames, level).into_iter().map(|slot| frame.locals[slot as usize]));
        }
        values
    }

    /// Drops heap objects that nothing leads to, unless that would hide a leak.
    fn sweep(&mut self, state: &mut State, roots: &[Val]) {
        if self.counts_objects() {
            return;
        }
        let reached = self.reachable(state, roots);
        let lost: Vec<ObjectKey> = heap(state).into_iter().filter(|key| !reached.contains(key)).collect();
        lost.into_iter().for_each(|key| state.memory.remove(key));
    }

    fn references(&mut self, state: &State, roots: &[Val]) -> References {
        let mut found: References = FxMap::default();
        // A number that the path compared with an address must find it again.
        let constraints = self.constraints_on(state, roots);
        for object in self.mentioned_objects(roots).into_iter().chain(self.mentioned_objects(&constraints)) {
            found.entry(object).or_default().push(Reference::Other);
        }
        for (key, object) in state.memory.sorted() {
            if object.kind == ObjectKind::Code || object.chain.as_deref().is_some_and(|chain| matches!(chain, Chain::End(_))) {
                continue;
            }
            for (at, cell) in object.contents.cells() {
                if let Val::Pointer { object: to, .. } = cell.value {
                    found.entry(to).or_default().push(Reference::Field(key, at));
                }
            }
            // Whatever else mentions an address.
            let plain: FxSet<ObjectKey> = self.objects_in_terms(object);
            for to in plain {
                found.entry(to).or_default().push(Reference::Other);
            }
        }
        found
    }

    /// What the path knows of the symbols in these values and in memory.
    fn constraints_on(&self, state: &State, roots: &[Val]) -> Vec<Val> {
        let symbols: Vec<Symbol> = self.symbols_of(state, roots).into_iter().map(Symbol::Var).collect();
        state.path.constraints.relevant(&symbols).into_iter().map(Val::Term).collect()
    }

    /// The symbols in these values and in memory.
    pub(crate) fn symbols_of(&self, state: &State, roots: &[Val]) -> FxSet<VarId> {
        let memory = state.memory.sorted();
        let cells = memory.iter().flat_map(|(_, object)| object.contents.cells().map(|(_, cell)| cell.value));
        let bases = memory.iter().filter_map(|(_, object)| match object.contents.base {
            Base::Array { term, .. } => Some(Val::Term(term)),
            _ => None,
        });
        let sizes = memory.iter().map(|(_, object)| object.size);
        let terms = roots.iter().copied().chain(cells).chain(bases).chain(sizes).filter_map(|value| match value {
            Val::Term(term) => Some(term),
            _ => None,
        });
        let sets = state.path.constraints.sets();
        terms.flat_map(|term| sets.vars(&self.store, term)).collect()
    }

    fn objects_in_terms(&mut self, object: &Object) -> FxSet<ObjectKey> {
        let mut values: Vec<Val> =
            object.contents.cells().map(|(_, cell)| cell.value).filter(|value| matches!(value, Val::Term(_))).collect();
        if let Base::Array { term, .. } = object.contents.base {
            values.push(Val::Term(term));
        }
        let bytes = self.book.pointer_bits() as u64 / 8;
        values.extend(object.contents.concrete_words(bytes).map(|(_, word)| Val::Bits(word)));
        self.mentioned_objects(&values).into_iter().collect()
    }

    fn next_fold(&mut self, state: &State, roots: &[Val]) -> Option<Fold> {
        let objects = heap(state);
        if objects.len() < 2 || objects.len() > MOST_OBJECTS {
            return None;
        }
        let references = self.references(state, roots);
        let lossy = objects.len() > FEW_OBJECTS;
        let mut folds: BTreeMap<ObjectKey, Fold> = BTreeMap::new();
        for &key in &objects {
            if let Some(fold) = self.fold_from(state, &references, key, lossy) {
                folds.insert(key, fold);
            }
        }
        let seconds: BTreeSet<ObjectKey> = folds.values().map(|fold| fold.second).collect();
        let is_chain = |key: ObjectKey| state.memory.get(key).is_some_and(|object| object.chain.is_some());
        let worth = |fold: &Fold| {
            is_chain(fold.first) || is_chain(fold.second) || folds.contains_key(&fold.second) || seconds.contains(&fold.first)
        };
        let chosen = folds.values().find(|fold| worth(fold))?.first;
        folds.remove(&chosen)
    }

    /// How an object and the one that it leads to become one.
    fn fold_from(&mut self, state: &State, references: &References, first: ObjectKey, lossy: bool) -> Option<Fold> {
        let one = state.memory.get(first)?.clone();
        if matches!(one.chain.as_deref(), Some(Chain::End(_))) {
            return None;
        }
        let links: Vec<(u64, ObjectKey, i64)> = one
            .contents
            .cells()
            .filter_map(|(at, cell)| match cell.value {
                Val::Pointer { object, offset } if object != first && u64::from(cell.length) == self.book.pointer_bits() as u64 / 8 => {
                    Some((at, object, offset))
                }
                _ => None,
            })
            .collect();
        links.into_iter().find_map(|(link, second, enters)| {
            let two = state.memory.get(second)?.clone();
            self.fold_pair(state, references, (first, &one), (second, &two), (link, enters), lossy)
        })
    }

    fn fold_pair(
        &mut self,
        state: &State,
        references: &References,
        (first, one): (ObjectKey, &Object),
        (second, two): (ObjectKey, &Object),
        (link, enters): (u64, i64),
        lossy: bool,
    ) -> Option<Fold> {
        let row_of = |object: &Object| match object.chain.as_deref() {
            Some(Chain::Front(segment)) => Some(segment.clone()),
            _ => None,
        };
        let (left, right) = (row_of(one), row_of(two));
        if two.kind != ObjectKind::Heap || one.size != two.size || (two.chain.is_some() && right.is_none()) {
            return None;
        }
        if !matches!(one.size, Val::Bits(size) if size <= LARGEST_NODE) {
            return None;
        }
        if [&left, &right].into_iter().flatten().any(|segment| segment.link != link || segment.enters != enters) {
            return None;
        }
        // The last node of the first segment, and of the whole.
        let last_of =
            |segment: &Option<Segment>, key: ObjectKey| segment.as_ref().map_or(Some(key), |segment| segment.back.map(|(_, last)| last));
        let back = self.back_pointer(two, last_of(&left, first), link, enters);
        let agrees = |segment: &Option<Segment>| segment.as_ref().is_none_or(|segment| segment.back.map(|(at, _)| at) == back);
        if !agrees(&left) || !agrees(&right) {
            return None;
        }
        // Nodes that lose their names: nothing else may point to them.
        let only = |key: ObjectKey, holder: ObjectKey, at: u64| {
            let known = references.get(&key).map_or(&[][..], |found| &found[..]);
            // Of a node's pointers to itself the new name takes care, but not of a last node that leads back to it.
            let is_own =
                |reference| matches!(reference, Reference::Field(own, field) if own == key && field != link && Some(field) != back);
            known.iter().all(|&reference| reference == Reference::Field(holder, at) || is_own(reference))
        };
        let hidden = match back {
            None => only(second, first, link),
            Some(at) => {
                let left_end = left.is_none() || only(last_of(&left, first)?, second, at);
                let right_front = right.is_none() || only(second, first, link);
                left_end && right_front
            }
        };
        if !hidden || self.known_field(&two.contents, link).is_none() {
            return None;
        }
        if let Some(at) = back
            && self.known_field(&one.contents, at).is_none()
        {
            return None;
        }
        let skipped: Vec<u64> = std::iter::once(link).chain(back).collect();
        let nodes = [Node { key: first, object: one, segment: left.as_ref() }, Node { key: second, object: two, segment: right.as_ref() }];
        let (free, laws) = self.in_common(state, nodes, &skipped, lossy)?;
        let back = match back {
            None => None,
            Some(at) => Some((at, last_of(&right, second)?)),
        };
        Some(Fold { first, second, segment: Segment { link, enters, back, free, laws } })
    }

    /// Where the second node keeps a pointer back to the last of the first segment.
    fn back_pointer(&self, two: &Object, last: Option<ObjectKey>, link: u64, enters: i64) -> Option<u64> {
        let last = last?;
        let mut found =
            two.contents.cells().filter(|(at, cell)| *at != link && cell.value == Val::Pointer { object: last, offset: enters });
        found.next().map(|(at, _)| at)
    }

    fn make_one(&mut self, state: &mut State, Fold { first, second, segment }: Fold) {
        let (Some(one), Some(two)) = (state.memory.get(first).cloned(), state.memory.get(second).cloned()) else { return };
        let old_end = match one.chain.as_deref() {
            Some(Chain::Front(Segment { back: Some((_, last)), .. })) => Some(*last),
            _ => None,
        };
        let mut whole = (*one).clone();
        for &(offset, length) in &segment.free {
            // Only the list of free stretches says what is there.
            write_value(&self.store, &self.book, &mut whole.contents, offset, length, Val::Bits(0));
        }
        let link = self.known_field(&two.contents, segment.link).unwrap_or(Val::Bits(0));
        self.write_field(&mut whole, segment.link, link);
        let last = segment.back.map(|(_, last)| last);
        whole.chain = Some(Rc::new(Chain::Front(segment)));
        state.memory.remove(second);
        old_end.into_iter().for_each(|end| state.memory.remove(end));
        if let Some(last) = last {
            state.memory.insert(last, end_of(&whole, first));
        }
        state.memory.insert(first, whole);
    }
}

fn heap(state: &State) -> Vec<ObjectKey> {
    state.memory.sorted().into_iter().filter(|(_, object)| object.kind == ObjectKind::Heap).map(|(key, _)| key).collect()
}
