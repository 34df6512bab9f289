//! On which condition an object can be reached. A value may be a choice between pointers, and a pointer in an array is there only as
//! long as nothing was written over it. So each mention of an object has a condition over the inputs: of a choice, which arm counts;
//! of a read, which of the writes went to its index last; of an array, that the element where the pointer was put still reads as
//! that pointer. An object is reached on the condition that some way of mentions leads to it from what needs no pointer.
//!
//! A condition that depends on where objects lie, or that nothing can evaluate, counts as a pointer hidden in arithmetic: the object is
//! reached either way.

use crate::exec::machine::Machine;
use crate::exec::state::State;
use crate::exec::value::{ObjectKey, Val};
use crate::lists::chains::Chain;
use crate::memory::contents::Base;
use crate::memory::mentions::{Mentions, Walk};
use crate::memory::objects::{Object, ObjectKind};
use fathom_base::FxMap;
use fathom_term::{Evaluator, Op, Term};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Conditions that are made for one state.
const MAX_CONDITIONS: usize = 300_000;
/// Elements of an array of which all may hold the value that it was filled with.
const MAX_ELEMENTS: u64 = 1_000;

/// Objects and the conditions on which they are meant.
pub(super) type Guarded = BTreeMap<ObjectKey, Term>;

/// A value, or what a read of an array at an index gives.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
enum Part {
    Value(Term),
    Read { array: Term, index: Term },
}

/// How the objects of a part come from those of others.
enum Sources {
    Known(Guarded),
    Same(Part),
    /// On the condition those of the first, otherwise those of the second.
    Choice(Term, [Part; 2]),
    /// Those of all, whatever the inputs are.
    All(Vec<Part>),
}

/// What is known of the mentions of one state.
pub(super) struct Reachability {
    /// Tells which conditions can be evaluated.
    model: Rc<Evaluator>,
    known: FxMap<Part, Rc<Guarded>>,
    mentions: Mentions,
    conditions: usize,
}

/// There were too many conditions.
pub(super) struct TooMany;

type Limited<T> = Result<T, TooMany>;

impl Reachability {
    pub(super) fn new(state: &State) -> Self {
        Reachability { model: state.path.model.clone(), known: FxMap::default(), mentions: Mentions::default(), conditions: 0 }
    }

    fn count(&mut self, more: usize) -> Limited<()> {
        self.conditions += more;
        if self.conditions > MAX_CONDITIONS { Err(TooMany) } else { Ok(()) }
    }
}

impl Machine {
    /// The condition of each object that may be reached from these values and from objects that need no pointer.
    pub(super) fn reached_on(&mut self, state: &State, roots: &[Val], reachability: &mut Reachability) -> Limited<Guarded> {
        let truth = self.store.bool(true);
        let mut reached = Guarded::new();
        for (key, object) in state.memory.sorted() {
            if matches!(object.kind, ObjectKind::Global | ObjectKind::Stack) {
                reached.insert(key, truth);
            }
        }
        for &root in roots {
            let found = self.meant(root, reachability)?;
            self.add_all(&mut reached, &found, truth);
        }
        let mut contents: FxMap<ObjectKey, Rc<Guarded>> = FxMap::default();
        let mut open: BTreeSet<ObjectKey> = reached.keys().copied().collect();
        // A way that comes to no object twice has at most as many steps as there are objects.
        for _ in 0..=state.memory.sorted().len() {
            // What is reached in any case comes first: it needs no further round.
            let mut certain: Vec<ObjectKey> = open.iter().copied().filter(|key| reached[key] == truth).collect();
            while let Some(key) = certain.pop() {
                open.remove(&key);
                for changed in self.go_on(state, key, &mut reached, &mut contents, reachability)? {
                    if reached[&changed] == truth {
                        certain.push(changed);
                    } else {
                        open.insert(changed);
                    }
                }
            }
            let mut next = BTreeSet::new();
            for key in open {
                next.extend(self.go_on(state, key, &mut reached, &mut contents, reachability)?);
            }
            if next.is_empty() {
                break;
            }
            open = next;
        }
        Ok(reached)
    }

    /// Adds what one object leads to; the objects whose conditions became weaker.
    fn go_on(
        &mut self,
        state: &State,
        from: ObjectKey,
        reached: &mut Guarded,
        contents: &mut FxMap<ObjectKey, Rc<Guarded>>,
        reachability: &mut Reachability,
    ) -> Limited<Vec<ObjectKey>> {
        let Some(object) = state.memory.get(from) else { return Ok(Vec::new()) };
        let found = match contents.get(&from) {
            Some(found) => found.clone(),
            None => {
                let found = Rc::new(self.meant_in(object, reachability)?);
                contents.insert(from, found.clone());
                found
            }
        };
        reachability.count(found.len())?;
        let condition = reached[&from];
        Ok(self.add_all(reached, &found, condition))
    }

