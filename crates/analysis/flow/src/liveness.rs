//! Liveness: which variables some path reads before it writes them. The analysis works variable by variable, from the blocks
//! that read one first against the flow up to the blocks that write it (Boissinot et al., Computing liveness sets for
//! SSA-form programs, 2011, the variant by paths). Its cost is the size of the answer, so the many short-lived variables of
//! a large procedure cost little, and nothing is iterated to a fixed point.
//!
//! It is told what a block accesses through [`Accesses`]; [`BodyAccesses`] is the instance for programs, and the machine has
//! one for its compiled code.

use fathom_base::FxMap;
use fathom_ir::{Body, ControlEffect, TerminatorKind, Write};
use fathom_term::{Term, VarId};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hash;

/// What the blocks of a procedure read and write, and in which order control passes them.
pub trait Accesses {
    /// How the procedure names its variables.
    type Variable: Copy + Ord + Hash;

    /// How many blocks there are.
    fn count(&self) -> usize;

    /// Where control may go behind a block.
    fn successors(&self, block: u32) -> Vec<u32>;

    /// Calls `access(variable, is it a read)` for what happens in a block from this statement on, backwards: the last access
    /// first, and a statement's writes before its reads.
    fn backwards(&self, block: u32, from: usize, access: &mut dyn FnMut(Self::Variable, bool));
}

/// The live variables of a procedure where its blocks start.
pub struct Live<V> {
    starts: Vec<Vec<V>>,
}

impl<V: Copy + Ord + Hash> Live<V> {
    /// Computes liveness in a whole procedure.
    pub fn of(accesses: &impl Accesses<Variable = V>) -> Live<V> {
        Live::within(accesses, 0..accesses.count() as u32)
    }

    /// Computes liveness in a part of a procedure: reads outside these blocks don't count.
    pub fn within(accesses: &impl Accesses<Variable = V>, blocks: impl IntoIterator<Item = u32>) -> Live<V> {
        let first = FirstAccesses::of(accesses, blocks);
        let mut starts = vec![Vec::new(); accesses.count()];
        let mut seen = vec![0; starts.len()];
        for (round, (&variable, readers)) in (1..).zip(&first.readers) {
            first.walk(variable, readers, round, &mut seen, |block| {
                starts[block as usize].push(variable);
                true
            });
        }
        Live { starts }
    }

    /// The variables that are live where a block starts, ascending.
    pub fn at_start(&self, block: u32) -> &[V] {
        &self.starts[block as usize]
    }

    /// The variables that are live in a block before this statement, ascending.
    pub fn before(&self, accesses: &impl Accesses<Variable = V>, block: u32, statement: usize) -> BTreeSet<V> {
        let next = accesses.successors(block);
        let mut live: BTreeSet<V> = next.iter().flat_map(|&next| self.at_start(next)).copied().collect();
        accesses.backwards(block, statement, &mut |variable, is_read| match is_read {
            true => _ = live.insert(variable),
            false => _ = live.remove(&variable),
        });
        live
    }
}

/// The variables that are live where this block starts, ascending: those that may be read before they are written, if it is
/// the entry. Cheaper than [`Live`], because a variable is followed no further than to that block.
pub fn live_at_entry<V: Copy + Ord + Hash>(accesses: &impl Accesses<Variable = V>, entry: u32) -> Vec<V> {
    let first = FirstAccesses::of(accesses, 0..accesses.count() as u32);
    let mut seen = vec![0; accesses.count()];
    let mut found = Vec::new();
    for (round, (&variable, readers)) in (1..).zip(&first.readers) {
        first.walk(variable, readers, round, &mut seen, |block| {
            if block == entry {
                found.push(variable);
            }
            block != entry
        });
    }
    found
}

/// What each block does first with a variable.
struct FirstAccesses<V> {
    predecessors: Vec<Vec<u32>>,
    /// For each block whether the first access to a variable is a read.
    is_read: Vec<FxMap<V, bool>>,
    /// The blocks whose first access to a variable is a read.
    readers: BTreeMap<V, Vec<u32>>,
}

