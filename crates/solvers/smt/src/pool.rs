//! A few incremental solvers of one back end. Each holds a stack of conjuncts. A solver fits a query if its stack is
//! a subset of the *state's* constraints, not only of the relevant ones: the rest has a model (the state's) and shares
//! no symbol with the query, so it changes no answer, and one solver follows a whole path through all its groups. What
//! the state doesn't have is popped, what is relevant and missing is pushed, and the condition is an assumption. New
//! conjuncts go into levels that get smaller towards the end (half, a quarter, ...): few levels, and yet the next
//! path, which differs near the end as a rule, pops little.
//!
//! The life time of a solver matters more than which solver it is: one for a whole run may get 20 times slower. So a
//! solver retires when its checks take several times as long as they did at first (if the queries are to blame and
//! not its age, the next one starts with long checks and stays), and at the latest after a number of checks or of
//! popped conjuncts. A solver that fails is discarded together with the others, which may be affected by the same fault:
//! that costs one query, not the run.

use crate::constraints::Constraints;
use crate::solver::{Answer, Backend, Solver, SolverError, Why};
use fathom_base::{Budget, FxMap, FxSet};
use fathom_term::{Model, Term, TermStore, VarId};
use std::time::{Duration, Instant};

/// A query to the pool: are the conjuncts and the condition satisfiable together?
pub(crate) struct Question<'a> {
    pub store: &'a TermStore,
    /// Conjuncts that may be asserted besides: they are satisfiable and share no symbol with the others.
    pub allowed: &'a Constraints,
    pub conjuncts: &'a [Term],
    pub condition: Term,
    /// The variables whose values the model must include.
    pub vars: &'a [VarId],
    pub budget: &'a Budget,
}

pub(crate) enum Reply {
    Sat(Model),
    Unsat,
    Unknown(Why),
}

/// Limits of a pool.
#[derive(Copy, Clone, Debug)]
pub struct PoolConfig {
    /// Solvers that are kept at the same time.
    pub solvers: usize,
    /// Checks after which a solver retires.
    pub checks: u32,
    /// Popped conjuncts after which a solver retires.
    pub pops: u32,
}

impl Default for PoolConfig {
    fn default() -> Self {
        Self { solvers: 8, checks: 2000, pops: 1000 }
    }
}

/// Estimated costs of solver operations; only their ratios matter.
const PUSH: usize = 4;
const POP: usize = 2;
/// So many irrelevant conjuncts on the stack cost one unit.
const USELESS: usize = 4;
const NEW_SOLVER: usize = 40;
/// If a solver gives up on a query of at most so many conjuncts, a fresh solver is tried; on larger ones it hardly does better.
const MOST_ASKED_AGAIN: usize = 8;

struct Instance {
    solver: Box<dyn Solver>,
    stack: Vec<Term>,
    /// The length of the stack below each level.
    levels: Vec<usize>,
    checks: u32,
    pops: u32,
    pace: Pace,
    last_used: u64,
}

/// The mean time of the first checks, and of the latest ones.
#[derive(Default)]
struct Pace {
    count: u32,
    early: Duration,
    late: Duration,
}

impl Pace {
    /// Checks that make up the beginning, and over which the late mean is taken.
    const WINDOW: u32 = 16;
    const SLOWER: u32 = 3;
    /// A solver whose checks are faster than this is never retired for being slow.
    const FAST: Duration = Duration::from_millis(1);

    fn add(&mut self, time: Duration) {
        self.count += 1;
        if self.count <= Self::WINDOW {
            self.early += time / Self::WINDOW;
            self.late = self.early;
        } else {
            self.late = (self.late * (Self::WINDOW - 1) + time) / Self::WINDOW;
        }
    }

    fn is_slow(&self) -> bool {
        self.late > Self::FAST && self.late > self.early * Self::SLOWER
    }
}

pub(crate) struct Pool {
    backend: Box<dyn Backend>,
    config: PoolConfig,
    instances: Vec<Instance>,
    /// Terms that this back end does not know; asking again would only cost a solver.
    refused: FxMap<Term, Why>,
    clock: u64,
    pub solvers_made: u64,
    pub failures: u64,
}

impl Pool {
    /// An empty pool.
    pub fn new(backend: Box<dyn Backend>, config: PoolConfig) -> Self {
        Self { backend, config, instances: Vec::new(), refused: FxMap::default(), clock: 0, solvers_made: 0, failures: 0 }
    }

    /// The back end whose solvers these are.
    pub fn backend(&self) -> &dyn Backend {
        &*self.backend
    }

