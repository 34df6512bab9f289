//! Tests: runs of the flat program on a stream of inputs. A run keeps its inputs, the exits that it took and, for each
//! variable, the steps that changed it (not whole states); so a predicate can be evaluated wherever the run was, also
//! at the end of one that a bound stopped, and also one that is weaker than a precondition. (LCTD, section 4.1, maps
//! backwards from the last region with recorded pointers only, which needs both a last region and exact preconditions.)

use fathom_base::FxMap;
use fathom_flat::{Flat, Target};
use fathom_term::{Evaluator, Model, Sort, Term, Value, VarId};

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// The program ended, or an assumption failed.
    Ended,
    AtPlace(usize),
    /// After as many blocks as it was allowed.
    Bounded,
    /// An expression has no value that the evaluator could compute.
    Unclear,
}

pub struct Step {
    pub block: usize,
    /// The exit that was taken; None in the last step of a run that found none.
    pub exit: Option<usize>,
    /// Inputs that were taken before.
    pub inputs: u32,
}

pub struct Run {
    pub inputs: Vec<(Sort, Value)>,
    pub steps: Vec<Step>,
    /// Changes of each variable: the first step that saw the new value, and the value.
    changes: FxMap<VarId, Vec<(u32, Value)>>,
    pub end: RunEnd,
}

/// Runs with these inputs, and this small number for the others.
pub fn run(flat: &Flat, given: &[(Sort, Value)], fallback: u64, most_steps: usize) -> Run {
    let store = &flat.terms;
    let mut run = Run { inputs: Vec::new(), steps: Vec::new(), changes: FxMap::default(), end: RunEnd::Bounded };
    let mut model = Model::default();
    let mut at = 0;
    while run.steps.len() < most_steps {
        let block = &flat.blocks[at];
        let first = run.inputs.len();
        for (ahead, &sort) in block.inputs.iter().enumerate() {
            let value = match given.get(first + ahead) {
                Some((known, value)) if *known == sort => value.clone(),
                _ => match sort {
                    Sort::Bool | Sort::Bv(1..=64) => Value::Bits(fallback),
                    Sort::Int => Value::int(fallback),
                    _ => Value::zero(sort, store),
                },
            };
            if let Some(var) = store.as_var(flat.inputs.next(store, ahead as u32, sort)) {
                model.values.insert(var, value.clone());
            }
            run.inputs.push((sort, value));
        }
        let evaluator = Evaluator::new(std::mem::take(&mut model));
        let taken = block.edges.iter().position(|edge| evaluator.holds(store, edge.guard) == Some(true));
        let unclear = taken.is_none() && block.edges.iter().any(|edge| evaluator.holds(store, edge.guard).is_none());
        run.steps.push(Step { block: at, exit: taken, inputs: first as u32 });
        let Some(exit) = taken else {
            run.end = if unclear { RunEnd::Unclear } else { RunEnd::Ended };
            return run;
        };
        let next = match block.edges[exit].target {
            Target::Block(next) => next,
            Target::Place(place) => {
                run.end = RunEnd::AtPlace(place);
                return run;
            }
            Target::End => {
                run.end = RunEnd::Ended;
                return run;
            }
        };
        let values: Option<Vec<(VarId, Value)>> =
            block.assigns.iter().map(|&(var, term)| Some((var, evaluator.eval(store, term)?))).collect();
        model = evaluator.into_model();
        let Some(values) = values else {
            run.end = RunEnd::Unclear;
            return run;
        };
        for (var, value) in values {
            if model.values.get(&var) != Some(&value) {
                run.changes.entry(var).or_default().push((run.steps.len() as u32, value.clone()));
                model.values.insert(var, value);
            }
        }
        at = next;
    }
    run
}

impl Run {
    /// Whether a condition holds at the start of a step; None if nobody can tell.
    pub fn holds(&self, flat: &Flat, step: u32, condition: Term) -> Option<bool> {
        let mut model = Model::default();
        for var in flat.vars(condition) {
            let value = match flat.inputs.ahead(var) {
                Some((ahead, sort)) => {
                    let index = self.steps[step as usize].inputs as usize + ahead as usize;
                    self.inputs.get(index).filter(|(known, _)| *known == sort).map(|(_, value)| value)
                }
                None => self.changes.get(&var).and_then(|changes| {
                    let after = changes.partition_point(|(since, _)| *since <= step);
                    changes.get(after.checked_sub(1)?).map(|(_, value)| value)
                }),
            };
            if let Some(value) = value {
                model.values.insert(var, value.clone());
            }
        }
        Evaluator::new(model).holds(&flat.terms, condition)
    }
}
