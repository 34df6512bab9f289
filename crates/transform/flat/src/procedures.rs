//! Completes the blocks of procedures that are not inlined. A procedure may read or change the shared variables
//! (globals, memory) that are mentioned in its blocks and in those of the procedures that it calls. Its start takes all
//! of these and its arguments as inputs, and copies those that are assigned later; a call assigns arbitrary values to
//! its results and to everything that it may change. Summaries provide all further knowledge.

use crate::program::{Block, Call, Edge, Inputs, Procedure, Target};
use crate::raw::{Apart, Inlined};
use fathom_base::{FxSet, Loc};
use fathom_flow::Graph;
use fathom_ir::{ProcId, Program};
use fathom_term::{Sort, Term, TermStore, VarId, VarSets};
use std::collections::BTreeSet;

/// A call as it is first known: without the shared variables.
pub(crate) struct Site<'a> {
    pub procedure: usize,
    pub args: &'a [Term],
    pub targets: &'a [VarId],
    pub fails: usize,
    pub after: usize,
}

/// The block of a call; `procedures_of` completes it.
pub(crate) fn call_block(site: &Site<'_>, label: &str, loc: Loc, store: &TermStore) -> Block {
    let nothing = store.bool(true);
    let edges =
        vec![Edge { guard: nothing, target: Target::Error(site.fails) }, Edge { guard: nothing, target: Target::Block(site.after) }];
    let assigns = site.targets.iter().map(|&target| (target, nothing)).collect();
    let call = Call { procedure: site.procedure, entry: site.args.to_vec(), exit: Vec::new(), fails: 0, returns: 1 };
    Block { label: label.to_string(), loc, begins: None, origins: Vec::new(), inputs: Vec::new(), assigns, edges, call: Some(call) }
}

/// The start of a procedure; `procedures_of` completes it.
pub(crate) fn empty_start(program: &Program, id: ProcId, first: usize) -> Block {
    let procedure = program.procedure(id);
    let edges = vec![Edge { guard: program.terms.bool(true), target: Target::Block(first) }];
    let (label, loc) = (format!("start of {}", procedure.name), procedure.loc);
    Block { label, loc, begins: None, origins: Vec::new(), inputs: Vec::new(), assigns: Vec::new(), edges, call: None }
}

/// Shared variables that a procedure mentions and changes.
#[derive(Clone, Default, PartialEq, Eq)]
struct Touched {
    mentioned: BTreeSet<VarId>,
    changed: BTreeSet<VarId>,
}

pub(crate) fn procedures_of(
    program: &Program,
    inlined: &Inlined,
    starts: &[(usize, usize)],
    sets: &VarSets,
    inputs: &Inputs,
    blocks: &mut [Block],
) -> Vec<Procedure> {
    let store: &TermStore = &program.terms;
    let targets = |block: &Block| block.edges.iter().filter_map(|edge| edge.target.block()).map(|to| to as u32).collect();
    let flow = Graph::new(blocks.iter().map(targets).collect());
    let body = |start: usize| {
        let reached = flow.reached([start as u32]);
        (0..reached.len()).filter(|&at| reached[at]).collect()
    };
    let bodies: Vec<Vec<usize>> = starts.iter().map(|&(start, _)| body(start)).collect();
    let mut touched = touched(store, sets, inputs, blocks, &bodies);
    // A procedure gives the room of its objects on the stack back before it returns.
    let on_stack =
        (0..inlined.objects.all.len()).filter(|&at| inlined.objects.all[at].is_on_stack() && inlined.objects.all[at].stride.is_some());
    let kept: FxSet<VarId> = on_stack.filter_map(|at| inlined.objects.top(store, at)).collect();
    touched.iter_mut().for_each(|touched| touched.changed.retain(|var| !kept.contains(var)));
    let mut procedures = Vec::new();
    for ((apart, &(start, _)), touched) in inlined.apart.iter().zip(starts).zip(&touched) {
        let name = program.procedure(apart.id).name.clone();
        let assigned = bodies[procedures.len()].iter().flat_map(|&at| blocks[at].assigns.iter().map(|(var, _)| *var));
        let assigned: FxSet<VarId> = assigned.chain(touched.changed.iter().copied()).collect();
        procedures.push(procedure(store, inputs, name, apart, start, touched, &assigned, &mut blocks[start]));
    }
    for block in blocks.iter_mut() {
        complete_call(store, inputs, inlined, &touched, block);
    }
    procedures
}

