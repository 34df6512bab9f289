//! Which local variables may still be read where a block starts: states keep only those. Program variables are always
//! live. The classic backward analysis on sets of bits, in the order of the loops.

use crate::context::Context;
use fathom_base::FxMap;
use fathom_ir::{Body, Procedure, StatementKind};
use fathom_term::VarId;

pub struct Live {
    numbers: FxMap<VarId, u32>,
    words: usize,
    /// Live where each block starts.
    starts: Vec<u64>,
}

impl Live {
    pub fn at_start(&self, block: u32, var: VarId) -> bool {
        match self.numbers.get(&var) {
            Some(&number) => self.starts[block as usize * self.words + number as usize / 64] >> (number % 64) & 1 != 0,
            None => true,
        }
    }

    /// The locals that are live where a block starts, in order.
    pub fn locals(&self, block: u32) -> Vec<VarId> {
        let mut found: Vec<VarId> = self.numbers.keys().copied().filter(|&var| self.at_start(block, var)).collect();
        found.sort();
        found
    }
}

pub fn analyse(context: &Context, procedure: &Procedure, body: &Body) -> Live {
    let numbers: FxMap<VarId, u32> =
        procedure.locals.iter().enumerate().map(|(number, local)| (local.id, number as u32)).collect();
    let words = procedure.locals.len().div_ceil(64);
    let mut live = Live { numbers, words, starts: vec![0; words * body.blocks.len()] };
    let mut gains = vec![0u64; words * body.blocks.len()];
    let mut kills = vec![0u64; words * body.blocks.len()];
    for (number, block) in body.blocks.iter().enumerate() {
        let range = number * words..(number + 1) * words;
        let (gain, kill) = (&mut gains[range.clone()], &mut kills[range]);
        let number_of = |var: &VarId| live.numbers.get(var).copied();
        let mut uses = Vec::new();
        block.terminator.kind.for_each_term(&mut |term| uses.extend(context.vars_of(term).iter().copied()));
        if block.terminator.kind.successors().is_empty() {
            uses.extend(procedure.results.iter().copied());
        }
        uses.iter().filter_map(number_of).for_each(|var| gain[var as usize / 64] |= 1 << (var % 64));
        for statement in block.statements.iter().rev() {
            if matches!(statement.kind, StatementKind::Watch(_)) {
                continue;
            }
            for var in statement.kind.targets().iter().filter_map(number_of) {
                gain[var as usize / 64] &= !(1 << (var % 64));
                kill[var as usize / 64] |= 1 << (var % 64);
            }
            let mut uses = Vec::new();
            statement.kind.for_each_term(&mut |term| uses.extend(context.vars_of(term).iter().copied()));
            if let StatementKind::EndScope { variable } = statement.kind {
                uses.push(variable);
            }
            uses.iter().filter_map(number_of).for_each(|var| gain[var as usize / 64] |= 1 << (var % 64));
        }
    }
    loop {
        let mut changed = false;
        for number in (0..body.blocks.len()).rev() {
            for word in 0..words {
                let after = body.blocks[number].terminator.kind.successors().iter()
                    .fold(0, |all, next| all | live.starts[next.0 as usize * words + word]);
                let at = number * words + word;
                let now = gains[at] | after & !kills[at];
                changed |= now != live.starts[at];
                live.starts[at] = now;
            }
        }
        if !changed {
            return live;
        }
    }
}
