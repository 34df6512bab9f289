//! Makes a coarser program: a read of memory through a pointer gives an arbitrary value, and a write through one is
//! dropped. Only directly accessed objects stay exact: global and local objects whose address is used for nothing but
//! loads and stores at that object. In a device driver, most variables that decide whether it uses its locks correctly
//! are of this kind, and everything else multiplies its paths.
//!
//! Every run of the program is one of the coarser program, so a property of the coarser program holds for the original;
//! a violation proves nothing. The argument, statement by statement: a read of other memory gives some value, and any
//! value is allowed; a write to other memory does not affect exact objects, because no other pointer has their
//! addresses (accesses outside an object's bounds are undefined behaviour, which these properties do not cover); an
//! allocation gives some address that is not null, as everywhere in Fathom; a call through a pointer calls a function
//! whose address is taken and whose parameters are such values (others are undefined behaviour, too; but a call without
//! any is often one of old C that only leaves them out), or code that is not in the program. Not for properties about
//! memory itself.

use crate::formatting::forget_formatting;
use crate::outline::outline;
use crate::slice::slice;
use fathom_base::{FxMap, FxSet, Loc};
use fathom_ir::{
    Access, AccessKind, AllocKind, Block, BlockId, Body, Callee, ControlEffect, Extent, Initializer, Origin, PointerCall, ProcId,
    Procedure, Program, Property, Statement, StatementKind, Terminator, TerminatorKind, Transformed, Use, Write,
};
use fathom_term::{Op, Sort, Term, TermStore, VarId};
use std::rc::Rc;

/// Whether the coarser program says anything about this property.
pub fn preserves(property: Property) -> bool {
    // An index that leaves its array is checked in every program, so that no other bug rests on it; the coarser one does
    // without.
    property.is_asserted() && !matches!(property, Property::Bounds | Property::BoogieAssert)
}

/// The coarser program. `certify` compares it with the original by rules of its own.
pub fn coarsen(program: &Program) -> Transformed {
    let mut coarse = program.clone();
    let exact = exact_bases(program);
    let callables = callables(program);
    let store = program.terms.clone();
    let mut added: Vec<Vec<Origin>> = vec![Vec::new(); coarse.procedures.len()];
    for (procedure, added) in coarse.procedures.iter_mut().zip(&mut added) {
        let Some(body) = &mut procedure.body else { continue };
        for block in &mut body.blocks {
            let statements = std::mem::take(&mut block.statements);
            block.statements = statements.into_iter().flat_map(|statement| coarser(&store, &exact, statement)).collect();
        }
        *added = spell_out_calls(&store, &callables, body);
    }
    forget_formatting(&mut coarse, &exact);
    slice(&mut coarse, &exact);
    outline(&mut coarse, &mut added);
    Transformed { program: Rc::new(coarse), added }
}

// ---- which objects stay exact

/// The variables that stand for addresses of exact objects: of globals, and locals that hold nothing but new objects.
pub(crate) fn exact_bases(program: &Program) -> FxSet<VarId> {
    let bodies = || program.procedures.iter().filter_map(|procedure| procedure.body.as_ref());
    let statements = || bodies().flat_map(|body| &body.blocks).flat_map(|block| &block.statements);
    let allocated = statements().filter_map(|statement| match &statement.kind {
        StatementKind::Alloc { target, .. } => Some(*target),
        _ => None,
    });
    let mut uses = Uses { store: &program.terms, bases: allocated.collect(), escaped: FxSet::default() };
    uses.bases.extend(program.object_addresses.keys());
    for object in &program.objects {
        if let Initializer::Bytes { relocations, .. } = &object.init {
            relocations.iter().for_each(|relocation| uses.value(relocation.value));
        }
    }
    statements().for_each(|statement| uses.statement(&statement.kind));
    let ends = bodies().flat_map(|body| &body.blocks).map(|block| &block.terminator.kind);
    ends.for_each(|end| end.for_each_term(&mut |term| uses.value(term)));
    // What a caller passes in is not new.
    program.procedures.iter().for_each(|procedure| uses.escaped.extend(&procedure.params));
    let Uses { mut bases, escaped, .. } = uses;
    bases.retain(|base| !escaped.contains(base));
    bases
}