/// What bodies mention that blocks outside mention too, with what the procedures that they call do.
fn touched(store: &TermStore, sets: &VarSets, inputs: &Inputs, blocks: &[Block], bodies: &[Vec<usize>]) -> Vec<Touched> {
    let of_block = |at: usize| {
        let block = &blocks[at];
        let assigned = block.assigns.iter().map(|(var, _)| *var);
        let passed = block.call.iter().flat_map(|call| call.entry.iter().copied());
        let values = block.assigns.iter().map(|(_, term)| *term);
        let terms = values.chain(block.edges.iter().map(|edge| edge.guard)).chain(passed);
        let mut mentioned: BTreeSet<VarId> =
            terms.flat_map(|term| sets.vars(store, term)).filter(|&var| inputs.ahead(var).is_none()).collect();
        let changed: BTreeSet<VarId> = assigned.collect();
        mentioned.extend(&changed);
        Touched { mentioned, changed }
    };
    let all: Vec<Touched> = (0..blocks.len()).map(of_block).collect();
    let mut touched: Vec<Touched> = Vec::new();
    for body in bodies {
        let inside: FxSet<usize> = body.iter().copied().collect();
        let others = (0..blocks.len()).filter(|at| !inside.contains(at));
        let elsewhere: BTreeSet<VarId> = others.flat_map(|at| all[at].mentioned.iter().copied()).collect();
        let mut own = Touched::default();
        for &at in body {
            own.mentioned.extend(all[at].mentioned.intersection(&elsewhere));
            own.changed.extend(all[at].changed.intersection(&elsewhere));
        }
        touched.push(own);
    }
    loop {
        let before = touched.clone();
        for (own, body) in touched.iter_mut().zip(bodies) {
            for call in body.iter().filter_map(|&at| blocks[at].call.as_ref()) {
                own.mentioned.extend(&before[call.procedure].mentioned);
                own.changed.extend(&before[call.procedure].changed);
            }
        }
        if before == touched {
            return touched;
        }
    }
}

#[expect(clippy::too_many_arguments, reason = "the parts of one record, named by the parameters")]
fn procedure(
    store: &TermStore,
    inputs: &Inputs,
    name: String,
    apart: &Apart,
    start: usize,
    touched: &Touched,
    assigned: &FxSet<VarId>,
    block: &mut Block,
) -> Procedure {
    let mut entry = Vec::new();
    for &var in apart.params.iter().chain(&touched.mentioned) {
        let sort = store.var_sort(var);
        let input = inputs.next(store, block.inputs.len() as u32, sort);
        block.inputs.push(sort);
        block.assigns.push((var, input));
        // What is never assigned is its own copy.
        let mut before = var;
        if assigned.contains(&var) {
            before = store.as_var(store.var(&format!("in!{name}!{}", store.var_name(var)), sort)).unwrap_or(var);
            block.assigns.push((before, input));
        }
        entry.push(before);
    }
    let exit = apart.results.iter().chain(&touched.changed).copied().collect();
    Procedure { name, start, entry, exit }
}

fn complete_call(store: &TermStore, inputs: &Inputs, inlined: &Inlined, touched: &[Touched], block: &mut Block) {
    let Some(call) = &mut block.call else { return };
    let touched = &touched[call.procedure];
    call.entry.extend(touched.mentioned.iter().map(|&var| store.var_term(var)));
    block.inputs = vec![Sort::Bool];
    let fails = inputs.next(store, 0, Sort::Bool);
    let results = &inlined.apart[call.procedure].results;
    let targets: Vec<VarId> = block.assigns.iter().map(|(target, _)| *target).collect();
    block.assigns.clear();
    for (number, &var) in results.iter().chain(&touched.changed).enumerate() {
        let sort = store.var_sort(var);
        let value = inputs.next(store, block.inputs.len() as u32, sort);
        block.inputs.push(sort);
        call.exit.push(value);
        let target = if number < results.len() { targets.get(number).copied() } else { Some(var) };
        // A result may be one of the shared variables: what the caller assigns comes last.
        if let Some(target) = target.filter(|target| number < results.len() || !targets.contains(target)) {
            block.assigns.push((target, value));
        }
    }
    block.edges[0].guard = fails;
    block.edges[1].guard = store.not(fails);
}
