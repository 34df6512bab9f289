//! Runs one engine on one task, and checks its answer.

use crate::config::AUTO;
use crate::prepare::Prepared;
use crate::session::{Heard, Session};
use fathom_base::Budget;
use fathom_certify::{Certified, NativeMode};
use fathom_engine::{Cx, Engine, Ledger, Outcome, Proof, Reason, Statistics, Task, Verdict, is_usual};
use fathom_ir::{Program, Property};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Duration;

/// Time for the second look where quantifiers and integers may keep another solver busy for ever.
const UNBOUNDED_RECHECK: Duration = Duration::from_secs(6);
/// Time to see that axioms contradict each other.
const AXIOM_TIME: Duration = Duration::from_secs(2);

/// Hears how the answer to a question comes about.
pub(crate) trait Hearer {
    /// Hears that the engine has this answer, and that it is being checked.
    fn checks(&mut self, _outcome: &Outcome) {}
    /// The check is over, its result has been reported, and the engine continues with the other properties.
    fn goes_on(&mut self) {}
    /// Hears a preliminary answer; a better one will follow.
    fn knows(&mut self, _certified: &Certified) {}
}

/// Hears nothing.
pub(crate) struct Nobody;

impl Hearer for Nobody {}

/// The answer of an engine that is not asked, because something is beyond it.
fn refused(engine: &dyn Engine, task: &Task) -> Option<Outcome> {
    let what = engine.capabilities().refuses(&task.program, &task.properties)?;
    let reason = Reason::BeyondEngine { what: what.to_string(), engine: engine.name() };
    let unknown = |&property: &Property| (property, Verdict::Unknown(reason.clone()));
    let verdicts = task.properties.iter().map(unknown).collect();
    Some(Outcome { verdicts, ledger: Ledger::default(), statistics: Statistics::default() })
}

