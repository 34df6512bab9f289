//! What statements evaluate, write and access, for everything that treats statements which it does not know by name: transformations
//! and analyses outside of the machine, which alone says what a statement does. It is read off the one description of
//! each statement (`description`).

use crate::description::Part;
use crate::statement::StatementKind;
use fathom_term::{Term, TermStore, VarId};

/// What becomes of the value of an expression that a statement evaluates.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Use {
    /// It goes into the variables that the statement writes, as it is or as part of a computation.
    Flows,
    /// It decides whether the run goes on or is right.
    Condition,
    /// It goes into memory.
    Stored,
    /// A procedure or a thread gets it.
    Passed,
    /// The function at this address is called.
    Callee,
    /// It is a size, a length or a number of something.
    Measure,
    /// Memory is accessed there.
    Pointer(AccessKind, Extent),
    /// A reader of a trace sees it; the run does not depend on it.
    Watched,
}

/// What happens to the memory that a pointer leads to.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum AccessKind {
    /// The bytes are read.
    Read,
    /// The bytes are written.
    Write,
    /// The object ends.
    Free,
    /// Something about the object other than its contents is looked at.
    Look,
    /// The object must not have ended; nothing else is asked.
    Alive,
}

/// How much memory an access is about.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Extent {
    /// As much as the variable holds.
    Variable(VarId),
    /// As much as the value has.
    Value(Term),
    /// So many bytes.
    Length(Term),
    /// The whole object, wherever in it the pointer points.
    Object,
}

impl Extent {
    /// The number of bytes, if it is known.
    pub fn bytes(self, store: &TermStore) -> Option<u64> {
        match self {
            Extent::Variable(var) => Some(store.var_sort(var).width() as u64 / 8),
            Extent::Value(term) => Some(store.sort(term).width() as u64 / 8),
            Extent::Length(length) => store.const_bits(length),
            Extent::Object => None,
        }
    }
}

/// An access to memory.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// The address, as the statement computes it.
    pub pointer: Term,
    /// What happens to the bytes.
    pub kind: AccessKind,
    /// How many bytes, from the pointer on.
    pub extent: Extent,
}

/// How a statement writes a variable.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Write {
    /// It gets a value.
    Assigned,
    /// It gets the address of a new object.
    Allocated,
    /// The object that it points to ends, and it becomes null: it is read, too.
    Ended,
}

/// What a statement means for the course of the run.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ControlEffect {
    /// The run goes on behind it, unless an access was wrong.
    Straight,
    /// Runs in which a condition fails do not count.
    Assumes,
    /// A condition must hold; a run ends where it fails.
    Asserts,
    /// A procedure runs.
    Calls,
    /// Threads start, end, wait or keep others waiting.
    Threads,
    /// It makes no difference to a run.
    Watches,
    /// Unknown.
    Unsupported,
}

impl StatementKind {
    /// Calls `visit` with every expression that the statement evaluates, and what becomes of its value.
    pub fn for_each_use(&self, visit: &mut impl FnMut(Term, Use)) {
        self.parts(&mut |part| {
            if let Part::Term(term, becomes, _) = part {
                visit(*term, becomes);
            }
        });
    }

    /// Calls `visit` with every variable that the statement writes.
    pub fn for_each_target(&self, visit: &mut impl FnMut(VarId, Write)) {
        self.parts(&mut |part| {
            if let Part::Target(target, write, _) = part {
                visit(*target, write);
            }
        });
    }

    /// Calls `visit` with every access to memory. New objects, and those that end with a variable's scope, are in
    /// [`StatementKind::for_each_target`].
    pub fn for_each_access(&self, visit: &mut impl FnMut(Access)) {
        self.for_each_use(&mut |pointer, becomes| {
            if let Use::Pointer(kind, extent) = becomes {
                visit(Access { pointer, kind, extent });
            }
        });
    }

    /// Whether memory is looked at, changed, allocated or freed. (What a call or a thread does is not counted.)
    pub fn touches_memory(&self) -> bool {
        let mut touches = false;
        self.for_each_access(&mut |_| touches = true);
        self.for_each_target(&mut |_, write| touches |= write != Write::Assigned);
        touches
    }

    /// Whether all that the statement does is to give values to variables; it may read memory.
    pub fn only_computes(&self) -> bool {
        let mut only = self.control() == ControlEffect::Straight;
        self.for_each_access(&mut |access| only &= matches!(access.kind, AccessKind::Read | AccessKind::Look));
        self.for_each_target(&mut |_, write| only &= write == Write::Assigned);
        only
    }
}
