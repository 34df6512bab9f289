//! The largest set of candidate invariants that prove each other, and what follows from them. (Flanagan and Leino, Houdini,
//! 2001.)
//!
//! At the head of its loop, candidate k becomes `assert which = k => c; assume on_k => c`, and assertion m of the program
//! `assert which = m => c; assume c`, with numbers beyond those of the candidates. So one formula serves all questions:
//! `which` says what may fail, the `on`s say which candidates are relied upon. A model with `which = k` drops candidate k.
//! When no model is left, every candidate that is left is established where its loop is entered and kept by each
//! iteration, given the others. With quantifiers there are no models, and candidates are added instead, as they prove
//! themselves.
//!
//! Sound: take the first check of an execution that fails, be it of the program or of a candidate that was kept. All
//! checks before it held, so what the formula of that check assumed was true, and the formula says that it can't fail.

use crate::condition::Formula;
use crate::guess::Candidate;
use crate::limits::Limits;
use crate::passive::{Fact, Passive};
use fathom_base::Budget;
use fathom_engine::Cx;
use fathom_ir::{Program, Property, Statement, StatementKind};
use fathom_smt::{Answer, Backend, Refutations, Solver, SolverError};
use fathom_term::{Evaluator, Op, Sort, Substitution, Term, TermStore, Value, VarId, VarSets};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// What may fail is a number of so many bits.
const WHICH_BITS: u32 = 20;
/// The symbols that questions are asked by.
pub struct Switches {
    which: Term,
    ons: Vec<Term>,
    /// Assertions of the program.
    assertions: usize,
}

impl Switches {
    pub fn new(program: &Program, candidates: usize) -> Self {
        let store = &program.terms;
        let which = store.fresh("which", Sort::Bv(WHICH_BITS));
        let ons = (0..candidates).map(|_| store.fresh("on", Sort::Bool)).collect();
        let blocks = program.procedures.iter().filter_map(|procedure| procedure.body.as_ref()).flat_map(|body| &body.blocks);
        let asserts = |statement: &&Statement| matches!(statement.kind, StatementKind::Assert { .. });
        let assertions = blocks.flat_map(|block| &block.statements).filter(asserts).count();
        Switches { which, ons, assertions }
    }

    fn is(&self, store: &TermStore, number: usize) -> Term {
        store.eq(self.which, store.constant(&Value::Bits(number as u64), Sort::Bv(WHICH_BITS)))
    }

    fn is_among(&self, store: &TermStore, numbers: impl Iterator<Item = usize>) -> Term {
        numbers.fold(store.bool(false), |any, number| store.or(any, self.is(store, number)))
    }

    /// The number of a check and what it checks.
    fn numbered(&self, store: &TermStore, check: Term) -> Option<(usize, Term)> {
        let disjuncts = if store.op(check) == Op::Or { store.args(check) } else { [check].into_iter().collect() };
        let number = |term: Term| {
            let equation = (store.op(term) == Op::Not).then(|| store.arg(term, 0)).filter(|&inner| store.op(inner) == Op::Eq)?;
            let sides = [store.arg(equation, 0), store.arg(equation, 1)];
            let other = sides.iter().find(|&&side| side != self.which).filter(|_| sides.contains(&self.which))?;
            usize::try_from(store.const_bits(*other)?).ok()
        };
        let (at, found) = disjuncts.iter().enumerate().find_map(|(at, &term)| Some((at, number(term)?)))?;
        let rest = disjuncts.iter().enumerate().filter(|(other, _)| *other != at);
        Some((found, rest.fold(store.bool(false), |any, (_, &term)| store.or(any, term))))
    }

    /// The numbers of the program's assertions, and one for what fails without an assertion: unsupported statements.
    fn program(&self) -> std::ops::Range<usize> {
        self.ons.len()..self.ons.len() + self.assertions + 1
    }
}

/// The program with the candidates in it.
pub fn instrument(program: &Program, candidates: &[Candidate], switches: &Switches, properties: &BTreeSet<Property>) -> Option<Program> {
    let store = &program.terms;
    let property = *properties.first()?;
    if switches.program().end >= 1 << WHICH_BITS {
        return None;
    }
    let mut numbers = switches.program();
    let mut procedures = program.procedures.clone();
    for body in procedures.iter_mut().filter_map(|procedure| procedure.body.as_mut()) {
        for block in &mut body.blocks {
            let statements = std::mem::take(&mut block.statements);
            for mut statement in statements {
                let mut assumed = None;
                if let StatementKind::Assert { condition, property, .. } = &mut statement.kind {
                    let number = numbers.next()?;
                    if properties.contains(property) {
                        assumed = Some(Statement { kind: StatementKind::Assume(*condition), loc: statement.loc });
                        *condition = store.implies(switches.is(store, number), *condition);
                    }
                }
                block.statements.push(statement);
                block.statements.extend(assumed);
            }
        }
    }
    for (number, candidate) in candidates.iter().enumerate().rev() {
        let body = procedures[candidate.procedure.0 as usize].body.as_mut()?;
        let block = &mut body.blocks[candidate.head.0 as usize];
        let loc = block.terminator.loc;
        let checked = store.implies(switches.is(store, number), candidate.condition);
        let relied = store.implies(switches.ons[number], candidate.condition);
        let check = StatementKind::Assert { condition: checked, property, message: "a guessed invariant".into() };
        block.statements.splice(0..0, [Statement { kind: check, loc }, Statement { kind: StatementKind::Assume(relied), loc }]);
    }
    Some(program.with_procedures(procedures))
}

