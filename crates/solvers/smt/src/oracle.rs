//! The oracle answers the engines' queries: is a condition satisfiable together with a path condition, and with which
//! model? Its layers are tried from the cheapest to the most expensive, after KLEE's counterexample cache and
//! Symbooglix's independence (section IV): constants, the state's own model, then only the constraints that share
//! symbols with the condition: exact cache, recent models, known contradictions, known values, guesses, ranges of
//! floats, and at last a solver.
//!
//! Soundness. `Unsat` comes from a solver, or from a set of terms within the query of which a solver said so before,
//! or from `false`, or from comparisons with constants and values that they fix (`ranges`). `Sat` comes with a model that
//! was evaluated on every relevant constraint and the condition; for the other constraints it has the values of the state's
//! model, which satisfies them, and they share no symbol with the relevant ones. A model that
//! fails the evaluation is a bug of a solver and gives `Unknown`.

use crate::cache::{Answers, CachedModel, Cores, Recent, Remembered};
use crate::computed;
use crate::constraints::Constraints;
use crate::defined;
use crate::guess::guess;
use crate::intervals::{self, SearchResult};
use crate::one_unknown::{self, OneUnknown};
use crate::pool::{Pool, PoolConfig, Question, Reply};
use crate::query::Query;
use crate::refutations::Refutations;
use crate::solver::{Backend, Solver, SolverError, Why};
use crate::statistics::{Layer, OracleStatistics};
use crate::verdict::{Validity, Verdict};
use fathom_base::Budget;
use fathom_domains::as_set_of_term;
use fathom_term::{Evaluator, Model, Rearranged, Substitution, Term, TermStore};
use fathom_term::{VarSets, define::ClauseMemo, vars_of};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Settings of an oracle.
#[derive(Clone, Debug)]
pub struct OracleConfig {
    /// The time that a solver may take for one query.
    pub query_time: Duration,
    /// How many of the latest models are tried before a solver is asked.
    pub recent_models: usize,
    /// Entries of the exact cache, and of the table of cores.
    pub cache_entries: usize,
    /// How many solvers are kept, and for how long.
    pub pool: PoolConfig,
    /// Only constraints that share symbols with a condition are looked at.
    pub independence: bool,
    /// Conditions that are constant or already known cost no query.
    pub shortcuts: bool,
    /// Symbols of terms are remembered.
    pub remember_symbols: bool,
    /// Keep the conjunctions that solvers refuted, so that the certifier can check them with another solver. Refutations by
    /// ranges of floats are always kept.
    pub keep_refutations: bool,
}

impl Default for OracleConfig {
    fn default() -> Self {
        Self {
            query_time: Duration::from_secs(10),
            recent_models: 8,
            cache_entries: 200_000,
            pool: PoolConfig::default(),
            independence: true,
            shortcuts: true,
            remember_symbols: true,
            keep_refutations: false,
        }
    }
}

/// The most operations of interval arithmetic before a solver is asked: a few tenths of a second.
const INTERVAL_EFFORT: u64 = 4_000_000;
const LEAST_INTERVAL_EFFORT: u64 = 50_000;
/// The most operations of interval arithmetic after the solver gave up.
const LAST_INTERVAL_EFFORT: u64 = 400_000_000;

/// The largest set of conjuncts that is worth keeping as a contradiction.
const CORE_LIMIT: usize = 256;

/// The layers in front of a solver, with what they have learned.
pub struct Oracle {
    store: Rc<TermStore>,
    sets: Rc<VarSets>,
    first: Pool,
    second: Option<Pool>,
    answers: Answers,
    cores: Cores,
    recent: Recent,
    /// Definitions among the quantified formulas that were seen.
    clauses: ClauseMemo,
    one_unknown: OneUnknown,
    interval_effort: u64,
    rearrange: Rearranged,
    statistics: OracleStatistics,
    refutations: Refutations,
    config: OracleConfig,
}

