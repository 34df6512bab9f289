//! What statements do to an abstract state. The machine says what they mean: an access outside of every
//! object that the pointer may lead to ends the path, so does a failed assumption; after an assertion its condition holds
//! (a violation is reported there and left behind).

use crate::analysis::{Analyser, Step, Stop};
use crate::context::Context;
use crate::memory::{Contents, Initials, Rest};
use crate::refine::{Refined, Unreachable};
use crate::state::{Lvalue, State};
use crate::value::{Abs, Bits, FIRST_ADDRESS, Object, Points};
use fathom_domains::num::Num;
use fathom_ir::{AccessKind, ControlEffect, Fill, ProcId, StatementKind, Use, Write};
use fathom_term::{Sort, Term, VarId};
use std::rc::Rc;

/// A statement's location in the program.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct At {
    pub procedure: ProcId,
    pub block: u32,
    pub index: u32,
}

impl Analyser<'_> {
    pub(crate) fn statement(&mut self, state: &mut State, statement: &StatementKind, at: At) -> Step {
        let context = self.context;
        match statement {
            StatementKind::Assign(pairs) => context.assign(state, pairs),
            StatementKind::Assume(condition) | StatementKind::Assert { condition, .. } => context.assume(state, *condition)?,
            StatementKind::Alloc { target, size, zeroed, .. } => context.allocate(state, *target, *size, *zeroed, at),
            StatementKind::Free { pointer, .. } => context.free(state, *pointer),
            StatementKind::EndScope { variable } => context.end_scope(state, *variable),
            StatementKind::Load { target, pointer, volatile } => context.load(state, *target, *pointer, *volatile)?,
            StatementKind::Store { pointer, value } => context.store(state, *pointer, *value)?,
            StatementKind::Copy { target, source, length } => context.copy(state, *target, *source, *length)?,
            StatementKind::Set { pointer, fill, length } => context.fill(state, *pointer, fill, *length)?,
            StatementKind::Call { targets, callee, args } => return self.call(state, targets, callee, args, at),
            other => match other.control() {
                ControlEffect::Watches => {}
                ControlEffect::Straight | ControlEffect::Assumes | ControlEffect::Asserts => context.approximate(state, other),
                // Reaching it is `unknown`; nothing may be concluded from what would follow.
                ControlEffect::Unsupported => return Err(Unreachable.into()),
                // What other threads do in between is unknown here.
                ControlEffect::Threads | ControlEffect::Calls => return Err(Stop::GivenUp),
            },
        }
        Ok(())
    }
}

impl Context {
    /// The variable has a new value that has nothing to do with what was known.
    pub(crate) fn set(&self, state: &mut State, var: VarId, value: Abs) {
        state.forget_var(var);
        self.drop_forms(state, &[var]);
        state.set_var(var, Rc::new(value));
    }

    /// A statement of which no more is known than what it evaluates, writes and accesses: objects that it may write to and
    /// variables that it writes have arbitrary values. These are addresses only if addresses may have gone in.
    fn approximate(&self, state: &mut State, statement: &StatementKind) {
        let mut may_be_address = false;
        let mut written = Vec::new();
        statement.for_each_use(&mut |term, becomes| match becomes {
            Use::Flows | Use::Pointer(AccessKind::Read, _) => may_be_address = true,
            Use::Pointer(AccessKind::Write, _) => written.push(term),
            // An object that is taken for alive though it has ended has more values, not fewer.
            Use::Pointer(AccessKind::Free | AccessKind::Look | AccessKind::Alive, _) => {}
            Use::Condition | Use::Stored | Use::Passed | Use::Callee | Use::Measure | Use::Watched => {}
        });
        written.into_iter().for_each(|pointer| self.forget_target(state, pointer));
        statement.for_each_target(&mut |var, write| {
            let sort = self.store.var_sort(var);
            let is_number = write == Write::Assigned && !may_be_address;
            self.set(state, var, if is_number { Abs::top(sort) } else { self.anything(sort) });
        });
    }

