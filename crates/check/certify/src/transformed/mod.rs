//! Compares a transformed program with the original: whether every run of the original that violates a property is one
//! of the transformed program, so that a proof about the one is a proof about the other. It does not use the passes
//! themselves; everything that they removed, weakened or added must be justified by the following rules, each of which
//! is sound on its own:
//!
//! - both programs agree on what the transformed one depends on (`tracked`); a statement that changes nothing of that
//!   may be left out (`effects`), and so may an assumption, but never a check that the verdict is about;
//! - a statement may become an arbitrary value of what it assigns, if it does nothing else (`statements`);
//! - memory may be left out where only direct accesses to objects stay that no other pointer leads to (`exact`);
//! - a branch may be left out if what lies between it and where its ways meet may be (`procedure`);
//! - a call through a pointer may become a choice among direct calls, if none is missing (`cases`);
//! - a loop may become an arbitrary value of what it assigns, or be cut by an invariant (`loops`);
//! - nothing else may differ. An assumption is never added, but for what is known of a new address.
//!
//! A difference that no rule justifies means that there is a bug in a pass or in these rules, and withdraws the proof.

mod calls;
mod cases;
mod effects;
mod exact;
mod loops;
mod procedure;
mod statements;
mod tracked;

use calls::Callables;
use effects::Effects;
use exact::Exact;
use fathom_base::FxSet;
use fathom_ir::{Assumption, Callee, Ledger, ProcId, Procedure, Program, Property, StatementKind, Transformed};
use procedure::{Comparison, Refused};
use std::collections::BTreeSet;
use std::rc::Rc;
use tracked::Tracked;

/// What the transformation is for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Leave out memory that pointers reach and what nothing depends on.
    Coarsen,
    /// Cut loops by their invariants.
    CutLoops,
}

/// How much of two programs was compared.
#[derive(Debug, PartialEq, Eq)]
pub struct Compared {
    pub procedures: usize,
    /// Statements of the original that were left out or weakened.
    pub changed: usize,
}

/// Compares the programs; the reason if what holds of the transformed one need not hold of the original.
pub fn compare(
    original: &Program,
    transformed: &Transformed,
    purpose: Purpose,
    properties: &BTreeSet<Property>,
    ledger: &Ledger,
) -> Result<Compared, Refused> {
    let other = &*transformed.program;
    same_frame(original, transformed)?;
    if original.uses_threads() {
        return Err("the original has threads".into());
    }
    // Without memory nothing but assertions can fail; but a cut loop ends, and says nothing about whether the loop does.
    let is_kept = |property: &Property| match purpose {
        Purpose::Coarsen => property.is_asserted(),
        Purpose::CutLoops => *property != Property::Termination,
    };
    if let Some(lost) = properties.iter().find(|property| !is_kept(property)) {
        return Err(format!("nothing is kept of the property {lost}"));
    }
    let exact = Exact::of(original);
    let tracked = match purpose {
        Purpose::Coarsen => Tracked::of(other, &exact),
        Purpose::CutLoops => Tracked::everything(),
    };
    match purpose {
        Purpose::Coarsen => names(ledger, [Assumption::ValidMemory, Assumption::MatchingCalls])?,
        Purpose::CutLoops => without_memory(original)?,
    }
    let callables = Callables::of(original);
    let valid_memory = purpose == Purpose::Coarsen;
    let effects = Effects::new(original, &exact, &tracked, &callables, properties, valid_memory);
    let mut compared = Compared { procedures: 0, changed: 0 };
    let mut seen: FxSet<ProcId> = FxSet::from_iter([other.entry]);
    let mut open = vec![other.entry];
    while let Some(id) = open.pop() {
        let (one, two) = (original.procedure(id), other.procedure(id));
        let (Some(first), Some(second)) = (&one.body, &two.body) else { continue };
        let comparison = Comparison::new(&effects, first, second, &transformed.added[id.0 as usize]);
        compared.changed += comparison.run().map_err(|why| format!("{why} in {}", one.name))?;
        compared.procedures += 1;
        for callee in callees(two)? {
            if seen.insert(callee) {
                open.push(callee);
            }
        }
    }
    let unseen = effects.bodiless().filter(|id| !seen.contains(id));
    names(ledger, unseen.map(|id| Assumption::FunctionWithoutBody { name: original.procedure(id).name.clone() }))?;
    Ok(compared)
}

/// The procedures that one of the transformed program calls.
fn callees(procedure: &Procedure) -> Result<Vec<ProcId>, Refused> {
    let mut found = Vec::new();
    for block in procedure.body.iter().flat_map(|body| &body.blocks) {
        for statement in &block.statements {
            match &statement.kind {
                StatementKind::Call { callee: Callee::Direct(callee), .. } => found.push(*callee),
                StatementKind::Call { callee: Callee::Indirect(_), .. } => return Err("a call through a pointer was left".into()),
                _ => {}
            }
        }
    }
    Ok(found)
}

/// The programs have the same variables, objects and procedures, and begin in the same states.
fn same_frame(original: &Program, transformed: &Transformed) -> Result<(), Refused> {
    let other = &*transformed.program;
    let same_procedure = |one: &Procedure, two: &Procedure| {
        let same_variables = one.params == two.params && one.results == two.results && one.locals == two.locals;
        same_variables && one.variadic == two.variadic && one.address == two.address && one.body.is_some() == two.body.is_some()
    };
    let same = Rc::ptr_eq(&original.terms, &other.terms)
        && original.layout == other.layout
        && original.entry == other.entry
        && original.globals == other.globals
        && original.objects == other.objects
        && original.object_addresses == other.object_addresses
        && original.procedure_addresses == other.procedure_addresses
        && original.axioms == other.axioms
        && original.procedures.len() == other.procedures.len()
        && original.procedures.len() == transformed.added.len()
        && original.procedures.iter().zip(&other.procedures).all(|(one, two)| same_procedure(one, two));
    if same { Ok(()) } else { Err("the programs have other variables, objects or procedures".into()) }
}

/// The ledger says what the rules rest on: valid memory and calls that match, and what is assumed of functions without a body
/// whose calls were left out.
fn names(ledger: &Ledger, needed: impl IntoIterator<Item = Assumption>) -> Result<(), Refused> {
    let noted: BTreeSet<&Assumption> = ledger.iter().collect();
    match needed.into_iter().find(|assumption| !noted.contains(assumption)) {
        Some(missing) => Err(format!("the ledger does not say that {missing}")),
        None => Ok(()),
    }
}

/// Where loops are cut, what they change must be variables.
fn without_memory(program: &Program) -> Result<(), Refused> {
    use StatementKind as S;
    let statements = program.procedures.iter().filter_map(|procedure| procedure.body.as_ref()).flat_map(|body| &body.blocks);
    let variables_only = |kind: &S| {
        matches!(kind, S::Assign(_) | S::Havoc { .. } | S::Assume(_) | S::Assert { .. } | S::Call { .. } | S::Watch(_) | S::Unsupported(_))
    };
    let mut others = statements.flat_map(|block| &block.statements).filter(|statement| !variables_only(&statement.kind));
    match program.objects.is_empty() && others.next().is_none() {
        true => Ok(()),
        false => Err("loops are cut in a program with memory".into()),
    }
}
