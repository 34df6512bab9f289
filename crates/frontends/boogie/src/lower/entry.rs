//! Where executions start: which procedure, and what is assumed there.

use super::blocks::Code;
use super::contracts::{calls, reachable};
use super::{Lowerer, OldContext, Unsupported};
use crate::typed::{self, Attributes, ProcedureId};
use fathom_ir::{self as ir, StatementKind, TerminatorKind};
use fathom_term::{Substitution, Term};

/// What the user said about the entry.
#[derive(Clone, Debug, Default)]
pub struct EntryChoice {
    /// The procedure to start in; None: those marked `{:entrypoint}` or `{:kernel}`, `main`, or all with bodies.
    pub name: Option<String>,
    /// Every procedure with a body in turn.
    pub all: bool,
}

/// The procedures to start in: the named one, those marked {:entrypoint} or {:kernel}, `ULTIMATE.start`, `main`, or else
/// every procedure with a body, in order; and the procedures that these use as lemmas, whose bodies nothing else would check. `Err` says
/// what is wrong with the name.
pub fn choose_entries(program: &typed::Program, choice: &EntryChoice) -> Result<Vec<ProcedureId>, String> {
    let mut entries = chosen(program, choice)?;
    let lemmas: Vec<ProcedureId> = lemmas_of(program, &entries).into_iter().filter(|id| !entries.contains(id)).collect();
    entries.extend(lemmas);
    Ok(entries)
}

fn chosen(program: &typed::Program, choice: &EntryChoice) -> Result<Vec<ProcedureId>, String> {
    let all = || (0..program.procedures.len() as u32).map(ProcedureId);
    let has_body = |id: &ProcedureId| !program.procedure(*id).implementations.is_empty();
    if let Some(name) = &choice.name {
        let found = all().find(|&id| &*program.procedure(id).name == name.as_str());
        return match found {
            Some(id) if has_body(&id) => Ok(vec![id]),
            Some(_) => Err(format!("the procedure {name} has no body")),
            None => Err(format!("there is no procedure {name}")),
        };
    }
    let marked = |mark: &str| -> Vec<ProcedureId> {
        let is_marked = |id: &ProcedureId| {
            let procedure = program.procedure(*id);
            let bodies = procedure.implementations.iter().map(|&index| &program.implementations[index]);
            procedure.attributes.flag(mark) || bodies.into_iter().any(|body| body.attributes.flag(mark))
        };
        all().filter(has_body).filter(is_marked).collect()
    };
    if !choice.all {
        for mark in ["entrypoint", "kernel"] {
            let found = marked(mark);
            if !found.is_empty() {
                return Ok(found);
            }
        }
        // Ultimate's start initialises the globals and calls the program's own `main`.
        for name in ["ULTIMATE.start", "main"] {
            if let Some(start) = all().filter(has_body).find(|&id| &*program.procedure(id).name == name) {
                return Ok(vec![start]);
            }
        }
    }
    // Procedures to be inlined are judged where they are called.
    let is_inlined = |id: &ProcedureId| has_attribute(program, *id, |set| set.find("inline").is_some());
    Ok(all().filter(has_body).filter(|id| !is_inlined(id) && !is_trusted(program, *id)).collect())
}

/// Marked {:verify false}.
fn is_trusted(program: &typed::Program, id: ProcedureId) -> bool {
    has_attribute(program, id, |set| set.find("verify").is_some() && !set.flag("verify"))
}

fn has_attribute(program: &typed::Program, id: ProcedureId, is_wanted: impl FnMut(&Vec<typed::Attribute>) -> bool) -> bool {
    let procedure = program.procedure(id);
    let bodies = procedure.implementations.iter().map(|&index| &program.implementations[index]);
    std::iter::once(&procedure.attributes).chain(bodies.map(|body| &body.attributes)).any(is_wanted)
}