    fn assign(&self, state: &mut State, pairs: &[(VarId, Term)]) {
        let values: Vec<Rc<Abs>> = pairs.iter().map(|&(_, term)| self.eval(state, term)).collect();
        self.move_forms(state, pairs);
        for &(target, _) in pairs {
            state.forget_var(target);
        }
        for (&(target, _), value) in pairs.iter().zip(values) {
            state.set_var(target, value);
        }
        for &(target, term) in pairs {
            let vars = self.vars_of(term);
            // The term speaks of the values before; it still holds where none of its variables changed.
            if !pairs.iter().any(|(changed, _)| vars.contains(changed)) {
                state.note_equality(Lvalue::Var(target), term, vars);
            }
        }
    }

    fn allocate(&self, state: &mut State, target: VarId, size: Term, zeroed: bool, at: At) {
        let Some(&site) = self.site_at.get(&(at.procedure, at.block, at.index)) else {
            return self.set(state, target, self.anything(Sort::Bv(self.pointer_bits)));
        };
        let object = Object::Site(site);
        let size = self.eval(state, size).num().and_then(|num| num.as_constant()).map(|size| size as u64);
        let rest = if zeroed { Rest::Zero } else { Rest::Unknown };
        let fresh = Contents::new(rest, size);
        let contents = match state.contents(object, self as &dyn Initials) {
            // Another object of this site exists already: from now on the name stands for both.
            Some(known) => {
                let mut both = known.combine(&fresh, object, self, &crate::memory::How::Join);
                both.single = false;
                both
            }
            None => fresh,
        };
        self.note_beginning(state, target, object);
        state.forget_cells(object, None);
        state.set_contents(object, contents);
        self.set(state, target, self.address_of(object));
    }

    /// The one object that a value surely points to, if it is sure.
    fn sure_target(&self, value: &Abs) -> Option<Object> {
        let Abs::Bits(bits) = value else { return None };
        match bits.points.targets.as_slice() {
            [(object, _)] if !bits.points.unknown && !bits.points.forged && bits.num.umin >= FIRST_ADDRESS => Some(*object),
            _ => None,
        }
    }

    fn free(&self, state: &mut State, pointer: Term) {
        let value = self.eval(state, pointer);
        self.note_end(state, &value);
        if let Some(object) = self.sure_target(&value) {
            self.end_object(state, object);
        }
    }

    /// Code that is not seen may have written to the object that the pointer leads into.
    fn forget_target(&self, state: &mut State, pointer: Term) {
        let value = self.eval(state, pointer);
        let Abs::Bits(bits) = &*value else { return self.forget_memory(state) };
        if bits.may_be_forged() {
            return self.forget_memory(state);
        }
        if bits.points.unknown {
            self.forget_escaped(state);
        }
        for (object, _) in &bits.points.targets {
            self.forget_object(state, *object);
        }
    }

    fn end_object(&self, state: &mut State, object: Object) {
        let single = state.contents(object, self as &dyn Initials).is_some_and(|contents| contents.single);
        if single && state.memory.sites_fresh && matches!(object, Object::Site(_)) {
            state.forget_cells(object, None);
            Rc::make_mut(&mut state.memory).objects.remove(&object);
        }
    }

    /// A variable of a scope is null or points to its one object, which ends.
    fn end_scope(&self, state: &mut State, variable: VarId) {
        let value = self.var_value(state, variable);
        self.note_end(state, &value);
        if let Abs::Bits(bits) = &*value
            && !bits.points.unknown
            && !bits.points.forged
            && let [(object, _)] = bits.points.targets[..]
        {
            self.end_object(state, object);
        }
        let zero = Num::constant(0, self.pointer_bits);
        self.set(state, variable, Abs::Bits(Bits::number(zero)));
    }

