//! What a flat program is. Inputs are named by how far ahead they are: in a condition about the start of a block,
//! `next!0` is the next value that the program will ask for, `next!1` the one after it. A block that takes `n` inputs
//! uses `next!0` to `next!(n-1)`, and behind it every number is smaller by `n`. A condition may thus speak of the
//! future, as suitable predicates do (LCTD, Table 3.12, the rule for inputs); a state is then the values of the variables
//! and the stream that is still to come, and every block is deterministic.

use crate::segments::Segment;
use crate::told::Sources;
use fathom_base::{FxMap, Loc};
use fathom_ir::{Assumption, BlockId, ProcId, Property};
use fathom_term::{Sort, Substitution, Term, TermStore, VarId, VarSets};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use thiserror::Error;

/// The program as a whole has no flat form.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{what}")]
pub struct NotFlat {
    /// The construct that has none, as a noun phrase for messages.
    pub what: String,
    /// Where it stands in the source.
    pub loc: Loc,
}

/// A program as one graph of blocks; see the crate's documentation.
pub struct Flat {
    /// The store that every term here belongs to: the program's own.
    pub terms: Rc<TermStore>,
    /// The first is where runs start; nothing leads back to it.
    pub blocks: Vec<Block>,
    /// What must not be reached; `Target::Error` has indices of these.
    pub errors: Vec<ErrorLocation>,
    /// The variables that stand for inputs.
    pub inputs: Inputs,
    /// Procedures that are not inlined: the recursive ones. Blocks of the program itself come first.
    pub procedures: Vec<Procedure>,
    /// What the flat form takes for granted, for the ledger.
    pub assumptions: Vec<Assumption>,
    /// What threads see of each other, in the form that has them.
    pub concurrent: Option<Concurrent>,
    /// What its variables are in the program.
    pub(crate) sources: Sources,
    pub(crate) sets: VarSets,
}

/// A flat program whose runs are those of one thread: at the start of another one a run goes on as either of them. Threads
/// take turns at blocks only, and between two of the blocks at which others may run a thread does no more than one thing that others see (or
/// one atomic section): an access to shared memory stands at the start of such a block, and a write ends before the next. So what
/// follows a write (an assumption that fails, the end of the thread) does not undo it.
#[derive(Debug)]
pub struct Concurrent {
    /// Blocks before which other threads may run.
    pub yields: BTreeSet<usize>,
    /// Blocks that do nothing but start a thread, and the first block of that thread: the other way out is the old one's.
    pub forks: Vec<(usize, usize)>,
    /// Variables that all threads have together; of the others each has its own, and a new thread has those of its maker.
    pub shared: BTreeSet<VarId>,
    /// Shared ones that nobody reads. They are written at any time, so nothing may be said of them.
    pub unread: BTreeSet<VarId>,
    /// The number of the thread: no two have the same in the low 31 bits.
    pub identity: VarId,
}

/// A parallel assignment with guarded exits.
pub struct Block {
    /// The label of the first of its blocks in the program, for people.
    pub label: String,
    /// The first known source location in it.
    pub loc: Loc,
    /// The block of the program with whose first statement it begins, if it begins there.
    pub begins: Option<Begin>,
    /// The blocks of the program that are executed within this one, in order.
    pub origins: Vec<Origin>,
    /// Sorts of the inputs that it takes.
    pub inputs: Vec<Sort>,
    /// New values, over the variables and inputs at its start; the rest keeps its value.
    pub assigns: Vec<(VarId, Term)>,
    /// Guards are about the start too, and exclude each other. A state that satisfies none of them ends here: an
    /// assumption failed.
    pub edges: Vec<Edge>,
    /// The call that it stands for, if its procedure is not inlined; such a block does nothing else.
    pub call: Option<Call>,
}

/// The start of a block of the program, in one of the copies that inlining makes of its procedure.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Begin {
    /// The number of the copy.
    pub copy: u32,
    /// The procedure.
    pub procedure: ProcId,
    /// The block in it.
    pub block: BlockId,
}