/// The procedures with bodies to be checked that `call forall` names, wherever executions from these entries lead.
fn lemmas_of(program: &typed::Program, entries: &[ProcedureId]) -> Vec<ProcedureId> {
    let has_body = |id: ProcedureId| !program.procedure(id).implementations.is_empty();
    let called = entries.iter().copied().chain(reachable(program, entries));
    let mut lemmas: Vec<ProcedureId> = called
        .flat_map(|procedure| calls(program, procedure))
        .filter(|call| call.forall && has_body(call.procedure) && !is_trusted(program, call.procedure))
        .map(|call| call.procedure)
        .collect();
    lemmas.sort();
    lemmas.dedup();
    lemmas
}

/// Of the procedure around the entries.
const START: &str = "start";

impl Lowerer<'_> {
    /// A procedure around the entries: it chooses one, assumes its preconditions and calls it. So several entries are
    /// one program, which is right if all of them are.
    pub(super) fn start(&mut self, entries: &[ProcedureId]) -> ir::ProcId {
        let id = self.new_proc();
        let mut code = Code::new(OldContext::Nothing);
        let mut blocks = Vec::new();
        let span = entries.first().map(|&entry| self.typed.procedure(entry).span);
        let span = span.unwrap_or(crate::source::Span { file: 0, start: 0, end: 0 });
        let targets = (1..=entries.len() as u32).map(ir::BlockId).collect();
        code.loc = self.loc(span);
        if let Some((what, span)) = self.typed.unsupported.first() {
            code.loc = self.loc(*span);
            code.push(StatementKind::Unsupported(what.clone()));
        }
        blocks.push(code.block(START.into(), TerminatorKind::Goto(targets)));
        for &entry in entries {
            let declared = self.typed.procedure(entry);
            code.loc = self.loc(declared.span);
            let single = entries.len() == 1 && self.abstracted.is_empty();
            if let Err(problem) = self.enter(entry, single, &mut code) {
                code.statements.clear();
                code.loc = self.loc(problem.span);
                code.push(StatementKind::Unsupported(problem.what));
            }
            blocks.push(code.block(declared.name.to_string(), TerminatorKind::Return));
        }
        let lowered = self.assembled(START.into(), Vec::new(), Vec::new(), code, blocks, ir::BlockId(0), span);
        self.procedures[id.0 as usize] = Some(lowered);
        id
    }

    /// Preconditions of a single entry that speak of globals only are axioms: then what they fix is known from the start.
    fn enter(&mut self, entry: ProcedureId, single: bool, code: &mut Code) -> Result<(), Unsupported> {
        let declared = self.typed.procedure(entry);
        let params = self.fresh_like(&declared.ins, code)?;
        let results = self.fresh_like(&declared.outs, code)?;
        let mut images = Vec::new();
        for (&param, &own) in declared.ins.iter().zip(&params) {
            images.push((self.target(param, declared.span)?, self.store.var_term(own)));
        }
        if !params.is_empty() {
            code.push(StatementKind::Havoc { vars: params.clone(), input: None });
        }
        let mut renaming = Substitution::new(images);
        let context = OldContext::Procedure(entry);
        // Arguments of calls may be anything.
        let arbitrary = declared.ins.iter().filter(|_| !self.abstracted.contains(&entry));
        for &param in arbitrary.collect::<Vec<_>>() {
            if let Some(clause) = self.typed.var(param).where_clause {
                let condition = self.term(clause, context)?;
                let condition = renaming.apply(&self.store, condition);
                code.push(StatementKind::Assume(condition));
            }
        }
        for condition in &declared.requires {
            let term = self.term(condition.condition, context)?;
            let renamed = renaming.apply(&self.store, term);
            if renamed == term && single {
                self.axioms.push(term);
            } else {
                code.loc = self.loc(condition.span);
                code.push(StatementKind::Assume(renamed));
            }
        }
        code.loc = self.loc(declared.span);
        for (&param, &own) in declared.ins.iter().zip(&params) {
            self.watch_as(param, self.store.var_term(own), code);
        }
        let args: Vec<Term> = params.iter().map(|&var| self.store.var_term(var)).collect();
        let callee = ir::Callee::Direct(self.proc_id(entry));
        code.push(StatementKind::Call { targets: results, callee, args });
        Ok(())
    }
}
