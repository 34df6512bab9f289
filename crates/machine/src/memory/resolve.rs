//! From a pointer value to an object and an offset inside it. A pointer with a known base needs no search; a choice
//! between pointers splits the state; a bare number is looked up by the address that the state's model gives it.

use crate::exec::machine::{Cut, Decision, Machine, Mode, PathEnd, Step};
use crate::exec::state::State;
use crate::exec::value::{ObjectKey, Val};
use crate::memory::address::LOWEST;
use crate::memory::blocks::FREE_OF_NOTHING;
use crate::memory::objects::ObjectKind;
use crate::memory::placement::Layouts;
use fathom_ir::{Family, ObjectId, Property};
use fathom_term::{Op, Sort, Term};

/// The purpose of an access, which decides what counts as invalid.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    Read,
    Write,
}

impl Purpose {
    fn verb(self) -> &'static str {
        match self {
            Purpose::Read => "read",
            Purpose::Write => "write",
        }
    }
}

/// How many summands of a pointer are looked at.
const MAX_SUMMANDS: usize = 64;
/// How many objects a bare number is compared with before the path is given up.
const MAX_CANDIDATES: usize = 64;

impl Machine {
    /// The place that `length` bytes (a pointer-wide value) at `pointer` are at; violations are reported and left
    /// behind. The offset is a number or a term.
    pub(crate) fn resolve(&mut self, state: &mut State, pointer: Val, length: Val, purpose: Purpose) -> Step<(ObjectKey, Val)> {
        let given = self.determinate(state, pointer, Sort::Bv(self.book.pointer_bits()), "the address")?;
        let mut pointer = given;
        loop {
            match self.locate(state, pointer, Property::ValidDeref)? {
                Located::At { object, offset } => {
                    self.check_owner(state, object)?;
                    self.check_guess(state, given, object)?;
                    self.check_bounds(state, object, offset, length, purpose)?;
                    return Ok((object, offset));
                }
                Located::Again(other) => pointer = other,
                Located::Nowhere => return Err(self.invalid(state, pointer, purpose)),
            }
        }
    }

    /// One step towards the object of a pointer; where there is none, this property is broken.
    pub(crate) fn locate(&mut self, state: &mut State, pointer: Val, broken: Property) -> Step<Located> {
        if !self.is_retracing() {
            let located = self.locate_value(state, pointer, broken)?;
            if let (true, Located::At { object, .. }) = (self.config.folds_lists, &located) {
                self.unfold(state, *object)?;
            }
            return Ok(located);
        }
        let pointer = self.retraced_pointer(state, pointer)?;
        let located = self.locate_value(state, pointer, broken)?;
        if let Located::At { object, .. } = located {
            self.looked_at(state, object);
        }
        Ok(located)
    }

    fn locate_value(&mut self, state: &mut State, pointer: Val, broken: Property) -> Step<Located> {
        match pointer {
            Val::Pointer { object, offset } => Ok(match state.memory.get(object) {
                Some(_) => Located::At { object, offset: Val::Bits(self.wrap(offset)) },
                None => Located::Nowhere,
            }),
            Val::Bits(address) => Ok(match self.locate_number(state, address) {
                Located::Nowhere => self.adopt_again(state, address),
                found => found,
            }),
            Val::Term(term) => self.locate_term(state, term, broken),
        }
    }

    /// The object that a pointer with a known base points into. An arbitrary number leads to none; a choice between
    /// pointers splits the state.
    pub(crate) fn known_object(&mut self, state: &mut State, pointer: Val) -> Step<Option<ObjectKey>> {
        let mut pointer = if self.is_retracing() { self.retraced_pointer(state, pointer)? } else { pointer };
        loop {
            let has_base = match pointer {
                Val::Term(term) => {
                    let store = self.store.clone();
                    self.summands(term)
                        .iter()
                        .any(|&part| store.op(part) == Op::Ite || store.as_var(part).is_some_and(|var| self.book.object_of(var).is_some()))
                }
                _ => true,
            };
            if !has_base {
                return Ok(None);
            }
            let located = match pointer {
                Val::Bits(address) => self.locate_number(state, address),
                _ => self.locate(state, pointer, Property::ValidDeref)?,
            };
            match located {
                Located::At { object, .. } => {
                    self.looked_at(state, object);
                    return Ok(Some(object));
                }
                Located::Again(other) => pointer = other,
                Located::Nowhere => return Ok(None),
            }
        }
    }

