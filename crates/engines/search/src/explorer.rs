//! How a task becomes a search over its paths, and what the search says about the task.

use crate::config::SearchConfig;
use crate::listener::PathListener;
use crate::merging;
use crate::pruning::Pruning;
use crate::search::Search;
use crate::shared::Shared;
use crate::sharing::{Beginning, Sharing};
use crate::tally::{Tally, outcome};
use crate::targets;
use fathom_engine::{Cx, Explored, Outcome, Reason, Task, Verdict};
use fathom_ir::Property;
use fathom_machine::{Distrust, Layouts, Machine, MachineConfig, Mode, Pauses, State, open_sides};
use fathom_smt::{Oracle, OracleConfig};
use std::rc::Rc;

type MakePruning<'a> = Box<dyn FnOnce(&mut Machine) -> Box<dyn Pruning> + 'a>;

/// Path-by-path symbolic execution.
#[derive(Clone)]
pub struct Explorer {
    /// How it goes about its work.
    pub config: SearchConfig,
    /// Hears of every path; without one the first violation ends the run.
    pub listener: Option<Rc<dyn PathListener>>,
    /// Others who take parts of the work, if it is one that can be divided.
    pub sharing: Option<Rc<dyn Sharing>>,
}

impl Explorer {
    /// Follows every path of the task.
    pub fn run(&self, task: &Task, cx: &Cx<'_>) -> Outcome {
        self.search(task, cx, None)
    }

