//! What a flat program is. Inputs are named by how far ahead they are: in a condition about the start of a block,
//! `next!0` is the next value that the program will ask for, `next!1` the one after it. A block that takes `n` inputs
//! uses `next!0` to `next!(n-1)`, and behind it every number is smaller by `n`. A condition may thus speak of the
//! future, as suitable predicates do (LCTD, Table 3.12, the rule for inputs); a state is then the values of the variables
//! and the stream that is still to come, and every block is deterministic.

use fathom_base::{FxMap, Loc};
use fathom_ir::{Assumption, BlockId, ProcId, Property};
use fathom_term::{Sort, Substitution, Term, TermStore, VarId, VarSets};
use std::cell::RefCell;
use std::rc::Rc;
use thiserror::Error;

/// The program as a whole has no flat form.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{what}")]
pub struct NotFlat {
    pub what: String,
    pub loc: Loc,
}

pub struct Flat {
    pub terms: Rc<TermStore>,
    /// The first is where runs start; nothing leads back to it.
    pub blocks: Vec<Block>,
    pub places: Vec<Place>,
    pub inputs: Inputs,
    /// Procedures that are not inlined: the recursive ones. Blocks of the program itself come first.
    pub procedures: Vec<Procedure>,
    /// What the flat form takes for granted, for the ledger.
    pub assumptions: Vec<Assumption>,
    pub(crate) sets: VarSets,
}

pub struct Block {
    pub label: String,
    pub loc: Loc,
    /// The blocks of the program that are entered on the way through this one, in order.
    pub origins: Vec<Origin>,
    /// Sorts of the inputs that it takes.
    pub inputs: Vec<Sort>,
    /// New values, over the variables and inputs at its start; the rest keeps its value.
    pub assigns: Vec<(VarId, Term)>,
    /// Guards are about the start too, and exclude each other. A state that satisfies none of them ends here: an
    /// assumption failed.
    pub edges: Vec<Edge>,
    pub call: Option<Call>,
}

/// A procedure that other blocks call. Its blocks are reached from its start alone; conditions about a whole call speak of
/// the values that its `entry` variables have when it starts, and of those that its `exit` variables have when it returns.
pub struct Procedure {
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
    pub procedure: usize,
    /// Values of the procedure's `entry`, over the variables at the start of the block.
    pub entry: Vec<Term>,
    /// Values of its `exit`: inputs of the block.
    pub exit: Vec<Term>,
    /// The exit of the block that is taken when the procedure fails, and the one when it returns.
    pub fails: usize,
    pub returns: usize,
}

/// A block of the program that is entered if the condition, about the start of the flat block, holds.
#[derive(Copy, Clone, Debug)]
pub struct Origin {
    pub when: Term,
    pub procedure: ProcId,
    pub block: BlockId,
}

#[derive(Clone)]
pub struct Edge {
    pub guard: Term,
    pub target: Target,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Target {
    Block(usize),
    Place(usize),
    /// The program ends.
    End,
    /// The procedure of the block returns.
    Return,
}

impl Target {
    pub fn block(self) -> Option<usize> {
        match self {
            Target::Block(to) => Some(to),
            Target::Place(_) | Target::End | Target::Return => None,
        }
    }
}

/// Somewhere no run should come.
#[derive(Clone, Debug)]
pub struct Place {
    pub kind: PlaceKind,
    pub loc: Loc,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlaceKind {
    Violation {
        property: Property,
        message: String,
    },
    Unsupported(String),
    /// Undefined behaviour that nobody asked to check.
    Undefined(String),
    /// A place of the procedure that is called here.
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
            // What the block leaves alone stays in one piece: it has proved its worth that way.
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

    pub fn vars(&self, term: Term) -> Vec<VarId> {
        self.sets.vars(&self.terms, term)
    }
}

/// Adds the parts of a conjunction, each once.
pub fn add_conjuncts(store: &TermStore, term: Term, all: &mut Vec<Term>) {
    let mut open = vec![term];
    while let Some(next) = open.pop() {
        match store.op(next) {
            fathom_term::Op::And => open.extend(store.args(next).into_iter().rev()),
            _ if store.const_bool(next) == Some(true) || all.contains(&next) => {}
            _ => all.push(next),
        }
    }
}