impl Oracle {
    /// An oracle for terms of this store.
    pub fn new(store: Rc<TermStore>, backend: Box<dyn Backend>, config: OracleConfig) -> Self {
        Self {
            store,
            sets: Rc::new(if config.remember_symbols { VarSets::default() } else { VarSets::forgetful() }),
            first: Pool::new(backend, config.pool),
            second: None,
            answers: Answers::new(config.cache_entries),
            cores: Cores::new(config.cache_entries),
            recent: Recent::new(config.recent_models),
            clauses: ClauseMemo::default(),
            one_unknown: OneUnknown::default(),
            interval_effort: INTERVAL_EFFORT,
            rearrange: Rearranged::default(),
            statistics: OracleStatistics::default(),
            refutations: Refutations::default(),
            config,
        }
    }

    /// A second back end, asked when the first gives no answer.
    pub fn with_second(mut self, backend: Box<dyn Backend>) -> Self {
        self.second = Some(Pool::new(backend, self.config.pool));
        self
    }

    /// The store of the terms.
    pub fn store(&self) -> &Rc<TermStore> {
        &self.store
    }

    /// No constraints, with the oracle's memo of symbol sets.
    pub fn no_constraints(&self) -> Constraints {
        Constraints::new(self.sets.clone())
    }

    /// Statistics of the layers so far.
    pub fn statistics(&self) -> &OracleStatistics {
        &self.statistics
    }

    /// Whether `constraints AND condition` is satisfiable. `hint`, if given, is a model of `constraints`: the state's model.
    pub fn check(&mut self, constraints: &Constraints, condition: Term, hint: Option<&Rc<Evaluator>>, budget: &Budget) -> Verdict {
        if let Some(model) = hint
            && model.holds(&self.store, condition) == Some(true)
            && !constraints.ties_to_quantifier(&self.store, condition)
        {
            self.statistics.count(Layer::Hint);
            self.statistics.sat += 1;
            return Verdict::Sat(model.clone());
        }
        self.timed(|oracle| oracle.think(constraints, condition, hint, false, budget))
    }

    fn timed(&mut self, think: impl FnOnce(&mut Self) -> (Layer, Verdict)) -> Verdict {
        let start = Instant::now();
        let (layer, verdict) = think(self);
        self.statistics.count(layer);
        if layer < Layer::OneUnknown {
            self.statistics.layer_times.add(start.elapsed());
        }
        match &verdict {
            Verdict::Sat(_) => self.statistics.sat += 1,
            Verdict::Unsat => self.statistics.unsat += 1,
            Verdict::Unknown(why) => {
                self.statistics.unknown += 1;
                self.statistics.contradictions += matches!(why, Why::Contradiction(_)) as u64;
            }
        }
        verdict
    }

    /// The same for a speculative state, whose constraints may be unsatisfiable: only those that share symbols with the
    /// condition are considered. `Unsat` rules the condition out; `Sat` says nothing about the other constraints. If the hint
    /// is `trusted`, it satisfies all constraints that are not connected to a quantifier.
    pub fn check_isolated(
        &mut self,
        constraints: &Constraints,
        condition: Term,
        hint: &Rc<Evaluator>,
        trusted: bool,
        budget: &Budget,
    ) -> Verdict {
        if trusted && hint.holds(&self.store, condition) == Some(true) && !constraints.ties_to_quantifier(&self.store, condition) {
            self.statistics.count(Layer::Hint);
            self.statistics.sat += 1;
            return Verdict::Sat(hint.clone());
        }
        self.timed(|oracle| oracle.think(constraints, condition, Some(hint), true, budget))
    }

    /// Does the condition hold in every case that the constraints allow?
    pub fn must_hold(&mut self, constraints: &Constraints, condition: Term, hint: Option<&Rc<Evaluator>>, budget: &Budget) -> Validity {
        match self.check(constraints, self.store.not(condition), hint, budget) {
            Verdict::Sat(model) => Validity::Fails(model),
            Verdict::Unsat => Validity::Holds,
            Verdict::Unknown(why) => Validity::Unknown(why),
        }
    }

    /// The refutations so far, if they are kept.
    pub fn refutations(&self) -> &Refutations {
        &self.refutations
    }

    pub(crate) fn query_time(&self) -> Duration {
        self.config.query_time
    }

    /// How many back ends there are.
    pub(crate) fn backends(&self) -> usize {
        1 + self.second.is_some() as usize
    }

