//! Conditions that depend on the memory layout. Terms have a symbol for the address of each object. A condition with
//! the same truth value in every layout is evaluated with example addresses, which costs nothing (`standing`). Any
//! other condition is given to the solver with the symbols themselves: what the ABI promises about its objects is added
//! to the path condition, once per path and object, and the solver chooses a layout as it chooses inputs. A replay uses
//! this layout.
//!
//! Two objects that were ever alive at the same time are disjoint. For two that were not, or of which this is unknown,
//! nothing is assumed, since memory is reused. That may allow impossible layouts, so a replay checks that live objects
//! do not overlap. A string literal may share memory with another one that it is the end of (C17 6.4.5).

use crate::exec::machine::{Cut, Machine, Mode, PathEnd, Step};
use crate::exec::state::State;
use crate::exec::value::{ObjectKey, Val};
use crate::memory::address::{LOWEST, Placed};
use crate::memory::objects::ObjectKind;
use fathom_smt::Verdict;
use fathom_term::{Evaluator, Op, Sort, Term, Value, mask};
use std::collections::BTreeSet;
use std::rc::Rc;

/// What a search makes of conditions that depend on where objects lie.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Layouts {
    /// Every layout is followed.
    All,
    /// Only the example is; there is no proof any more.
    Example,
    /// Only the example is, because the others were compared elsewhere: values are compared by number.
    Given,
}

/// Objects that a condition may mention before it is too large.
const MOST_MENTIONED: usize = 128;
/// Objects in a condition that is asked about only to know whether it depends on the layout.
const FEW: usize = 8;

impl Machine {
    /// The term as it may be asked about: with addresses as numbers where it is the same in every layout, else with the symbols
    /// and what is known of them.
    pub(crate) fn placed(&mut self, state: &mut State, term: Term) -> Step<Term> {
        let grounded = self.book.ground(term);
        if grounded == term || self.is_settled(state, term) {
            return Ok(grounded);
        }
        if matches!(self.mode, Mode::Replay { .. }) {
            self.replay.used_layout.set(true);
            return Ok(grounded);
        }
        match self.layouts_followed() {
            Layouts::Given => Ok(grounded),
            Layouts::Example => {
                let cut = self.layout_cut(state);
                if !self.found.cuts.contains(&cut) && !self.is_same_here(state, term, grounded) {
                    self.found.cuts.push(cut);
                }
                Ok(grounded)
            }
            Layouts::All => {
                self.mention(state, term)?;
                Ok(term)
            }
        }
    }

    /// A pointer that may be one of a few: the state splits on whether it is the one that its model says. None if the model says
    /// something else.
    pub(crate) fn pick_place(&mut self, state: &mut State, pointer: Term) -> Step<Option<Val>> {
        if matches!(self.mode, Mode::Replay { .. }) || self.is_retracing() {
            return Ok(None);
        }
        let Some(places) = self.book.places_of(pointer) else { return Ok(None) };
        self.verify(state)?;
        let grounded = self.book.ground(pointer);
        let value = state.path.model.eval(&self.store, grounded).and_then(|value| value.to_u64());
        let Some(place) = places.into_iter().find(|place| place.flat(&self.book) == value) else { return Ok(None) };
        let here = self.term_of(place, Sort::Bv(self.book.pointer_bits()));
        let is_it = self.placed(state, self.store.eq(pointer, here))?;
        Ok(Some(if self.split(state, is_it)? { place } else { Val::Term(pointer) }))
    }

    /// A pointer as its value is asked for: by itself it is no condition.
    pub(crate) fn placed_pointer(&mut self, state: &mut State, pointer: Term) -> Step<Term> {
        match self.layouts_followed() {
            Layouts::All => self.placed(state, pointer),
            Layouts::Example | Layouts::Given => Ok(self.book.ground(pointer)),
        }
    }

    /// For questions that may go unanswered: None where the answer depends on where objects lie.
    pub(crate) fn placed_for_certain(&mut self, state: &State, term: Term) -> Option<Term> {
        let grounded = self.book.ground(term);
        let is_given = matches!(self.mode, Mode::Replay { .. }) || self.layouts_followed() == Layouts::Given;
        (grounded == term || is_given || self.is_settled(state, term)).then_some(grounded)
    }

    pub(crate) fn layouts_followed(&self) -> Layouts {
        if self.is_retracing() { Layouts::Given } else { self.config.layouts }
    }

    fn layout_cut(&self, state: &State) -> Cut {
        match self.unsupported(state, "a condition that depends on where objects lie in memory") {
            PathEnd::Cut(cut) => cut,
            _ => unreachable!("what is unsupported cuts the path"),
        }
    }