    /// Answers a query with the solver that fits best.
    pub fn check(&mut self, question: &Question) -> Reply {
        let terms = question.conjuncts.iter().chain([&question.condition]);
        if let Some(why) = terms.into_iter().find_map(|term| self.refused.get(term)) {
            return Reply::Unknown(why.clone());
        }
        self.clock += 1;
        let mut instance = match self.take(question) {
            Ok(instance) => instance,
            Err(error) => {
                self.failures += 1;
                return Reply::Unknown(error.into());
            }
        };
        instance.last_used = self.clock;
        let mut asked = self.ask(&mut instance, question);
        // A solver that has answered other questions may give up where a new one finds a model of quantifiers.
        if let (Ok(Reply::Unknown(Why::Incomplete(_))), true) =
            (&asked, instance.checks > 1 && question.conjuncts.len() <= MOST_ASKED_AGAIN)
            && question.budget.exhausted().is_none()
            && let Ok(solver) = self.backend.new_solver()
        {
            self.solvers_made += 1;
            instance = Instance::new(solver, self.clock);
            asked = self.ask(&mut instance, question);
        }
        match asked {
            Ok(reply) => {
                // A solver that timed out is not used again: what made the last query hard is still in it.
                let sound = !matches!(&reply, Reply::Unknown(why) if !matches!(why, Why::Incomplete(_)));
                let young = instance.checks < self.config.checks && instance.pops < self.config.pops;
                if sound && young && !instance.pace.is_slow() {
                    self.instances.push(instance);
                }
                reply
            }
            Err(error) => {
                self.failures += 1;
                self.instances.clear();
                Reply::Unknown(error.into())
            }
        }
    }

    /// The best solver for a question, taken out of the pool.
    fn take(&mut self, question: &Question) -> Result<Instance, SolverError> {
        let wanted: FxSet<Term> = question.conjuncts.iter().copied().collect();
        let best = (0..self.instances.len())
            .map(|i| (self.instances[i].cost(question, &wanted), std::cmp::Reverse(self.instances[i].last_used), i))
            .min();
        let fresh = NEW_SOLVER + PUSH * wanted.len();
        if let Some((cost, _, best)) = best
            && cost <= fresh
        {
            return Ok(self.instances.swap_remove(best));
        }
        let solver = self.backend.new_solver()?;
        self.solvers_made += 1;
        if self.instances.len() >= self.config.solvers
            && let Some(oldest) = (0..self.instances.len()).min_by_key(|&i| self.instances[i].last_used)
        {
            self.instances.swap_remove(oldest);
        }
        Ok(Instance::new(solver, 0))
    }

    fn ask(&mut self, on: &mut Instance, question: &Question) -> Result<Reply, SolverError> {
        on.pop_to(on.levels_kept(question.allowed))?;
        let there: FxSet<Term> = on.stack.iter().copied().collect();
        let missing: Vec<Term> = question.conjuncts.iter().copied().filter(|term| !there.contains(term)).collect();
        let mut rest = &missing[..];
        while !rest.is_empty() {
            let (level, later) = rest.split_at(rest.len().div_ceil(2));
            on.solver.push()?;
            on.levels.push(on.stack.len());
            for &conjunct in level {
                if let Err(error) = on.solver.assert(conjunct) {
                    if let SolverError::Unsupported(what) = &error {
                        self.refused.insert(conjunct, Why::Unsupported(what.clone()));
                    }
                    return Err(error);
                }
                on.stack.push(conjunct);
            }
            rest = later;
        }
        on.checks += 1;
        let trivial = question.store.const_bool(question.condition) == Some(true);
        let assumptions = if trivial { Vec::new() } else { vec![question.condition] };
        let start = Instant::now();
        let answer = on.solver.check(&assumptions, question.budget);
        on.pace.add(start.elapsed());
        Ok(match answer {
            Answer::Sat => Reply::Sat(on.solver.model(question.vars)?),
            Answer::Unsat => Reply::Unsat,
            Answer::Unknown(why) => {
                match &why {
                    Why::Unsupported(_) => {
                        self.refused.insert(question.condition, why.clone());
                    }
                    Why::Failed(_) => {
                        self.failures += 1;
                        self.instances.clear();
                    }
                    _ => {}
                }
                Reply::Unknown(why)
            }
        })
    }
}

impl Instance {
    fn new(solver: Box<dyn Solver>, last_used: u64) -> Self {
        Instance { solver, stack: Vec::new(), levels: Vec::new(), checks: 0, pops: 0, pace: Pace::default(), last_used }
    }

    /// How many levels hold only conjuncts of the state.
    fn levels_kept(&self, allowed: &Constraints) -> usize {
        let good = self.stack.iter().take_while(|&&term| allowed.contains(term)).count();
        let ends = self.levels.iter().skip(1).copied().chain([self.stack.len()]);
        ends.take(self.levels.len()).take_while(|&end| end <= good).count()
    }

    /// The cost of adapting a solver's stack: conjuncts to pop, conjuncts to push, and irrelevant ones that stay.
    fn cost(&self, question: &Question, wanted: &FxSet<Term>) -> usize {
        let kept = self.levels.get(self.levels_kept(question.allowed)).copied().unwrap_or(self.stack.len());
        let useful = self.stack[..kept].iter().filter(|term| wanted.contains(term)).count();
        PUSH * (wanted.len() - useful) + POP * (self.stack.len() - kept) + (kept - useful) / USELESS
    }

    fn pop_to(&mut self, levels: usize) -> Result<(), SolverError> {
        let Some(&below) = self.levels.get(levels) else { return Ok(()) };
        self.pops += (self.stack.len() - below) as u32;
        let gone = (self.levels.len() - levels) as u32;
        self.stack.truncate(below);
        self.levels.truncate(levels);
        self.solver.pop(gone)
    }
}