    fn wrap(&self, offset: i64) -> u64 {
        offset as u64 & fathom_term::mask(self.book.pointer_bits())
    }

    pub(super) fn locate_number(&self, state: &State, address: u64) -> Located {
        match self.object_at(address) {
            Some(_) => self.locate_example(state, address),
            None => Located::Nowhere,
        }
    }

    /// The place that has this number in the example of a layout.
    fn locate_example(&self, state: &State, address: u64) -> Located {
        match self.book.object_at(address) {
            Some(object) if state.memory.get(object).is_some() => {
                Located::At { object, offset: Val::Bits(address - self.book.base(object)) }
            }
            _ => Located::Nowhere,
        }
    }

    /// The object at a number. In a search no number is an address: where objects lie is arbitrary.
    pub(crate) fn object_at(&self, address: u64) -> Option<ObjectKey> {
        let has_numbers = matches!(self.mode, Mode::Replay { .. }) || self.layouts_followed() == Layouts::Given;
        if has_numbers { self.book.object_at(address) } else { None }
    }

    fn locate_term(&mut self, state: &mut State, term: Term, broken: Property) -> Step<Located> {
        let summands = self.summands(term);
        if let Some((symbol, object)) = self.base_among(&summands) {
            if state.memory.get(object).is_none() {
                return Ok(Located::Nowhere);
            }
            let offset = self.sum(summands.iter().filter(|&&s| s != symbol));
            let offset = self.placed(state, offset)?;
            return Ok(Located::At { object, offset: self.value_of(offset) });
        }
        match self.followed_choice(state, &summands)? {
            Some(chosen) => Ok(Located::Again(chosen)),
            None => self.locate_by_model(state, term, broken),
        }
    }

    /// The only address of an object among the parts of a sum.
    pub(super) fn base_among(&self, summands: &[Term]) -> Option<(Term, ObjectKey)> {
        let mut based = summands.iter().filter_map(|&s| {
            let object = self.store.as_var(s).and_then(|var| self.book.object_of(var))?;
            Some((s, object))
        });
        based.next().filter(|_| based.next().is_none())
    }

    /// A choice among pointers: this state follows one arm, a sibling the other. None if there is no choice.
    pub(super) fn followed_choice(&mut self, state: &mut State, summands: &[Term]) -> Step<Option<Val>> {
        let Some(&choice) = summands.iter().find(|&&s| self.store.op(s) == Op::Ite) else { return Ok(None) };
        let condition = self.placed(state, self.store.arg(choice, 0))?;
        let taken = self.split(state, condition)?;
        let arm = self.store.arg(choice, if taken { 1 } else { 2 });
        let rest: Vec<Term> = summands.iter().copied().filter(|&s| s != choice).chain(std::iter::once(arm)).collect();
        let sum = self.sum(rest.iter());
        Ok(Some(self.value_of(sum)))
    }

    /// The value of a pointer is used, be it only to compare it: C gives it no meaning once its object has ended.
    pub(crate) fn use_pointer(&mut self, state: &mut State, pointer: Val) -> Step<()> {
        if !self.checks.contains(&Property::Dangling) {
            return Ok(());
        }
        let mut pointer = if self.is_retracing() { self.retraced_pointer(state, pointer)? } else { pointer };
        loop {
            let object = match pointer {
                Val::Bits(_) => return Ok(()),
                Val::Pointer { object, .. } => object,
                Val::Term(term) => {
                    let summands = self.summands(term);
                    match self.base_among(&summands) {
                        Some((_, object)) => object,
                        None => match self.followed_choice(state, &summands)? {
                            Some(chosen) => {
                                pointer = chosen;
                                continue;
                            }
                            // A number that may be anything.
                            None => return Ok(()),
                        },
                    }
                }
            };
            if self.is_alive(state, object) {
                self.looked_at(state, object);
                return Ok(());
            }
            self.note_fault(object, Val::Bits(0), Val::Bits(0));
            let message = format!("use of a pointer to {}, whose lifetime has ended", self.object_name(object));
            return Err(self.violated(state, Property::Dangling, &message));
        }
    }

