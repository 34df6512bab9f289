//! The part of an interpolant that the procedure at its point can see: conditions over that procedure's variables, the
//! program's globals and objects that exist from the start, for people who want to read what a proof rests on.

use crate::interpolant::Interpolant;
use crate::point::Point;
use fathom_ir::{Invariant, MemoryCell};
use fathom_machine::{Machine, Slot};
use fathom_term::{Sort, Substitution, Term, VarId, VarSets};

impl Interpolant {
    /// Its parts over what the innermost procedure sees, and how many parts are about something else.
    pub fn visible(&self, machine: &Machine, point: &Point) -> (Vec<Invariant>, usize) {
        let store = &machine.store;
        let mut conditions = Vec::new();
        let mut others = self.whole.len();
        for (&slot, set) in &self.sets {
            match seen(machine, point, slot) {
                Some((term, cell)) => {
                    conditions.push(Invariant { condition: set.holds(store, term), cells: cell.into_iter().collect() });
                }
                None => others += 1,
            }
        }
        let sums = self.sums.iter().map(|(&sum, set)| set.holds(store, sum));
        for term in sums.chain(self.terms.iter().copied()) {
            let vars = VarSets::default().vars(store, term);
            let images: Option<Vec<(VarId, Term, Option<MemoryCell>)>> =
                vars.into_iter().map(|var| seen(machine, point, machine.slot_of(var)?).map(|(image, cell)| (var, image, cell))).collect();
            match images {
                Some(images) => {
                    let condition = Substitution::new(images.iter().map(|(var, image, _)| (*var, *image))).apply(store, term);
                    conditions.push(Invariant { condition, cells: images.into_iter().filter_map(|(.., cell)| cell).collect() });
                }
                None => others += 1,
            }
        }
        (conditions, others)
    }
}

/// The variable that a slot is in the innermost procedure, or the placeholder for bytes of an object.
fn seen(machine: &Machine, point: &Point, slot: Slot) -> Option<(Term, Option<MemoryCell>)> {
    let (store, program) = (&machine.store, &machine.program);
    match slot {
        Slot::Local { level, slot } => {
            let place = point.last().filter(|_| level as usize + 1 == point.len())?;
            let variable = program.procedures.get(place.procedure as usize)?.locals.get(slot as usize)?;
            Some((store.var_term(variable.id), None))
        }
        Slot::Global(slot) => Some((store.var_term(program.globals.get(slot as usize)?.id), None)),
        Slot::Cell { object, offset: 0, length } => {
            let wanted = machine.object_of_program(object)?;
            let (&address, _) = program.object_addresses.iter().find(|(_, object)| **object == wanted)?;
            let bits = u32::try_from(length.checked_mul(8)?).ok()?;
            let placeholder = store.var(&format!("visible!{}.{length}", wanted.0), Sort::Bv(bits));
            let cell = MemoryCell { var: store.as_var(placeholder)?, pointer: store.var_term(address), bytes: length, index: None };
            Some((placeholder, Some(cell)))
        }
        Slot::Cell { .. } => None,
    }
}