    /// A solver of the first (0) or the second back end, outside the pools.
    pub(crate) fn new_solver(&self, backend: usize) -> Result<Box<dyn Solver>, SolverError> {
        match &self.second {
            Some(second) if backend > 0 => second.backend().new_solver(),
            _ => self.first.backend().new_solver(),
        }
    }

    pub(crate) fn statistics_mut(&mut self) -> &mut OracleStatistics {
        &mut self.statistics
    }

    fn think(
        &mut self,
        constraints: &Constraints,
        condition: Term,
        hint: Option<&Rc<Evaluator>>,
        isolated: bool,
        budget: &Budget,
    ) -> (Layer, Verdict) {
        let store = self.store.clone();
        let obvious = store.const_bool(condition) == Some(false) || constraints.contains(store.not(condition));
        if self.config.shortcuts && obvious {
            return (Layer::Syntax, Verdict::Unsat);
        }
        if self.config.shortcuts && (constraints.is_contradictory() || constraints.out_of_range(&store, condition)) {
            if self.config.keep_refutations {
                self.refutations.add(&constraints.to_vec(), condition);
            }
            return (Layer::Syntax, Verdict::Unsat);
        }
        let conjuncts = match hint {
            Some(_) if self.config.independence || isolated => constraints.relevant(&constraints.sets().of(&store, condition)),
            _ if constraints.is_empty() && store.const_bool(condition) == Some(true) => {
                return (Layer::Syntax, Verdict::Sat(Rc::new(Evaluator::new(Model::default()))));
            }
            _ => constraints.to_vec(),
        };
        let mut query = Query::new(constraints, condition, hint, conjuncts);
        query.isolated = isolated;
        if let Some(answered) = self.remembered(&query) {
            return answered;
        }
        if budget.exhausted().is_some() {
            return (Layer::Nobody, Verdict::Unknown(Why::Budget));
        }
        // A guess of few steps is the most natural model; after many, ranges are quicker.
        let is_long = query.conjuncts.len() >= one_unknown::LONG;
        if !is_long && let Some(answered) = self.by_guessing(&query, budget) {
            return answered;
        }
        // Computing this answer is quicker than looking it up.
        if let Some(verdict) = self.about_one_unknown(&query) {
            if self.config.keep_refutations && matches!(verdict, Verdict::Unsat) {
                self.refutations.add(&query.conjuncts, condition);
            }
            return (Layer::OneUnknown, verdict);
        }
        if is_long && let Some(answered) = self.by_guessing(&query, budget) {
            return answered;
        }
        if let Some(verdict) = self.by_intervals(&query, self.interval_effort, budget) {
            self.interval_effort = INTERVAL_EFFORT;
            self.remember_ranges(&query, &verdict, budget);
            return (Layer::Intervals, verdict);
        }
        if self.config.shortcuts && self.rearranged(&query) {
            self.remember(&query, &Verdict::Unsat, budget);
            return (Layer::Substitution, Verdict::Unsat);
        }
        if let Some(verdict) = self.by_definitions(&query, budget) {
            self.remember(&query, &verdict, budget);
            return (Layer::Solver, verdict);
        }
        let verdict = self.solve(&query, budget);
        // A question that is too hard for the solver may be decided by splitting intervals further.
        if let Verdict::Unknown(Why::Budget) = verdict
            && let Some(verdict) = self.by_intervals(&query, LAST_INTERVAL_EFFORT, budget)
        {
            self.remember_ranges(&query, &verdict, budget);
            return (Layer::Intervals, verdict);
        }
        (Layer::Solver, verdict)
    }

    /// `Sat` if changing one value of the state's model makes it a model.
    fn by_guessing(&mut self, query: &Query, budget: &Budget) -> Option<(Layer, Verdict)> {
        let model = guess(&self.store, query, query.hint()?)?;
        let verdict = Verdict::Sat(query.complete(&self.store, Rc::new(model)));
        self.remember(query, &verdict, budget);
        Some((Layer::Guess, verdict))
    }

    /// The answer for a query about a single symbol, if its ranges decide it.
    fn about_one_unknown(&mut self, query: &Query) -> Option<Verdict> {
        let Some(model) = self.one_unknown.decide(&self.store, query)? else { return Some(Verdict::Unsat) };
        let model = Rc::new(Evaluator::new(model));
        debug_assert!(model.holds(&self.store, query.condition) == Some(true));
        Some(Verdict::Sat(query.complete(&self.store, model)))
    }