    /// Adds objects on a further condition; those whose conditions became weaker.
    fn add_all(&self, reached: &mut Guarded, more: &Guarded, condition: Term) -> Vec<ObjectKey> {
        let mut changed = Vec::new();
        for (&key, &own) in more {
            let own = self.store.and(condition, own);
            let old = reached.get(&key).copied().unwrap_or_else(|| self.store.bool(false));
            let new = self.store.or(old, own);
            if new != old {
                reached.insert(key, new);
                changed.push(key);
            }
        }
        changed
    }

    /// The objects that a value means.
    fn meant(&mut self, value: Val, reachability: &mut Reachability) -> Limited<Rc<Guarded>> {
        match value {
            Val::Bits(_) | Val::Pointer { .. } => {
                let mut walk = Walk::default();
                self.mentioned(value, &mut walk);
                Ok(Rc::new(self.in_any_case(walk)))
            }
            Val::Term(term) => self.meant_by(Part::Value(term), reachability),
        }
    }

    /// The objects whose addresses are in this one.
    fn meant_in(&mut self, object: &Object, reachability: &mut Reachability) -> Limited<Guarded> {
        let mut walk = Walk::default();
        match object.chain.as_deref() {
            Some(Chain::Front(segment)) => walk.found.extend(segment.back.map(|(_, last)| last)),
            Some(Chain::End(front)) => walk.found.push(*front),
            None => {}
        }
        for (_, word) in object.contents.concrete_words(self.book.pointer_bits() as u64 / 8) {
            walk.found.extend(self.object_at(word));
        }
        let mut found = self.in_any_case(walk);
        let truth = self.store.bool(true);
        for (_, cell) in object.contents.cells() {
            let more = self.meant(cell.value, reachability)?;
            self.add_all(&mut found, &more, truth);
        }
        if let Base::Array { term, element } = object.contents.base {
            let count = if let Val::Bits(size) = object.size { Some(size / element) } else { None };
            let known = object.contents.known_elements(element);
            let more = self.meant_in_array(term, &known, count, reachability)?;
            self.add_all(&mut found, &more, truth);
        }
        Ok(found)
    }

    fn in_any_case(&self, walk: Walk) -> Guarded {
        let truth = self.store.bool(true);
        walk.found.into_iter().map(|key| (key, truth)).collect()
    }

    /// The objects whose addresses are still in an array of so many elements, apart from those elements that pages know better.
    fn meant_in_array(&mut self, array: Term, known: &[u64], count: Option<u64>, reachability: &mut Reachability) -> Limited<Guarded> {
        let mut found = Guarded::new();
        if count == Some(known.len() as u64) || !self.mentions(array, &mut reachability.mentions) {
            return Ok(found);
        }
        let width = self.book.pointer_bits();
        let hidden: Vec<Term> = known.iter().map(|&index| self.store.bv(index, width)).collect();
        let Some(indices) = self.indices_of_pointers(array, count, &mut reachability.mentions) else {
            let mut walk = Walk::default();
            self.mentioned(Val::Term(array), &mut walk);
            return Ok(self.in_any_case(walk));
        };
        for index in indices {
            let mut is_visible = self.store.bool(true);
            for &other in &hidden {
                let same = self.store.eq(index, other);
                let same = self.evaluable(same, reachability).unwrap_or_else(|| self.store.bool(false));
                is_visible = self.store.and(is_visible, self.store.not(same));
            }
            reachability.count(hidden.len())?;
            let read = self.meant_by(Part::Read { array, index }, reachability)?;
            self.add_all(&mut found, &read, is_visible);
        }
        Ok(found)
    }

    /// The indices at which an array may hold addresses; None if that is not known.
    fn indices_of_pointers(&self, array: Term, count: Option<u64>, mentions: &mut Mentions) -> Option<BTreeSet<Term>> {
        let (mut indices, mut seen, mut open) = (BTreeSet::new(), BTreeSet::new(), vec![array]);
        while let Some(array) = open.pop() {
            if !seen.insert(array) || !self.mentions(array, mentions) {
                continue;
            }
            match self.store.op(array) {
                Op::Store => {
                    if self.mentions(self.store.arg(array, 2), mentions) {
                        indices.insert(self.store.arg(array, 1));
                    }
                    open.push(self.store.arg(array, 0));
                }
                Op::Ite => open.extend([self.store.arg(array, 1), self.store.arg(array, 2)]),
                Op::ConstArray(_) => {
                    let count = count.filter(|count| *count <= MAX_ELEMENTS)?;
                    indices.extend((0..count).map(|index| self.store.bv(index, self.book.pointer_bits())));
                }
                _ => return None,
            }
        }
        Some(indices)
    }

