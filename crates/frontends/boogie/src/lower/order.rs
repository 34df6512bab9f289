//! The partial order `<:`: a function per sort that is reflexive, transitive and antisymmetric, and otherwise what axioms
//! and order clauses say.

use super::Lowerer;
use fathom_term::{FnId, Sort, Term};

impl Lowerer<'_> {
    pub(super) fn below(&mut self, a: Term, b: Term) -> Term {
        let order = self.order(self.store.sort(a));
        self.store.apply(order, &[a, b])
    }

    fn order(&mut self, sort: Sort) -> FnId {
        if let Some(&known) = self.orders.get(&sort) {
            return known;
        }
        let order = self.function_like(format!("<:#{}", self.orders.len()), &[sort, sort], Sort::Bool);
        self.orders.insert(sort, order);
        let store = self.store.clone();
        let [x, y, z] = ["x", "y", "z"].map(|name| self.new_var(name, sort));
        let below = |a: Term, b: Term| store.apply(order, &[a, b]);
        let (xx, xy, yx) = (below(x.1, x.1), below(x.1, y.1), below(y.1, x.1));
        let (yz, xz) = (below(y.1, z.1), below(x.1, z.1));
        let reflexive = self.close(true, vec![x.0], vec![vec![xx]], xx);
        let antisymmetric = store.implies(store.and(xy, yx), store.eq(x.1, y.1));
        let antisymmetric = self.close(true, vec![x.0, y.0], vec![vec![xy, yx]], antisymmetric);
        let transitive = store.implies(store.and(xy, yz), xz);
        let transitive = self.close(true, vec![x.0, y.0, z.0], vec![vec![xy, yz]], transitive);
        self.axioms.extend([reflexive, antisymmetric, transitive]);
        order
    }
}
