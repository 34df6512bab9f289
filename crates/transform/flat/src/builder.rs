//! A block under construction: the current values of variables, as terms over the start of the block, and the exits.

use crate::cells::Shape;
use crate::objects::Objects;
use crate::points_to::PointsTo;
use crate::program::{Edge, ErrorKind, ErrorLocation, Inputs, Target};
use fathom_base::{FxMap, Loc};
use fathom_term::{Sort, Substitution, Term, TermStore, VarId, VarSets};
use std::cell::RefCell;

/// A block in the making.
pub(crate) struct Builder<'b> {
    pub store: &'b TermStore,
    pub sets: &'b VarSets,
    pub objects: &'b Objects,
    pub points_to: &'b RefCell<PointsTo>,
    pub shapes: &'b [Shape],
    pub errors: &'b RefCell<Vec<ErrorLocation>>,
    pub names: &'b Inputs,
    pub values: FxMap<VarId, Term>,
    pub order: Vec<VarId>,
    pub inputs: Vec<Sort>,
    /// Holds as long as the block goes on.
    pub assumed: Term,
    pub edges: Vec<Edge>,
}

impl<'b> Builder<'b> {
    /// The value of a variable here, over those at the start of the block.
    pub fn value(&self, var: VarId) -> Term {
        self.values.get(&var).copied().unwrap_or_else(|| self.store.var_term(var))
    }

    /// Gives a variable a value over those at the start of the block.
    pub fn assign(&mut self, var: VarId, value: Term) {
        if self.values.insert(var, value).is_none() {
            self.order.push(var);
        }
    }

    /// A term over the variables here, as one over those at the start of the block.
    pub fn now(&self, term: Term) -> Term {
        let mentioned = self.sets.vars(self.store, term);
        let images = mentioned.into_iter().filter_map(|var| Some((var, *self.values.get(&var)?)));
        Substitution::new(images).apply(self.store, term)
    }

    /// A new arbitrary value.
    pub fn input(&mut self, sort: Sort) -> Term {
        let term = self.names.next(self.store, self.inputs.len() as u32, sort);
        self.inputs.push(sort);
        term
    }

    /// Leaves the block for an error location under this condition; whether the block can go on otherwise.
    pub fn leave(&mut self, condition: Term, kind: ErrorKind, loc: Loc) -> bool {
        let guard = self.store.and(self.assumed, condition);
        if self.store.const_bool(guard) != Some(false) {
            let mut errors = self.errors.borrow_mut();
            errors.push(ErrorLocation { kind, loc });
            self.edges.push(Edge { guard, target: Target::Error(errors.len() - 1) });
        }
        self.assume(self.store.not(condition))
    }

    /// Goes on only where the condition holds; whether anything is left.
    pub fn assume(&mut self, condition: Term) -> bool {
        self.assumed = self.store.and(self.assumed, condition);
        self.store.const_bool(self.assumed) != Some(false)
    }

    /// Leaves the block for an error location, because it goes on with something that has no flat form.
    pub fn unsupported<T>(&mut self, what: &str, loc: Loc) -> Option<T> {
        self.leave(self.store.bool(true), ErrorKind::Unsupported(what.to_string()), loc);
        None
    }
}
