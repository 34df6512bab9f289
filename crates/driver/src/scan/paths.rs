//! Decides whether a reported path is feasible at all (Algorithm 5.1 of the ESBMC thesis), for the function on its own:
//! its parameters, all memory and the results of other functions are arbitrary, so this covers all real runs, whatever
//! calls it. At the branches in the report, runs take the side that the analyser states. Each visit of a branch is a
//! step of the report (the analyser is told to omit nothing), so a side that no step names is not on the path; if steps
//! disagree, both sides are explored. If no such run reaches the line of the alarm, the path is infeasible.

use crate::engines;
use crate::prepare::Prepared;
use crate::scan::analyzer::ANALYZER;
use crate::scan::entry_run::Files;
use fathom_base::Loc;
use fathom_certify::NativeMode;
use fathom_engine::{Proof, Verdict};
use fathom_ir::{
    Block, BlockId, Body, Callee, ProcId, Procedure, Program, Property, Statement, StatementKind, Terminator, TerminatorKind, Variable,
};
use fathom_scan::Alarm;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Duration;

/// How long one path may take, of the processor and, where others keep that busy, by the clock.
const TIME: Duration = Duration::from_millis(700);
const LONGEST_WAIT: u32 = 4;

/// Whether no run takes the path of this alarm.
pub(crate) fn is_infeasible(prepared: &Prepared<'_>, alarm: &Alarm) -> bool {
    // The paths of other analysers leave steps out, so a proof about them means nothing.
    if alarm.tool != ANALYZER {
        return false;
    }
    let Some(program) = along(&prepared.program, alarm) else { return false };
    let (program, properties) = (Rc::new(program), BTreeSet::from([Property::UnreachCall]));
    let engine = engines::plain_explorer(prepared.config);
    let budget = prepared.budget.computing_at_most(TIME).at_most(TIME * LONGEST_WAIT);
    let outcome = prepared.run_about(&program, &properties, engine.as_ref(), &budget);
    let second = prepared.solvers.another().map(Rc::from);
    let native = NativeMode::Skip("there is no violation".into());
    let certified = fathom_certify::check(outcome, &program, &properties, &native, second.as_ref(), &budget);
    let Some(Verdict::Holds(proof)) = certified.outcome.verdicts.get(&Property::UnreachCall) else { return false };
    // If nothing was there to check, the path's end was not even part of the program.
    !matches!(**proof, Proof::NothingToCheck)
}

/// The function of the alarm along its path, failing where the alarm is; none if the path says nothing of its branches.
fn along(program: &Program, alarm: &Alarm) -> Option<Program> {
    let files = Files::of(&program.files);
    let is_file = |loc: Loc| files.path(loc) == Some(alarm.place.file.as_str());
    let is_target = |loc: Loc| is_file(loc) && loc.line == alarm.place.line;
    let holds_target = |procedure: &&Procedure| {
        let blocks = procedure.body.iter().flat_map(|body| &body.blocks);
        blocks.flat_map(|block| &block.statements).any(|statement| is_target(statement.loc))
    };
    let procedure = program.procedures.iter().find(holds_target)?;
    let directions = directions(alarm);
    let mut restricted = procedure.clone();
    let body = restricted.body.as_mut()?;
    let mut is_restricted = false;
    let lines = lines_of_branches(body, &is_file);
    let labels: Vec<String> = body.blocks.iter().map(|block| block.label.clone()).collect();
    for block in &mut body.blocks {
        block.statements = block.statements.drain(..).flat_map(|statement| weaker(program, statement, &is_target)).collect();
        if is_target(block.terminator.loc) {
            block.statements.push(failing(program, block.terminator.loc));
        }
        let Terminator { kind: TerminatorKind::Branch { then, otherwise, .. }, loc } = &block.terminator else { continue };
        let (then, otherwise, line) = (*then, *otherwise, loc.line);
        if !is_file(*loc) || lines.get(&line) != Some(&1) {
            continue;
        }
        let Some(&[said]) = directions.get(&line).map(Vec::as_slice) else { continue };
        let Some(is_then) = is_true_side(&labels[then.0 as usize], &labels[otherwise.0 as usize]) else { continue };
        is_restricted = true;
        restrict(&program.terms, block, if said == is_then { then } else { otherwise }, said == is_then);
    }
    is_restricted.then(|| alone(program, restricted))
}

/// The side that is not taken on the path ends there.
fn restrict(terms: &fathom_term::TermStore, block: &mut Block, to: BlockId, is_true: bool) {
    let TerminatorKind::Branch { condition, .. } = block.terminator.kind else { return };
    let holds = if is_true { condition } else { terms.not(condition) };
    block.statements.push(Statement { kind: StatementKind::Assume(holds), loc: block.terminator.loc });
    block.terminator.kind = TerminatorKind::Goto(vec![to]);
}