    fn load(&self, state: &mut State, target: VarId, pointer: Term, volatile: bool) -> Refined {
        let sort = self.store.var_sort(target);
        let Sort::Bv(width) = sort else {
            self.set(state, target, self.anything(sort));
            return Ok(());
        };
        let bytes = width as u64 / 8;
        let address = self.eval(state, pointer);
        let (value, lvalue) = self.read(state, &address, bytes)?;
        let value = match value {
            _ if volatile => Abs::top(sort),
            Some(value) if value.num.width == width => Abs::Bits(value),
            _ if width <= fathom_domains::num::MAX_WIDTH => Abs::Bits(Bits::unknown(width, self.pointer_bits)),
            _ => Abs::Any,
        };
        self.was_valid(state, pointer, bytes)?;
        self.set(state, target, value);
        if let Some(lvalue) = lvalue.filter(|_| !volatile) {
            state.note_equality(lvalue, self.store.var_term(target), Rc::from([target]));
        }
        Ok(())
    }

    /// An access outside of every object would have ended the path: a variable that the pointer is, or is a constant away
    /// from, led into an object.
    fn was_valid(&self, state: &mut State, pointer: Term, bytes: u64) -> Refined {
        let (base, distance) = self.store.split_offset(pointer);
        let Some(var) = base.and_then(|base| self.store.as_var(base)) else { return Ok(()) };
        let Some(Abs::Bits(known)) = state.vars.get(&var).map(|value| (**value).clone()) else { return Ok(()) };
        if known.points.unknown || known.points.forged || known.num.width != self.pointer_bits {
            return Ok(());
        }
        let distance = Num::constant(distance as u128, self.pointer_bits);
        let valid = |(object, offset): &(Object, Num)| {
            let contents = state.contents(*object, self as &dyn Initials)?;
            let inside = contents.clipped(&offset.add(&distance), bytes)?;
            Some((*object, offset.meet(&inside.sub(&distance))?))
        };
        let targets: Vec<(Object, Num)> = known.points.targets.iter().filter_map(valid).collect();
        if targets.is_empty() {
            return Ok(());
        }
        // What is accessed without an offset is an address; null and small numbers are none.
        let addresses = match distance.as_constant() {
            Some(0) => Num::unsigned(self.pointer_bits, FIRST_ADDRESS, fathom_domains::num::mask(self.pointer_bits)),
            _ => None,
        };
        let num = match addresses {
            Some(addresses) => known.num.meet(&addresses).ok_or(Unreachable)?,
            None => known.num,
        };
        state.set_var(var, Rc::new(Abs::Bits(Bits { num, points: Points { targets, ..known.points }, float: None })));
        Ok(())
    }

    /// The value at an address, and the lvalue if it is one cell of a single object.
    fn read(&self, state: &State, address: &Abs, bytes: u64) -> Result<(Option<Bits>, Option<Lvalue>), Unreachable> {
        let Abs::Bits(pointer) = address else { return Ok((None, None)) };
        if pointer.points.is_number() && pointer.num.umax < FIRST_ADDRESS {
            return Err(Unreachable);
        }
        let anywhere = pointer.points.unknown || pointer.may_be_forged();
        let mut result: Option<Bits> = None;
        let mut lvalue = None;
        let mut inside = anywhere;
        for (object, offset) in &pointer.points.targets {
            let Some(contents) = state.contents(*object, self as &dyn Initials) else { continue };
            let Some(value) = contents.read(self, *object, offset, bytes) else { continue };
            inside = true;
            let at = contents.clipped(offset, bytes).and_then(|at| at.as_constant());
            if let (Some(at), [_], false, true) = (at, &pointer.points.targets[..], anywhere, contents.single) {
                lvalue = Some(Lvalue::Cell { object: *object, offset: at as u64, bytes });
            }
            result = Some(match result {
                Some(known) => match Abs::Bits(known).join(&Abs::Bits(value)) {
                    Abs::Bits(joined) => joined,
                    _ => return Ok((None, None)),
                },
                None => value,
            });
        }
        if !inside {
            return Err(Unreachable);
        }
        if anywhere {
            return Ok((None, None));
        }
        Ok((result, lvalue))
    }

