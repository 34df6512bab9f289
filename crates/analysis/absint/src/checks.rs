//! Which checks of a program may fail, as far as intervals tell: the statements are run once more on the final states, and each
//! assertion, access and free is judged in the state that it is reached in. What can't fail in any of these can't fail; what may
//! fail is only suspected. What fails in the C library is told where the program calls it.
//!
//! The states themselves follow only runs in which nothing failed before, and forget that objects end; so judging asks in addition
//! which objects may have ended (`ended`). Leaks and values that were never written are not judged.

use crate::GivenUp;
use crate::analysis::Analyser;
use crate::context::Context;
use crate::memory::Initials;
use crate::state::State;
use crate::statements::At;
use crate::value::{Abs, FIRST_ADDRESS, Object};
use fathom_base::{Budget, Loc};
use fathom_domains::num::Num;
use fathom_ir::{AllocKind, ProcId, Program, Property, StatementKind};
use fathom_term::{Op, Sort, Term};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A check, and whether it may fail.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Check {
    /// In the code that is asked about: the check itself, or the call that leads to it.
    pub loc: Loc,
    /// What is violated where it fails.
    pub property: Property,
    /// No interval excludes it.
    pub may_fail: bool,
}

/// What was judged so far.
pub(crate) struct Judged<'a> {
    is_own: &'a dyn Fn(Loc) -> bool,
    found: BTreeMap<(Loc, Property), bool>,
}

/// Every check that the program may come to, at its locations in the code that is `own`, in order. Fails when the budget is used up,
/// or at a second thread.
pub fn checks(program: &Rc<Program>, is_own: &dyn Fn(Loc) -> bool, budget: &Budget) -> Result<Vec<Check>, GivenUp> {
    let _phase = tracing::info_span!("checks by intervals").entered();
    let context = Context::new(program.clone());
    let mut analyser = Analyser::new(&context, budget);
    analyser.judged = Some(Judged { is_own, found: BTreeMap::new() });
    crate::run_all(&mut analyser, program)?;
    let found = analyser.judged.map(|judged| judged.found).unwrap_or_default();
    Ok(found.into_iter().map(|((loc, property), may_fail)| Check { loc, property, may_fail }).collect())
}

impl Analyser<'_> {
    /// Judges a statement in the state that it is reached in, if that state is final.
    pub(crate) fn judge(&mut self, state: &State, statement: &StatementKind, at: At) {
        if !self.recording || self.judged.is_none() {
            return;
        }
        let context = self.context;
        let (property, holds) = match statement {
            StatementKind::Assert { condition, property, .. } => (*property, context.assume_not(&mut state.clone(), *condition).is_err()),
            StatementKind::Load { target, pointer, .. } => {
                let bytes = context.bytes_of(context.store.var_sort(*target));
                (Property::ValidDeref, context.is_valid(state, *pointer, bytes, false))
            }
            StatementKind::Store { pointer, value } => {
                let bytes = context.bytes_of(context.store.sort(*value));
                (Property::ValidDeref, context.is_valid(state, *pointer, bytes, true))
            }
            StatementKind::Copy { target, source, length } => {
                let bytes = context.most(state, *length);
                let is_valid =
                    bytes == Some(0) || context.is_valid(state, *target, bytes, true) && context.is_valid(state, *source, bytes, false);
                (Property::ValidDeref, is_valid)
            }
            StatementKind::Set { pointer, length, .. } => {
                let bytes = context.most(state, *length);
                (Property::ValidDeref, bytes == Some(0) || context.is_valid(state, *pointer, bytes, true))
            }
            StatementKind::Free { pointer, .. } => (Property::ValidFree, context.is_freeable(state, *pointer)),
            _ => return,
        };
        self.note(at, property, holds);
    }

    /// A call that is not followed: what the library checks for its caller may fail.
    pub(crate) fn suspect(&mut self, callee: ProcId, at: At) {
        let is_own = |loc| self.judged.as_ref().is_some_and(|judged| (judged.is_own)(loc));
        if self.recording && !is_own(self.context.program.procedure(callee).loc) {
            self.note(at, Property::ValidDeref, false);
        }
    }

    fn note(&mut self, at: At, property: Property, holds: bool) {
        let calls: Vec<At> = self.calls.iter().rev().map(|(at, _)| *at).collect();
        let program = &self.context.program;
        let Some(judged) = &mut self.judged else { return };
        let loc_of = |at: At| {
            let block = program.procedure(at.procedure).body.as_ref()?.blocks.get(at.block as usize)?;
            Some(block.statements.get(at.index as usize)?.loc)
        };
        let Some(loc) = std::iter::once(at).chain(calls).filter_map(loc_of).find(|loc| (judged.is_own)(*loc)) else { return };
        *judged.found.entry((loc, property)).or_default() |= !holds;
    }
}

impl Context {
    fn bytes_of(&self, sort: Sort) -> Option<u64> {
        sort.bits().map(|bits| u64::from(bits).div_ceil(8))
    }

    /// The largest value of a length.
    fn most(&self, state: &State, length: Term) -> Option<u64> {
        self.eval(state, length).num().and_then(|num| u64::try_from(num.umax).ok())
    }

    /// Whether an access of so many bytes lies in live objects wherever the pointer leads.
    fn is_valid(&self, state: &State, pointer: Term, bytes: Option<u64>, writes: bool) -> bool {
        let (Some(bytes), Abs::Bits(bits)) = (bytes, &*self.eval(state, pointer)) else { return false };
        self.is_surely_address(state, pointer)
            && bits.points.targets.iter().all(|(object, offset)| {
                let contents = state.contents(*object, self);
                let fits = contents.is_some_and(|contents| contents.size.is_some() && contents.clipped(offset, bytes) == Some(*offset));
                fits && !self.may_have_ended(state, *object) && !(writes && self.is_constant(*object))
            })
    }

    /// Whether a term is the address of a known object or somewhere around it, and nothing else. Null and numbers near it are among the
    /// values of many pointers; what is added to an address may run over the end of all addresses, but stays an address of that object.
    fn is_surely_address(&self, state: &State, pointer: Term) -> bool {
        let value = self.eval(state, pointer);
        let Abs::Bits(bits) = &*value else { return false };
        if bits.points.unknown || bits.points.forged || bits.points.targets.is_empty() {
            return false;
        }
        let is_number = |term: Term| matches!(&*self.eval(state, term), Abs::Bits(bits) if bits.points.is_number());
        match self.store.node(pointer).op {
            _ if bits.num.umin >= FIRST_ADDRESS => true,
            Op::BvAdd => {
                let (a, b) = (self.store.arg(pointer, 0), self.store.arg(pointer, 1));
                self.is_surely_address(state, a) && is_number(b) || is_number(a) && self.is_surely_address(state, b)
            }
            _ => false,
        }
    }

    /// Whether the pointer is null, or the start of a live object of the heap.
    fn is_freeable(&self, state: &State, pointer: Term) -> bool {
        let value = self.eval(state, pointer);
        let Abs::Bits(bits) = &*value else { return false };
        if bits.points.is_number() {
            return bits.num.as_constant() == Some(0);
        }
        let start = Num::constant(0, self.pointer_bits);
        let is_start = |(object, offset): &(Object, Num)| {
            let is_heap = matches!(object, Object::Site(site) if self.sites[*site as usize].kind == AllocKind::Heap);
            is_heap && *offset == start && state.contents(*object, self).is_some() && !self.may_have_ended(state, *object)
        };
        !bits.points.unknown && !bits.points.forged && bits.points.targets.iter().all(is_start)
    }
}
