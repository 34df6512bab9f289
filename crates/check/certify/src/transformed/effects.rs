//! Finds the silent statements of the original: those that change nothing on which the transformed program depends, and
//! which it may therefore omit. Omitting an assumption, an end of the program or an endless loop only adds runs. Checks
//! that the verdict is about, unsupported statements and changes of something tracked are never silent.

use super::calls::Callables;
use super::exact::Exact;
use super::tracked::Tracked;
use fathom_base::FxSet;
use fathom_ir::{ProcId, Procedure, Program, Property, StatementKind, TerminatorKind};
use fathom_term::VarId;
use std::collections::BTreeSet;

/// The run-time library's formatted output and input. What these can't do would only write something else to memory that
/// pointers reach, or stop.
const FORMATTING: [&str; 3] = ["fathom-runtime/format.c", "fathom-runtime/scan.c", "fathom-runtime/decimal.c"];

/// What statements of the original do, as far as the transformed program is concerned.
pub struct Effects<'a> {
    pub program: &'a Program,
    pub exact: &'a Exact,
    pub tracked: &'a Tracked,
    pub callables: &'a Callables,
    /// What the verdict is about.
    pub properties: &'a BTreeSet<Property>,
    /// Whether the ledger says that accesses to memory are taken to be valid.
    pub valid_memory: bool,
    /// Procedures whose calls do more than give results.
    acting: Vec<bool>,
    /// For each procedure the global variables that a call may change.
    pub changed_globals: Vec<FxSet<VarId>>,
}