    /// The parts of a sum; a part that occurs twice makes the sum one opaque part.
    pub(super) fn summands(&self, term: Term) -> Vec<Term> {
        let mut parts = Vec::new();
        let mut open = vec![term];
        while let Some(next) = open.pop() {
            if self.store.op(next) == Op::BvAdd {
                open.push(self.store.arg(next, 0));
                open.push(self.store.arg(next, 1));
            } else if parts.contains(&next) || parts.len() >= MAX_SUMMANDS {
                return vec![term];
            } else {
                parts.push(next);
            }
        }
        parts
    }

    fn sum<'a>(&self, parts: impl Iterator<Item = &'a Term>) -> Term {
        parts.fold(self.store.bv(0, self.book.pointer_bits()), |sum, &part| self.store.bv_add(sum, part))
    }

    /// A number without a base: the model's value points into some object; the state splits on whether it is that one.
    fn locate_by_model(&mut self, state: &mut State, term: Term, broken: Property) -> Step<Located> {
        if let Some(place) = self.pick_place(state, term)? {
            return Ok(Located::Again(place));
        }
        let address = self.placed_pointer(state, term)?;
        if let Some(bits) = self.store.const_bits(address) {
            return Ok(self.locate_example(state, bits));
        }
        self.verify(state)?;
        let value = state.path.model.eval(&self.store, address).and_then(|value| value.to_u64());
        let Some(value) = value else {
            return Err(self.unsupported(state, "an address that has no value under a model"));
        };
        let checked = self.checks.contains(&broken);
        let candidate = self.object_in_model(state, value);
        // Once adopted, a pointer has the address of its object.
        if !checked
            && !candidate.is_some_and(|object| self.is_adopted(object))
            && self.is_from_elsewhere(address)
            && let Some(found) = self.adopt(state, address)?
        {
            return Ok(found);
        }
        let Some(candidate) = candidate else {
            if checked && !self.is_foreign(address) {
                return self.locate_other(state, address, broken);
            }
            // A pointer from code that Fathom doesn't see is neither right nor wrong; an arbitrary one that nobody asked
            // to check leaves no meaning to what follows.
            let what = "an access through an arbitrary pointer".to_string();
            return Err(PathEnd::Cut(Cut::Undefined { what, loc: self.location(state) }));
        };
        if self.config.folds_lists && state.memory.get(candidate).is_some_and(|found| found.kind == ObjectKind::Heap) {
            // Nodes of lists may have no address of their own.
            return Err(self.unsupported(state, "an arbitrary pointer among nodes of lists"));
        }
        let inside = self.inside(state, candidate, address);
        let inside = match self.is_adopted(candidate) {
            // The pointer was given that object's address as a number, so it counts as its pointer, unless every layout is followed.
            true => self.placed_pointer(state, inside)?,
            false => self.placed(state, inside)?,
        };
        if !self.split(state, inside)? {
            return Ok(Located::Again(Val::Term(address)));
        }
        let offset = self.store.bv_sub(address, self.book.symbol(candidate));
        let offset = self.placed_pointer(state, offset)?;
        self.settled_offset(state, offset).map(|offset| Located::At { object: candidate, offset })
    }

    /// The distance of two addresses may be a number although it does not look like one: pointers that were hidden in
    /// arithmetic.
    fn settled_offset(&mut self, state: &mut State, offset: Term) -> Step<Val> {
        let value = self.value_of(offset);
        if !matches!(value, Val::Term(_)) || !self.has_address(offset) {
            return Ok(value);
        }
        let Some(bits) = state.path.model.eval(&self.store, offset).and_then(|value| value.to_u64()) else { return Ok(value) };
        let same = self.store.eq(offset, self.store.bv(bits, self.book.pointer_bits()));
        let always = matches!(self.decide(state, same)?, Decision::Always(true));
        Ok(if always { Val::Bits(bits) } else { value })
    }

    /// `base <= address <= base + size`, as the distance from the base.
    fn inside(&self, state: &State, object: ObjectKey, address: Term) -> Term {
        let width = self.book.pointer_bits();
        let base = self.book.symbol(object);
        let size = state.memory.get(object).map_or(Val::Bits(0), |found| found.size);
        let size = self.term_of(size, Sort::Bv(width));
        self.store.bv_ule(self.store.bv_sub(address, base), size)
    }

    /// The object of the program that this one is, if it exists from the start.
    pub fn object_of_program(&self, object: ObjectKey) -> Option<ObjectId> {
        let site = self.book.origin(object).site;
        ((site as usize) < self.program.objects.len()).then_some(ObjectId(site))
    }

    /// The model's address is nowhere: is there an object that the pointer can point into?
    fn locate_other(&mut self, state: &mut State, address: Term, broken: Property) -> Step<Located> {
        if state.memory.len() > MAX_CANDIDATES {
            return Err(self.unsupported(state, "an arbitrary pointer among many objects"));
        }
        let candidates: Vec<ObjectKey> =
            state.memory.sorted().into_iter().filter(|(_, object)| object.kind != ObjectKind::Code).map(|(key, _)| key).collect();
        let message = match broken {
            Property::ValidFree => FREE_OF_NOTHING,
            _ => "access through a pointer that may point to no object",
        };
        // Below every object there is none, wherever they lie: that is asked first, for it takes no layout. A pointer that may
        // lead there leads nowhere in particular.
        let width = self.book.pointer_bits();
        let reported = self.found.violations.len();
        self.require_defined(state, self.store.bv_ule(self.store.bv(LOWEST, width), address), broken, message)?;
        if self.found.violations.len() > reported {
            return Err(PathEnd::Violated);
        }
        let mut somewhere = self.store.bool(false);
        for object in candidates {
            somewhere = self.store.or(somewhere, self.inside(state, object, address));
        }
        let somewhere = self.placed(state, somewhere)?;
        self.require_defined(state, somewhere, broken, message)?;
        Ok(Located::Again(Val::Term(address)))
    }

    fn check_bounds(&mut self, state: &mut State, object: ObjectKey, offset: Val, length: Val, purpose: Purpose) -> Step<()> {
        let Some(found) = state.memory.get(object) else { return Ok(()) };
        let (size, kind, read_only) = (found.size, found.kind, found.read_only);
        if kind == ObjectKind::Code || (purpose == Purpose::Write && read_only) {
            self.note_fault(object, offset, length);
            let message = if kind == ObjectKind::Code { "access to code" } else { "write to read-only memory" };
            return Err(self.violated_deref(state, message));
        }
        if let (Val::Bits(offset), Val::Bits(length), Val::Bits(size)) = (offset, length, size)
            && length <= size
            && offset <= size - length
        {
            return Ok(());
        }
        self.note_fault(object, offset, length);
        let sort = Sort::Bv(self.book.pointer_bits());
        let [offset, length, size] = [offset, length, size].map(|value| self.term_of(value, sort));
        let fits = self.store.bv_ule(length, size);
        let starts = self.store.bv_ule(offset, self.store.bv_sub(size, length));
        let name = self.object_name(object);
        let message = format!("invalid {} outside the bounds of {name}", purpose.verb());
        let condition = self.store.and(fits, starts);
        let condition = self.placed(state, condition)?;
        self.require_defined(state, condition, Property::ValidDeref, &message)
    }

    /// What the object is, for people.
    pub fn object_name(&self, object: ObjectKey) -> String {
        let site = self.book.origin(object).site as usize;
        match self.code.site_names.get(site).map(String::as_str) {
            Some("") | None => "an object".to_string(),
            Some(name) => Family::described(name).map_or_else(|| format!("`{name}`"), str::to_string),
        }
    }

    /// Whether it came from the heap, by its name: what has ended has no other trace.
    fn is_from_heap(&self, object: ObjectKey) -> bool {
        let site = self.book.origin(object).site as usize;
        self.code.site_names.get(site).is_some_and(|name| Family::described(name).is_some())
    }

    fn invalid(&mut self, state: &mut State, pointer: Val, purpose: Purpose) -> PathEnd {
        let verb = purpose.verb();
        let message = match pointer {
            Val::Bits(0) => format!("{verb} through a null pointer"),
            Val::Bits(address @ 1..LOWEST) => format!("{verb} at {address} bytes behind a null pointer"),
            Val::Pointer { object, .. } => {
                let ended = if self.is_from_heap(object) { "it was freed" } else { "its lifetime ended" };
                format!("{verb} of {} after {ended}", self.object_name(object))
            }
            _ => format!("{verb} through an invalid pointer"),
        };
        match pointer {
            Val::Pointer { object, offset } => self.note_fault(object, Val::Bits(offset as u64), Val::Bits(0)),
            Val::Bits(..LOWEST) => self.note_null_access(),
            _ => {}
        }
        if self.takes_for_granted(state) {
            return PathEnd::Discarded;
        }
        if let Err(end) = self.verify(state) {
            return end;
        }
        if pointer == Val::Bits(0) && self.checks.contains(&Property::Null) && !self.checks.contains(&Property::ValidDeref) {
            let model = state.path.model.clone();
            self.report(state, &model, Property::Null, &message);
            return PathEnd::Violated;
        }
        self.violated_deref(state, &message)
    }

    pub(crate) fn violated_deref(&mut self, state: &mut State, message: &str) -> PathEnd {
        self.violated(state, Property::ValidDeref, message)
    }

    /// This state violates a property for certain; without the check its behaviour is undefined from here on.
    pub(crate) fn violated(&mut self, state: &mut State, property: Property, message: &str) -> PathEnd {
        if self.takes_for_granted(state) {
            return PathEnd::Discarded;
        }
        if let Err(end) = self.verify(state) {
            return end;
        }
        if self.ends_silently(property) {
            return PathEnd::Discarded;
        }
        if self.checks.contains(&property) {
            let model = state.path.model.clone();
            self.report_readable(state, self.store.bool(true), &model, property, message);
            return PathEnd::Violated;
        }
        if self.config.assumes_valid_accesses && property == Property::ValidDeref {
            return PathEnd::Discarded;
        }
        PathEnd::Cut(Cut::Undefined { what: message.to_string(), loc: self.location(state) })
    }

    /// A number for a symbolic value: the state splits on whether it is the model's.
    pub(crate) fn concretise(&mut self, state: &mut State, value: Val, sort: Sort) -> Step<u64> {
        let value = if self.is_retracing() { self.retraced_value(state, value, sort) } else { value };
        loop {
            if let Some(bits) = self.number_of(value) {
                return Ok(bits);
            }
            let term = self.term_of(value, sort);
            let term = self.placed(state, term)?;
            if let Some(bits) = self.store.const_bits(term) {
                return Ok(bits);
            }
            self.verify(state)?;
            let Some(bits) = state.path.model.eval(&self.store, term).and_then(|v| v.to_u64()) else {
                return Err(self.unsupported(state, "a size that has no value under a model"));
            };
            let same = self.store.eq(term, self.store.small_const(bits, sort));
            if self.split(state, same)? {
                return Ok(bits);
            }
        }
    }
}

pub(crate) enum Located {
    At {
        object: ObjectKey,
        offset: Val,
    },
    /// The same place through this simpler pointer.
    Again(Val),
    Nowhere,
}