/// A procedure that other blocks call. Its blocks are reached from its start alone; conditions about a whole call mention
/// the values that its `entry` variables have when it starts, and of those that its `exit` variables have when it returns.
pub struct Procedure {
    /// Its name in the program.
    pub name: String,
    /// The block that takes the values of `entry` as inputs.
    pub start: usize,
    /// What was passed, and shared variables that it may read or change, as they were; nothing assigns these later.
    pub entry: Vec<VarId>,
    /// Results, and shared variables that it may change.
    pub exit: Vec<VarId>,
}

/// What a block does that calls a procedure. Its inputs are whether the procedure fails, and then the values of `exit`; so
/// without further knowledge a call may do anything to what the procedure may change.
#[derive(Clone)]
pub struct Call {
    /// Index in `Flat::procedures`.
    pub procedure: usize,
    /// Values of the procedure's `entry`, over the variables at the start of the block.
    pub entry: Vec<Term>,
    /// Values of its `exit`: inputs of the block.
    pub exit: Vec<Term>,
    /// Index of the edge that is taken when an error location is reached inside the procedure.
    pub fails: usize,
    /// Index of the edge that is taken when the procedure returns.
    pub returns: usize,
}

/// A block of the program that is entered if the condition, about the start of the flat block, holds.
#[derive(Copy, Clone, Debug)]
pub struct Origin {
    /// Over the variables and inputs at the start of the flat block.
    pub when: Term,
    /// The procedure of the program that has the block.
    pub procedure: ProcId,
    /// The block in that procedure.
    pub block: BlockId,
}

/// An exit of a block.
#[derive(Clone)]
pub struct Edge {
    /// Over the variables and inputs at the start of the block.
    pub guard: Term,
    /// Where a state goes that satisfies the guard.
    pub target: Target,
}

/// Where an edge leads.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Another block: an index in `Flat::blocks`.
    Block(usize),
    /// An error location: an index in `Flat::errors`.
    Error(usize),
    /// The program ends.
    End,
    /// The procedure of the block returns.
    Return,
}

impl Target {
    /// The block it leads to; None where the run or the procedure ends.
    pub fn block(self) -> Option<usize> {
        match self {
            Target::Block(to) => Some(to),
            Target::Error(_) | Target::End | Target::Return => None,
        }
    }
}

/// A location that must not be reached: an answer `true` says that no run comes there.
#[derive(Clone, Debug)]
pub struct ErrorLocation {
    /// Why it must not be reached.
    pub kind: ErrorKind,
    /// The source location of the statement.
    pub loc: Loc,
}

/// Why a location must not be reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// A check fails there.
    Violation {
        /// What the check belongs to.
        property: Property,
        /// What is said of the violation.
        message: String,
    },
    /// A construct without a flat form; the text names it.
    Unsupported(String),
    /// Undefined behaviour of a property that is not checked in this run.
    Undefined {
        /// The property.
        property: Property,
        /// What happens there.
        what: String,
    },
    /// An error location is reached inside the procedure of this name, which is called here.
    Within(String),
}

/// Names of inputs, and back.
#[derive(Default)]
pub struct Inputs {
    known: RefCell<FxMap<VarId, (u32, Sort)>>,
}

impl Inputs {
    /// The input this far ahead.
    pub fn next(&self, store: &TermStore, ahead: u32, sort: Sort) -> Term {
        let term = store.var(&format!("next!{ahead}.{}", sort_tag(store, sort)), sort);
        if let Some(var) = store.as_var(term) {
            self.known.borrow_mut().insert(var, (ahead, sort));
        }
        term
    }

    /// Gets to know the inputs that a term from another maker of this flat form mentions: they may be further ahead than any here.
    pub fn learn(&self, store: &TermStore, var: VarId) {
        let name = store.var_name(var);
        let ahead = name.strip_prefix("next!").and_then(|rest| rest.split('.').next()).and_then(|number| number.parse().ok());
        if let Some(ahead) = ahead {
            self.next(store, ahead, store.var_sort(var));
        }
    }

    /// How far ahead this input is, if the variable is one.
    pub fn ahead(&self, var: VarId) -> Option<(u32, Sort)> {
        self.known.borrow().get(&var).copied()
    }
}

/// A short name of a sort, for names of inputs.
pub fn sort_tag(store: &TermStore, sort: Sort) -> String {
    match sort {
        Sort::Array(id) => {
            let (index, element) = store.array_sort_parts(id);
            format!("map.{}.{}", sort_tag(store, index), sort_tag(store, element))
        }
        other => format!("{other:?}"),
    }
}

