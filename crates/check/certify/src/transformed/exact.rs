//! Finds the exact objects, those that are only accessed directly. A variable that holds the address of an object (a
//! global's address symbol, or a local that nothing but allocations assign) is *exact* if its value is used only as the
//! base of loads and stores. No other pointer points to such an object, provided that accesses stay inside the object
//! of their base, which the ledger of such a proof lists as an assumption.

use fathom_base::{FxMap, FxSet};
use fathom_ir::{Initializer, ObjectId, Program, StatementKind};
use fathom_term::{Op, Term, TermStore, VarId};

/// The exact variables of a program.
pub struct Exact {
    bases: FxSet<VarId>,
}

impl Exact {
    /// Finds the exact objects of the original program; the transformed one is not asked.
    pub fn of(program: &Program) -> Exact {
        let blocks = || program.procedures.iter().filter_map(|procedure| procedure.body.as_ref()).flat_map(|body| &body.blocks);
        let statements = || blocks().flat_map(|block| &block.statements).map(|statement| &statement.kind);
        // An object whose address two variables stand for is not exact.
        let mut names: FxMap<ObjectId, u32> = FxMap::default();
        program.object_addresses.values().for_each(|&object| *names.entry(object).or_default() += 1);
        let globals = program.object_addresses.iter().filter(|(_, object)| names[object] == 1);
        let mut bases: FxSet<VarId> = globals.map(|(&address, _)| address).collect();
        bases.extend(statements().filter_map(|kind| if let StatementKind::Alloc { target, .. } = kind { Some(*target) } else { None }));
        let mut known = Spread { store: &program.terms, candidates: bases, known: FxSet::default(), visited: FxSet::default() };
        for object in &program.objects {
            if let Initializer::Bytes { relocations, .. } = &object.init {
                relocations.iter().for_each(|relocation| known.term(relocation.value));
            }
        }
        program.axioms.iter().for_each(|&axiom| known.term(axiom));
        statements().for_each(|kind| known.statement(kind));
        blocks().for_each(|block| block.terminator.kind.for_each_term(&mut |term| known.term(term)));
        for procedure in &program.procedures {
            known.known.extend(&procedure.params);
            known.known.extend(procedure.variadic);
        }
        let Spread { candidates: mut bases, known, .. } = known;
        bases.retain(|base| !known.contains(base));
        Exact { bases }
    }

    /// The exact variable that this pointer is based on.
    pub fn base(&self, store: &TermStore, pointer: Term) -> Option<VarId> {
        only_base(store, &self.bases, pointer)
    }
}

/// Finds the addresses that get around.
struct Spread<'a> {
    store: &'a TermStore,
    candidates: FxSet<VarId>,
    /// Variables whose values may be known elsewhere, or come from there.
    known: FxSet<VarId>,
    visited: FxSet<Term>,
}

impl Spread<'_> {
    fn statement(&mut self, kind: &StatementKind) {
        match kind {
            // No effect on the run.
            StatementKind::Watch(_) => {}
            StatementKind::Alloc { size, .. } => self.term(*size),
            StatementKind::EndScope { .. } => {}
            StatementKind::Load { target, pointer, .. } => {
                self.known.insert(*target);
                self.access(*pointer);
            }
            StatementKind::Store { pointer, value } => {
                self.access(*pointer);
                self.term(*value);
            }
            other => {
                self.known.extend(other.targets());
                other.for_each_term(&mut |term| self.term(term));
            }
        }
    }

    /// The address of an access makes nothing known of its base.
    fn access(&mut self, pointer: Term) {
        match only_base(self.store, &self.candidates, pointer) {
            None => self.term(pointer),
            Some(base) => summands(self.store, pointer)
                .into_iter()
                .filter(|&part| self.store.as_var(part) != Some(base))
                .for_each(|part| self.term(part)),
        }
    }

    fn term(&mut self, term: Term) {
        visit_variables(self.store, term, &mut self.visited, &mut |variable| {
            self.known.insert(variable);
        });
    }
}

/// Calls `found` with every variable of a term, not going into what was visited.
pub fn visit_variables(store: &TermStore, term: Term, visited: &mut FxSet<Term>, found: &mut impl FnMut(VarId)) {
    let mut open = vec![term];
    while let Some(term) = open.pop() {
        if !visited.insert(term) {
            continue;
        }
        match store.as_var(term) {
            Some(variable) => found(variable),
            None => open.extend(store.args(term)),
        }
    }
}

/// The summand that is the only one of these variables.
fn only_base(store: &TermStore, bases: &FxSet<VarId>, pointer: Term) -> Option<VarId> {
    let mut found = None;
    for variable in summands(store, pointer).into_iter().filter_map(|part| store.as_var(part)).filter(|variable| bases.contains(variable)) {
        if found.replace(variable).is_some() {
            return None;
        }
    }
    found
}

fn summands(store: &TermStore, pointer: Term) -> Vec<Term> {
    let (mut sums, mut parts) = (vec![pointer], Vec::new());
    while let Some(term) = sums.pop() {
        match store.op(term) {
            Op::BvAdd => sums.extend(store.args(term)),
            _ => parts.push(term),
        }
    }
    parts
}