impl Prepared<'_> {
    /// Runs the engine within this budget; its answer is not checked.
    pub fn run(&self, engine: &dyn Engine, session: &Session, budget: &Budget) -> Outcome {
        let task = Task { program: self.program.clone(), by_contracts: self.by_contracts.clone(), properties: self.properties.clone() };
        self.run_task(&task, engine, session, budget)
    }

    /// What this engine says of a program that was made of this one, unchecked.
    pub fn run_on(&self, program: &Rc<Program>, engine: &dyn Engine, budget: &Budget) -> Outcome {
        self.run_about(program, &self.properties, engine, budget)
    }

    /// What this engine says of other properties of such a program, unchecked.
    pub fn run_about(&self, program: &Rc<Program>, properties: &BTreeSet<Property>, engine: &dyn Engine, budget: &Budget) -> Outcome {
        let task = Task { program: program.clone(), by_contracts: None, properties: properties.clone() };
        self.run_task(&task, engine, self.session, budget)
    }

    fn run_task(&self, task: &Task, engine: &dyn Engine, session: &Session, budget: &Budget) -> Outcome {
        let make = || self.solvers.make();
        let heard = Heard { session, engine };
        let horn = || self.solvers.horn();
        let cx = Cx { budget: budget.clone(), backend: &make, horn: &horn, progress: &heard, seed: self.config.seed, known: &self.known };
        if let Some(outcome) = refused(engine, task) {
            return outcome;
        }
        let span = tracing::info_span!("engine", name = engine.name());
        let outcome = span.in_scope(|| {
            let outcome = engine.run(task, &cx);
            let Statistics { solver_time, counters, .. } = &outcome.statistics;
            tracing::info!(?solver_time, ?counters, "statistics");
            outcome
        });
        let mut outcome = attribute(outcome, budget);
        outcome.ledger.extend(self.solvers.approximation());
        outcome
    }

    /// What this engine is asked: what it decides, or everything if it does not mind the rest.
    pub fn asked(&self, engine: &dyn Engine) -> BTreeSet<Property> {
        let can = engine.capabilities();
        let is_asked = |property: &Property| (can.decides)(*property) || (can.answers_in_part && is_usual(*property));
        self.properties.iter().copied().filter(is_asked).collect()
    }

    /// What this engine says of every property, checked again. `session` is whose progress is heard; `hearer` is told when an
    /// answer is checked, and what is known after each round.
    ///
    /// An engine stops where it finds a violation. The others are asked again, without the property that is violated: a run
    /// ends where it violates that one, as it does while it is asked for (`fathom_passes`), so that answers of engines that
    /// go on and of those that decide one by one mean the same.
    pub fn decide(&self, engine: &dyn Engine, session: &Session, hearer: &mut dyn Hearer) -> Certified {
        let can = engine.capabilities();
        let mut groups = vec![self.asked(engine)];
        let rest: BTreeSet<Property> = self.properties.difference(&groups[0]).copied().collect();
        // Beside others the fallback would only repeat what they do.
        let falls_back = can.has_fallback && self.config.engine != AUTO;
        if groups[0].is_empty() || (falls_back && !rest.is_empty()) {
            groups.push(rest);
        } else if !rest.is_empty() {
            return self.decide_rounds(engine, session, groups, Some(rest), hearer);
        }
        self.decide_rounds(engine, session, groups, None, hearer)
    }

    fn decide_rounds(
        &self,
        engine: &dyn Engine,
        session: &Session,
        groups: Vec<BTreeSet<Property>>,
        beyond: Option<BTreeSet<Property>>,
        hearer: &mut dyn Hearer,
    ) -> Certified {
        let mut all = self.known();
        for property in beyond.into_iter().flatten() {
            let reason = Reason::BeyondEngine { what: property.to_string(), engine: engine.name() };
            all.outcome.verdicts.insert(property, Verdict::Unknown(reason));
        }
        // Not reached as long as the groups before them are not decided.
        all.outcome.verdicts.extend(groups.iter().skip(1).flatten().map(|&property| (property, Verdict::Unknown(Reason::NotReached))));
        let mut violated = BTreeSet::new();
        for mut left in groups {
            while !left.is_empty() {
                let program = self.program_for(&left, &violated);
                all.add(self.decide_together(engine, session, &program, &left, hearer));
                let is_violated = |property: &Property| matches!(all.outcome.verdicts.get(property), Some(Verdict::Violated(_)));
                let new: BTreeSet<Property> = left.iter().copied().filter(is_violated).collect();
                if new.is_empty() {
                    hearer.goes_on();
                    break;
                }
                if self.one_is_enough {
                    return all;
                }
                left.retain(|property| !matches!(all.outcome.verdicts.get(property), Some(Verdict::Violated(_) | Verdict::Holds(_))));
                violated.extend(new);
                if !left.is_empty() {
                    hearer.knows(&all);
                    hearer.goes_on();
                }
            }
        }
        all
    }

    /// What needs no engine: properties that nothing in the program can violate.
    fn known(&self) -> Certified {
        let holds = |&property: &Property| (property, Verdict::Holds(Rc::new(Proof::NothingToCheck)));
        let outcome = Outcome { verdicts: self.nothing_to_check.iter().map(holds).collect(), ..Outcome::default() };
        let native = NativeMode::Skip("there is no violation".into());
        fathom_certify::check(outcome, &self.program, &self.nothing_to_check, &native, None, &self.budget)
    }

    /// The program as it is when these are asked for, and those are known to be violated.
    fn program_for(&self, properties: &BTreeSet<Property>, violated: &BTreeSet<Property>) -> Rc<Program> {
        match &self.unselected {
            Some(program) if *properties != self.properties => {
                Rc::new(fathom_passes::prepare_rest(program.clone(), properties, violated, self.config.input.undefined))
            }
            _ => self.program.clone(),
        }
    }

    fn decide_together(
        &self,
        engine: &dyn Engine,
        session: &Session,
        program: &Rc<Program>,
        properties: &BTreeSet<Property>,
        hearer: &mut dyn Hearer,
    ) -> Certified {
        let budget = &self.budget;
        let task = Task { program: program.clone(), by_contracts: self.by_contracts.clone(), properties: properties.clone() };
        let mut outcome = self.run_task(&task, engine, session, budget);
        if outcome.verdicts.values().any(|verdict| matches!(verdict, Verdict::Violated(_))) && self.nothing_starts() {
            let why = "the axioms contradict each other: there is no execution".to_string();
            outcome.verdicts.values_mut().for_each(|verdict| *verdict = Verdict::Unknown(Reason::Undecided(why.clone())));
        }
        session.listener.phase("checking the answer again");
        hearer.checks(&outcome);
        let setup = self.native_setup();
        let mode = match self.config.native {
            _ if self.config.input.contracts => NativeMode::Skip("a program of which contracts are used has no native form".into()),
            _ if !self.compiled => NativeMode::Skip("there is no native form of a Boogie program".into()),
            false => NativeMode::Skip("switched off by --no-native".into()),
            true => NativeMode::Run(&setup),
        };
        let second = self.solvers.another().map(Rc::from);
        let limited = budget.at_most(UNBOUNDED_RECHECK);
        let budget = if self.solvers.is_unbounded() { &limited } else { budget };
        let mut certified = fathom_certify::check(outcome, program, properties, &mode, second.as_ref(), budget);
        session.listener.quiet();
        self.tell_known(&mut certified);
        self.publish(program, &certified);
        certified
    }

    /// Whether axioms that have nothing to do with the program, and so were left out of it, contradict each other: then
    /// the program has no executions, and a violation means nothing. Only what a solver sees soon is seen.
    fn nothing_starts(&self) -> bool {
        let Some(axioms) = self.every_axiom.as_ref().map(|every_axiom| every_axiom()) else { return false };
        if axioms.len() <= self.program.axioms.len() {
            return false;
        }
        let contradictory = |backend: &dyn fathom_smt::Backend| {
            let Ok(mut solver) = backend.new_solver() else { return false };
            solver.only_refute();
            let asserted = axioms.iter().all(|&axiom| solver.assert(axiom).is_ok());
            asserted && solver.check(&[], &self.budget.at_most(AXIOM_TIME)) == fathom_smt::Answer::Unsat
        };
        let second = || self.solvers.another().filter(|_| !self.solvers.is_unbounded());
        contradictory(&*self.solvers.make()) || second().is_some_and(|second| contradictory(&*second))
    }
}

/// A solver that was cut short because the whole run was is not the reason; the limit of the run is.
fn attribute(mut outcome: Outcome, budget: &Budget) -> Outcome {
    if let Some(stop) = budget.exhausted() {
        for verdict in outcome.verdicts.values_mut() {
            if matches!(verdict, Verdict::Unknown(Reason::Solver(_))) {
                *verdict = Verdict::Unknown(Reason::Stopped(stop));
            }
        }
    }
    outcome
}
