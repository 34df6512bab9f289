//! What holds before the first statement: axioms, definitions of functions, where clauses of globals, and that unique
//! constants and string literals differ. Each may mention further declarations, so this goes on until nothing is new.

use super::{Lowered, Lowerer, OldContext};
use crate::typed::{TypeId, VarKind};
use fathom_base::FxSet;
use fathom_term::{Sort, Term};
use std::collections::BTreeMap;

/// Unique constants of one type beyond which they are numbered instead of being told apart pair by pair.
const MAX_PAIRWISE: usize = 12;

impl Lowerer<'_> {
    pub(super) fn add_axioms(&mut self) {
        let typed = self.typed;
        self.uses_tables = false;
        let definitions: FxSet<usize> = self.defined.values().map(|definition| definition.axiom).collect();
        let mut waiting: Vec<usize> = (0..typed.axioms.len()).filter(|index| !definitions.contains(index)).collect();
        let ties: Vec<super::symbols::Used> = typed.axioms.iter().map(|axiom| self.symbols(axiom.body)).collect();
        let (mut wheres, mut defined) = (0, Vec::new());
        loop {
            let before = (waiting.len(), wheres, defined.len());
            waiting.retain(|&index| {
                let matters = !self.options.remove_dead || ties[index].is_empty() || ties[index].meets(&self.used);
                if matters {
                    let axiom = self.term(typed.axioms[index].body, OldContext::Nothing);
                    self.add_axiom(axiom);
                }
                !matters
            });
            while let Some(&var) = self.mentioned.get(wheres) {
                wheres += 1;
                if let (VarKind::Global, Some(clause)) = (typed.var(var).kind, typed.var(var).where_clause) {
                    let clause = self.term(clause, OldContext::Nothing);
                    self.add_axiom(clause);
                }
            }
            let mut functions: Vec<_> = self.used.functions.iter().copied().filter(|f| !defined.contains(f)).collect();
            functions.sort();
            for function in functions {
                defined.push(function);
                match self.definition(function) {
                    Ok(Some(axiom)) => self.add_axiom(Ok(axiom)),
                    Ok(None) => {}
                    Err(problem) => self.add_axiom(Err(problem)),
                }
            }
            if before == (waiting.len(), wheres, defined.len()) {
                break;
            }
        }
        self.add_unique();
    }

    fn add_axiom(&mut self, axiom: Lowered<Term>) {
        match axiom {
            Ok(axiom) if self.store.const_bool(axiom) == Some(true) => {}
            Ok(axiom) => self.axioms.push(axiom),
            Err(problem) => self.missing_axiom = self.missing_axiom.take().or(Some(problem)),
        }
    }

    fn add_unique(&mut self) {
        let typed = self.typed;
        let mut groups: BTreeMap<TypeId, Vec<Term>> = BTreeMap::new();
        for &var in &self.mentioned {
            if let VarKind::Constant { unique: true } = typed.var(var).kind {
                groups.entry(typed.var(var).ty).or_default().push(self.vars[&var]);
            }
        }
        let mut strings: Vec<Term> = self.strings.values().copied().filter(|_| !self.solver_strings).collect();
        strings.sort();
        let groups: Vec<Vec<Term>> = groups.into_values().chain([strings]).collect();
        for group in groups {
            self.add_distinct(&group);
        }
    }

    /// Pair by pair, or by a function that gives each its number: as many equations as constants. The function may be
    /// anything elsewhere, so nothing else is said.
    fn add_distinct(&mut self, terms: &[Term]) {
        let store = self.store.clone();
        if terms.len() <= MAX_PAIRWISE || !self.options.number_unique {
            for (position, &one) in terms.iter().enumerate() {
                for &other in &terms[..position] {
                    self.axioms.push(store.ne(one, other));
                }
            }
            return;
        }
        let sort = store.sort(terms[0]);
        let rank = store.function(&format!("unique-number#{}@{}", self.axioms.len(), store.var_count()), &[sort], Sort::Int);
        for (number, &term) in terms.iter().enumerate() {
            let numbered = store.eq(store.apply(rank, &[term]), store.int(number as i64));
            self.axioms.push(numbered);
        }
    }
}