    fn store(&self, state: &mut State, pointer: Term, value: Term) -> Refined {
        let Sort::Bv(width) = self.store.sort(value) else { return Ok(()) };
        let bytes = width as u64 / 8;
        let address = self.eval(state, pointer);
        let bits = match &*self.eval(state, value) {
            Abs::Bits(bits) => bits.clone(),
            _ => self.unknown(bytes),
        };
        let lvalue = self.write(state, &address, bytes, &bits)?;
        self.was_valid(state, pointer, bytes)?;
        if let Some(lvalue) = lvalue {
            state.note_equality(lvalue, value, self.vars_of(value));
        }
        Ok(())
    }

    /// Writes a value; returns the cell if it is one of a single object.
    fn write(&self, state: &mut State, address: &Abs, bytes: u64, value: &Bits) -> Result<Option<Lvalue>, Unreachable> {
        let Abs::Bits(pointer) = address else {
            self.forget_memory(state);
            return Ok(None);
        };
        if pointer.points.is_number() && pointer.num.umax < FIRST_ADDRESS {
            return Err(Unreachable);
        }
        if pointer.may_be_forged() {
            self.forget_memory(state);
            return Ok(None);
        }
        if pointer.points.unknown {
            self.forget_escaped(state);
        }
        let only = pointer.points.targets.len() == 1 && !pointer.points.unknown;
        let mut inside = pointer.points.unknown;
        let mut lvalue = None;
        for (object, offset) in &pointer.points.targets {
            if self.is_constant(*object) {
                continue;
            }
            let Some(contents) = state.contents(*object, self as &dyn Initials) else { continue };
            let Some(clipped) = contents.clipped(offset, bytes) else { continue };
            let Some(next) = contents.write(self, *object, offset, bytes, value, only) else { continue };
            inside = true;
            let range = match clipped.as_constant() {
                Some(at) => {
                    if only && contents.single {
                        lvalue = Some(Lvalue::Cell { object: *object, offset: at as u64, bytes });
                    }
                    Some((at as u64, at as u64 + bytes))
                }
                None => Some((clipped.umin as u64, (clipped.umax as u64).saturating_add(bytes))),
            };
            state.forget_cells(*object, range);
            state.set_contents(*object, next);
        }
        if inside { Ok(lvalue) } else { Err(Unreachable) }
    }

    /// Anything may have been written anywhere.
    pub(crate) fn forget_memory(&self, state: &mut State) {
        state.forget_all_cells();
        Rc::make_mut(&mut state.memory).forget_everything();
    }

    /// Anything may have been written to objects whose address is in memory.
    pub(crate) fn forget_escaped(&self, state: &mut State) {
        let mut objects: Vec<Object> = self.escaped.iter().copied().collect();
        objects.sort();
        for object in objects {
            self.forget_object(state, object);
        }
    }

    pub(crate) fn forget_object(&self, state: &mut State, object: Object) {
        if self.is_constant(object) {
            return;
        }
        if let Some(known) = state.contents(object, self as &dyn Initials) {
            state.forget_cells(object, None);
            if known.rest != Rest::Unknown || !known.cells.is_empty() {
                state.set_contents(object, Contents::unknown(known.size, known.single));
            }
        }
    }

    fn copy(&self, state: &mut State, target: Term, source: Term, length: Term) -> Refined {
        let length = self.eval(state, length);
        let [target, source] = [target, source].map(|pointer| self.eval(state, pointer));
        let exact = length.num().and_then(|num| num.as_constant()).map(|length| length as u64);
        if exact == Some(0) {
            return Ok(());
        }
        let cells = exact.and_then(|length| self.copied_cells(state, &source, length));
        self.forget_bytes(state, &target, length.num())?;
        let (Some(cells), Abs::Bits(to)) = (cells, &*target) else { return Ok(()) };
        for (offset, bytes, value) in cells {
            let moved = crate::transfer::apply(
                fathom_term::Op::BvAdd,
                Sort::Bv(self.pointer_bits),
                &[Sort::Bv(self.pointer_bits); 2],
                &[&Abs::Bits(to.clone()), &Abs::Bits(Bits::number(Num::constant(offset as u128, self.pointer_bits)))],
            );
            self.write(state, &moved, bytes, &value)?;
        }
        Ok(())
    }