/// How many branches there are on each line.
fn lines_of_branches(body: &Body, is_file: &impl Fn(Loc) -> bool) -> BTreeMap<u32, usize> {
    let mut lines = BTreeMap::new();
    for block in &body.blocks {
        let is_branch = matches!(block.terminator.kind, TerminatorKind::Branch { .. } | TerminatorKind::Switch(_));
        if is_branch && is_file(block.terminator.loc) {
            *lines.entry(block.terminator.loc.line).or_default() += 1;
        }
    }
    lines
}

/// What the report says of the branch on each line: every direction that it names.
fn directions(alarm: &Alarm) -> BTreeMap<u32, Vec<bool>> {
    const TRUE: [&str; 3] = ["Taking true branch", "Loop condition is true", "Entering loop body"];
    const FALSE: [&str; 3] = ["Taking false branch", "Loop condition is false", "Loop body executed 0 times"];
    let mut found: BTreeMap<u32, Vec<bool>> = BTreeMap::new();
    for step in alarm.flow.iter().filter(|step| step.place.file == alarm.place.file) {
        let starts = |texts: &[&str]| texts.iter().any(|text| step.message.starts_with(text));
        let side = if starts(&TRUE) {
            true
        } else if starts(&FALSE) {
            false
        } else {
            continue;
        };
        let sides = found.entry(step.place.line).or_default();
        if !sides.contains(&side) {
            sides.push(side);
        }
    }
    found
}

/// Whether the first of two targets is where the condition of the source is true; clang names blocks after that. A branch that is
/// only a part of a condition (`a` in `a || b`) is another one than the report speaks of.
fn is_true_side(then: &str, otherwise: &str) -> Option<bool> {
    const INSIDE: [&str; 3] = ["if.then", "for.body", "while.body"];
    const OUTSIDE: [&str; 5] = ["if.end", "if.else", "for.end", "for.cond.cleanup", "while.end"];
    let is_one_of = |label: &str, known: &[&str]| known.iter().any(|known| label.starts_with(known));
    let (is_then, is_otherwise) = (is_one_of(then, &INSIDE), is_one_of(otherwise, &INSIDE));
    match (is_then, is_otherwise) {
        (true, false) if is_one_of(otherwise, &OUTSIDE) => Some(true),
        (false, true) if is_one_of(then, &OUTSIDE) => Some(false),
        _ => None,
    }
}

fn failing(program: &Program, loc: Loc) -> Statement {
    let (condition, property) = (program.terms.bool(false), Property::UnreachCall);
    Statement { kind: StatementKind::Assert { condition, property, message: "the alarm".into() }, loc }
}

/// What is left of a statement where memory and other functions are arbitrary; the target fails.
fn weaker(program: &Program, statement: Statement, is_target: &impl Fn(Loc) -> bool) -> Vec<Statement> {
    let loc = statement.loc;
    let failing = is_target(loc).then(|| failing(program, loc));
    let havoc = |vars: Vec<_>| Some(StatementKind::Havoc { vars, input: None });
    let left = match statement.kind {
        kind @ (StatementKind::Assign(_) | StatementKind::Havoc { .. } | StatementKind::Unsupported(_)) => Some(kind),
        other => match other.targets() {
            written if written.is_empty() => None,
            written => havoc(written),
        },
    };
    failing.into_iter().chain(left.map(|kind| Statement { kind, loc })).collect()
}

/// A program of this function alone, whose parameters are arbitrary.
fn alone(program: &Program, procedure: Procedure) -> Program {
    let function = ProcId(0);
    let sorts = procedure.params.iter().map(|param| (*param, program.terms.sort(program.terms.var_term(*param))));
    let fresh: Vec<_> = sorts.map(|(_, sort)| program.terms.fresh("argument", sort)).collect();
    let locals = fresh.iter().filter_map(|term| {
        let id = program.terms.as_var(*term)?;
        Some(Variable { id, name: "argument".into(), sort: program.terms.sort(*term) })
    });
    let vars: Vec<_> = fresh.iter().filter_map(|term| program.terms.as_var(*term)).collect();
    let statement = |kind| Statement { kind, loc: Loc::UNKNOWN };
    let statements = vec![
        statement(StatementKind::Havoc { vars, input: None }),
        statement(StatementKind::Call { targets: Vec::new(), callee: Callee::Direct(function), args: fresh.clone() }),
    ];
    let end = Terminator { kind: TerminatorKind::Return, loc: Loc::UNKNOWN };
    let start = Procedure {
        name: "path".into(),
        params: Vec::new(),
        results: Vec::new(),
        variadic: None,
        locals: locals.collect(),
        body: Some(Body { entry: BlockId(0), blocks: vec![Block { label: "entry".into(), statements, terminator: end }] }),
        loc: Loc::UNKNOWN,
        address: None,
        align: 1,
    };
    let mut path = program.with_procedures(vec![procedure, start]);
    path.entry = ProcId(1);
    path.procedure_addresses.clear();
    path
}
