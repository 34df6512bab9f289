//! Folding: rows of nodes that nobody but their neighbours knows become chains, and numbers that a loop keeps changing
//! become arbitrary, so that the states of a loop over lists come back. What a folded state stands for includes the state
//! itself: nothing is lost, so what never fails from there never fails; a failure from there may be none of the program.
//!
//! A pair of neighbours may become one if all else in them is the same, or plain data that is allowed to be arbitrary,
//! and if no pointer leads to a node that loses its name but those of the pair. Two objects are not folded unless a third
//! is beside them: short lists stay as they are.

use crate::chains::{Chain, Row, end_of};
use crate::contents::{Base, ByteSource, Contents};
use crate::machine::Machine;
use crate::memory::{Memory, Object, ObjectKind};
use crate::state::State;
use crate::value::{ObjectKey, Val};
use crate::access::write_value;
use fathom_base::{FxMap, FxSet};
use fathom_ir::Property;
use fathom_smt::Symbol;
use fathom_term::{Sort, Term};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// With more heap objects than this, data of nodes becomes arbitrary.
const FEW_OBJECTS: usize = 16;
/// With more than this nobody looks for rows.
const MOST_OBJECTS: usize = 200;
/// Larger objects are no nodes of lists.
const LARGEST_NODE: u64 = 512;
/// Arrivals at a loop head after which numbers that changed on each of the last two ways round become arbitrary.
const EXACT_VISITS: u32 = 6;

/// What a path had at its last arrival at a loop head.
#[derive(Clone)]
pub(crate) struct Arrival {
    visits: u32,
    /// The one before, which knows no other.
    earlier: Option<Rc<Arrival>>,
    locals: Rc<Vec<Val>>,
    globals: Rc<Vec<Val>>,
    memory: Memory,
}

/// By depth of the call stack, procedure and block.
pub(crate) type Arrivals = BTreeMap<(usize, u32, u32), Rc<Arrival>>;

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
    row: Row,
}

impl Machine {
    /// The state at a loop head, folded.
    pub fn fold(&mut self, state: &mut State) {
        if state.threads.is_some() {
            return;
        }
        let live: Vec<Vec<Val>> = (0..state.frames.len())
            .map(|level| self.live_locals(&state.frames, level).into_iter().map(|slot| state.frames[level].locals[slot as usize]).collect())
            .collect();
        let roots: Vec<Val> = live.into_iter().flatten().chain(state.globals.iter().copied()).collect();
        self.sweep(state, &roots);
        while let Some(fold) = self.next_fold(state, &roots) {
            self.make_one(state, fold);
        }
        self.let_go_of_numbers(state);
    }

    /// Drops heap objects that nothing leads to, unless that would hide a leak.
    fn sweep(&mut self, state: &mut State, roots: &[Val]) {
        if self.checks.contains(&Property::ValidMemtrack) {
            return;
        }
        let reached = self.reachable(state, roots.to_vec());
        let lost: Vec<ObjectKey> = heap(state).into_iter().filter(|key| !reached.contains(key)).collect();
        lost.into_iter().for_each(|key| state.memory.remove(key));
    }