/// One formula, and the candidates that are relied upon.
pub struct Houdini<'a> {
    store: &'a TermStore,
    passive: &'a Passive,
    from: usize,
    candidates: &'a [Candidate],
    switches: &'a Switches,
    limits: &'a Limits,
    /// Axioms and the parts of the formula, and their variables.
    formula: Vec<Term>,
    vars: Vec<VarId>,
    kept: BTreeSet<usize>,
    solver: Box<dyn Solver>,
    backend: &'a dyn Fn() -> Box<dyn Backend>,
    budget: Budget,
    questions: u64,
    /// Assertions of the program that can't fail.
    proved: BTreeSet<usize>,
}

impl<'a> Houdini<'a> {
    pub fn new(
        program: &'a Program,
        passive: &'a Passive,
        formula: &Formula,
        candidates: &'a [Candidate],
        switches: &'a Switches,
        limits: &'a Limits,
        cx: &Cx<'a>,
    ) -> Result<Self, SolverError> {
        let parts: Vec<Term> = program.axioms.iter().chain(&formula.parts).copied().collect();
        let mut solver = (cx.backend)().new_solver()?;
        solver.only_refute();
        for &part in &parts {
            solver.assert(part)?;
        }
        let sets = VarSets::default();
        let vars: BTreeSet<VarId> = parts.iter().flat_map(|&part| sets.vars(&program.terms, part)).collect();
        let vars = vars.into_iter().collect();
        let (store, kept, budget) = (&*program.terms, (0..candidates.len()).collect(), cx.budget.clone());
        Ok(Houdini {
            store,
            passive,
            from: formula.from,
            candidates,
            switches,
            limits,
            formula: parts,
            vars,
            kept,
            solver,
            backend: cx.backend,
            budget,
            questions: 0,
            proved: BTreeSet::new(),
        })
    }

    /// Whether the formula's program is right, given candidates that prove each other.
    pub fn prove(&mut self, refutations: &mut Refutations) -> Result<bool, SolverError> {
        while self.budget.exhausted().is_none() {
            let any = self.switches.is_among(self.store, self.kept.iter().copied());
            match self.check(any, self.limits.round_time) {
                Answer::Unsat => {
                    self.note(any, refutations);
                    return Ok(self.program_holds(refutations));
                }
                Answer::Sat => self.drop_failing()?,
                Answer::Unknown(_) => return Ok(self.collect(refutations)),
            }
        }
        Ok(false)
    }

    /// Whether no assertion of the program can fail: all at once, or one by one.
    fn program_holds(&mut self, refutations: &mut Refutations) -> bool {
        let any = self.switches.is_among(self.store, self.switches.program());
        match self.check(any, self.limits.round_time) {
            Answer::Unsat => {
                self.note(any, refutations);
                return true;
            }
            Answer::Sat => return false,
            Answer::Unknown(_) => {}
        }
        self.assertions_hold(self.limits.assertion_time, refutations)
    }

    /// Refutes what was not refuted before, with fewer candidates.
    fn assertions_hold(&mut self, time: Duration, refutations: &mut Refutations) -> bool {
        for number in self.switches.program() {
            if self.proved.contains(&number) {
                continue;
            }
            let Some(conjuncts) = self.refuted_alone(number, time) else { return false };
            self.note_all(conjuncts, refutations);
            self.proved.insert(number);
        }
        true
    }

    /// Where no model tells what fails, and wrong candidates send the solver astray: from none on, candidates are added
    /// that prove themselves, given those that were added before, until the program is proved. A condition is tried at
    /// all loops of a nest at once, since each may need it at the others. What needs no quantifier comes first.
    fn collect(&mut self, refutations: &mut Refutations) -> bool {
        let mut open = self.groups();
        self.kept.clear();
        let mut tried_with = 0;
        for _ in 0..self.limits.passes {
            let before = self.kept.len();
            for (position, group) in std::mem::take(&mut open).into_iter().enumerate() {
                if self.budget.exhausted().is_some() {
                    return false;
                }
                let added = self.add(&group, refutations)
                    || group.len() > 1 && group.iter().filter(|&&one| self.add(&[one], refutations)).count() > 0;
                if !added {
                    open.push(group);
                }
                if position % self.limits.tries == self.limits.tries - 1 && self.kept.len() > tried_with {
                    tried_with = self.kept.len();
                    if self.assertions_hold(self.limits.candidate_time, refutations) {
                        return true;
                    }
                }
            }
            if self.kept.len() == before {
                break;
            }
        }
        self.assertions_hold(self.limits.assertion_time, refutations)
    }

