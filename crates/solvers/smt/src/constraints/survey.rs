//! Which groups the symbols of a term are in. In a loop each conjunct has those of the iterations before within it; a survey
//! looks only at what is new and takes the group of the rest from `Tables::grouped`, so entering the conjuncts of a loop costs
//! what they are long together and not its square.
//!
//! Sound because a conjunct has all its symbols in one group, and so has every part of it.

use super::{Constraints, GroupId, Tables};
use fathom_base::FxSet;
use fathom_term::{Symbol, Term, TermStore, own_symbols};
use smallvec::SmallVec;
use std::rc::Rc;

/// Where the symbols of a term are.
#[derive(Default)]
pub(super) struct Survey {
    /// The groups that they are in.
    pub roots: SmallVec<[GroupId; 4]>,
    /// Those that are in none.
    pub fresh: SmallVec<[Symbol; 1]>,
    /// Large subterms that were visited.
    pub large: SmallVec<[Term; 8]>,
}

impl Survey {
    fn add(&mut self, tables: &Tables, symbols: &[Symbol]) {
        for &symbol in symbols {
            match tables.group_of.get(&symbol) {
                Some(&id) => self.roots.push(tables.root(id)),
                None => self.fresh.push(symbol),
            }
        }
    }

    fn tidied(mut self) -> Self {
        self.roots.sort_unstable();
        self.roots.dedup();
        self.fresh.sort_unstable();
        self.fresh.dedup();
        self
    }
}

/// The most large subterms that a survey visits before it falls back to the set of all symbols.
const MOST_SURVEYED: usize = 256;

impl Constraints {
    /// Which groups the symbols of a term are in; visits only subterms that occur in no conjunct.
    pub(super) fn survey(&self, store: &TermStore, term: Term) -> Survey {
        let mut found = Survey::default();
        if let Some(few) = self.sets.few(store, term) {
            found.add(&self.tables, &few);
            return found.tidied();
        }
        let mut seen: FxSet<Term> = FxSet::default();
        let mut open = vec![term];
        while let Some(part) = open.pop() {
            if !seen.insert(part) {
                continue;
            }
            if let Some(&id) = self.tables.grouped.get(&part) {
                found.roots.push(self.tables.root(id));
            } else if let Some(few) = self.sets.few(store, part) {
                found.add(&self.tables, &few);
            } else if found.large.len() == MOST_SURVEYED || self.sets.is_quantified(store, part) {
                let mut all = Survey { large: SmallVec::from_slice(&[term]), ..Survey::default() };
                all.add(&self.tables, &self.sets.of(store, term));
                return all.tidied();
            } else {
                found.large.push(part);
                found.add(&self.tables, &own_symbols(store, store.op(part), Rc::from([])));
                open.extend(store.args(part));
            }
        }
        found.tidied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_term::Sort;

    /// Conjuncts of a loop, each of which contains the sum so far: visiting only new subterms gives the same groups as the set
    /// of all symbols.
    #[test]
    fn large_terms_are_in_the_groups_of_their_symbols() {
        let store = TermStore::new();
        let word = Sort::Bv(32);
        let mut constraints = Constraints::default();
        let (mut sum, mut other) = (store.bv(0, 32), store.bv(0, 32));
        for step in 0..400 {
            sum = store.bv_add(sum, store.var(&format!("x{step}"), word));
            other = store.bv_add(other, store.var(&format!("y{step}"), word));
            if step % 3 == 0 {
                constraints.push(&store, store.bv_ult(store.bv(step, 32), sum));
            }
            if step % 50 == 0 {
                constraints.push(&store, store.bv_ult(other, store.bv(step + 7, 32)));
            }
            let lonely = store.var(&format!("z{step}"), word);
            constraints.push(&store, store.eq(lonely, store.bv(3, 32)));
            for term in [sum, other, store.bv_add(sum, lonely), store.bv_add(sum, other)] {
                let symbols = constraints.sets().of(&store, term);
                let survey = constraints.survey(&store, term);
                assert_eq!(survey.roots, constraints.roots(&symbols), "{step}");
                let fresh: Vec<Symbol> =
                    symbols.iter().copied().filter(|symbol| !constraints.tables.group_of.contains_key(symbol)).collect();
                assert_eq!(survey.fresh.to_vec(), fresh, "{step}");
            }
        }
        let asked = constraints.sets().of(&store, sum);
        let mut related = constraints.related_symbols(&asked);
        related.sort_unstable();
        assert_eq!(related[..], asked[..]);
        assert_eq!(constraints.count_relevant(&store, sum), constraints.relevant(&asked).len());
        assert_eq!(constraints.all_symbols().len(), 1200 - 49);
    }
}
