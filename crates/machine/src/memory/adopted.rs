//! Pointers that the program did not compute itself, when memory safety is not checked: each points to an object of its
//! own. That it points nowhere else is an assumption in the ledger.

use crate::exec::machine::{Machine, Mode, PathEnd, Step};
use crate::exec::state::State;
use crate::exec::value::{ObjectKey, Val};
use crate::memory::address::Origin;
use crate::memory::contents::{Base, Contents};
use crate::memory::objects::{Object, ObjectKind};
use crate::memory::placement::Layouts;
use crate::memory::resolve::Located;
use fathom_ir::{Assumption, Property};
use fathom_term::Term;

/// Room on both sides of a pointer that leads to an object of its own.
const ADOPTED_SIZE: u64 = 1 << 16;

impl Machine {
    /// A pointer that no statement of the program made, where pointers are not checked: out of memory that was never
    /// written (`s = malloc(sizeof *s); s->next->state`), from a function without a body, from an object that is defined
    /// elsewhere, or asked for as an input. People who write such programs mean some object that they don't care to
    /// make. The path goes on with the pointer leading to the middle of an object of its own with arbitrary contents.
    /// That it leads nowhere else is an assumption, and in the ledger. None if it can't.
    pub(super) fn adopt(&mut self, state: &mut State, address: Term) -> Step<Option<Located>> {
        let Some((object, middle)) = self.next_adopted(state) else { return Ok(None) };
        let width = self.book.pointer_bits();
        let mut adopting = state.clone();
        self.insert_adopted(&mut adopting, object);
        let condition = match self.layouts_followed() {
            Layouts::All => {
                let there = self.store.bv_add(self.book.symbol(object), self.store.bv(ADOPTED_SIZE / 2, width));
                self.placed(&mut adopting, self.store.eq(address, there))?
            }
            // An adopted object is known by a number that the run chose, which depends on no layout.
            _ => self.store.eq(address, self.store.bv(middle, width)),
        };
        match self.assume(&mut adopting, condition) {
            Ok(()) => {}
            Err(PathEnd::Discarded) => return Ok(None),
            Err(other) => return Err(other),
        }
        *state = adopting;
        self.ledger.note(Assumption::ForeignPointer);
        Ok(Some(Located::Again(Val::Pointer { object, offset: ADOPTED_SIZE as i64 / 2 })))
    }

    pub(super) fn is_adopted(&self, object: ObjectKey) -> bool {
        self.book.origin(object).site == self.adoption_site()
    }

    /// Behind the sites of the program.
    fn adoption_site(&self) -> u32 {
        self.code.site_names.len() as u32
    }

    /// In a replay, the pointer has the number that `adopt` gave it.
    pub(super) fn adopt_again(&mut self, state: &mut State, address: u64) -> Located {
        if matches!(self.mode, Mode::Symbolic(_)) || self.checks.contains(&Property::ValidDeref) {
            return Located::Nowhere;
        }
        match self.next_adopted(state) {
            Some((object, middle)) if address.abs_diff(middle) < ADOPTED_SIZE / 2 => {
                self.insert_adopted(state, object);
                self.locate_number(state, address)
            }
            _ => Located::Nowhere,
        }
    }

    fn next_adopted(&mut self, state: &State) -> Option<(ObjectKey, u64)> {
        let site = self.adoption_site();
        let occurrence = state.coming_occurrence(site);
        let object = self.book.object(Origin { site, occurrence }, Some(ADOPTED_SIZE), 16).ok()?;
        Some((object, self.book.base(object) + ADOPTED_SIZE / 2))
    }

    fn insert_adopted(&mut self, state: &mut State, object: ObjectKey) {
        state.next_occurrence(self.adoption_site());
        let contents = Contents::new(Base::Uninitialised);
        let size = Val::Bits(ADOPTED_SIZE);
        state.memory.insert(object, Object { size, kind: ObjectKind::Stack, read_only: false, contents, chain: None });
    }
}