    /// Follows every path of the task but those that may be left out.
    pub fn run_pruned<'a>(&self, task: &Task, cx: &Cx<'_>, make: impl FnOnce(&mut Machine) -> Box<dyn Pruning> + 'a) -> Outcome {
        self.search(task, cx, Some(Box::new(make)))
    }

    /// This search, for a program of this kind.
    pub fn about(&self, explored: Explored) -> Explorer {
        Explorer { config: SearchConfig { explored, ..self.config.clone() }, listener: self.listener.clone(), sharing: None }
    }

    fn search(&self, task: &Task, cx: &Cx<'_>, prune: Option<MakePruning<'_>>) -> Outcome {
        let shared = match self.beginning(task, prune.is_some()) {
            Beginning::Shared(standing) => match Shared::new(&standing, &self.config.limits) {
                Ok(shared) => Some(shared),
                Err(why) => return unknown(task, &Reason::Undecided(format!("what is to be explored can't be read: {why}"))),
            },
            Beginning::Alone => None,
            Beginning::Refused => return unknown(task, &Reason::PartOnly),
        };
        if prune.is_some() || shared.is_some() || !self.may_trust_locks(task) {
            let (machine, tally) = self.attempt(task, cx, prune, shared, None);
            return self.conclude(task, cx, machine, tally);
        }
        let mut locks = Some(Distrust::default());
        let mut attempts = 0;
        loop {
            let (machine, tally) = self.attempt(task, cx, None, None, locks);
            let in_vain = machine.relied_in_vain().filter(|_| tally.violated.is_empty() && cx.budget.exhausted().is_none());
            let Some(distrust) = in_vain else {
                let mut outcome = self.conclude(task, cx, machine, tally);
                outcome.statistics.counters.push(("searches that relied on locks in vain".to_string(), attempts));
                return outcome;
            };
            let limits = &self.config.limits;
            let was_short = machine.statistics.statements <= limits.trusting_statements;
            locks = distrust.filter(|_| was_short && attempts < limits.trusting_attempts);
            attempts += 1;
        }
    }

    /// Whether fewer choices of threads will do if the program keeps to its locks. Others who hear of the paths, or divide them, want
    /// each of them once.
    fn may_trust_locks(&self, task: &Task) -> bool {
        let config = &self.config;
        let is_plain = self.listener.is_none() && !config.targets && !config.folds_lists && config.context_bound.is_none();
        let is_program = matches!(config.explored, Explored::Program) && config.start_with.is_none();
        let has_meaning = !task.program.memory_model.has_store_buffers() && !task.properties.contains(&Property::Locks);
        is_plain && is_program && has_meaning && task.program.uses_threads()
    }

    fn attempt<'a>(
        &self,
        task: &Task,
        cx: &Cx<'_>,
        prune: Option<MakePruning<'a>>,
        shared: Option<Shared>,
        locks: Option<Distrust>,
    ) -> (Machine, Tally) {
        let store = task.program.terms.clone();
        let effort = self.config.effort;
        let settings = OracleConfig {
            independence: effort.independence,
            shortcuts: effort.shortcuts,
            remember_symbols: effort.remember_symbols,
            query_time: self.config.query_time,
            keep_refutations: true,
            ..OracleConfig::default()
        };
        let oracle = Oracle::new(store, (cx.backend)(), settings);
        let mode = Mode::Symbolic(Box::new(oracle));
        let mut machine = Machine::new(
            task.program.clone(),
            task.properties.clone(),
            mode,
            cx.budget.clone(),
            MachineConfig { locks, ..self.machine_config(task, prune.is_some(), shared.is_some()) },
        );
        let mut tally = Tally { pruning: prune.map(|make| make(&mut machine)), shared, ..Tally::default() };
        tally.ends.records = self.config.record_paths.then(Vec::new);
        tally.ends.most_records = self.config.limits.records;
        let (machine, mut tally) = Search::new(self, machine, tally, task, cx).run();
        // Whatever ended the search, and whatever noticed it: paths were left out that may differ from those that were followed.
        if machine.relied_in_vain().is_some() {
            tally.reasons.note(Reason::Undecided("a lock was relied on that does not keep others out".into()));
        }
        (machine, tally)
    }

    fn conclude(&self, task: &Task, cx: &Cx<'_>, mut machine: Machine, mut tally: Tally) -> Outcome {
        tally.passed_over.iter().for_each(|state| self.tell_left(&machine, state));
        if self.config.check_assumptions && tally.ended > 0 && tally.ends.never_started == tally.ended {
            let why = "the axioms and preconditions contradict each other: there is no execution".to_string();
            tally.reasons.note(Reason::NotAsked(why));
        }
        self.audit(&mut machine, &mut tally);
        // A solver that gave up because the run's time was over is not what stood in the way.
        if let (false, Some(reason)) = (tally.reasons.is_empty(), cx.budget.exhausted()) {
            tally.reasons.note(Reason::Stopped(reason));
        }
        if let Some(listener) = &self.listener {
            let why = (!tally.reasons.is_empty()).then(|| tally.reasons.main());
            listener.finished(tally.reach(), open_sides(&machine), why);
        }
        let targets = if self.config.targets { targets::judge(task, &tally.reached, tally.is_complete()) } else { Vec::new() };
        let mut outcome = outcome(task, self.config.explored.clone(), machine, tally);
        outcome.statistics.targets = targets;
        outcome
    }

    /// What is explored here of a question that others share. A tree of decisions tells states apart, so they must neither be joined nor
    /// left out for what other states showed, and the first violation is the answer.
    fn beginning(&self, task: &Task, prunes: bool) -> Beginning {
        let Some(sharing) = &self.sharing else { return Beginning::Alone };
        let is_plain = self.listener.is_none() && !self.config.targets && self.config.start_with.is_none() && !self.config.folds_lists;
        // That assumptions contradict each other shows only where all paths are explored together.
        let is_plain = is_plain && !self.config.check_assumptions;
        let is_tree = !prunes && !self.merges(task) && matches!(self.config.explored, Explored::Program);
        match sharing.begin() {
            Beginning::Shared(standing) if !(is_plain && is_tree) || task.properties.contains(&Property::Termination) => {
                match standing.prefix.is_empty() {
                    true => Beginning::Alone,
                    false => Beginning::Refused,
                }
            }
            beginning => beginning,
        }
    }

    fn machine_config(&self, task: &Task, prunes: bool, is_shared: bool) -> MachineConfig {
        let pauses = Pauses {
            // Under bounds an equal state may still go further than the first, so states are not compared then.
            loop_heads: prunes || !self.is_bounded(),
            all_loop_heads: task.properties.contains(&Property::Termination),
            joins: !self.is_bounded() && self.config.compare_at_joins,
            where_paths_meet: prunes,
        };
        MachineConfig {
            pauses,
            unwinding: (!prunes && self.merges(task)).then(merging::without_bounds),
            // Folded lists and interpolants tell objects apart by number.
            layouts: if self.config.folds_lists || prunes { Layouts::Example } else { Layouts::All },
            max_loop: self.config.max_loop,
            // A loop without end would be assumed away.
            assumes_max_loop: self.config.assumes_max_loop && !task.properties.contains(&Property::Termination),
            context_bound: self.config.context_bound,
            collects_targets: self.config.targets,
            assumes_valid_accesses: self.config.assumes_valid_accesses,
            folds_lists: self.config.folds_lists,
            only_known_paths: self.listener.is_some(),
            look_ahead: self.config.effort.look_ahead,
            unhurried_axioms: self.config.check_assumptions,
            // An interpolant would have to say why a value is settled.
            settles: !prunes,
            cheap_copies: self.config.effort.cheap_copies,
            notes_decisions: is_shared,
            ..MachineConfig::default()
        }
    }

    /// Withdraws a proof that the audit contradicts.
    fn audit(&self, machine: &mut Machine, tally: &mut Tally) {
        if !tally.is_complete() || !tally.violated.is_empty() {
            return;
        }
        let audit = tally.pruning.as_ref().and_then(|pruning| pruning.audit(machine));
        match audit {
            Some(Ok(states)) => tally.audited = Some(states),
            Some(Err(why)) => tally.reasons.note(Reason::NotConfirmed(format!("audit: {why}; please report this"))),
            None => {}
        }
    }

    /// Whether some paths are not followed to their ends.
    pub fn is_bounded(&self) -> bool {
        self.config.max_loop.is_some() || self.config.max_depth.is_some()
    }

    /// A path that is not followed any further although it could be.
    pub(crate) fn tell_left(&self, machine: &Machine, state: &State) {
        if let (true, Some(listener)) = (state.search.covers_new, &self.listener) {
            listener.path(machine.path_record(state, false));
        }
    }
}

/// Nothing was looked at.
fn unknown(task: &Task, reason: &Reason) -> Outcome {
    let verdicts = task.properties.iter().map(|&property| (property, Verdict::Unknown(reason.clone()))).collect();
    Outcome { verdicts, ..Outcome::default() }
}
