//! One assertion stack over a process. The stack is kept here as terms: a process that was killed (a deadline) or died
//! is started again when it is next needed, and gets the whole stack again. After too many failures it is given up.

use crate::dialect::Dialect;
use crate::process::{Process, Silence};
use crate::script::Script;
use fathom_base::{Budget, StopReason};
use fathom_smt::{Answer, Solver, SolverError, Why};
use fathom_term::smtlib::read_values;
use fathom_term::{Model, Op, Sort, Term, TermStore, Value, VarId};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

const MAX_DEATHS: u32 = 3;
/// For questions about an answer that the solver already has.
const ASIDE: Duration = Duration::from_secs(30);

pub(crate) struct PipeSolver {
    store: Rc<TermStore>,
    executable: PathBuf,
    dialect: Dialect,
    process: Option<Process>,
    deaths: u32,
    script: Script,
    /// Assertions by level.
    frames: Vec<Vec<Term>>,
    /// Assumptions of the last check, with the literals that stand for them.
    assumptions: Vec<(Term, String)>,
    /// A level that holds assumptions of the last check, where the solver can't assume.
    temporary: bool,
    last: Option<Answer>,
}

impl PipeSolver {
    /// A solver whose process is started when it is first needed.
    pub fn new(store: Rc<TermStore>, executable: PathBuf, dialect: Dialect) -> Self {
        Self {
            store,
            executable,
            script: Script::new(dialect.clone()),
            dialect,
            process: None,
            deaths: 0,
            frames: vec![Vec::new()],
            assumptions: Vec::new(),
            temporary: false,
            last: None,
        }
    }

    /// Makes sure that a process runs and knows the assertions.
    fn revive(&mut self) -> Result<(), SolverError> {
        if self.process.is_some() {
            return Ok(());
        }
        if self.deaths >= MAX_DEATHS {
            return Err(SolverError::Failed(format!("{} died {} times", self.dialect.name, self.deaths)));
        }
        let started = Process::start(&self.executable, self.dialect.arguments);
        self.process = Some(started.map_err(SolverError::Failed)?);
        self.script.restart();
        self.temporary = false;
        for (level, frame) in self.frames.iter().enumerate() {
            if level > 0 {
                self.script.push();
            }
            for &term in frame {
                self.script.assert(&self.store, term)?;
            }
        }
        Ok(())
    }

    /// The answer to the last check no longer holds.
    fn changed(&mut self) {
        self.last = None;
        if self.temporary {
            self.temporary = false;
            self.script.pop(1);
        }
    }

    fn ask(&mut self, question: &str, deadline: Option<Instant>, cancelled: &AtomicBool) -> Result<Vec<String>, Why> {
        let Some(process) = self.process.as_mut() else { return Err(Why::Failed("no process".into())) };
        let commands = std::mem::take(&mut self.script.pending) + question;
        process.ask(commands, deadline, cancelled).map_err(|silence| {
            self.process = None;
            match silence {
                Silence::Deadline | Silence::Cancelled => Why::Budget,
                Silence::Died(how) => {
                    self.deaths += 1;
                    Why::Failed(how)
                }
            }
        })
    }

    /// One answer to a question about the last check.
    fn ask_aside(&mut self, question: &str) -> Result<String, SolverError> {
        let failed = |why: Why| SolverError::Failed(why.to_string());
        let answers = self.ask(question, Some(Instant::now() + ASIDE), &AtomicBool::new(false)).map_err(failed)?;
        match answers.as_slice() {
            [answer] if !answer.starts_with("(error") => Ok(answer.clone()),
            other => Err(SolverError::Failed(format!("unexpected answer: {}", shortened(&other.join(" "))))),
        }
    }

    fn check_question(&mut self, assumptions: &[Term], budget: &Budget) -> Result<String, SolverError> {
        let mut question = String::new();
        if let (Some(option), Some(remaining)) = (self.dialect.time_option, budget.remaining()) {
            question = format!("(set-option {option} {})\n", remaining.as_millis().clamp(1, 4_000_000_000));
        }
        if !self.dialect.assumptions && !assumptions.is_empty() {
            self.temporary = true;
            self.script.push();
        }
        for &term in assumptions {
            let literal = self.script.assumption(&self.store, term)?;
            self.assumptions.push((term, literal));
        }
        let literals: Vec<&str> = self.assumptions.iter().map(|(_, literal)| literal.as_str()).collect();
        if literals.is_empty() {
            question.push_str("(check-sat)\n");
        } else if self.dialect.assumptions {
            question.push_str(&format!("(check-sat-assuming ({}))\n", literals.join(" ")));
        } else {
            literals.iter().for_each(|literal| question.push_str(&format!("(assert {literal})\n")));
            question.push_str("(check-sat)\n");
        }
        Ok(question)
    }

