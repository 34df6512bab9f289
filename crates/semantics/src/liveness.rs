//! Which locals still matter at a place in a procedure: the classic backward analysis, kept per block and completed
//! inside a block on demand. States that differ in dead locals only are the same state.

use crate::code::{Action, BlockCode, CalleeCode, End, Expr, Operand, Place, ProcCode};
use fathom_base::FxMap;
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
    let mut join = |target: u32| {
        for (slot, is_live) in starts[target as usize].iter().enumerate() {
            live[slot] |= is_live;
        }
    };
    match &block.end {
        End::Goto(targets) => targets.iter().for_each(|&t| join(t)),
        End::Branch { condition, then, otherwise } => {
            join(*then);
            join(*otherwise);
            read(condition.operand, &mut live);
        }
        End::Switch { value, cases, default, .. } => {
            cases.iter().for_each(|(_, t)| join(*t));
            join(*default);
            read(value.operand, &mut live);
        }
        End::Return => proc.results.iter().for_each(|&slot| live[slot as usize] = true),
        End::Stop(_) | End::Unsupported(_) => {}
    }
    live
}

fn read(operand: Operand, live: &mut [bool]) {
    if let Operand::Place(Place::Local(slot)) = operand {
        live[slot as usize] = true;
    }
}

fn written(place: Place, live: &mut [bool]) {
    if let Place::Local(slot) = place {
        live[slot as usize] = false;
    }
}

/// From what is live after an action to what is live before it.
fn before(action: &Action, live: &mut [bool]) {
    let all = |exprs: &[&Expr], live: &mut [bool]| exprs.iter().for_each(|e| read(e.operand, live));
    match action {
        Action::Compute(instr) => {
            written(instr.target, live);
            instr.args.iter().for_each(|&arg| read(arg, live));
        }
        Action::Move { target, source } => {
            written(*target, live);
            read(*source, live);
        }
        Action::Havoc { target, .. } => written(*target, live),
        Action::Assume(condition) => all(&[condition], live),
        Action::Assert { condition, .. } => all(&[condition], live),
        Action::Alloc { target, size, .. } => {
            written(*target, live);
            all(&[size], live);
        }
        Action::Free { pointer } => all(&[pointer], live),
        Action::Load { target, pointer, .. } | Action::ObjectSize { target, pointer } => {
            written(*target, live);
            all(&[pointer], live);
        }
        Action::Store { pointer, value } => all(&[pointer, value], live),
        Action::Copy { target, source, length } => all(&[target, source, length], live),
        Action::Set { pointer, fill, length, .. } => {
            all(&[pointer, length], live);
            fill.iter().for_each(|e| read(e.operand, live));
        }
        Action::Call { targets, callee, args, .. } => {
            targets.iter().for_each(|&t| written(t, live));
            args.iter().for_each(|e| read(e.operand, live));
            if let CalleeCode::Indirect(pointer) = callee {
                read(pointer.operand, live);
            }
        }
        Action::Watch { value, .. } => all(&[value], live),
        Action::Unsupported(_) => {}
    }
}
