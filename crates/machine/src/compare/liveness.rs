//! Which locals still matter at a place in a procedure: the classic backward analysis, kept per block and completed
//! inside a block on demand. States that differ in dead locals only are the same state. Locals that are live where
//! the procedure starts have no value there, so they start arbitrary.

use crate::exec::code::{Action, BlockCode, CalleeCode, End, Operand, Place, ProcCode, ThreadAction};
use fathom_base::FxMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Live locals by place; answers are remembered.
#[derive(Default)]
pub struct Liveness {
    /// Live at the start of each block, per procedure.
    blocks: FxMap<u32, Rc<Vec<Vec<bool>>>>,
    places: FxMap<(u32, u32, u32), Rc<[u32]>>,
}

impl Liveness {
    /// The locals that are read before they are written when control goes on at action `index` of the block.
    pub fn live_at(&mut self, number: u32, proc: &ProcCode, block: u32, index: u32) -> Rc<[u32]> {
        if let Some(known) = self.places.get(&(number, block, index)) {
            return known.clone();
        }
        let starts = self.blocks.entry(number).or_insert_with(|| Rc::new(analyse(proc))).clone();
        let code = &proc.blocks[block as usize];
        let mut live = at_end(proc, code, &starts);
        for action in code.actions[index.min(code.actions.len() as u32) as usize..].iter().rev() {
            before(action, &mut live);
        }
        let slots: Rc<[u32]> = (0..live.len() as u32).filter(|&slot| live[slot as usize]).collect();
        self.places.insert((number, block, index), slots.clone());
        slots
    }
}

fn analyse(proc: &ProcCode) -> Vec<Vec<bool>> {
    let mut starts = vec![vec![false; proc.local_sorts.len()]; proc.blocks.len()];
    loop {
        let mut changed = false;
        for number in (0..proc.blocks.len()).rev() {
            let block = &proc.blocks[number];
            let mut live = at_end(proc, block, &starts);
            block.actions.iter().rev().for_each(|action| before(action, &mut live));
            if live != starts[number] {
                starts[number] = live;
                changed = true;
            }
        }
        if !changed {
            return starts;
        }
    }
}

fn at_end(proc: &ProcCode, block: &BlockCode, starts: &[Vec<bool>]) -> Vec<bool> {
    let mut live = vec![false; proc.local_sorts.len()];
    for target in block.end.successors() {
        for (slot, is_live) in starts[target as usize].iter().enumerate() {
            live[slot] |= is_live;
        }
    }
    read_by_end(proc, &block.end, &mut |slot| live[slot as usize] = true);
    live
}

/// From what is live after an action to what is live before it.
fn before(action: &Action, live: &mut [bool]) {
    // What only a reader of the trace sees makes no difference.
    if let Action::Watch { .. } | Action::Settle { .. } = action {
        return;
    }
    accesses(action, &mut |slot, is_read| live[slot as usize] = is_read);
}

/// Locals that some path through the procedure reads before anything wrote them, ascending. Works variable by variable
/// from the reads backwards, so that the many short-lived variables of a large procedure cost little.
pub fn read_before_written(proc: &ProcCode) -> Vec<u32> {
    let mut predecessors: Vec<Vec<u32>> = vec![Vec::new(); proc.blocks.len()];
    // For each block whether the first access to a local is a read.
    let mut first_is_read: Vec<FxMap<u32, bool>> = Vec::new();
    let mut readers: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (number, block) in proc.blocks.iter().enumerate() {
        let mut first: FxMap<u32, bool> = FxMap::default();
        read_by_end(proc, &block.end, &mut |slot| {
            first.insert(slot, true);
        });
        for action in block.actions.iter().rev() {
            accesses(action, &mut |slot, is_read| {
                first.insert(slot, is_read);
            });
        }
        for (&slot, _) in first.iter().filter(|(_, is_read)| **is_read) {
            readers.entry(slot).or_default().push(number as u32);
        }
        for target in block.end.successors() {
            predecessors[target as usize].push(number as u32);
        }
        first_is_read.push(first);
    }
    let mut seen = vec![u32::MAX; proc.blocks.len()];
    let mut found = Vec::new();
    for (slot, mut open) in readers {
        while let Some(block) = open.pop() {
            if std::mem::replace(&mut seen[block as usize], slot) == slot {
                continue;
            }
            if block == proc.entry {
                found.push(slot);
                break;
            }
            let before = predecessors[block as usize].iter().copied();
            open.extend(before.filter(|&block| first_is_read[block as usize].get(&slot) != Some(&false)));
        }
    }
    found.retain(|slot| !proc.params.contains(slot) && proc.variadic != Some(*slot));
    found
}