impl<'a> Effects<'a> {
    /// Computes the effects of the original's procedures on what the other program tracks.
    pub fn new(
        program: &'a Program,
        exact: &'a Exact,
        tracked: &'a Tracked,
        callables: &'a Callables,
        properties: &'a BTreeSet<Property>,
        valid_memory: bool,
    ) -> Effects<'a> {
        let (acting, changed_globals) = (Vec::new(), Vec::new());
        let mut effects = Effects { program, exact, tracked, callables, properties, valid_memory, acting, changed_globals };
        effects.find_procedures();
        effects
    }

    /// Whether the step changes nothing that is tracked, but for variables that are `free` to have any value.
    pub fn is_silent(&self, kind: &StatementKind, free: &FxSet<VarId>) -> bool {
        let unseen = |target: &VarId| !self.tracked.variable(*target) || free.contains(target);
        match kind {
            StatementKind::Watch(_) | StatementKind::Assume(_) => true,
            StatementKind::Assign(_)
            | StatementKind::Havoc { .. }
            | StatementKind::Load { .. }
            | StatementKind::ObjectSize { .. }
            | StatementKind::Inspect { .. } => kind.targets().iter().all(unseen),
            StatementKind::Alloc { target, .. } | StatementKind::EndScope { variable: target } => {
                unseen(target) && !self.tracked.object(*target)
            }
            StatementKind::Store { pointer, .. } => {
                self.exact.base(&self.program.terms, *pointer).is_none_or(|base| !self.tracked.object(base))
            }
            // An exact object's address would be known elsewhere if one of these had it.
            StatementKind::Copy { .. }
            | StatementKind::Set { .. }
            | StatementKind::Forget { .. }
            | StatementKind::Use { .. }
            | StatementKind::Look { .. }
            | StatementKind::Free { .. } => true,
            StatementKind::Assert { property, .. } => self.is_not_asked(*property),
            StatementKind::Call { targets, .. } => targets.iter().all(unseen) && !self.calls_act(kind),
            StatementKind::Thread(_) | StatementKind::Unsupported(_) => false,
        }
    }

    /// Whether a call may do more than give results.
    pub fn calls_act(&self, call: &StatementKind) -> bool {
        self.callables.called(&self.program.terms, call).iter().any(|callee| self.acting[callee.0 as usize])
    }

    /// The functions without a body that a run may call.
    pub fn bodiless(&self) -> impl Iterator<Item = ProcId> {
        let program = self.program;
        let mut reached: FxSet<ProcId> = FxSet::from_iter([program.entry]);
        let mut open = vec![program.entry];
        let mut calls_anything = false;
        while let Some(caller) = open.pop() {
            for kind in statements(program.procedure(caller)) {
                calls_anything |= self.callables.is_open(kind);
                for callee in self.callables.called(&program.terms, kind) {
                    if reached.insert(callee) {
                        open.push(callee);
                    }
                }
            }
        }
        let all = (0..program.procedures.len() as u32).map(ProcId);
        all.filter(move |id| {
            let procedure = program.procedure(*id);
            let is_called = reached.contains(id) || (calls_anything && procedure.address.is_some());
            procedure.body.is_none() && is_called
        })
    }

    /// Checks that are in every program, so that nothing rests on a wild access; the ledger says that there is none.
    fn is_not_asked(&self, property: Property) -> bool {
        let is_about_memory = matches!(property, Property::Bounds | Property::ValidDeref);
        self.valid_memory && is_about_memory && !self.properties.contains(&property)
    }

    // ---- procedures

    fn find_procedures(&mut self) {
        let procedures = &self.program.procedures;
        let globals: FxSet<VarId> = self.program.globals.iter().map(|global| global.id).collect();
        let mut callers: Vec<Vec<usize>> = vec![Vec::new(); procedures.len()];
        for (number, procedure) in procedures.iter().enumerate() {
            let called = statements(procedure).flat_map(|kind| self.callables.called(&self.program.terms, kind));
            for callee in called.collect::<FxSet<ProcId>>() {
                callers[callee.0 as usize].push(number);
            }
            self.acting.push(self.acts_itself(procedure, &globals));
            let targets = statements(procedure).flat_map(StatementKind::targets);
            self.changed_globals.push(targets.filter(|target| globals.contains(target)).collect());
        }
        // Effects of a callee are effects of its callers, too.
        let mut open: Vec<usize> = (0..procedures.len()).collect();
        while let Some(callee) = open.pop() {
            let (acts, changed) = (self.acting[callee], self.changed_globals[callee].clone());
            for &caller in &callers[callee] {
                let known = (self.acting[caller], self.changed_globals[caller].len());
                self.acting[caller] |= acts;
                self.changed_globals[caller].extend(&changed);
                if known != (self.acting[caller], self.changed_globals[caller].len()) {
                    open.push(caller);
                }
            }
        }
    }

    /// Whether a procedure does something that is felt when it has returned, not counting its calls.
    fn acts_itself(&self, procedure: &Procedure, globals: &FxSet<VarId>) -> bool {
        let path = self.program.files.path(procedure.loc.file);
        let formats = path.is_some_and(|path| FORMATTING.iter().any(|file| path.ends_with(file)));
        let ends = procedure.body.iter().flat_map(|body| &body.blocks).map(|block| &block.terminator.kind);
        let mut ends = ends.filter(|end| matches!(end, TerminatorKind::Unsupported(_)));
        (!formats && ends.next().is_some()) || statements(procedure).any(|kind| self.is_felt(kind, globals, formats))
    }

    fn is_felt(&self, kind: &StatementKind, globals: &FxSet<VarId>, formats: bool) -> bool {
        let is_tracked = |target: &VarId| globals.contains(target) && self.tracked.variable(*target);
        match kind {
            StatementKind::Assert { property, .. } => !self.is_not_asked(*property),
            StatementKind::Unsupported(_) => !formats,
            StatementKind::Thread(_) => true,
            // The objects of a local variable are out of reach when its procedure returns.
            StatementKind::Store { pointer, .. } => {
                let is_shared = |base| globals.contains(&base) || self.program.object_addresses.contains_key(&base);
                self.exact.base(&self.program.terms, *pointer).is_some_and(|base| self.tracked.object(base) && is_shared(base))
            }
            other => other.targets().iter().any(is_tracked),
        }
    }
}

fn statements(procedure: &Procedure) -> impl Iterator<Item = &StatementKind> {
    procedure.body.iter().flat_map(|body| &body.blocks).flat_map(|block| &block.statements).map(|statement| &statement.kind)
}