impl<V: Copy + Ord + Hash> FirstAccesses<V> {
    fn of(accesses: &impl Accesses<Variable = V>, blocks: impl IntoIterator<Item = u32>) -> Self {
        let count = accesses.count();
        let mut all =
            FirstAccesses { predecessors: vec![Vec::new(); count], is_read: vec![FxMap::default(); count], readers: BTreeMap::new() };
        for block in blocks {
            let first = &mut all.is_read[block as usize];
            accesses.backwards(block, 0, &mut |variable, is_read| _ = first.insert(variable, is_read));
            for (&variable, _) in first.iter().filter(|(_, is_read)| **is_read) {
                all.readers.entry(variable).or_default().push(block);
            }
            accesses.successors(block).into_iter().for_each(|next| all.predecessors[next as usize].push(block));
        }
        all
    }

    /// Visits every block at whose start the variable is live, until told to stop. `seen` is marked with the round.
    fn walk(&self, variable: V, readers: &[u32], round: u32, seen: &mut [u32], mut visit: impl FnMut(u32) -> bool) {
        let mut open = readers.to_vec();
        while let Some(block) = open.pop() {
            if std::mem::replace(&mut seen[block as usize], round) == round {
                continue;
            }
            if !visit(block) {
                return;
            }
            let before = self.predecessors[block as usize].iter().copied();
            open.extend(before.filter(|&block| self.is_read[block as usize].get(&variable) != Some(&false)));
        }
    }
}

/// What a body reads and writes. Watches don't count, for they make no difference to a run.
pub struct BodyAccesses<'a, F> {
    /// Whose accesses.
    pub body: &'a Body,
    /// What the caller reads when the procedure returns.
    pub results: &'a [VarId],
    /// Calls its second argument with the variables of a term that matter.
    pub variables: F,
}

impl<F: Fn(Term, &mut dyn FnMut(VarId))> Accesses for BodyAccesses<'_, F> {
    type Variable = VarId;

    fn count(&self) -> usize {
        self.body.blocks.len()
    }

    fn successors(&self, block: u32) -> Vec<u32> {
        self.body.blocks[block as usize].terminator.kind.successors().iter().map(|next| next.0).collect()
    }

    fn backwards(&self, block: u32, from: usize, access: &mut dyn FnMut(VarId, bool)) {
        let block = &self.body.blocks[block as usize];
        if let TerminatorKind::Return = block.terminator.kind {
            self.results.iter().for_each(|&result| access(result, true));
        }
        block.terminator.kind.for_each_term(&mut |term| (self.variables)(term, &mut |var| access(var, true)));
        for statement in block.statements[from..].iter().rev() {
            let kind = &statement.kind;
            if kind.control() == ControlEffect::Watches {
                continue;
            }
            kind.for_each_target(&mut |target, _| access(target, false));
            kind.for_each_term(&mut |term| (self.variables)(term, &mut |var| access(var, true)));
            kind.for_each_target(&mut |target, write| {
                if write == Write::Ended {
                    access(target, true);
                }
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks of accesses in the order of execution, `true` for a read, and their successors.
    /// Per block its accesses (variable, whether written) and its successors.
    type Block = (Vec<(char, bool)>, Vec<u32>);
    struct Blocks(Vec<Block>);

    impl Accesses for Blocks {
        type Variable = char;

        fn count(&self) -> usize {
            self.0.len()
        }

        fn successors(&self, block: u32) -> Vec<u32> {
            self.0[block as usize].1.clone()
        }

        fn backwards(&self, block: u32, from: usize, access: &mut dyn FnMut(char, bool)) {
            self.0[block as usize].0[from..].iter().rev().for_each(|&(variable, is_read)| access(variable, is_read));
        }
    }

    fn counting_loop() -> Blocks {
        let (write, read) = (|var| (var, false), |var| (var, true));
        let body = vec![read('i'), write('t'), read('t'), read('u'), write('i')];
        Blocks(vec![(vec![write('i')], vec![1]), (vec![read('i')], vec![2, 3]), (body, vec![1]), (vec![read('r')], vec![])])
    }

    #[test]
    fn a_variable_is_live_up_to_what_writes_it() {
        let live = Live::of(&counting_loop());
        assert_eq!(live.at_start(0), ['r', 'u']);
        assert_eq!(live.at_start(1), ['i', 'r', 'u']);
        assert_eq!(live.at_start(3), ['r']);
        assert_eq!(live_at_entry(&counting_loop(), 0), ['r', 'u']);
    }

    #[test]
    fn inside_a_block_and_inside_a_part() {
        let live = Live::of(&counting_loop());
        assert_eq!(live.before(&counting_loop(), 2, 2), BTreeSet::from(['r', 't', 'u']));
        assert_eq!(Live::within(&counting_loop(), [1, 2]).at_start(1), ['i', 'u']);
    }
}
