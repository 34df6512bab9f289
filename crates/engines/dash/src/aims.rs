//! What a session asks: whether the program comes to one of its places, or whether a call of a procedure that starts in some
//! states can fail or return in some others. The answer "no" to the second kind is a not-may summary (Nori, Rajamani et
//! al., SMASH): a condition about the entry and the exit of a call that no call satisfies.

use fathom_flat::{Flat, Target};
use fathom_term::{Evaluator, Model, Term, Value};

/// No call of the procedure that starts where `before` holds fails (`after` is None) or returns where `after` holds.
#[derive(Clone, PartialEq, Eq)]
pub struct Question {
    pub procedure: usize,
    /// Over the procedure's entry.
    pub before: Vec<Term>,
    /// Over its entry and exit.
    pub after: Option<Vec<Term>>,
}

/// An exit that must not be taken to a state where the conditions hold.
pub struct Aim {
    pub block: usize,
    pub exit: usize,
    pub conditions: Vec<Term>,
    /// The program's place, where the question is about the program.
    pub place: Option<usize>,
}

impl Question {
    /// Whether a call that gets this is one that it asks about.
    pub fn is_about(&self, flat: &Flat, entry: &[Value]) -> bool {
        let mut model = Model::default();
        model.values.extend(flat.procedures[self.procedure].entry.iter().copied().zip(entry.iter().cloned()));
        let evaluator = Evaluator::new(model);
        self.before.iter().all(|&condition| evaluator.holds(&flat.terms, condition) == Some(true))
    }

    /// Whether a call that was seen answers it with yes.
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

/// The aims of a question, or of the program.
pub fn aims(flat: &Flat, question: Option<&Question>) -> Vec<Aim> {
    let start = question.map_or(0, |question| flat.procedures[question.procedure].start);
    let mut seen = vec![false; flat.blocks.len()];
    let mut open = vec![start];
    let mut aims = Vec::new();
    while let Some(block) = open.pop() {
        if std::mem::replace(&mut seen[block], true) {
            continue;
        }
        for (exit, edge) in flat.blocks[block].edges.iter().enumerate() {
            let mut add = |conditions: Vec<Term>, place: Option<usize>| aims.push(Aim { block, exit, conditions, place });
            match (edge.target, question) {
                (Target::Block(to), _) => open.push(to),
                (Target::Place(place), None) => add(Vec::new(), Some(place)),
                (Target::Place(_), Some(Question { before, after: None, .. })) => add(before.clone(), None),
                (Target::Return, Some(Question { before, after: Some(after), .. })) => {
                    add(before.iter().chain(after).copied().collect(), None)
                }
                _ => {}
            }
        }
    }
    aims.sort_by_key(|aim| (aim.block, aim.exit));
    aims
}