    fn references(&mut self, state: &State, roots: &[Val]) -> References {
        let mut found: References = FxMap::default();
        for object in self.mentioned_objects(roots) {
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

    fn objects_in_terms(&mut self, object: &Object) -> FxSet<ObjectKey> {
        let mut values: Vec<Val> = object.contents.cells().map(|(_, cell)| cell.value).filter(|value| matches!(value, Val::Term(_))).collect();
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
                Val::Pointer { object, offset } if object != first && u64::from(cell.length) == self.book.pointer_bits() as u64 / 8 => Some((at, object, offset)),
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
            Some(Chain::Front(row)) => Some(row.clone()),
            _ => None,
        };
        let (left, right) = (row_of(one), row_of(two));
        if two.kind != ObjectKind::Heap || one.size != two.size || (two.chain.is_some() && right.is_none()) {
            return None;
        }
        if !matches!(one.size, Val::Bits(size) if size <= LARGEST_NODE) {
            return None;
        }
        if [&left, &right].into_iter().flatten().any(|row| row.link != link || row.enters != enters) {
            return None;
        }
        // The last node of the first row, and of the whole.
        let last_of = |row: &Option<Row>, key: ObjectKey| row.as_ref().map_or(Some(key), |row| row.back.map(|(_, last)| last));
        let back = self.back_pointer(two, last_of(&left, first), link, enters);
        let agrees = |row: &Option<Row>| row.as_ref().is_none_or(|row| row.back.map(|(at, _)| at) == back);
        if !agrees(&left) || !agrees(&right) {
            return None;
        }
        // Nodes that lose their names: nobody else may know them.
        let only = |key: ObjectKey, holder: ObjectKey, at: u64| {
            let known = references.get(&key).map_or(&[][..], |found| &found[..]);
            // Of a node's pointers to itself the new name takes care.
            known.iter().all(|&reference| reference == Reference::Field(holder, at) || matches!(reference, Reference::Field(own, _) if own == key))
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
        let free = self.common_contents(state, (first, one, &left), (second, two, &right), &skipped, lossy)?;
        let back = match back {
            None => None,
            Some(at) => Some((at, last_of(&right, second)?)),
        };
        Some(Fold { first, second, row: Row { link, enters, back, free } })
    }

    /// Where the second node keeps a pointer back to the last of the first row.
    fn back_pointer(&self, two: &Object, last: Option<ObjectKey>, link: u64, enters: i64) -> Option<u64> {
        let last = last?;
        let mut found = two.contents.cells().filter(|(at, cell)| *at != link && cell.value == Val::Pointer { object: last, offset: enters });
        found.next().map(|(at, _)| at)
    }

    /// The stretches in which two nodes differ, if all of them are plain data that may be arbitrary.
    fn common_contents(
        &mut self,
        state: &State,
        (first, one, left): (ObjectKey, &Object, &Option<Row>),
        (second, two, right): (ObjectKey, &Object, &Option<Row>),
        skipped: &[u64],
        lossy: bool,
    ) -> Option<Vec<(u64, u64)>> {
        let Val::Bits(size) = one.size else { return None };
        if [one, two].iter().any(|object| matches!(object.contents.base, Base::Array { .. })) {
            return None;
        }
        let bytes = self.book.pointer_bits() as u64 / 8;
        let is_skipped = |at: u64| skipped.iter().any(|&field| field <= at && at < field + bytes);
        let free: Vec<(u64, u64)> = [left, right].into_iter().flatten().flat_map(|row| row.free.iter().copied()).collect();
        let is_free = |at: u64| free.iter().any(|&(start, length)| start <= at && at < start + length);
        let mut differs: BTreeSet<u64> = (0..size).filter(|&at| is_free(at)).collect();
        for at in (0..size).filter(|&at| !is_skipped(at)) {
            let (a, b) = (one.contents.byte(at), two.contents.byte(at));
            let same = match (&a, &b) {
                (ByteSource::Concrete(x), ByteSource::Concrete(y)) => x == y,
                (ByteSource::CellByte { value: x, length: n, index: i }, ByteSource::CellByte { value: y, length: m, index: j }) => {
                    n == m && i == j && same_value(*x, first, *y, second)
                }
                (ByteSource::Base, ByteSource::Base) => one.contents.base == two.contents.base,
                (ByteSource::Base, ByteSource::Concrete(0)) => one.contents.base == Base::Zero,
                (ByteSource::Concrete(0), ByteSource::Base) => two.contents.base == Base::Zero,
                _ => false,
            };
            if same && !is_free(at) {
                continue;
            }
            let is_plain = |source: &ByteSource| match source {
                ByteSource::CellByte { value: Val::Pointer { .. }, .. } => false,
                ByteSource::CellByte { value: Val::Term(term), .. } => !self.has_address(*term),
                _ => true,
            };
            let anything = |source: &ByteSource| match source {
                ByteSource::CellByte { value: Val::Term(term), .. } => self.is_unconstrained(state, *term),
                ByteSource::Base => true,
                _ => false,
            };
            let harmless = (is_free(at) || anything(&a)) && (is_free(at) || anything(&b));
            if !(lossy || harmless) || !is_plain(&a) || !is_plain(&b) {
                return None;
            }
            differs.insert(at);
        }
        Some(words(&differs, size))
    }

    /// Whether a value is a symbol that nothing is known of.
    fn is_unconstrained(&self, state: &State, value: Term) -> bool {
        let var = self.store.as_var(value);
        var.is_some_and(|var| self.book.object_of(var).is_none() && state.constraints.relevant(&[Symbol::Var(var)]).is_empty())
    }

    fn make_one(&mut self, state: &mut State, Fold { first, second, row }: Fold) {
        let (Some(one), Some(two)) = (state.memory.get(first).cloned(), state.memory.get(second).cloned()) else { return };
        let old_end = match one.chain.as_deref() {
            Some(Chain::Front(Row { back: Some((_, last)), .. })) => Some(*last),
            _ => None,
        };
        let mut whole = (*one).clone();
        for &(offset, length) in &row.free {
            // Only the list of free stretches says what is there.
            write_value(&self.store, &self.book, &mut whole.contents, offset, length, Val::Bits(0));
        }
        let link = self.known_field(&two.contents, row.link).unwrap_or(Val::Bits(0));
        self.write_field(&mut whole, row.link, link);
        let last = row.back.map(|(_, last)| last);
        whole.chain = Some(Rc::new(Chain::Front(row)));
        state.memory.remove(second);
        old_end.into_iter().for_each(|end| state.memory.remove(end));
        if let Some(last) = last {
            state.memory.insert(last, end_of(&whole, first));
        }
        state.memory.insert(first, whole);
    }

    /// Numbers that keep changing become arbitrary, once the path has been here a few times.
    fn let_go_of_numbers(&mut self, state: &mut State) {
        let place = (state.frames.len(), state.frame().proc, state.frame().block);
        let before = state.arrivals.get(&place).cloned();
        let visits = before.as_ref().map_or(0, |arrival| arrival.visits) + 1;
        if let Some(before) = &before
            && let (Some(earlier), true) = (&before.earlier, visits > EXACT_VISITS)
        {
            self.let_go_of_changes(state, before, earlier);
        }
        let earlier = before.map(|arrival| Rc::new(Arrival { earlier: None, ..(*arrival).clone() }));
        let arrival = Arrival { visits, earlier, locals: state.frame().locals.clone(), globals: state.globals.clone(), memory: state.memory.clone() };
        Rc::make_mut(&mut state.arrivals).insert(place, Rc::new(arrival));
    }

    fn let_go_of_changes(&mut self, state: &mut State, before: &Arrival, earlier: &Arrival) {
        let code = self.code.clone();
        let proc = state.frame().proc as usize;
        for slot in self.live_locals(&state.frames, state.frames.len() - 1) {
            let [first, old] = [earlier, before].map(|arrival| arrival.locals[slot as usize]);
            if self.keeps_changing(first, old, state.frame().locals[slot as usize]) {
                let value = self.arbitrary(state, code.procs[proc].local_sorts[slot as usize]);
                Rc::make_mut(&mut state.frame_mut().locals)[slot as usize] = value;
            }
        }
        for slot in 0..state.globals.len() {
            if self.keeps_changing(earlier.globals[slot], before.globals[slot], state.globals[slot]) {
                let value = self.arbitrary(state, code.global_sorts[slot]);
                Rc::make_mut(&mut state.globals)[slot] = value;
            }
        }
        for key in before.memory.differences(&state.memory).changed {
            let [first, old, new] = [&earlier.memory, &before.memory, &state.memory].map(|memory| memory.get(key).cloned());
            let (Some(first), Some(old), Some(new)) = (first, old, new) else { continue };
            let is_plain = |object: &Object| object.chain.is_none() && object.contents.base == new.contents.base;
            if new.read_only || ![&first, &old, &new].into_iter().all(|object| is_plain(object)) {
                continue;
            }
            for difference in old.contents.differences(&new.contents) {
                let (offset, length) = (difference.offset, difference.length);
                let values = [&first, &old, &new].map(|object| part(&object.contents, offset, length));
                if let [Some(first), Some(old), Some(new)] = values
                    && self.keeps_changing(first, old, new)
                {
                    let value = self.arbitrary(state, Sort::Bv(length as u32 * 8));
                    if let Some(object) = state.memory.get_mut(key) {
                        write_value(&self.store, &self.book, &mut object.contents, offset, length, value);
                    }
                }
            }
        }
    }

    /// Whether a place held three numbers in turn, none of them an address.
    fn keeps_changing(&self, first: Val, old: Val, new: Val) -> bool {
        let is_number = |value: Val| match value {
            Val::Bits(bits) => self.book.object_at(bits).is_none(),
            Val::Pointer { .. } => false,
            Val::Term(term) => !self.has_address(term),
        };
        first != old && old != new && [first, old, new].into_iter().all(is_number)
    }
}

fn heap(state: &State) -> Vec<ObjectKey> {
    state.memory.sorted().into_iter().filter(|(_, object)| object.kind == ObjectKind::Heap).map(|(key, _)| key).collect()
}

/// Equal, or pointers of two nodes to themselves.
fn same_value(one: Val, first: ObjectKey, two: Val, second: ObjectKey) -> bool {
    match (one, two) {
        (Val::Pointer { object: a, offset: i }, Val::Pointer { object: b, offset: j }) if a == first || b == second => {
            a == first && b == second && i == j
        }
        _ => one == two,
    }
}

/// What is known at a place as one value.
fn part(contents: &Contents, offset: u64, length: u64) -> Option<Val> {
    contents.read_cell(offset, length).or_else(|| contents.read_concrete(offset, length).map(Val::Bits))
}

/// Bytes as stretches of whole words inside an object.
fn words(bytes: &BTreeSet<u64>, size: u64) -> Vec<(u64, u64)> {
    let starts: BTreeSet<u64> = bytes.iter().map(|at| at & !3).collect();
    starts.into_iter().map(|start| (start, (size - start).min(4))).collect()
}
