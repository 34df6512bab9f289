//! Two back ends answer every query. If one says `sat` and the other `unsat` the answer is `Unknown(Contradiction)`,
//! which the oracle counts and no layer turns into anything else; if only one knows, its answer counts. A side that
//! fails or refuses a term is left out for the rest of that solver's life: its stack is no longer what was asked for,
//! so its answers would mean nothing.

use crate::solver::{Answer, Backend, Solver, SolverError, Why};
use fathom_base::Budget;
use fathom_term::{Model, Term, VarId};

/// Asks two back ends.
pub struct CrossCheck {
    backends: [Box<dyn Backend>; 2],
}

impl CrossCheck {
    /// A back end that puts every query to both.
    pub fn new(first: Box<dyn Backend>, second: Box<dyn Backend>) -> Self {
        Self { backends: [first, second] }
    }
}

impl Backend for CrossCheck {
    fn name(&self) -> String {
        format!("{} checked by {}", self.backends[0].name(), self.backends[1].name())
    }

    fn new_solver(&self) -> Result<Box<dyn Solver>, SolverError> {
        let mut failure = None;
        let sides = self
            .backends
            .each_ref()
            .map(|backend| Side { name: backend.name(), solver: backend.new_solver().map_err(|error| failure = Some(error)).ok() });
        match failure {
            Some(error) if sides.iter().all(|side| side.solver.is_none()) => Err(error),
            _ => Ok(Box::new(CrossSolver { sides, answered: 0 })),
        }
    }
}

struct Side {
    name: String,
    solver: Option<Box<dyn Solver>>,
}

struct CrossSolver {
    sides: [Side; 2],
    /// The side whose model and core belong to the last answer.
    answered: usize,
}

impl CrossSolver {
    /// Does something on both sides; a side that fails is dropped. An error if none is left.
    fn both(&mut self, act: impl Fn(&mut dyn Solver) -> Result<(), SolverError>) -> Result<(), SolverError> {
        let mut failure = None;
        for side in &mut self.sides {
            if let Some(solver) = &mut side.solver
                && let Err(error) = act(&mut **solver)
            {
                side.solver = None;
                failure = Some(error);
            }
        }
        if self.sides.iter().any(|side| side.solver.is_some()) {
            return Ok(());
        }
        Err(failure.unwrap_or_else(|| SolverError::Failed("no solver is left to ask".into())))
    }

    fn answering(&mut self) -> Result<&mut dyn Solver, SolverError> {
        match &mut self.sides[self.answered].solver {
            Some(solver) => Ok(&mut **solver),
            None => Err(SolverError::Failed("the solver that answered is gone".into())),
        }
    }
}

impl Solver for CrossSolver {
    fn push(&mut self) -> Result<(), SolverError> {
        self.both(|solver| solver.push())
    }

    fn pop(&mut self, levels: u32) -> Result<(), SolverError> {
        self.both(|solver| solver.pop(levels))
    }

    fn only_refute(&mut self) {
        self.sides.iter_mut().filter_map(|side| side.solver.as_mut()).for_each(|solver| solver.only_refute());
    }

    fn assert(&mut self, term: Term) -> Result<(), SolverError> {
        self.both(|solver| solver.assert(term))
    }

    fn check(&mut self, assumptions: &[Term], budget: &Budget) -> Answer {
        let answers = self.sides.each_mut().map(|side| match &mut side.solver {
            Some(solver) => solver.check(assumptions, budget),
            None => Answer::Unknown(Why::Failed(format!("{} dropped out", side.name))),
        });
        self.answered = matches!(answers[0], Answer::Unknown(_)) as usize;
        match answers {
            [Answer::Sat, Answer::Unsat] | [Answer::Unsat, Answer::Sat] => {
                let sat = if answers[0] == Answer::Sat { 0 } else { 1 };
                Answer::Unknown(Why::Contradiction(format!("{} says sat, {} says unsat", self.sides[sat].name, self.sides[1 - sat].name)))
            }
            // A side that dropped out has nothing to say; the other may know why there is no answer.
            [Answer::Unknown(why), Answer::Unknown(_)] if self.sides[0].solver.is_some() => Answer::Unknown(why),
            [Answer::Unknown(_), second] => second,
            [first, _] => first,
        }
    }

