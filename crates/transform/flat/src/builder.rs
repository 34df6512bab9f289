//! A block in the making: the values that variables have so far, as terms over the start of the block, and the ways out.

use crate::cells::Shape;
use crate::objects::Objects;
use crate::points_to::PointsTo;
use crate::program::{Edge, Inputs, Place, PlaceKind, Target};
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
    pub places: &'b RefCell<Vec<Place>>,
    pub names: &'b Inputs,
    pub values: FxMap<VarId, Term>,
    pub order: Vec<VarId>,
    pub inputs: Vec<Sort>,
    /// Holds as long as the block goes on.
    pub assumed: Term,
    pub edges: Vec<Edge>,
}

impl<'b> Builder<'b> {
    pub fn value(&self, var: VarId) -> Term {
        self.values.get(&var).copied().unwrap_or_else(|| self.store.var_term(var))
    }

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

    pub fn input(&mut self, sort: Sort) -> Term {
        let term = self.names.next(self.store, self.inputs.len() as u32, sort);
        self.inputs.push(sort);
        term
    }

    /// Leaves the block for a place under this condition; whether anything is left.
    pub fn leave(&mut self, condition: Term, kind: PlaceKind, loc: Loc) -> bool {
        let guard = self.store.and(self.assumed, condition);
        if self.store.const_bool(guard) != Some(false) {
            let mut places = self.places.borrow_mut();
            places.push(Place { kind, loc });
            self.edges.push(Edge { guard, target: Target::Place(places.len() - 1) });
        }
        self.assume(self.store.not(condition))
    }

    /// Goes on only where the condition holds; whether anything is left.
    pub fn assume(&mut self, condition: Term) -> bool {
        self.assumed = self.store.and(self.assumed, condition);
        self.store.const_bool(self.assumed) != Some(false)
    }

    pub fn unsupported<T>(&mut self, what: &str, loc: Loc) -> Option<T> {
        self.leave(self.store.bool(true), PlaceKind::Unsupported(what.to_string()), loc);
        None
    }
}