    /// Cells of a source whose address is known, relative to its start.
    fn copied_cells(&self, state: &State, source: &Abs, length: u64) -> Option<Vec<(u64, u64, Bits)>> {
        let object = self.sure_target(source)?;
        let Abs::Bits(bits) = source else { return None };
        let start = bits.points.targets[0].1.as_constant()? as u64;
        let contents = state.contents(object, self as &dyn Initials)?;
        if !matches!(contents.rest, Rest::Unknown) && contents.cells.is_empty() {
            // Only initial or zero bytes, and no cells: the copy is made of words.
            let words = (length <= 128 && length.is_multiple_of(4)).then(|| (0..length).step_by(4))?;
            return Some(words.map(|at| (at, 4, contents.read_at(self, object, start + at, 4))).collect());
        }
        let end = start.checked_add(length)?;
        let cells = contents.cells.range(start..end).filter(|(at, cell)| **at + cell.bytes <= end);
        Some(cells.map(|(at, cell)| (at - start, cell.bytes, cell.value.clone())).collect())
    }

    /// Bytes from an address on become unknown.
    fn forget_bytes(&self, state: &mut State, address: &Abs, length: Option<&Num>) -> Refined {
        let Abs::Bits(pointer) = address else {
            self.forget_memory(state);
            return Ok(());
        };
        if pointer.may_be_forged() {
            self.forget_memory(state);
            return Ok(());
        }
        if pointer.points.unknown {
            self.forget_escaped(state);
        }
        for (object, offset) in &pointer.points.targets {
            if self.is_constant(*object) {
                continue;
            }
            let Some(contents) = state.contents(*object, self as &dyn Initials) else { continue };
            let end = length.map_or(u64::MAX, |length| offset.umax.saturating_add(length.umax).min(u64::MAX as u128) as u64);
            let low = offset.umin.min(u64::MAX as u128) as u64;
            let mut next = (*contents).clone();
            next.forget_between(low, end);
            state.forget_cells(*object, Some((low, end)));
            state.set_contents(*object, next);
        }
        Ok(())
    }

    fn fill(&self, state: &mut State, pointer: Term, fill: &Fill, length: Term) -> Refined {
        let (length, address) = (self.eval(state, length), self.eval(state, pointer));
        let exact = length.num().and_then(|num| num.as_constant()).map(|length| length as u64);
        if exact == Some(0) {
            return Ok(());
        }
        let zero = matches!(fill, Fill::Byte(byte) if self.eval(state, *byte).as_constant().and_then(|v| v.to_u64()) == Some(0));
        self.forget_bytes(state, &address, length.num())?;
        if let (true, Some(object), Abs::Bits(bits)) = (zero, self.sure_target(&address), &*address)
            && let Some(contents) = state.contents(object, self as &dyn Initials)
            && contents.single
            && bits.points.targets[0].1.as_constant() == Some(0)
            && exact.is_some_and(|length| contents.size == Some(length))
            && !self.is_constant(object)
        {
            state.set_contents(object, Contents { rest: Rest::Zero, cells: Default::default(), ..(*contents).clone() });
        }
        Ok(())
    }
}

/// An address out of memory that is not null.
pub(crate) fn foreign_address(context: &Context) -> Abs {
    let width = context.pointer_bits;
    let num = Num::unsigned(width, FIRST_ADDRESS, fathom_domains::num::mask(width)).unwrap_or_else(|| Num::top(width));
    Abs::Bits(Bits { num, points: Points::anywhere(), float: None })
}
