//! An abstract state: values of variables, contents of memory, terms that lvalues are known to equal, and values of
//! linear forms. A variable without an entry can be anything. States are joined where paths meet and widened at heads of
//! loops.
//!
//! Equalities let a condition on a copy sharpen the original: after `t := load g` the cell and `t` are the same, until
//! either changes. Code that changes an lvalue calls `forget_var` or `forget_cells` first; that is what makes refinement
//! through definitions sound.

use crate::linear::{Form, Forms};
use crate::memory::{Contents, How, Initials, Memory, Rest};
use crate::value::{Abs, Bits, Object};
use fathom_term::{Term, VarId};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What can be assigned: a variable or bytes of an object.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lvalue {
    Var(VarId),
    Cell { object: Object, offset: u64, bytes: u64 },
}

/// An lvalue and a term over variables that has the same value now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Equality {
    pub lvalue: Lvalue,
    pub term: Term,
    pub vars: Rc<[VarId]>,
}

/// Older equalities are forgotten.
const MAX_EQUALITIES: usize = 24;

/// An abstract state: the values of variables and objects, and relations between variables.
#[derive(Clone, Debug)]
pub struct State {
    pub vars: BTreeMap<VarId, Rc<Abs>>,
    pub memory: Rc<Memory>,
    pub equalities: Vec<Equality>,
    pub forms: Forms,
}

impl State {
    /// Nothing is known, not even whether objects exist.
    pub fn unknown() -> State {
        let memory =
            Memory { objects: BTreeMap::new(), globals_initial: false, sites_fresh: false, ended: BTreeSet::new(), heap_ended: true };
        State { vars: BTreeMap::new(), memory: Rc::new(memory), equalities: Vec::new(), forms: Forms::default() }
    }

    /// The state in which the program starts.
    pub fn initial() -> State {
        let memory =
            Memory { objects: BTreeMap::new(), globals_initial: true, sites_fresh: true, ended: BTreeSet::new(), heap_ended: false };
        State { memory: Rc::new(memory), ..State::unknown() }
    }

    /// Gives a variable its value.
    pub fn set_var(&mut self, var: VarId, value: Rc<Abs>) {
        self.vars.insert(var, value);
    }

    /// The variable is about to change.
    pub fn forget_var(&mut self, var: VarId) {
        self.equalities.retain(|known| known.lvalue != Lvalue::Var(var) && !known.vars.contains(&var));
    }

    /// Bytes of an object are about to change; `None` for all of it.
    pub fn forget_cells(&mut self, object: Object, range: Option<(u64, u64)>) {
        self.equalities.retain(|known| match known.lvalue {
            Lvalue::Cell { object: other, offset, bytes } if other == object => match range {
                Some((low, end)) => offset + bytes <= low || offset >= end,
                None => false,
            },
            _ => true,
        });
    }

    /// Bytes of any object are about to change.
    pub fn forget_all_cells(&mut self) {
        self.equalities.retain(|known| matches!(known.lvalue, Lvalue::Var(_)));
    }

    /// Records that a variable or cell has the value of a term, unless that would say little.
    pub fn note_equality(&mut self, lvalue: Lvalue, term: Term, vars: Rc<[VarId]>) {
        if matches!(lvalue, Lvalue::Var(var) if vars.contains(&var)) || vars.is_empty() || vars.len() > 3 {
            return;
        }
        if self.equalities.len() >= MAX_EQUALITIES {
            self.equalities.remove(0);
        }
        self.equalities.push(Equality { lvalue, term, vars });
    }

    /// Keeps the variables that matter, and equalities and forms over them.
    pub fn keep_vars(&mut self, matters: impl Fn(VarId) -> bool) {
        self.vars.retain(|var, _| matters(*var));
        self.equalities
            .retain(|known| known.vars.iter().all(|&var| matters(var)) && !matches!(known.lvalue, Lvalue::Var(var) if !matters(var)));
        self.forms.retain(|form| form.vars().all(&matters));
    }

    /// What is known of an object; none if it may not exist.
    pub fn contents(&self, object: Object, initials: &dyn Initials) -> Option<Rc<Contents>> {
        self.memory.get(object, initials)
    }

    /// Replaces what is known of an object.
    pub fn set_contents(&mut self, object: Object, contents: Contents) {
        Rc::make_mut(&mut self.memory).objects.insert(object, Rc::new(contents));
    }