    fn meant_by(&mut self, root: Part, reachability: &mut Reachability) -> Limited<Rc<Guarded>> {
        let mut open = vec![root];
        while let Some(&part) = open.last() {
            if reachability.known.contains_key(&part) {
                open.pop();
                continue;
            }
            let sources = self.sources(part, reachability);
            let before = open.len();
            let parts: &[Part] = match &sources {
                Sources::Known(_) => &[],
                Sources::Same(one) => std::slice::from_ref(one),
                Sources::Choice(_, both) => both,
                Sources::All(parts) => parts,
            };
            open.extend(parts.iter().filter(|part| !reachability.known.contains_key(*part)));
            if open.len() > before {
                continue;
            }
            open.pop();
            let found = self.joined(sources, reachability);
            reachability.count(found.len() + 1)?;
            reachability.known.insert(part, found);
        }
        Ok(reachability.known[&root].clone())
    }

    fn joined(&self, sources: Sources, reachability: &Reachability) -> Rc<Guarded> {
        let truth = self.store.bool(true);
        let mut found = Guarded::new();
        match sources {
            Sources::Known(known) => found = known,
            Sources::Same(part) => return reachability.known[&part].clone(),
            Sources::Choice(condition, [one, other]) => {
                self.add_all(&mut found, &reachability.known[&one], condition);
                self.add_all(&mut found, &reachability.known[&other], self.store.not(condition));
            }
            Sources::All(parts) => {
                for part in parts {
                    self.add_all(&mut found, &reachability.known[&part], truth);
                }
            }
        }
        Rc::new(found)
    }

    fn sources(&mut self, part: Part, reachability: &mut Reachability) -> Sources {
        let (Part::Value(term) | Part::Read { array: term, .. }) = part;
        if !self.mentions(term, &mut reachability.mentions) {
            return Sources::Known(Guarded::new());
        }
        match part {
            Part::Value(term) => self.sources_of_value(term, reachability),
            Part::Read { array, index } => self.sources_of_read(array, index, reachability),
        }
    }

    fn sources_of_value(&mut self, term: Term, reachability: &Reachability) -> Sources {
        match self.store.op(term) {
            Op::Ite => {
                let [condition, then, otherwise] = [0, 1, 2].map(|index| self.store.arg(term, index));
                self.choice(condition, Part::Value(then), Part::Value(otherwise), reachability)
            }
            Op::Select => Sources::Same(Part::Read { array: self.store.arg(term, 0), index: self.store.arg(term, 1) }),
            Op::Var(_) | Op::Const(_) => Sources::Known(self.everything_in(term)),
            _ => Sources::All(self.store.args(term).iter().map(|&arg| Part::Value(arg)).collect()),
        }
    }

    fn sources_of_read(&mut self, mut array: Term, index: Term, reachability: &Reachability) -> Sources {
        let is_at = |array: Term| self.store.eq(self.store.arg(array, 1), index);
        while self.store.op(array) == Op::Store && self.store.const_bool(is_at(array)) == Some(false) {
            array = self.store.arg(array, 0);
        }
        match self.store.op(array) {
            Op::Store => {
                let [older, value] = [0, 2].map(|position| self.store.arg(array, position));
                let same = is_at(array);
                self.choice(same, Part::Value(value), Part::Read { array: older, index }, reachability)
            }
            Op::Ite => {
                let [condition, then, otherwise] = [0, 1, 2].map(|position| self.store.arg(array, position));
                let [then, otherwise] = [then, otherwise].map(|array| Part::Read { array, index });
                self.choice(condition, then, otherwise, reachability)
            }
            Op::ConstArray(_) => Sources::Same(Part::Value(self.store.arg(array, 0))),
            _ => Sources::Known(self.everything_in(array)),
        }
    }

    fn choice(&mut self, condition: Term, one: Part, other: Part, reachability: &Reachability) -> Sources {
        match self.evaluable(condition, reachability) {
            None => Sources::All(vec![one, other]),
            Some(condition) => match self.store.const_bool(condition) {
                Some(true) => Sources::Same(one),
                Some(false) => Sources::Same(other),
                None => Sources::Choice(condition, [one, other]),
            },
        }
    }

    /// A condition without addresses; None if it depends on where objects lie or cannot be evaluated.
    fn evaluable(&mut self, condition: Term, reachability: &Reachability) -> Option<Term> {
        if self.store.const_bool(condition).is_some() {
            return Some(condition);
        }
        self.book.same_in_every_layout(condition)?;
        let condition = self.book.ground(condition);
        reachability.model.holds(&self.store, condition).map(|_| condition)
    }

    fn everything_in(&self, term: Term) -> Guarded {
        let mut walk = Walk::default();
        self.mentioned(Val::Term(term), &mut walk);
        self.in_any_case(walk)
    }
}
