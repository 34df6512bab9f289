//! Which objects' addresses can be in memory, found without following control flow: an address that is stored, passed,
//! returned, kept in a program variable or part of an initialiser has escaped; one that is only used to access memory,
//! also through other local variables, has not. Also what every procedure may touch, with all that it calls.

use crate::context::{Context, Effects};
use crate::value::Object;
use fathom_base::{FxMap, FxSet};
use fathom_flow::{CallGraph, PointerCalls};
use fathom_ir::{ControlEffect, Initializer, ProcId, Procedure, StatementKind, Use};
use fathom_term::{Term, VarId};

/// Objects whose address may be in memory or with code that is not followed.
pub fn escaped(context: &Context) -> FxSet<Object> {
    let mut escaped = FxSet::default();
    for object in &context.program.objects {
        if let Initializer::Bytes { relocations, .. } = &object.init {
            relocations.iter().for_each(|relocation| context.objects_of(relocation.value, &mut escaped));
        }
    }
    for (number, procedure) in context.program.procedures.iter().enumerate() {
        escaped_in(context, ProcId(number as u32), procedure, &mut escaped);
    }
    escaped
}

fn escaped_in(context: &Context, id: ProcId, procedure: &Procedure, escaped: &mut FxSet<Object>) {
    let Some(body) = &procedure.body else { return };
    let mut holders: FxMap<VarId, FxSet<Object>> = FxMap::default();
    for (&(owner, ..), &site) in &context.site_at {
        if owner == id {
            holders.entry(context.sites[site as usize].target).or_default().insert(Object::Site(site));
        }
    }
    let assignments: Vec<(VarId, Term)> =
        body.blocks.iter().flat_map(|block| &block.statements).flat_map(|statement| flows(&statement.kind)).collect();
    let objects_in = |term: Term, holders: &FxMap<VarId, FxSet<Object>>| {
        let mut found = FxSet::default();
        context.objects_of(term, &mut found);
        for var in context.vars_of(term).iter() {
            found.extend(holders.get(var).into_iter().flatten().copied());
        }
        found
    };
    for &(target, term) in &assignments {
        let mut named = FxSet::default();
        context.objects_of(term, &mut named);
        if !named.is_empty() {
            holders.entry(target).or_default().extend(named);
        }
    }
    loop {
        let mut changed = false;
        for &(target, term) in &assignments {
            for source in context.vars_of(term).iter().filter(|source| **source != target) {
                let Some(held) = holders.get(source).cloned() else { continue };
                let known = holders.entry(target).or_default();
                let before = known.len();
                known.extend(held);
                changed |= known.len() > before;
            }
        }
        if !changed {
            break;
        }
    }
    for statement in body.blocks.iter().flat_map(|block| &block.statements) {
        statement.kind.for_each_use(&mut |term, becomes| {
            if let Use::Stored | Use::Passed = becomes {
                escaped.extend(objects_in(term, &holders));
            }
        });
    }
    for (var, objects) in holders {
        if procedure.results.contains(&var) || context.global_vars.contains(&var) {
            escaped.extend(objects);
        }
    }
}

/// Which variables get values that were computed from which terms.
fn flows(kind: &StatementKind) -> Vec<(VarId, Term)> {
    if let StatementKind::Assign(pairs) = kind {
        return pairs.clone();
    }
    let mut flowing = Vec::new();
    kind.for_each_use(&mut |term, becomes| flowing.extend((becomes == Use::Flows).then_some(term)));
    let targets = if flowing.is_empty() { Vec::new() } else { kind.targets() };
    targets.into_iter().flat_map(|target| flowing.iter().map(move |&term| (target, term))).collect()
}

/// Per procedure; callees included, to a fixed point.
pub fn effects(context: &Context) -> Vec<Effects> {
    let program = &context.program;
    let calls = CallGraph::of(program, PointerCalls::LeftOut);
    let mut all: Vec<Effects> = (0..program.procedures.len() as u32).map(|number| own_effects(context, &calls, ProcId(number))).collect();
    calls.accumulate(&mut all, Effects::absorb);
    all
}

impl Effects {
    /// Adds what another procedure may touch; says whether that is anything new.
    fn absorb(&mut self, other: &Effects) -> bool {
        let size = |effects: &Effects| {
            (effects.objects.len(), effects.sites.len(), effects.globals.len(), effects.procedures.len(), effects.calls_unknown)
        };
        let before = size(self);
        self.objects.extend(&other.objects);
        self.sites.extend(&other.sites);
        self.globals.extend(&other.globals);
        self.procedures.extend(&other.procedures);
        self.calls_unknown |= other.calls_unknown;
        size(self) != before
    }
}

fn own_effects(context: &Context, calls: &CallGraph, id: ProcId) -> Effects {
    let mut effects = Effects::default();
    let procedure = context.program.procedure(id);
    let Some(body) = &procedure.body else { return effects };
    effects.procedures.insert(id);
    effects.procedures.extend(calls.callees(id));
    effects.calls_unknown = calls.calls_through_pointer(id);
    let mut objects = FxSet::default();
    for (number, block) in body.blocks.iter().enumerate() {
        for (index, statement) in block.statements.iter().enumerate() {
            if statement.kind.control() == ControlEffect::Watches {
                continue;
            }
            statement.kind.for_each_term(&mut |term| context.objects_of(term, &mut objects));
            effects.globals.extend(statement.kind.targets().into_iter().filter(|var| context.global_vars.contains(var)));
            if let StatementKind::Alloc { .. } = &statement.kind {
                effects.sites.extend(context.site_at.get(&(id, number as u32, index as u32)).copied());
            }
        }
    }
    effects.objects.extend(objects.into_iter().filter_map(|object| match object {
        Object::Global(id) => Some(id),
        _ => None,
    }));
    effects
}