    /// Whether a term is the same in every layout that is possible in this state.
    fn is_settled(&mut self, state: &State, term: Term) -> bool {
        let Some(together) = self.book.same_in_every_layout(term) else { return false };
        together.iter().all(|&object| self.is_alive(state, object))
    }

    /// Whether a term is the same in every layout because of what the path knows.
    fn is_same_here(&mut self, state: &State, term: Term, grounded: Term) -> bool {
        let objects = self.objects_in_term(state, term);
        if objects.len() > FEW {
            return false;
        }
        let mut known: Vec<Term> = objects.iter().map(|&object| self.lies_inside(state, object)).collect();
        for (at, &one) in objects.iter().enumerate() {
            let others = objects[..at].iter().filter(|&&two| self.live_together(state, one, two));
            known.extend(others.map(|&two| self.lie_apart(state, one, two)));
        }
        known.push(self.store.not(self.store.eq(term, grounded)));
        let differs = self.store.and_all(known);
        matches!(self.query(state, differs), Verdict::Unsat)
    }

    fn objects_in_term(&self, state: &State, term: Term) -> Vec<ObjectKey> {
        let vars = state.path.constraints.sets().vars(&self.store, term);
        let objects: BTreeSet<ObjectKey> = vars.into_iter().filter_map(|var| self.book.object_of(var)).collect();
        objects.into_iter().collect()
    }

    /// Whether an object takes so much of the address space that its end may be noticed.
    pub(crate) fn is_bulky(&self, state: &State, object: ObjectKey) -> bool {
        state.memory.get(object).is_some_and(|found| match found.size {
            Val::Bits(size) => found.kind == ObjectKind::Heap && size >= self.book.bulk(),
            _ => false,
        })
    }

    pub(crate) fn is_alive(&self, state: &State, object: ObjectKey) -> bool {
        state.memory.get(object).is_some()
    }

    /// Objects of the program itself never end.
    fn lasts(&self, object: ObjectKey) -> bool {
        (object.0 as usize) < self.image.globals.len()
    }

    fn live_together(&self, state: &State, a: ObjectKey, b: ObjectKey) -> bool {
        self.lasts(a) || self.lasts(b) || (self.is_alive(state, a) && self.is_alive(state, b))
    }

    /// Makes what is known of the addresses in a term part of the path condition.
    fn mention(&mut self, state: &mut State, term: Term) -> Step<()> {
        let new: Vec<ObjectKey> =
            self.objects_in_term(state, term).into_iter().filter(|object| !state.path.mentioned.contains(object)).collect();
        if new.len() + state.path.mentioned.len() > MOST_MENTIONED {
            return Err(PathEnd::Cut(self.layout_cut(state)));
        }
        for object in new {
            let mut known = vec![self.promise(self.lies_inside(state, object), [object; 2])];
            for &other in state.path.mentioned.clone().iter() {
                if self.live_together(state, object, other) {
                    known.push(self.promise(self.lie_apart(state, object, other), [object, other]));
                }
            }
            let known = self.store.and_all(known);
            self.propose_address(state, object);
            self.rely_on(state, known)?;
            Rc::make_mut(&mut state.path.mentioned).insert(object);
        }
        Ok(())
    }

    /// Keeps in mind what holds of addresses whenever these objects live.
    fn promise(&mut self, known: Term, objects: [ObjectKey; 2]) -> Term {
        self.book.promises.extend(self.store.conjuncts(known).into_iter().map(|part| (part, objects)));
        known
    }

    /// Whether a constraint says nothing but what holds of addresses in every state with these objects.
    pub(crate) fn is_promised(&self, state: &State, constraint: Term) -> bool {
        let promised = self.book.promises.get(&constraint);
        promised.is_some_and(|objects| objects.iter().all(|&object| self.lasts(object) || self.is_alive(state, object)))
    }

    /// The example address goes into a model that has none.
    fn propose_address(&self, state: &mut State, object: ObjectKey) {
        let Op::Var(var) = self.store.op(self.book.symbol(object)) else { return };
        if state.path.model.model().values.contains_key(&var) {
            return;
        }
        let mut model = state.path.model.model().clone();
        model.values.insert(var, Value::Bits(self.book.base(object)));
        state.path.model = Rc::new(Evaluator::new(model));
    }

