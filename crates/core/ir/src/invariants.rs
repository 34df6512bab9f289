//! Candidate invariants at loop heads, from any analysis. None is relied on before it was proved to hold on entry and to be
//! preserved by every iteration: the engine `kind` proves it, and `certify` puts that proof to a second solver.

use crate::program::{BlockId, ProcId};
use fathom_term::{Term, VarId};
use std::collections::BTreeMap;

/// The head of a loop: a block of a procedure.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LoopHead {
    /// The procedure that the loop is in.
    pub procedure: ProcId,
    /// The block that every iteration begins with.
    pub block: BlockId,
}

/// Bytes of memory that an invariant's condition mentions: a placeholder variable stands for their value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryCell {
    /// The placeholder in the condition, which is not a variable of the program: a bit-vector of `8 * bytes` bits.
    pub var: VarId,
    /// Where the bytes are: a term over the procedure's variables, globals and address symbols, as in a `Load`.
    pub pointer: Term,
    /// The size of the cell.
    pub bytes: u64,
    /// If present, the pointer is the start of an array of such cells, and this is the index of the cell that is meant. It may
    /// mention `ANY_INDEX`.
    pub index: Option<Term>,
}

/// The name of the variable that is implicitly universally quantified: a condition that mentions it holds for every value.
pub const ANY_INDEX: &str = "any index";

/// A condition over the procedure's locals, the program's globals, address symbols and the named cells. It is meant to
/// hold whenever control stands at the head, before the head's first statement, in any iteration and any call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant {
    /// Over the procedure's variables, globals, address symbols and the variables of `cells`.
    pub condition: Term,
    /// What the variables in the condition that stand for memory mean.
    pub cells: Vec<MemoryCell>,
}

/// A condition at the head of a loop, as the conjunction of its parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoopLabel {
    /// The parts over what the procedure of the loop sees.
    pub conditions: Vec<Invariant>,
    /// How many parts are about something else: variables of callers, objects in memory.
    pub others: usize,
}

/// Candidates per loop head, in a fixed order.
#[derive(Clone, Debug, Default)]
pub struct Invariants {
    /// Heads without a candidate are left out.
    pub at: BTreeMap<LoopHead, Vec<Invariant>>,
}

impl Invariants {
    /// The candidates at a loop head.
    pub fn of(&self, head: LoopHead) -> &[Invariant] {
        self.at.get(&head).map_or(&[], Vec::as_slice)
    }

    /// Adds a candidate, unless it is there already.
    pub fn add(&mut self, head: LoopHead, invariant: Invariant) {
        let known = self.at.entry(head).or_default();
        if !known.contains(&invariant) {
            known.push(invariant);
        }
    }

    /// Whether there are no candidates.
    pub fn is_empty(&self) -> bool {
        self.at.values().all(Vec::is_empty)
    }
}