    /// The answer where functions are defined by recursion, with half of the time for it.
    fn by_definitions(&mut self, query: &Query, budget: &Budget) -> Option<Verdict> {
        let sets = query.constraints.sets();
        if !query.constraints.is_quantified() && !sets.is_quantified(&self.store, query.condition) {
            return None;
        }
        let limited = budget.at_most(budget.remaining().map_or(self.config.query_time, |left| left.min(self.config.query_time)) / 2);
        let verdict = defined::check(&self.store, query, &mut self.clauses, &mut self.first, &limited)?;
        Some(match verdict {
            Verdict::Sat(model) => Verdict::Sat(query.complete(&self.store, model)),
            other => other,
        })
    }

    /// The answer of interval arithmetic over floats, if it decides the query. After repeated failures it is tried less often.
    fn by_intervals(&mut self, query: &Query, effort: u64, budget: &Budget) -> Option<Verdict> {
        let store = self.store.clone();
        let sets = query.constraints.sets();
        if !sets.has_floats(&store, query.condition) {
            return None;
        }
        let terms: Vec<Term> = query.conjuncts.iter().copied().chain([query.condition]).collect();
        let satisfies = |model: &Model| {
            let evaluator = Evaluator::new(query.changed_hint(model));
            terms.iter().rev().all(|&term| evaluator.holds(&store, term) == Some(true))
        };
        match intervals::search(&store, &terms, effort, budget, satisfies) {
            SearchResult::Unsat => Some(Verdict::Unsat),
            SearchResult::Candidate(model) => {
                let model = Rc::new(Evaluator::new(query.changed_hint(&model)));
                Some(Verdict::Sat(query.complete(&store, model)))
            }
            SearchResult::Nothing => {
                self.interval_effort = (self.interval_effort / 2).max(LEAST_INTERVAL_EFFORT);
                None
            }
        }
    }

    /// The layers that need no solver.
    fn remembered(&mut self, query: &Query) -> Option<(Layer, Verdict)> {
        match self.answers.get(&query.conjuncts, query.condition) {
            Some(Remembered::Unsat) => return Some((Layer::Cache, Verdict::Unsat)),
            Some(Remembered::Unknown(why)) => return Some((Layer::Cache, Verdict::Unknown(why.clone()))),
            Some(Remembered::Sat(known)) => {
                let model = known.evaluator();
                if query.allows(&self.store, &model) {
                    return Some((Layer::Cache, Verdict::Sat(query.complete(&self.store, model))));
                }
            }
            None => {}
        }
        let symbol = query.main_symbol(&self.store);
        if let Some(model) = self.recent.find(&self.store, symbol, &query.conjuncts, query.condition) {
            return Some((Layer::RecentModel, Verdict::Sat(query.complete(&self.store, model))));
        }
        if self.cores.contradicts(query.constraints, query.condition) {
            return Some((Layer::Core, Verdict::Unsat));
        }
        if self.substituted(query) == Some(false) || self.config.shortcuts && self.leaves_no_value(query) {
            if self.config.keep_refutations {
                self.refutations.add(&query.conjuncts, query.condition);
            }
            self.answers.insert(&query.conjuncts, query.condition, Remembered::Unsat);
            return Some((Layer::Substitution, Verdict::Unsat));
        }
        None
    }

    /// The truth value of the condition, if variables that the constraints fix decide it.
    fn substituted(&self, query: &Query) -> Option<bool> {
        let sets = query.constraints.sets();
        // A bound variable may have the name of a known one.
        if sets.is_quantified(&self.store, query.condition) {
            return None;
        }
        let symbols = sets.of(&self.store, query.condition);
        let known = vars_of(&symbols).filter_map(|var| Some((var, query.constraints.known_value(var)?)));
        let simpler = Substitution::new(known).apply(&self.store, query.condition);
        self.store.const_bool(simpler)
    }

    /// Whether the condition and the constraints on the same term, such as a sum of many variables, have no value in common.
    /// Unlike a solver this never looks into the term.
    fn leaves_no_value(&self, query: &Query) -> bool {
        let Some((term, mut left)) = as_set_of_term(&self.store, query.condition) else { return false };
        query.conjuncts.iter().any(|&conjunct| {
            if let Some((of, set)) = as_set_of_term(&self.store, conjunct)
                && of == term
            {
                left = left.and(&set);
            }
            left.ranges().is_empty()
        })
    }