    /// Joins or widens two states.
    pub fn combine(
        &self,
        other: &State,
        initials: &dyn Initials,
        how: &How<'_>,
        mut form_value: impl FnMut(&State, &Form) -> Abs,
    ) -> State {
        let mut vars = BTreeMap::new();
        for (var, mine) in &self.vars {
            let Some(theirs) = other.vars.get(var) else { continue };
            let value = if Rc::ptr_eq(mine, theirs) || mine == theirs { mine.clone() } else { Rc::new(how.abs(mine, theirs)) };
            vars.insert(*var, value);
        }
        let memory = if Rc::ptr_eq(&self.memory, &other.memory) {
            self.memory.clone()
        } else {
            Rc::new(self.memory.combine(&other.memory, initials, how))
        };
        let equalities = self.equalities.iter().filter(|known| other.equalities.contains(known)).cloned().collect();
        let forms = self.forms.combine(&other.forms, how, |form, first| form_value(if first { self } else { other }, form));
        State { vars, memory, equalities, forms }
    }

    /// Whether the other state allows everything that this one does.
    pub fn is_within(&self, other: &State, initials: &dyn Initials, mut form_value: impl FnMut(&Form) -> Abs) -> bool {
        other.vars.iter().all(|(var, theirs)| self.vars.get(var).is_some_and(|mine| Rc::ptr_eq(mine, theirs) || mine.is_within(theirs)))
            && other.equalities.iter().all(|known| self.equalities.contains(known))
            && other.forms.iter().all(|(form, theirs)| match self.forms.get(form) {
                Some(mine) => mine.is_within(theirs),
                None => form_value(form).is_within(theirs),
            })
            && (Rc::ptr_eq(&self.memory, &other.memory) || self.memory.is_within(&other.memory, initials))
    }
}

impl Memory {
    /// What an object holds; None if it does not exist.
    pub fn get(&self, object: Object, initials: &dyn Initials) -> Option<Rc<Contents>> {
        if let Some(known) = self.objects.get(&object) {
            return Some(known.clone());
        }
        let size = initials.size(object);
        match object {
            Object::Global(_) if self.globals_initial || initials.is_constant(object) => Some(Rc::new(Contents::new(Rest::Initial, size))),
            Object::Global(_) => Some(Rc::new(Contents::unknown(size, true))),
            Object::Site(_) if self.sites_fresh => None,
            Object::Site(_) => Some(Rc::new(Contents::unknown(size, false))),
            Object::Code(_) => None,
        }
    }

    fn combine(&self, other: &Memory, initials: &dyn Initials, how: &How<'_>) -> Memory {
        let mut objects = BTreeMap::new();
        for &object in self.objects.keys().chain(other.objects.keys()) {
            if objects.contains_key(&object) {
                continue;
            }
            let joined = match (self.get(object, initials), other.get(object, initials)) {
                (Some(mine), Some(theirs)) if Rc::ptr_eq(&mine, &theirs) => mine,
                (Some(mine), Some(theirs)) => Rc::new(mine.combine(&theirs, object, initials, how)),
                (Some(one), None) | (None, Some(one)) => one,
                (None, None) => continue,
            };
            objects.insert(object, joined);
        }
        Memory {
            objects,
            globals_initial: self.globals_initial && other.globals_initial,
            sites_fresh: self.sites_fresh && other.sites_fresh,
            ended: self.ended.union(&other.ended).copied().collect(),
            heap_ended: self.heap_ended || other.heap_ended,
        }
    }

    /// Whether some value that is known to be in memory leads to an object.
    pub fn leads_to(&self, object: Object) -> bool {
        let leads = |value: &Bits| value.points.targets.iter().any(|(target, _)| *target == object);
        self.objects.values().any(|contents| {
            let rest = matches!(&contents.rest, Rest::Every { value, .. } if leads(value));
            rest || contents.cells.values().any(|cell| leads(&cell.value))
        })
    }

    fn is_within(&self, other: &Memory, initials: &dyn Initials) -> bool {
        if self.heap_ended && !other.heap_ended || !self.ended.is_subset(&other.ended) {
            return false;
        }
        if other.globals_initial && !self.globals_initial || other.sites_fresh && !self.sites_fresh {
            return false;
        }
        let within = |&object: &Object| match (self.get(object, initials), other.get(object, initials)) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(mine), Some(theirs)) => Rc::ptr_eq(&mine, &theirs) || mine.is_within(&theirs, object, initials),
        };
        self.objects.keys().chain(other.objects.keys()).all(within)
    }

    /// Every object may hold anything now.
    pub fn forget_everything(&mut self) {
        let sites: Vec<Object> = self.objects.keys().copied().filter(|o| matches!(o, Object::Site(_))).collect();
        self.globals_initial = false;
        let mut kept = BTreeMap::new();
        for site in sites {
            let known = &self.objects[&site];
            kept.insert(site, Rc::new(Contents::unknown(known.size, known.single)));
        }
        self.objects = kept;
    }
}
