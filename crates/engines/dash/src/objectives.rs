//! The question that a session decides: whether the program can reach one of its error locations, or whether a call of
//! a procedure that starts in certain states can fail or return in certain states. The answer "no" to the second kind
//! is a not-may summary (Nori, Rajamani et al., SMASH): a condition about the entry and the exit of a call that no call
//! satisfies.

use fathom_flat::{Flat, Target};
use fathom_term::{Evaluator, Model, Term, Value};

/// No call of the procedure that starts where `before` holds fails (`after` is None) or returns where `after` holds.
#[derive(Clone, PartialEq, Eq)]
pub struct Subgoal {
    pub procedure: usize,
    /// Over the procedure's entry.
    pub before: Vec<Term>,
    /// Over its entry and exit.
    pub after: Option<Vec<Term>>,
}

/// An exit of a block that must not be taken into a state where the conditions hold: what a session tries to reach.
pub struct Objective {
    pub block: usize,
    pub exit: usize,
    pub conditions: Vec<Term>,
    /// Index of the error location, where the objective is the program's own and not a subgoal's.
    pub error: Option<usize>,
}

impl Subgoal {
    /// Whether a call that starts with these values satisfies `before`.
    pub fn is_about(&self, flat: &Flat, entry: &[Value]) -> bool {
        let mut model = Model::default();
        model.values.extend(flat.procedures[self.procedure].entry.iter().copied().zip(entry.iter().cloned()));
        let evaluator = Evaluator::new(model);
        self.before.iter().all(|&condition| evaluator.holds(&flat.terms, condition) == Some(true))
    }

    /// Whether a call that was seen is a counterexample.
    pub fn is_refuted_by(&self, flat: &Flat, entry: &[Value], exit: Option<&[Value]>) -> bool {
        let procedure = &flat.procedures[self.procedure];
        let mut model = Model::default();
        model.values.extend(procedure.entry.iter().copied().zip(entry.iter().cloned()));
        let conditions: Vec<Term> = match (&self.after, exit) {
            (None, None) => self.before.clone(),
            (Some(after), Some(exit)) => {
                model.values.extend(procedure.exit.iter().copied().zip(exit.iter().cloned()));
                self.before.iter().chain(after).copied().collect()
            }
            _ => return false,
        };
        let evaluator = Evaluator::new(model);
        conditions.iter().all(|&condition| evaluator.holds(&flat.terms, condition) == Some(true))
    }
}

/// The objectives of a subgoal, or of the program.
pub fn objectives(flat: &Flat, subgoal: Option<&Subgoal>) -> Vec<Objective> {
    let start = subgoal.map_or(0, |subgoal| flat.procedures[subgoal.procedure].start);
    let mut seen = vec![false; flat.blocks.len()];
    let mut open = vec![start];
    let mut objectives = Vec::new();
    while let Some(block) = open.pop() {
        if std::mem::replace(&mut seen[block], true) {
            continue;
        }
        for (exit, edge) in flat.blocks[block].edges.iter().enumerate() {
            let mut add = |conditions: Vec<Term>, error: Option<usize>| objectives.push(Objective { block, exit, conditions, error });
            match (edge.target, subgoal) {
                (Target::Block(to), _) => open.push(to),
                (Target::Error(error), None) => add(Vec::new(), Some(error)),
                (Target::Error(_), Some(Subgoal { before, after: None, .. })) => add(before.clone(), None),
                (Target::Return, Some(Subgoal { before, after: Some(after), .. })) => {
                    add(before.iter().chain(after).copied().collect(), None)
                }
                _ => {}
            }
        }
    }
    objectives.sort_by_key(|objective| (objective.block, objective.exit));
    objectives
}
