//! A few incremental solvers of one back end. Each holds a stack of conjuncts; a query goes to the solver whose stack
//! begins like the query's conjuncts for longest, which pops the rest, pushes what is missing (one level per query,
//! not per conjunct: fewer levels, and a path always extends at the end) and checks with the condition as assumption.
//!
//! The life time of a solver matters more than which solver it is (one for a whole run is 20 times slower than one
//! per path), so a solver retires after a number of checks or when it has popped much more than it holds. A solver
//! that fails is thrown away: that costs one query, not the run.

use crate::lower::Lowering;
use crate::solver::{Answer, Backend, Solver, SolverError, Why};
use crate::symbols::VarSets;
use fathom_base::{Budget, FxSet};
use fathom_term::{Model, Term, TermStore, VarId};

/// A question as the pool sees it: are the conjuncts and the condition satisfiable together?
pub(crate) struct Question<'a> {
    pub store: &'a TermStore,
    pub sets: &'a VarSets,
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
        let mut instance = match self.take(question.conjuncts) {
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

    /// The best solver for these conjuncts, taken out of the pool.
    fn take(&mut self, conjuncts: &[Term]) -> Result<Instance, SolverError> {
        let common = |instance: &Instance| {
            instance.stack.iter().zip(conjuncts).take_while(|(have, want)| have == want).count()
        };
        let best = (0..self.instances.len()).max_by_key(|&i| {
            let instance = &self.instances[i];
            let shared = common(instance);
            (shared, std::cmp::Reverse(instance.stack.len() - shared), instance.last_used)
        });
        if let Some(best) = best {
            let shared = common(&self.instances[best]);
            let lost = self.instances[best].stack.len() - shared;
            let is_full = self.instances.len() >= self.config.solvers;
            // Taking a stack apart is worth it when most of it stays, or of what is wanted is there.
            if lost == 0 || (shared > 0 && (is_full || shared >= lost || 2 * shared >= conjuncts.len())) {
                return Ok(self.instances.swap_remove(best));
            }
            if is_full
                && let Some(oldest) = (0..self.instances.len()).min_by_key(|&i| self.instances[i].last_used)
            {
                self.instances.swap_remove(oldest);
            }
        }
        let solver = self.backend.new_solver()?;
        self.solvers_made += 1;
        Ok(Instance { solver, stack: Vec::new(), levels: Vec::new(), checks: 0, pops: 0, last_used: 0 })
    }

    fn ask(&mut self, on: &mut Instance, question: &Question, lowering: &mut Lowering) -> Result<Reply, SolverError> {
        on.pop_to(question.conjuncts)?;
        let Question { store, sets, .. } = *question;
        let kept = on.stack.len();
        if kept < question.conjuncts.len() {
            on.solver.push()?;
            on.levels.push(kept);
            for &conjunct in &question.conjuncts[kept..] {
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
    /// Pops levels until the stack is a prefix of these conjuncts.
    fn pop_to(&mut self, conjuncts: &[Term]) -> Result<(), SolverError> {
        let shared = self.stack.iter().zip(conjuncts).take_while(|(have, want)| have == want).count();
        let mut gone = 0;
        while self.stack.len() > shared {
            let Some(below) = self.levels.pop() else {
                return Err(SolverError::Failed("the solver's stack has fewer levels than it should".into()));
            };
            self.pops += (self.stack.len() - below) as u32;
            self.stack.truncate(below);
            gone += 1;
        }
        if gone > 0 {
            self.solver.pop(gone)?;
        }
        Ok(())
    }
}
