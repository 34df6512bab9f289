//! A transformed program, with the pass's record of where its blocks come from. The record is not trusted: it only
//! tells `certify` where to look when it compares the two programs.

use crate::program::{BlockId, Program};
use std::rc::Rc;

/// A transformed program. A block of it has the number of the original's block that it comes from; those that the pass
/// added come behind them.
#[derive(Clone)]
pub struct Transformed {
    /// The program that the pass made.
    pub program: Rc<Program>,
    /// For each procedure where the blocks come from that the original doesn't have, in their order.
    pub added: Vec<Vec<Origin>>,
}

/// Where a block comes from that a pass added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// What follows a call through a pointer in a block of the original.
    AfterCall(PointerCall),
    /// One way that a call through a pointer may go.
    CallCase(PointerCall),
    /// Stands for these blocks of the original, which are a loop.
    Outline(Vec<BlockId>),
    /// Where the loop with this head is entered.
    Enter(BlockId),
    /// Where the loop with this head would be entered again.
    Again(BlockId),
}

/// A call through a pointer: the block, and how many others come before it there. Calls through what is known to be the
/// address of a procedure with a body don't count.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct PointerCall {
    /// The block that has the call.
    pub block: BlockId,
    /// How many calls through pointers come before it in the block.
    pub before: u32,
}

impl std::fmt::Debug for Transformed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Transformed").field("added", &self.added).finish_non_exhaustive()
    }
}
