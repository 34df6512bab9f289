//! A few incremental solvers of one back end. Each holds a stack of conjuncts. A solver fits a query if its stack is
//! a subset of the *state's* constraints, not only of the relevant ones: the rest has a model (the state's) and shares
//! no symbol with the query, so it changes no answer, and one solver follows a whole path through all its groups. What
//! the state doesn't have is popped, what is relevant and missing is pushed (one level per query: fewer levels, and
//! a path extends at the end), and the condition is an assumption.
//!
//! The life time of a solver matters more than which solver it is (one for a whole run is 20 times slower than one
//! per path), so a solver retires after a number of checks or of popped conjuncts. A solver that fails is thrown away:
//! that costs one query, not the run.

use crate::constraints::Constraints;
use crate::lower::Lowering;
use crate::solver::{Answer, Backend, Solver, SolverError, Why};
use crate::symbols::VarSets;
use fathom_base::{Budget, FxSet};
use fathom_term::{Model, Term, TermStore, VarId};

/// A question as the pool sees it: are the conjuncts and the condition satisfiable together?
pub(crate) struct Question<'a> {
    pub store: &'a TermStore,
    pub sets: &'a VarSets,
    /// What may be asserted besides: satisfiable together with any model of the conjuncts.
    pub allowed: &'a Constraints,
    pub conjuncts: &'a [Term],
    pub condition: Term,
    /// Whose values the model should have.
    pub vars: &'a [VarId],
    pub budget: &'a Budget,
}

pub(crate) enum Reply {
    Sat(Model),
    Unsat,
    Unknown(Why),
}

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
        Self { solvers: 8, checks: 400, pops: 400 }
    }
}

/// Costs in units of work for a solver; only their ratios matter.
const PUSH: usize = 4;
const POP: usize = 2;
/// This many conjuncts that don't matter cost one unit.
const USELESS: usize = 4;
const NEW_SOLVER: usize = 40;

struct Instance {
    solver: Box<dyn Solver>,
    stack: Vec<Term>,
    /// The length of the stack below each level.
    levels: Vec<usize>,
    checks: u32,
    pops: u32,
    last_used: u64,
}

pub(crate) struct Pool {
    backend: Box<dyn Backend>,
    config: PoolConfig,
    instances: Vec<Instance>,
    /// Terms that this back end does not know; asking again would only cost a solver.
    refused: FxSet<Term>,
    clock: u64,
    pub solvers_made: u64,
    pub failures: u64,
}

impl Pool {
    pub fn new(backend: Box<dyn Backend>, config: PoolConfig) -> Self {
        Self {
            backend,
            config,
            instances: Vec::new(),
            refused: FxSet::default(),
            clock: 0,
            solvers_made: 0,
            failures: 0,
        }
    }

    pub fn backend(&self) -> &dyn Backend {
        &*self.backend
    }

    pub fn check(&mut self, question: &Question, lowering: &mut Lowering) -> Reply {
        let terms = question.conjuncts.iter().chain([&question.condition]);
        if let Some(term) = terms.into_iter().find(|term| self.refused.contains(term)) {
            return Reply::Unknown(Why::Unsupported(format!("a term it refused before ({term:?})")));
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
        match self.ask(&mut instance, question, lowering) {
            Ok(reply) => {
                // After a timeout the solver is as good as lost: its next query would begin in the same swamp.
                let sound = !matches!(&reply, Reply::Unknown(why) if !matches!(why, Why::Incomplete(_)));
                if sound && instance.checks < self.config.checks && instance.pops < self.config.pops {
                    self.instances.push(instance);
                }
                reply
            }
            Err(error) => {
                self.failures += 1;
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
        Ok(Instance { solver, stack: Vec::new(), levels: Vec::new(), checks: 0, pops: 0, last_used: 0 })
    }

    fn ask(&mut self, on: &mut Instance, question: &Question, lowering: &mut Lowering) -> Result<Reply, SolverError> {
        on.pop_to(on.levels_kept(question.allowed))?;
        let Question { store, sets, .. } = *question;
        let there: FxSet<Term> = on.stack.iter().copied().collect();
        let mut missing = question.conjuncts.iter().filter(|term| !there.contains(term)).peekable();
        if missing.peek().is_some() {
            on.solver.push()?;
            on.levels.push(on.stack.len());
            for &conjunct in missing {
                let lowered = lowering.lower(store, sets, conjunct);
                for &term in lowered.sides.iter().chain([&lowered.term]) {
                    if let Err(error) = on.solver.assert(term) {
                        if matches!(error, SolverError::Unsupported(_)) {
                            self.refused.insert(conjunct);
                        }
                        return Err(error);
                    }
                }
                on.stack.push(conjunct);
            }
        }
        on.checks += 1;
        let lowered = lowering.lower(store, sets, question.condition);
        let mut assumptions = vec![lowered.term];
        assumptions.extend_from_slice(&lowered.sides);
        assumptions.retain(|&term| store.const_bool(term) != Some(true));
        Ok(match on.solver.check(&assumptions, question.budget) {
            Answer::Sat => Reply::Sat(on.solver.model(question.vars)?),
            Answer::Unsat => Reply::Unsat,
            Answer::Unknown(why) => {
                match &why {
                    Why::Unsupported(_) => {
                        self.refused.insert(question.condition);
                    }
                    Why::Failed(_) => self.failures += 1,
                    _ => {}
                }
                Reply::Unknown(why)
            }
        })
    }
}

impl Instance {
    /// How many levels hold only what the state has.
    fn levels_kept(&self, allowed: &Constraints) -> usize {
        let good = self.stack.iter().take_while(|&&term| allowed.contains(term)).count();
        let ends = self.levels.iter().skip(1).copied().chain([self.stack.len()]);
        ends.take(self.levels.len()).take_while(|&end| end <= good).count()
    }

    /// The work of making the stack fit: what must be popped and pushed, and what would only be in the way.
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
