//! Quantifiers and lambdas. A lambda is lifted: a function of what it captures gives the map, and an axiom says what the
//! map holds; one that is the same everywhere is a constant map and needs no axiom.

use super::{Lowered, Lowerer};
use crate::source::Span;
use crate::typed::VarId;
use fathom_base::FxSet;
use fathom_ir as ir;
use fathom_term::smtlib::Symbols;
use fathom_term::{Op, Sort, Term, VarId as TermVar};

impl Lowerer<'_> {
    pub(super) fn bound(&mut self, vars: &[VarId], span: Span) -> Lowered<Vec<TermVar>> {
        let terms: Vec<Term> = vars.iter().map(|&var| self.variable(var, span)).collect::<Lowered<_>>()?;
        Ok(terms.into_iter().filter_map(|term| self.store.as_var(term)).collect())
    }

    pub(super) fn quantified(
        &mut self,
        forall: bool,
        vars: &[VarId],
        triggers: Vec<Vec<Term>>,
        body: Term,
        span: Span,
    ) -> Lowered<Term> {
        let bound = self.bound(vars, span)?;
        Ok(self.close(forall, bound, triggers, body))
    }

    /// A quantifier with those of the triggers that a solver will take.
    pub(super) fn close(&self, forall: bool, bound: Vec<TermVar>, triggers: Vec<Vec<Term>>, body: Term) -> Term {
        if bound.is_empty() || self.store.const_bool(body).is_some() {
            return body;
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
        let mut seen = FxSet::default();
        let mut open = terms.to_vec();
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            let logic = matches!(
                self.store.op(term),
                Op::Not | Op::And | Op::Or | Op::Xor | Op::Eq | Op::Ite | Op::Forall(_) | Op::Exists(_) | Op::IntLt | Op::RealLt
            );
            if logic {
                return false;
            }
            open.extend(self.store.args(term));
        }
        true
    }

    pub(super) fn lambda(&mut self, vars: &[VarId], body: Term, span: Span) -> Lowered<Term> {
        let store = self.store.clone();
        let bound = self.bound(vars, span)?;
        let sort = bound.iter().rev().fold(store.sort(body), |sort, &var| store.array_sort(store.var_sort(var), sort));
        let free = Symbols::of(&store, &[body]).vars;
        if bound.iter().all(|var| !free.contains(var)) {
            return Ok(constant_map(&store, &bound, body));
        }
        let key = (bound.clone(), body);
        if let Some(&known) = self.lambdas.get(&key) {
            return Ok(known);
        }
        let mut captured: Vec<TermVar> = free.into_iter().filter(|var| !bound.contains(var)).collect();
        captured.sort();
        let name = format!("lambda#{}", self.lambdas.len());
        let map = if captured.is_empty() {
            let (id, term) = self.new_var(&name, sort);
            self.globals.push(ir::Variable { id, name, sort });
            term
        } else {
            let sorts: Vec<Sort> = captured.iter().map(|&var| store.var_sort(var)).collect();
            let terms: Vec<Term> = captured.iter().map(|&var| store.var_term(var)).collect();
            store.apply(store.function(&name, &sorts, sort), &terms)
        };
        let read = bound.iter().fold(map, |map, &var| store.select(map, store.var_term(var)));
        let all = captured.into_iter().chain(bound.iter().copied()).collect();
        let axiom = self.close(true, all, vec![vec![read]], store.eq(read, body));
        self.axioms.push(axiom);
        self.lambdas.insert(key, map);
        Ok(map)
    }
}

fn constant_map(store: &fathom_term::TermStore, bound: &[TermVar], element: Term) -> Term {
    bound.iter().rev().fold(element, |element, &var| {
        let sort = store.array_sort(store.var_sort(var), store.sort(element));
        store.const_array(sort, element)
    })
}