    fn try_check(&mut self, assumptions: &[Term], budget: &Budget) -> Result<Answer, Why> {
        self.changed();
        self.assumptions.clear();
        if budget.exhausted().is_some_and(|reason| reason != StopReason::OutOfMemory) {
            return Err(Why::Budget);
        }
        self.revive()?;
        let question = self.check_question(assumptions, budget)?;
        // A solver that watches the time itself gets a moment to say so: killing it costs its state.
        let grace = if self.dialect.time_option.is_some() { Duration::from_millis(300) } else { Duration::ZERO };
        let deadline = budget.remaining().and_then(|remaining| Instant::now().checked_add(remaining + grace));
        let answers = self.ask(&question, deadline, &budget.cancel_flag())?;
        match answers.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            ["sat"] => Ok(Answer::Sat),
            ["unsat"] => Ok(Answer::Unsat),
            ["unknown" | "timeout"] if budget.exhausted().is_some() => Err(Why::Budget),
            ["timeout"] => Err(Why::Budget),
            ["unknown"] => Err(self.reason()),
            other => {
                // It may have dropped an assertion: what it says from now on can't be trusted.
                self.process = None;
                self.deaths += 1;
                Err(Why::Failed(format!("unexpected answer: {}", shortened(&other.join(" ")))))
            }
        }
    }

    fn reason(&mut self) -> Why {
        match self.ask_aside("(get-info :reason-unknown)\n") {
            Ok(text) if text.contains("timeout") || text.contains("canceled") => Why::Budget,
            Ok(text) => Why::Incomplete(text.trim_matches(['(', ')']).replace(":reason-unknown ", "")),
            Err(error) => Why::Incomplete(error.to_string()),
        }
    }

    /// Values of these terms, which the solver knows.
    fn values(&mut self, terms: &[Term]) -> Result<Vec<Value>, SolverError> {
        if terms.is_empty() {
            return Ok(Vec::new());
        }
        let texts: Vec<String> = terms.iter().map(|&term| self.script.spelled(&self.store, term)).collect();
        let answer = self.ask_aside(&format!("(get-value ({}))\n", texts.join(" ")))?;
        let sorts: Vec<Sort> = terms.iter().map(|&term| self.store.sort(term)).collect();
        let unreadable = |error| SolverError::Failed(format!("unreadable value: {error} in {}", shortened(&answer)));
        read_values(&self.store, &sorts, &answer).map_err(unreadable)
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(300) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.to_string(),
    }
}

impl Solver for PipeSolver {
    fn push(&mut self) -> Result<(), SolverError> {
        self.changed();
        self.frames.push(Vec::new());
        if self.process.is_some() {
            self.script.push();
        }
        Ok(())
    }

    fn pop(&mut self, levels: u32) -> Result<(), SolverError> {
        self.changed();
        let keep = self.frames.len().checked_sub(levels as usize).filter(|&keep| keep > 0);
        let keep = keep.ok_or_else(|| SolverError::Failed("more levels popped than pushed".into()))?;
        self.frames.truncate(keep);
        if self.process.is_some() && levels > 0 {
            self.script.pop(levels);
        }
        Ok(())
    }

    fn assert(&mut self, term: Term) -> Result<(), SolverError> {
        self.changed();
        if self.store.sort(term) != Sort::Bool {
            return Err(SolverError::Unsupported("an assertion that is not Boolean".into()));
        }
        self.revive()?;
        self.script.assert(&self.store, term)?;
        if let Some(frame) = self.frames.last_mut() {
            frame.push(term);
        }
        Ok(())
    }

    fn check(&mut self, assumptions: &[Term], budget: &Budget) -> Answer {
        let answer = self.try_check(assumptions, budget).unwrap_or_else(Answer::Unknown);
        self.last = Some(answer.clone());
        answer
    }

    fn model(&mut self, vars: &[VarId]) -> Result<Model, SolverError> {
        if self.last != Some(Answer::Sat) {
            return Err(SolverError::Failed("a model was asked for without a satisfiable check".into()));
        }
        let known: Vec<VarId> = vars.iter().copied().filter(|&var| self.script.knows_var(var)).collect();
        let mut terms: Vec<Term> = known.iter().map(|&var| self.store.var_term(var)).collect();
        let applications = self.script.applications().to_vec();
        for &application in &applications {
            terms.push(application);
            terms.extend(self.store.args(application));
        }
        let mut values = self.values(&terms)?.into_iter();
        let mut model = Model::default();
        model.values.extend(known.into_iter().zip(values.by_ref()));
        for application in applications {
            let Op::Apply(function) = self.store.op(application) else { continue };
            let Some(value) = values.next() else { break };
            let args = values.by_ref().take(self.store.args(application).len()).collect();
            model.functions.insert((function, args), value);
        }
        Ok(model)
    }

    fn failed_assumptions(&mut self) -> Result<Vec<Term>, SolverError> {
        if self.last != Some(Answer::Unsat) {
            return Err(SolverError::Failed("failed assumptions were asked for without an unsatisfiable check".into()));
        }
        if !self.dialect.unsat_assumptions || self.assumptions.is_empty() {
            return Ok(self.assumptions.iter().map(|(term, _)| *term).collect());
        }
        let answer = self.ask_aside("(get-unsat-assumptions)\n")?;
        let inner = answer.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
        let inner = inner.ok_or_else(|| SolverError::Failed(format!("unexpected answer: {}", shortened(&answer))))?;
        let literals = split_literals(inner);
        let failed = self.assumptions.iter().filter(|(_, literal)| literals.contains(&literal.as_str()));
        let failed: Vec<Term> = failed.map(|(term, _)| *term).collect();
        // A literal that can't be found again means that the answer was misread: all of them are always right.
        if failed.len() < literals.len() {
            return Ok(self.assumptions.iter().map(|(term, _)| *term).collect());
        }
        Ok(failed)
    }
}

/// `a1 (not v2) a3` apart.
fn split_literals(text: &str) -> Vec<&str> {
    let mut literals = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let end = if rest.starts_with('(') {
            rest.find(')').map_or(rest.len(), |at| at + 1)
        } else {
            rest.find(char::is_whitespace).unwrap_or(rest.len())
        };
        literals.push(&rest[..end]);
        rest = rest[end..].trim_start();
    }
    literals
}
