//! Quantifiers and lambdas. A lambda is lifted: a function of what it captures gives the map, and an axiom says what the
//! map holds; one that is the same everywhere is a constant map and needs no axiom.

use super::{Lowered, Lowerer};
use crate::source::Span;
use crate::typed::VarId;
use fathom_base::FxSet;
use fathom_term::smtlib::Symbols;
use fathom_term::{Lambda, Op, Sort, Substitution, Term, VarId as TermVar};

impl Lowerer<'_> {
    pub(super) fn bound(&mut self, vars: &[VarId], span: Span) -> Lowered<Vec<TermVar>> {
        let terms: Vec<Term> = vars.iter().map(|&var| self.variable(var, span)).collect::<Lowered<_>>()?;
        Ok(terms.into_iter().filter_map(|term| self.store.as_var(term)).collect())
    }

    pub(super) fn quantified(&mut self, forall: bool, vars: &[VarId], triggers: Vec<Vec<Term>>, body: Term, span: Span) -> Lowered<Term> {
        let bound = self.bound(vars, span)?;
        Ok(self.close(forall, bound, triggers, body))
    }

    /// A quantifier with those of the triggers that a solver will take.
    pub(super) fn close(&self, forall: bool, bound: Vec<TermVar>, triggers: Vec<Vec<Term>>, body: Term) -> Term {
        if bound.is_empty() || self.store.const_bool(body).is_some() {
            return body;
        }
        // Two cases are better than a quantifier.
        if let Some(place) = bound.iter().position(|&var| self.store.var_sort(var) == Sort::Bool) {
            let mut rest = bound;
            let var = rest.remove(place);
            let [no, yes] = [false, true].map(|value| {
                let mut case = Substitution::new([(var, self.store.bool(value))]);
                let triggers = triggers.iter().map(|trigger| trigger.iter().map(|&term| case.apply(&self.store, term)).collect());
                let triggers = triggers.collect();
                self.close(forall, rest.clone(), triggers, case.apply(&self.store, body))
            });
            return if forall { self.store.and(no, yes) } else { self.store.or(no, yes) };
        }
        let triggers = triggers.into_iter().filter(|trigger| self.is_trigger(trigger, &bound)).collect();
        match forall {
            true => self.store.forall(bound, triggers, body),
            false => self.store.exists(bound, triggers, body),
        }
    }

    /// Patterns are made of applications and map reads, and mention every bound variable.
    fn is_trigger(&self, terms: &[Term], bound: &[TermVar]) -> bool {
        let store = &self.store;
        let mentioned: FxSet<TermVar> = Symbols::of(store, terms).vars.into_iter().collect();
        let plain = |&term: &Term| matches!(store.op(term), Op::Apply(_) | Op::Select);
        terms.iter().all(plain) && bound.iter().all(|var| mentioned.contains(var)) && self.is_free_of_logic(terms)
    }

    fn is_free_of_logic(&self, terms: &[Term]) -> bool {
        let is_logic = |term: Term| {
            matches!(
                self.store.op(term),
                Op::Not | Op::And | Op::Or | Op::Xor | Op::Eq | Op::Ite | Op::Forall(_) | Op::Exists(_) | Op::IntLt | Op::RealLt
            )
        };
        !self.store.subterms(terms.iter().copied()).any(is_logic)
    }

    pub(super) fn lambda(&mut self, vars: &[VarId], body: Term, span: Span) -> Lowered<Term> {
        let store = self.store.clone();
        let bound = self.bound(vars, span)?;
        let free = Symbols::of(&store, &[body]).vars;
        if bound.iter().all(|var| !free.contains(var)) {
            return Ok(constant_map(&store, &bound, body));
        }
        let key = (bound.clone(), body);
        if let Some(&known) = self.lambdas.get(&key) {
            return Ok(known);
        }
        let mut map = body;
        for (depth, &index) in bound.iter().enumerate().rev() {
            let free = Symbols::of(&store, &[map]).vars;
            if !free.contains(&index) {
                map = constant_map(&store, &[index], map);
                continue;
            }
            let mut captured: Vec<TermVar> = free.into_iter().filter(|var| *var != index).collect();
            captured.sort();
            let sort = store.array_sort(store.var_sort(index), store.sort(map));
            map = self.lifted(&format!("lambda#{}.{depth}", self.lambdas.len()), captured, index, map, sort);
        }
        self.lambdas.insert(key, map);
        Ok(map)
    }

    /// A function of what is captured that gives the map. Reads need no axiom; it is there for comparisons.
    pub(super) fn lifted(&mut self, name: &str, mut captured: Vec<TermVar>, index: TermVar, body: Term, sort: Sort) -> Term {
        let store = self.store.clone();
        let mut args: Vec<Term> = captured.iter().map(|&var| store.var_term(var)).collect();
        if captured.is_empty() {
            // A function needs an argument.
            captured.push(self.new_var("nothing", Sort::Int).0);
            args.push(store.int(0));
        }
        let sorts: Vec<Sort> = captured.iter().map(|&var| store.var_sort(var)).collect();
        let function = store.function(&format!("{name}@{}", store.var_count()), &sorts, sort);
        if self.compared_sorts.contains(&sort) {
            let params: Vec<Term> = captured.iter().map(|&var| store.var_term(var)).collect();
            let read = store.select(store.apply(function, &params), store.var_term(index));
            let all = captured.iter().copied().chain([index]).collect();
            let axiom = self.close(true, all, vec![vec![read]], store.eq(read, body));
            self.axioms.push(axiom);
        }
        let map = store.apply(function, &args);
        store.define_lambda(function, Lambda { captured, index, body });
        map
    }
}

fn constant_map(store: &fathom_term::TermStore, bound: &[TermVar], element: Term) -> Term {
    bound.iter().rev().fold(element, |element, &var| {
        let sort = store.array_sort(store.var_sort(var), store.sort(element));
        store.const_array(sort, element)
    })
}