    /// Candidates with one condition in one nest of loops.
    fn groups(&self) -> Vec<Vec<usize>> {
        let mut groups: BTreeMap<(bool, usize), Vec<usize>> = BTreeMap::new();
        let mut first: BTreeMap<(u32, u32, Term), usize> = BTreeMap::new();
        let sets = VarSets::default();
        for (number, candidate) in self.candidates.iter().enumerate() {
            let place = (candidate.procedure.0, candidate.outermost.0, candidate.condition);
            let leader = *first.entry(place).or_insert(number);
            groups.entry((sets.is_quantified(self.store, candidate.condition), leader)).or_default().push(number);
        }
        groups.into_values().collect()
    }

    /// Adds candidates if they prove each other, given those that are there.
    fn add(&mut self, group: &[usize], refutations: &mut Refutations) -> bool {
        let new: Vec<usize> = group.iter().copied().filter(|&one| self.kept.insert(one)).collect();
        let proved: Option<Vec<Vec<Term>>> = group.iter().map(|&one| self.refuted_alone(one, self.limits.candidate_time)).collect();
        match proved {
            Some(proved) => proved.into_iter().for_each(|conjuncts| self.note_all(conjuncts, refutations)),
            None => self.kept.retain(|one| !new.contains(one)),
        }
        self.kept.is_superset(&group.iter().copied().collect())
    }

    /// The formula for one check and the candidates that are relied upon, without anything of the others, if it can be
    /// refuted.
    fn refuted_alone(&self, number: usize, time: Duration) -> Option<Vec<Term>> {
        let store = self.store;
        let ons = self.switches.ons.iter().enumerate();
        let ons = ons.filter_map(|(one, &on)| Some((store.as_var(on)?, store.bool(self.kept.contains(&one)))));
        let which = store.constant(&Value::Bits(number as u64), Sort::Bv(WHICH_BITS));
        let mut choice = Substitution::new(ons.chain(store.as_var(self.switches.which).map(|var| (var, which))));
        let mut conjuncts: Vec<Term> = self.formula.iter().map(|&part| choice.apply(store, part)).collect();
        conjuncts.retain(|&part| store.const_bool(part) != Some(true));
        let mut solver = (self.backend)().new_solver().ok()?;
        solver.only_refute();
        for &part in &conjuncts {
            solver.assert(part).ok()?;
        }
        (solver.check(&[], &self.budget.at_most(time)) == Answer::Unsat).then_some(conjuncts)
    }

    /// Everything that fails where a model lets a candidate fail goes.
    fn drop_failing(&mut self) -> Result<(), SolverError> {
        let model = self.solver.model(&self.vars)?;
        let evaluator = Evaluator::new(model);
        let which = evaluator.eval(self.store, self.switches.which);
        let failing = which.and_then(|value| usize::try_from(value.to_biguint()).ok()).unwrap_or(usize::MAX);
        if !self.kept.remove(&failing) {
            return Err(SolverError::Failed("a model without a failing candidate".into()));
        }
        if let Some(block) = self.failing_block(&evaluator) {
            for fact in &self.passive.blocks[block].facts {
                let Fact::Asserted(check) = *fact else { continue };
                if let Some((number, condition)) = self.switches.numbered(self.store, check)
                    && evaluator.holds(self.store, condition) == Some(false)
                {
                    self.kept.remove(&number);
                }
            }
        }
        Ok(())
    }

    /// The block in which the execution of a model fails.
    fn failing_block(&self, model: &Evaluator) -> Option<usize> {
        let holds = |term: Term| model.holds(self.store, term) != Some(false);
        let mut seen = BTreeSet::new();
        let mut open = vec![self.from];
        'blocks: while let Some(number) = open.pop() {
            if !seen.insert(number) {
                continue;
            }
            let block = &self.passive.blocks[number];
            for fact in &block.facts {
                match *fact {
                    Fact::Assumed(condition) if !holds(condition) => continue 'blocks,
                    Fact::Asserted(condition) if !holds(condition) => return Some(number),
                    _ => {}
                }
            }
            open.extend(block.edges.iter().filter(|edge| edge.conditions.iter().all(|&c| holds(c))).map(|edge| edge.target));
        }
        None
    }

    fn relied(&self) -> Vec<Term> {
        self.kept.iter().map(|&number| self.switches.ons[number]).collect()
    }

    fn check(&mut self, question: Term, time: Duration) -> Answer {
        let mut assumptions = self.relied();
        assumptions.push(question);
        self.solver.check(&assumptions, &self.budget.at_most(time))
    }

    fn note(&mut self, question: Term, refutations: &mut Refutations) {
        self.note_all(self.formula.iter().copied().chain(self.relied()).chain([question]).collect(), refutations);
    }

    fn note_all(&mut self, conjuncts: Vec<Term>, refutations: &mut Refutations) {
        self.questions += 1;
        refutations.note(conjuncts);
    }

    /// How many candidates are left.
    pub fn kept(&self) -> usize {
        self.kept.len()
    }

    /// Questions that the proof rests on.
    pub fn questions(&self) -> u64 {
        self.questions
    }
}
