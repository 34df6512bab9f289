//! Which locals still matter at a location in a procedure: `flow`'s liveness over compiled code, kept per block and completed
//! inside a block on demand. States that differ in dead locals only are the same state. Locals that are live where
//! the procedure starts have no value there, so they start arbitrary.

use crate::exec::code::{Action, End, Operand, Part, ProcCode, Variable};
use fathom_base::FxMap;
use fathom_flow::{Accesses, Live, live_at_entry};
use std::rc::Rc;

/// Live locals by location; answers are remembered.
#[derive(Default)]
pub struct Liveness {
    /// Live at the start of each block, per procedure.
    blocks: FxMap<u32, Rc<Live<u32>>>,
    locations: FxMap<(u32, u32, u32), Rc<[u32]>>,
}

impl Liveness {
    /// The locals that are read before they are written when control goes on at action `index` of the block.
    pub fn live_at(&mut self, number: u32, proc: &ProcCode, block: u32, index: u32) -> Rc<[u32]> {
        if let Some(known) = self.locations.get(&(number, block, index)) {
            return known.clone();
        }
        // What only a reader of the trace sees makes no difference.
        let locals = Locals { proc, counts_watches: false };
        let starts = self.blocks.entry(number).or_insert_with(|| Rc::new(Live::of(&locals))).clone();
        let slots: Rc<[u32]> = starts.before(&locals, block, index as usize).into_iter().collect();
        self.locations.insert((number, block, index), slots.clone());
        slots
    }
}

/// Locals that some path through the procedure reads before anything wrote them, ascending.
pub fn read_before_written(proc: &ProcCode) -> Vec<u32> {
    let mut found = live_at_entry(&Locals { proc, counts_watches: true }, proc.entry);
    found.retain(|slot| !proc.params.contains(slot) && proc.variadic != Some(*slot));
    found
}

/// The accesses of compiled code to locals.
struct Locals<'a> {
    proc: &'a ProcCode,
    /// Whether telling a reader of the trace what a variable holds is an access.
    counts_watches: bool,
}

impl Accesses for Locals<'_> {
    type Variable = u32;

    fn count(&self) -> usize {
        self.proc.blocks.len()
    }

    fn successors(&self, block: u32) -> Vec<u32> {
        self.proc.blocks[block as usize].end.successors()
    }

    fn backwards(&self, block: u32, from: usize, access: &mut dyn FnMut(u32, bool)) {
        let block = &self.proc.blocks[block as usize];
        read_by_end(self.proc, &block.end, &mut |slot| access(slot, true));
        for action in block.actions[from.min(block.actions.len())..].iter().rev() {
            if self.counts_watches || !matches!(action, Action::Watch { .. }) {
                accesses(action, access);
            }
        }
    }
}

fn read_by_end(proc: &ProcCode, end: &End, read: &mut dyn FnMut(u32)) {
    match end {
        End::Branch { condition: expr, .. } | End::Switch { value: expr, .. } => {
            if let Operand::Variable(Variable::Local(slot)) = expr.operand {
                read(slot);
            }
        }
        End::Return => proc.results.iter().for_each(|&slot| read(slot)),
        End::Goto(_) | End::Stop(_) | End::Unsupported(_) => {}
    }
}

/// Calls `access(local, is it a read)` for an action's locals, from its last access to its first: writes, then reads.
fn accesses(action: &Action, access: &mut dyn FnMut(u32, bool)) {
    let mut local = |operand: Operand, is_read: bool| {
        if let Operand::Variable(Variable::Local(slot)) = operand {
            access(slot, is_read);
        }
    };
    action.for_each_part(&mut |part| match part {
        Part::Written(variable) => local(Operand::Variable(variable), false),
        Part::Used(operand) | Part::Watched(operand) => local(operand, true),
        Part::Accessed(access) => local(access.pointer, true),
    });
}