impl Flat {
    /// What must hold at the start of a block for this exit to be taken and the conditions to hold behind it.
    pub fn before(&self, block: usize, edge: usize, conditions: &[Term]) -> Vec<Term> {
        let store = &self.terms;
        let Block { inputs, assigns, edges, .. } = &self.blocks[block];
        let mut images: Vec<(VarId, Term)> = Vec::new();
        let mentioned: Vec<VarId> = conditions.iter().flat_map(|&term| self.sets.vars(store, term)).collect();
        for var in mentioned {
            if let Some((ahead, sort)) = self.inputs.ahead(var) {
                images.push((var, self.inputs.next(store, ahead + inputs.len() as u32, sort)));
            } else if let Some(&(_, value)) = assigns.iter().find(|(assigned, _)| *assigned == var) {
                images.push((var, value));
            }
        }
        let mut behind = Substitution::new(images);
        let mut all = Vec::new();
        add_conjuncts(store, edges[edge].guard, &mut all);
        for &condition in conditions {
            let image = behind.apply(store, condition);
            // A condition that the block does not change is kept as it is instead of being taken apart: it was useful in that form.
            match image == condition {
                true if !all.contains(&condition) => all.push(condition),
                true => {}
                false => add_conjuncts(store, image, &mut all),
            }
        }
        all
    }

    /// A condition about a whole call of a procedure, as one about the start of a block that calls it.
    pub fn at_call(&self, call: &Call, condition: Term) -> Term {
        let Procedure { entry, exit, .. } = &self.procedures[call.procedure];
        let before = entry.iter().copied().zip(call.entry.iter().copied());
        let after = exit.iter().copied().zip(call.exit.iter().copied());
        Substitution::new(before.chain(after)).apply(&self.terms, condition)
    }

    /// Whether the block leaves what the condition speaks of alone.
    pub fn keeps(&self, block: usize, condition: Term) -> bool {
        let Block { inputs, assigns, .. } = &self.blocks[block];
        let touched =
            |var: &VarId| (!inputs.is_empty() && self.inputs.ahead(*var).is_some()) || assigns.iter().any(|(assigned, _)| assigned == var);
        !self.vars(condition).iter().any(touched)
    }

    /// A term about one thread, as one about another thread at the same time.
    pub fn of_another(&self, term: Term) -> Term {
        let shared = |var: &VarId| self.concurrent.as_ref().is_some_and(|concurrent| concurrent.shared.contains(var));
        let own = self.vars(term).into_iter().filter(|var| !shared(var) && self.inputs.ahead(*var).is_none());
        let named = own.map(|var| (var, self.terms.var(&format!("{}~", self.terms.var_name(var)), self.terms.var_sort(var))));
        Substitution::new(named).apply(&self.terms, term)
    }

    /// What one thread's condition behind a segment of another is before it.
    pub fn before_another(&self, segment: &Segment, condition: Term) -> Term {
        let shared = |var: &VarId| self.concurrent.as_ref().is_some_and(|concurrent| concurrent.shared.contains(var));
        let mentioned = self.vars(condition);
        let changed = segment.assigns.iter().filter(|(var, _)| shared(var) && mentioned.contains(var));
        let images: Vec<(VarId, Term)> = changed.map(|&(var, value)| (var, self.of_another(value))).collect();
        Substitution::new(images).apply(&self.terms, condition)
    }

    /// That a thread and another one are not the same.
    pub fn are_two(&self) -> Term {
        let store = &self.terms;
        let Some(concurrent) = &self.concurrent else { return store.bool(true) };
        let own = store.var_term(concurrent.identity);
        let low = |number: Term| store.extract(number, 30, 0);
        store.ne(low(own), low(self.of_another(own)))
    }

    /// The variables that a term mentions, inputs included.
    pub fn vars(&self, term: Term) -> Vec<VarId> {
        self.sets.vars(&self.terms, term)
    }
}

/// Adds the conjuncts of a condition that are not there yet and say something.
pub fn add_conjuncts(store: &TermStore, term: Term, all: &mut Vec<Term>) {
    for part in store.conjuncts(term) {
        if store.const_bool(part) != Some(true) && !all.contains(&part) {
            all.push(part);
        }
    }
}