fn read_by_end(proc: &ProcCode, end: &End, read: &mut dyn FnMut(u32)) {
    match end {
        End::Branch { condition: expr, .. } | End::Switch { value: expr, .. } => {
            if let Operand::Place(Place::Local(slot)) = expr.operand {
                read(slot);
            }
        }
        End::Return => proc.results.iter().for_each(|&slot| read(slot)),
        End::Goto(_) | End::Stop(_) | End::Unsupported(_) => {}
    }
}

/// Calls `access(local, is it a read)` for an action's locals, from its last access to its first: writes, then reads.
fn accesses(action: &Action, access: &mut dyn FnMut(u32, bool)) {
    let mut targets = |places: &[Place]| {
        for place in places {
            if let Place::Local(slot) = place {
                access(*slot, false);
            }
        }
    };
    match action {
        Action::Compute(instr) => targets(&[instr.target]),
        Action::ComputeIf { instrs, .. } => instrs.iter().for_each(|instr| targets(&[instr.target])),
        Action::Quantify(quantified) => targets(&[quantified.target]),
        Action::Move { target, .. }
        | Action::Havoc { target, .. }
        | Action::Alloc { target, .. }
        | Action::Load { target, .. }
        | Action::EndScope { target }
        | Action::ObjectSize { target, .. } => targets(&[*target]),
        Action::Call { targets: places, .. } => targets(places),
        Action::Thread(
            ThreadAction::Start { target, .. }
            | ThreadAction::Join { target, .. }
            | ThreadAction::Current { target }
            | ThreadAction::Local { target, .. },
        ) => targets(&[*target]),
        Action::Thread(ThreadAction::Exit { .. } | ThreadAction::AtomicBegin | ThreadAction::AtomicEnd) => {}
        Action::Assume(_) | Action::Assert { .. } | Action::Free { .. } | Action::Store { .. } | Action::Copy { .. } => {}
        Action::Set { .. } | Action::Forget { .. } | Action::Use { .. } | Action::Watch { .. } | Action::Settle { .. } | Action::Unsupported(_) => {}
    }
    let mut sources = |operands: &[Operand]| {
        for operand in operands {
            if let Operand::Place(Place::Local(slot)) = operand {
                access(*slot, true);
            }
        }
    };
    match action {
        Action::Compute(instr) => sources(&instr.args),
        Action::ComputeIf { condition, instrs } => {
            sources(&[*condition]);
            instrs.iter().for_each(|instr| sources(&instr.args));
        }
        Action::Quantify(quantified) => quantified.variables.iter().for_each(|(_, operand, _)| sources(&[*operand])),
        Action::Move { source, .. } => sources(&[*source]),
        Action::EndScope { target } => sources(&[Operand::Place(*target)]),
        Action::Havoc { .. } | Action::Unsupported(_) => {}
        Action::Assume(condition) | Action::Assert { condition, .. } => sources(&[condition.operand]),
        Action::Alloc { size, .. } => sources(&[size.operand]),
        Action::Free { pointer, .. } | Action::Forget { pointer } | Action::Use { pointer } | Action::Load { pointer, .. } | Action::ObjectSize { pointer, .. } => {
            sources(&[pointer.operand]);
        }
        Action::Store { pointer, value } => sources(&[pointer.operand, value.operand]),
        Action::Copy { target, source, length } => sources(&[target.operand, source.operand, length.operand]),
        Action::Set { pointer, fill, length, .. } => {
            sources(&[pointer.operand, length.operand]);
            fill.iter().for_each(|fill| sources(&[fill.operand]));
        }
        Action::Call { callee, args, .. } => {
            args.iter().for_each(|arg| sources(&[arg.operand]));
            if let CalleeCode::Indirect(pointer) = callee {
                sources(&[pointer.operand]);
            }
        }
        Action::Thread(operation) => match operation {
            ThreadAction::Start { function, argument, .. } => sources(&[function.operand, argument.operand]),
            ThreadAction::Join { thread: expr, .. }
            | ThreadAction::Exit { result: expr }
            | ThreadAction::Local { object: expr, .. } => sources(&[expr.operand]),
            ThreadAction::Current { .. } | ThreadAction::AtomicBegin | ThreadAction::AtomicEnd => {}
        },
        Action::Watch { value, .. } => sources(&[value.operand]),
        Action::Settle { .. } => {}
    }
}
