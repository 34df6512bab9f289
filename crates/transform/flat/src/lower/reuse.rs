//! When all objects of an endless family are in use, a new object replaces an old one. It may replace any object that
//! no variable points to. No run is lost: the real run's new object differs from all live ones, and there are enough
//! dead objects that no variable points to. And the program can distinguish the new object from those to which it has
//! pointers.

use super::Lowering;
use crate::builder::Builder;
use crate::raw::{Inlined, RawKind};
use fathom_flow::Graph;
use fathom_ir::StatementKind;
use fathom_term::{Sort, Term, VarId};
use std::collections::BTreeSet;

/// Variables that are looked at, the first ones: each is a condition of the allocation.
const MOST_HOLDERS: usize = 32;

impl Lowering<'_> {
    /// The condition that no variable points to the object with this number in the family.
    pub(super) fn held_by_nobody(&self, builder: &Builder<'_>, family: usize, number: Term) -> Term {
        let store = builder.store;
        let objects = &self.inlined.objects;
        let Some(stride) = objects.all[family].stride else { return store.bool(true) };
        let (low, high) = (stride.trailing_zeros(), objects.family_room(stride).trailing_zeros());
        let base = objects.address(store, family);
        let others = self.holders(family).into_iter().take(MOST_HOLDERS).map(|var| {
            let distance = store.bv_sub(builder.value(var), base);
            store.ne(store.extract(distance, high - 1, low), number)
        });
        store.and_all(others)
    }

    /// Variables of the part of the program that allocates the family's objects that may lead to one of them. Those of other procedures
    /// stay out of it, so as not to become what these are passed.
    fn holders(&self, family: usize) -> Vec<VarId> {
        let store = &self.program.terms;
        let mut analysis = self.shared.analysis.borrow_mut();
        let pointer = Sort::Bv(self.inlined.objects.pointer_bits);
        let vars = own_variables(self.inlined, family).into_iter().filter(|&var| store.var_sort(var) == pointer);
        vars.filter(|&var| analysis.of(store.var_term(var)).targets.contains_key(&family)).collect()
    }
}

/// Variables that are assigned in the same part of the program as the statement that allocates: in the program itself or in one
/// procedure that is not inlined.
fn own_variables(inlined: &Inlined, family: usize) -> BTreeSet<VarId> {
    let allocates = |at: &usize| {
        let statements = &inlined.blocks[*at].statements;
        statements.iter().any(|statement| matches!(statement.kind, RawKind::Alloc { object, .. } if object == family))
    };
    let targets = |at: usize| inlined.blocks[at].end.targets().into_iter().map(|target| target as u32).collect();
    let graph = Graph::new((0..inlined.blocks.len()).map(targets).collect());
    let mut own = BTreeSet::new();
    let entries = std::iter::once((inlined.entry, &[][..])).chain(inlined.apart.iter().map(|apart| (apart.entry, &apart.params[..])));
    for (entry, params) in entries {
        let reached = graph.reached([entry as u32]);
        let blocks: Vec<usize> = (0..reached.len()).filter(|&at| reached[at]).collect();
        if !blocks.iter().any(allocates) {
            continue;
        }
        own.extend(params);
        for statement in blocks.iter().flat_map(|&at| &inlined.blocks[at].statements) {
            match &statement.kind {
                RawKind::Plain(StatementKind::Assign(pairs)) => own.extend(pairs.iter().map(|(var, _)| *var)),
                RawKind::Plain(kind) => own.extend(kind.targets()),
                RawKind::Alloc { target, .. } => own.extend(target),
                RawKind::End { .. } | RawKind::Save { .. } | RawKind::Restore { .. } => {}
            }
        }
    }
    own
}