    /// Like an assumption, but one that holds in every execution: if it can't, memory does not suffice.
    fn rely_on(&mut self, state: &mut State, known: Term) -> Step<()> {
        if state.path.verified && state.is_certain() && state.path.model.holds(&self.store, known) != Some(true) {
            match self.query(state, known) {
                Verdict::Sat(model) => state.path.model = model,
                Verdict::Unsat => return Err(self.unsupported(state, "more memory than the address space holds")),
                Verdict::Unknown(why) => return Err(PathEnd::Cut(Cut::Solver(why.to_string()))),
            }
        }
        state.path.constraints.push(&self.store, known);
        Ok(())
    }

    fn extent(&self, state: &State, object: ObjectKey) -> Term {
        let size = match self.book.size(object) {
            Some(size) => Val::Bits(self.book.own_bytes(object, size)),
            None => state.memory.get(object).map_or(Val::Bits(1), |found| found.size),
        };
        self.term_of(size, Sort::Bv(self.book.pointer_bits()))
    }

    /// Not null, aligned, and with its end in the address space.
    fn lies_inside(&self, state: &State, object: ObjectKey) -> Term {
        let (store, width) = (&self.store, self.book.pointer_bits());
        let (address, size) = (self.book.symbol(object), self.extent(state, object));
        let limit = store.bv(self.book.limit(), width);
        let low = store.bv_ule(store.bv(LOWEST, width), address);
        let fits = store.bv_ule(size, limit);
        let high = store.bv_ule(address, store.bv_sub(limit, size));
        let bits = store.build(Op::BvAnd, &[address, store.bv((self.book.align(object) - 1) & mask(width), width)]);
        let aligned = store.eq(bits, store.bv(0, width));
        store.and_all([low, fits, high, aligned])
    }

    fn lie_apart(&self, state: &State, a: ObjectKey, b: ObjectKey) -> Term {
        let store = &self.store;
        let shared = self.book.shared_offset(a, b).map(|offset| {
            let width = self.book.pointer_bits();
            let inside = store.bv_add(self.book.symbol(a), store.bv(offset as u64 & mask(width), width));
            store.eq(self.book.symbol(b), inside)
        });
        let is_bare = [a, b].into_iter().any(|object| self.book.own_bytes(object, 0) == 0);
        let [(a, a_size), (b, b_size)] = [a, b].map(|object| (self.book.symbol(object), self.extent(state, object)));
        let before = |one: Term, size: Term, two: Term| store.bv_ule(store.bv_add(one, size), two);
        // A symbolic size may be zero, and the address is the object's own all the same.
        let differ = if is_bare { store.bool(true) } else { store.not(store.eq(a, b)) };
        let apart = store.and(differ, store.or(before(a, a_size, b), before(b, b_size, a)));
        shared.map_or(apart, |shared| store.or(apart, shared))
    }

    /// The object that the state's model has at a number, in the layout that the model chose.
    pub(crate) fn object_in_model(&self, state: &State, address: u64) -> Option<ObjectKey> {
        let width = self.book.pointer_bits();
        for &object in state.path.mentioned.iter().filter(|&&object| self.is_alive(state, object)) {
            let base = state.path.model.eval(&self.store, self.book.symbol(object)).and_then(|value| value.to_u64());
            let size = state.path.model.eval(&self.store, self.extent(state, object)).and_then(|value| value.to_u64());
            if let (Some(base), Some(size)) = (base, size)
                && address.wrapping_sub(base) & mask(width) <= size
            {
                return Some(object);
            }
        }
        self.book.object_at(address).filter(|object| self.is_alive(state, *object) && !state.path.mentioned.contains(object))
    }

    /// Where objects lie in the execution that a model describes.
    pub(crate) fn layout_under(&self, model: &Evaluator) -> Vec<Placed> {
        let mut layout = self.book.layout();
        for (var, value) in model.model().values.iter() {
            if let (Some(object), Some(base)) = (self.book.object_of(*var), value.to_u64()) {
                let placed = &mut layout[object.0 as usize];
                (placed.base, placed.chosen) = (base, true);
            }
        }
        layout
    }

    /// In a replay: whether an object that begins to live would lie on one that lives.
    pub(crate) fn overlaps(&self, state: &State, object: ObjectKey, size: u64) -> bool {
        let start = self.book.base(object);
        let Some(end) = start.checked_add(self.book.own_bytes(object, size)) else { return true };
        let overlaps = |key: ObjectKey, other: u64| {
            let base = self.book.base(key);
            base < end && start < base.saturating_add(self.book.own_bytes(key, other))
        };
        self.book.is_chosen(object)
            && state.memory.sorted().into_iter().any(|(key, found)| match found.size {
                Val::Bits(size) => key != object && self.book.is_chosen(key) && overlaps(key, size),
                _ => false,
            })
    }
}