    /// Whether the condition is false once its sums and other chains are in one order.
    fn rearranged(&mut self, query: &Query) -> bool {
        let condition = self.rearrange.apply(&self.store, query.condition);
        self.store.const_bool(condition) == Some(false)
    }

    fn solve(&mut self, query: &Query, budget: &Budget) -> Verdict {
        let limited = budget.at_most(self.config.query_time);
        let verdict = self.solve_with(query, &limited, false);
        let retry = matches!(&verdict, Verdict::Unknown(Why::Unsupported(_) | Why::Incomplete(_) | Why::Failed(_) | Why::Budget));
        let verdict = if retry && self.second.is_some() && budget.exhausted().is_none() {
            let limited = budget.at_most(self.config.query_time);
            self.solve_with(query, &limited, true)
        } else {
            verdict
        };
        self.remember(query, &verdict, budget);
        verdict
    }

    fn solve_with(&mut self, query: &Query, budget: &Budget, second: bool) -> Verdict {
        let pool = match &mut self.second {
            Some(pool) if second => pool,
            _ => &mut self.first,
        };
        let store = self.store.clone();
        let vars: Vec<_> = vars_of(query.symbols(&store)).collect();
        let related = query.isolated.then(|| query.related(&store));
        let question = Question {
            store: &store,
            allowed: related.as_ref().unwrap_or(query.constraints),
            conjuncts: &query.conjuncts,
            condition: query.condition,
            vars: &vars,
            budget,
        };
        let start = Instant::now();
        let reply = pool.check(&question);
        self.statistics.solver_times.add(start.elapsed());
        let pools = [Some(&self.first), self.second.as_ref()];
        self.statistics.solvers_made = pools.iter().flatten().map(|pool| pool.solvers_made).sum();
        self.statistics.solver_failures = pools.iter().flatten().map(|pool| pool.failures).sum();
        match reply {
            Reply::Unsat => Verdict::Unsat,
            Reply::Unknown(why) => Verdict::Unknown(why),
            Reply::Sat(model) if computed::concerns(&store, query) => {
                let pool = self.second.as_mut().filter(|_| second).unwrap_or(&mut self.first);
                computed::settle(&store, query, model, pool, budget)
            }
            Reply::Sat(model) => {
                let model = query.complete(&store, Rc::new(Evaluator::new(model)));
                if query.allows(&store, &model) {
                    return Verdict::Sat(model);
                }
                self.statistics.models_rejected += 1;
                Verdict::Unknown(Why::Failed("its model does not satisfy the query".into()))
            }
        }
    }

    /// Keeps a refutation by ranges, whatever the configuration says: no solver has seen it, so the certifier asks one.
    fn remember_ranges(&mut self, query: &Query, verdict: &Verdict, budget: &Budget) {
        if let (Verdict::Unsat, false) = (verdict, self.config.keep_refutations) {
            self.refutations.add(&query.conjuncts, query.condition);
        }
        self.remember(query, verdict, budget);
    }

    fn remember(&mut self, query: &Query, verdict: &Verdict, budget: &Budget) {
        let answer = match verdict {
            Verdict::Sat(model) => {
                self.recent.insert(query.main_symbol(&self.store), model);
                Remembered::Sat(CachedModel::new(model, query.symbols(&self.store)))
            }
            Verdict::Unsat => {
                if self.config.keep_refutations {
                    self.refutations.add(&query.conjuncts, query.condition);
                }
                if query.conjuncts.len() <= CORE_LIMIT {
                    self.cores.insert(&query.conjuncts, query.condition);
                }
                Remembered::Unsat
            }
            // The end of the run, or a solver that broke, says nothing about the query.
            Verdict::Unknown(Why::Failed(_)) => return,
            Verdict::Unknown(Why::Budget) if budget.exhausted().is_some() => return,
            Verdict::Unknown(why) => Remembered::Unknown(why.clone()),
        };
        self.answers.insert(&query.conjuncts, query.condition, answer);
    }
}
