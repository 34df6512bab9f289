//! A program whose calls are inlined, before memory becomes variables: blocks of statements as in the program, except that
//! allocations and ends of objects name the object.

use crate::layout::Operation;
use crate::objects::Objects;
use crate::program::{Begin, ErrorKind};
use fathom_base::{FxMap, Loc};
use fathom_flow::Graph;
use fathom_ir::{Assumption, ProcId, StatementKind};
use fathom_term::{Term, VarId};
use std::collections::BTreeSet;

/// A statement without calls.
pub(crate) enum RawKind {
    Plain(StatementKind),
    /// The object comes into being; its address is a constant that goes to the variable, if that is not fixed anyway.
    Alloc {
        object: usize,
        target: Option<VarId>,
        size: Term,
        zeroed: bool,
    },
    /// Its life is over, so that the statement that made it may make it again.
    End {
        object: usize,
    },
    /// Keeps in the variable how many objects of the stack a family has, and goes back to so many.
    Save {
        object: usize,
        var: VarId,
    },
    Restore {
        object: usize,
        var: VarId,
    },
}

/// A statement and where it comes from.
pub(crate) struct Raw {
    pub kind: RawKind,
    pub loc: Loc,
}

/// How a block ends.
pub(crate) enum RawEnd {
    /// One of these, chosen by an input if there are several.
    Goto(Vec<usize>),
    /// Conditions exclude each other, and one of them holds.
    Guarded(Vec<(Term, usize)>),
    End,
    Bad(ErrorKind),
    /// One of the procedures that are not inlined is called; the block has nothing else.
    Call {
        procedure: usize,
        args: Vec<Term>,
        targets: Vec<VarId>,
        after: usize,
    },
    /// Back to the caller of such a procedure.
    Return,
}

impl RawEnd {
    /// The blocks that control may go to; behind a call, where the caller goes on.
    pub fn targets(&self) -> Vec<usize> {
        match self {
            RawEnd::Goto(targets) => targets.clone(),
            RawEnd::Guarded(guards) => guards.iter().map(|(_, target)| *target).collect(),
            RawEnd::Call { after, .. } => vec![*after],
            RawEnd::End | RawEnd::Bad(_) | RawEnd::Return => Vec::new(),
        }
    }
}

/// A procedure that is not inlined.
pub(crate) struct Apart {
    pub id: ProcId,
    pub entry: usize,
    pub params: Vec<VarId>,
    pub results: Vec<VarId>,
}

/// Statements without calls, and where control goes behind them.
pub(crate) struct RawBlock {
    pub label: String,
    /// The block of the program that it is a copy of.
    pub origin: Option<Begin>,
    pub statements: Vec<Raw>,
    pub end: RawEnd,
    pub loc: Loc,
}

/// A program without calls but those of the procedures apart.
pub(crate) struct Inlined {
    pub blocks: Vec<RawBlock>,
    pub entry: usize,
    pub apart: Vec<Apart>,
    pub objects: Objects,
    /// Values of the program's symbols for addresses.
    pub addresses: FxMap<VarId, Term>,
    /// Variables of copies: the number of the copy, and what they are in the procedure.
    pub locals: FxMap<VarId, (u32, VarId)>,
    /// Variables that are arbitrary when the program starts.
    pub arbitrary: Vec<VarId>,
    pub notes: BTreeSet<Assumption>,
    /// What the program computes with values that may be addresses or bytes of them.
    pub operations: Vec<Operation>,
    /// Where threads start.
    pub forks: Vec<Fork>,
    /// Objects that stand for many, whose addresses are names of threads.
    pub names: Vec<usize>,
}

/// The start of a thread: a block that goes on as the new thread or as the old one.
pub(crate) struct Fork {
    pub block: usize,
    /// Where the new thread begins.
    pub child: usize,
    /// What it is given.
    pub argument: Term,
}

impl Inlined {
    /// Makes families of the objects that statements in loops allocate, for they allocate more than once.
    pub fn mark_families(&mut self) {
        for object in self.allocated_in_loops() {
            self.objects.make_family(object);
        }
    }

    /// The objects whose allocating statement lies in a loop, in the order of the blocks.
    pub fn allocated_in_loops(&self) -> Vec<usize> {
        let targets = |block: &RawBlock| block.end.targets().into_iter().map(|target| target as u32).collect();
        let repeats = Graph::new(self.blocks.iter().map(targets).collect()).on_cycle();
        let blocks = self.blocks.iter().zip(repeats).filter(|(_, repeats)| *repeats);
        let allocated = blocks.flat_map(|(block, _)| &block.statements).filter_map(|statement| match statement.kind {
            RawKind::Alloc { object, .. } => Some(object),
            _ => None,
        });
        allocated.collect()
    }
}