/// How the variables are used that might stand for exact objects.
struct Uses<'a> {
    store: &'a TermStore,
    bases: FxSet<VarId>,
    /// Used as more than the base of an access, or assigned something that is not a new object.
    escaped: FxSet<VarId>,
}

/// Whether an access may be one of those that exact objects have: a read or a write of one value.
fn is_direct(kind: AccessKind, extent: Extent) -> bool {
    matches!((kind, extent), (AccessKind::Read | AccessKind::Write, Extent::Variable(_) | Extent::Value(_)))
}

impl Uses<'_> {
    fn statement(&mut self, kind: &StatementKind) {
        if kind.control() == ControlEffect::Watches {
            return;
        }
        kind.for_each_target(&mut |target, write| {
            if write == Write::Assigned {
                self.escaped.insert(target);
            }
        });
        kind.for_each_use(&mut |term, becomes| match becomes {
            Use::Pointer(kind, extent) if is_direct(kind, extent) => self.pointer(term),
            _ => self.value(term),
        });
    }

    fn pointer(&mut self, pointer: Term) {
        let base = base_of(self.store, &self.bases, pointer);
        for part in summands(self.store, pointer) {
            if base.is_none() || self.store.as_var(part) != base {
                self.value(part);
            }
        }
    }

    fn value(&mut self, term: Term) {
        add_variables(self.store, term, &mut self.escaped);
    }
}

pub(crate) fn add_variables(store: &TermStore, term: Term, found: &mut FxSet<VarId>) {
    let mut seen: FxSet<Term> = FxSet::default();
    let mut open = vec![term];
    while let Some(next) = open.pop() {
        if seen.insert(next) {
            found.extend(store.as_var(next));
            open.extend(store.args(next));
        }
    }
}