    fn model(&mut self, vars: &[VarId]) -> Result<Model, SolverError> {
        self.answering()?.model(vars)
    }

    fn failed_assumptions(&mut self) -> Result<Vec<Term>, SolverError> {
        self.answering()?.failed_assumptions()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::brute::Brute;
    use crate::{Oracle, OracleConfig, Verdict};
    use fathom_term::{Sort, TermStore};
    use std::rc::Rc;

    /// A test solver that gives the same answer to every query.
    struct Stubborn(Result<Answer, SolverError>);

    impl Backend for Stubborn {
        fn name(&self) -> String {
            "stubborn".into()
        }
        fn new_solver(&self) -> Result<Box<dyn Solver>, SolverError> {
            Ok(Box::new(Stubborn(self.0.clone())))
        }
    }

    impl Solver for Stubborn {
        fn push(&mut self) -> Result<(), SolverError> {
            Ok(())
        }
        fn pop(&mut self, _: u32) -> Result<(), SolverError> {
            Ok(())
        }
        fn assert(&mut self, _: Term) -> Result<(), SolverError> {
            self.0.clone().map(|_| ())
        }
        fn check(&mut self, _: &[Term], _: &Budget) -> Answer {
            self.0.clone().unwrap_or_else(|error| Answer::Unknown(error.into()))
        }
        fn model(&mut self, _: &[VarId]) -> Result<Model, SolverError> {
            Ok(Model::default())
        }
        fn failed_assumptions(&mut self) -> Result<Vec<Term>, SolverError> {
            Ok(Vec::new())
        }
    }

    fn verdict(partner: Result<Answer, SolverError>, swapped: bool) -> (Verdict, u64) {
        let store = Rc::new(TermStore::new());
        let [x, y] = ["x", "y"].map(|name| store.var(name, Sort::Bv(4)));
        let brute: Box<dyn Backend> = Box::new(Brute::new(store.clone(), 12));
        let partner: Box<dyn Backend> = Box::new(Stubborn(partner));
        let both = if swapped { CrossCheck::new(partner, brute) } else { CrossCheck::new(brute, partner) };
        let mut oracle = Oracle::new(store.clone(), Box::new(both), OracleConfig::default());
        let mut constraints = oracle.no_constraints();
        constraints.push(&store, store.bv_ult(store.bv(3, 4), x));
        let verdict = oracle.check(&constraints, store.bv_ult(x, y), None, &Budget::unlimited());
        let contradictions = oracle.statistics().contradictions;
        (verdict, contradictions)
    }

    #[test]
    fn a_contradiction_is_no_answer() {
        for swapped in [false, true] {
            let (verdict, contradictions) = verdict(Ok(Answer::Unsat), swapped);
            assert!(matches!(verdict, Verdict::Unknown(Why::Contradiction(_))));
            assert_eq!(contradictions, 1);
        }
    }

    #[test]
    fn a_side_that_does_not_know_does_not_matter() {
        for swapped in [false, true] {
            for partner in [Ok(Answer::Unknown(Why::Budget)), Err(SolverError::Unsupported("terms".into()))] {
                let (verdict, contradictions) = verdict(partner, swapped);
                assert!(matches!(verdict, Verdict::Sat(_)));
                assert_eq!(contradictions, 0);
            }
        }
    }

    #[test]
    fn a_wrong_model_is_no_answer() {
        let store = Rc::new(TermStore::new());
        let [x, y] = ["x", "y"].map(|name| store.var(name, Sort::Bv(4)));
        let backend = Box::new(Stubborn(Ok(Answer::Sat)));
        let mut oracle = Oracle::new(store.clone(), backend, OracleConfig::default());
        let condition = store.bv_ult(y, x);
        let verdict = oracle.check(&oracle.no_constraints(), condition, None, &Budget::unlimited());
        assert!(matches!(verdict, Verdict::Unknown(Why::Failed(_))));
        assert_eq!(oracle.statistics().models_rejected, 1);
    }
}