/// The summand of a pointer that is one of these bases, if there is just one.
pub(crate) fn base_of(store: &TermStore, bases: &FxSet<VarId>, pointer: Term) -> Option<VarId> {
    let variables = summands(store, pointer).into_iter().filter_map(|part| store.as_var(part));
    let mut found = variables.filter(|variable| bases.contains(variable));
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

fn summands(store: &TermStore, pointer: Term) -> Vec<Term> {
    let (mut parts, mut open) = (Vec::new(), vec![pointer]);
    while let Some(next) = open.pop() {
        match store.op(next) {
            Op::BvAdd => open.extend(store.args(next)),
            _ => parts.push(next),
        }
    }
    parts
}

// ---- statements

fn coarser(store: &TermStore, exact: &FxSet<VarId>, statement: Statement) -> Vec<Statement> {
    let loc = statement.loc;
    let arbitrary = |target: VarId| Statement { kind: StatementKind::Havoc { vars: vec![target], input: None }, loc };
    match &statement.kind {
        StatementKind::Assert { property, .. } if !preserves(*property) => Vec::new(),
        StatementKind::Alloc { target, size, kind, .. } if !exact.contains(target) => {
            let width = store.var_sort(*target).width();
            let not_null = store.ne(store.var_term(*target), store.bv(0, width));
            // What may take too much of the address space may be null; the machine looks from about twice this size on.
            let bulk = if width >= 64 { 1 << 34 } else { 1 << 19 };
            let may_fail = match kind {
                AllocKind::Stack => store.bool(false),
                AllocKind::Heap => store.bv_ult(store.bv(bulk, width), *size),
            };
            vec![arbitrary(*target), Statement { kind: StatementKind::Assume(store.or(may_fail, not_null)), loc }]
        }
        StatementKind::EndScope { variable } if !exact.contains(variable) => {
            let null = store.bv(0, store.var_sort(*variable).width());
            vec![Statement { kind: StatementKind::Assign(vec![(*variable, null)]), loc }]
        }
        kind => {
            let mut is_exact = true;
            kind.for_each_access(&mut |Access { pointer, kind, extent }| {
                is_exact &= is_direct(kind, extent) && base_of(store, exact, pointer).is_some();
            });
            kind.for_each_target(&mut |target, write| is_exact &= write == Write::Assigned || exact.contains(&target));
            if is_exact { vec![statement] } else { kind.targets().into_iter().map(arbitrary).collect() }
        }
    }
}

// ---- calls through pointers

/// Functions that a pointer may lead to.
struct Callable {
    procedure: ProcId,
    address: Term,
    params: Vec<Sort>,
    is_variadic: bool,
}

impl Callable {
    fn takes(&self, store: &TermStore, args: &[Term]) -> bool {
        let fits = |(&param, &arg): (&Sort, &Term)| param == store.sort(arg);
        let enough = args.len() == self.params.len() || self.is_variadic && args.len() > self.params.len();
        args.is_empty() || (enough && self.params.iter().zip(args).all(fits))
    }
}

fn callables(program: &Program) -> Vec<Callable> {
    let callable = |(number, procedure): (usize, &Procedure)| {
        let address = procedure.address.filter(|_| procedure.body.is_some())?;
        let params = procedure.params.iter().map(|&param| program.terms.var_sort(param)).collect();
        Some(Callable { procedure: ProcId(number as u32), address, params, is_variadic: procedure.variadic.is_some() })
    };
    program.procedures.iter().enumerate().filter_map(callable).collect()
}

/// Makes each call through a pointer a choice among the functions that it may lead to. Tells where the new blocks come from.
fn spell_out_calls(store: &TermStore, callables: &[Callable], body: &mut Body) -> Vec<Origin> {
    let known: FxMap<Term, ProcId> = callables.iter().map(|callable| (callable.address, callable.procedure)).collect();
    for statement in body.blocks.iter_mut().flat_map(|block| &mut block.statements) {
        if let StatementKind::Call { callee, .. } = &mut statement.kind
            && let Callee::Indirect(pointer) = callee
            && let Some(&procedure) = known.get(pointer)
        {
            *callee = Callee::Direct(procedure);
        }
    }
    let originals = body.blocks.len();
    let mut added = Vec::new();
    let mut at = 0;
    while at < body.blocks.len() {
        let unknown = |statement: &Statement| matches!(&statement.kind, StatementKind::Call { callee: Callee::Indirect(_), .. });
        if let Some(index) = body.blocks[at].statements.iter().position(unknown) {
            let call = match at.checked_sub(originals).map(|number| &added[number]) {
                Some(Origin::AfterCall(call)) => PointerCall { before: call.before + 1, ..*call },
                _ => PointerCall { block: BlockId(at as u32), before: 0 },
            };
            spell_out(store, callables, body, at, index);
            added.push(Origin::AfterCall(call));
            added.resize(body.blocks.len() - originals, Origin::CallCase(call));
        }
        at += 1;
    }
    added
}

fn spell_out(store: &TermStore, callables: &[Callable], body: &mut Body, at: usize, index: usize) {
    let label = body.blocks[at].label.clone();
    let mut rest = body.blocks[at].statements.split_off(index);
    let call = rest.remove(0);
    let loc = call.loc;
    let StatementKind::Call { targets, callee: Callee::Indirect(pointer), args } = call.kind else { return };
    let end = body.blocks[at].terminator.clone();
    let after = BlockId(body.blocks.len() as u32);
    body.blocks.push(Block { label: format!("{label}.after"), statements: rest, terminator: end });
    let mut choices = Vec::new();
    let mut nobody = store.bool(true);
    let mut add = |body: &mut Body, name: String, condition: Term, then: StatementKind| {
        choices.push(BlockId(body.blocks.len() as u32));
        let statements = vec![Statement { kind: StatementKind::Assume(condition), loc }, Statement { kind: then, loc }];
        body.blocks.push(Block { label: format!("{label}.{name}"), statements, terminator: jump(vec![after], loc) });
    };
    for callable in callables.iter().filter(|callable| callable.takes(store, &args)) {
        let is_it = store.eq(pointer, callable.address);
        nobody = store.and(nobody, store.not(is_it));
        let call = StatementKind::Call { targets: targets.clone(), callee: Callee::Direct(callable.procedure), args: args.clone() };
        add(body, format!("call{}", callable.procedure.0), is_it, call);
    }
    add(body, "elsewhere".into(), nobody, StatementKind::Havoc { vars: targets, input: None });
    body.blocks[at].terminator = jump(choices, loc);
}

fn jump(targets: Vec<BlockId>, loc: Loc) -> Terminator {
    Terminator { kind: TerminatorKind::Goto(targets), loc }
}
