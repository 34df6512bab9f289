//! Tests: runs of the flat program on a stream of inputs. A run keeps its inputs, the exits that it took and, for each
//! variable, the steps that changed it (not whole states); so a predicate can be evaluated at every step of the run,
//! also at the end of a run that a bound stopped, and also if it is weaker than a precondition. (LCTD, section 4.1,
//! maps backwards from the last region with recorded pointers only, which needs both a last region and exact
//! preconditions.)
//!
//! A call of a procedure that is not inlined is one step that contains a run of its own. For the outer run the results
//! are inputs like others; `real` are those that the program itself asked for, in temporal order. A call without inputs
//! always does the same for the same arguments: it runs once per test, and repeated calls share the run. A call whose
//! results follow from summaries does not run at all; such a test guides the search, but does not show that anything is
//! reachable.

use crate::limits::Limits;
use fathom_base::FxMap;
use fathom_flat::{Call, Flat, Target};
use fathom_term::{Evaluator, Model, Sort, Term, Value, VarId};
use std::rc::Rc;

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// The program ended, or an assumption failed.
    Ended,
    /// The procedure returned these values.
    Returned(Vec<Value>),
    AtError(usize),
    /// After as many blocks as it was allowed.
    Bounded,
    /// An expression has no value that the evaluator could compute.
    Unclear,
}

/// One block of a test.
pub struct Step {
    pub block: usize,
    /// The exit that was taken; None in the last step of a run that found none.
    pub exit: Option<usize>,
    /// Inputs that were taken before, and real ones.
    pub inputs: u32,
    pub real: u32,
    /// What the procedure did that this block calls.
    pub inside: Option<Rc<Run>>,
}

/// A test: its inputs, the blocks that it went through, and the values of variables over time.
pub struct Run {
    pub inputs: Vec<(Sort, Value)>,
    /// Which of the real inputs each of them is, unless it was passed or returned.
    pub numbers: Vec<Option<u32>>,
    /// Those that the program asked for while it went on.
    pub real: Vec<(Sort, Value)>,
    pub steps: Vec<Step>,
    /// Changes of each variable: the first step that saw the new value, and the value.
    changes: FxMap<VarId, Vec<(u32, Value)>>,
    pub end: RunEnd,
    /// Steps, with those of the calls inside; a call that others share counts for each.
    pub length: u64,
    /// The results of some call are what summaries say.
    pub is_computed: bool,
}

/// What a call of a procedure returns, where that is known.
pub type Shortcut<'a> = &'a dyn Fn(usize, &[Value]) -> Option<Vec<Value>>;

/// Runs from a block with these inputs, and this small number for the others.
pub fn run(
    flat: &Flat,
    start: usize,
    given: &[(Sort, Value)],
    fallback: u64,
    most_steps: usize,
    limits: &Limits,
    shortcut: Shortcut<'_>,
) -> Run {
    let mut runner = Runner {
        flat,
        given,
        fallback,
        steps: most_steps,
        inner: limits.inner_steps,
        most_depth: limits.run_depth,
        real: Vec::new(),
        known: FxMap::default(),
        shortcut,
    };
    let mut run = runner.run(start, &[], 0);
    run.real = runner.real;
    run
}

struct Runner<'a> {
    flat: &'a Flat,
    given: &'a [(Sort, Value)],
    fallback: u64,
    /// How many more, outside and inside of calls.
    steps: usize,
    inner: usize,
    /// Calls inside each other.
    most_depth: u32,
    real: Vec<(Sort, Value)>,
    /// Calls that asked for nothing and returned, by procedure and what was passed.
    known: FxMap<(usize, Vec<Value>), Rc<Run>>,
    shortcut: Shortcut<'a>,
}

impl Runner<'_> {
    fn input(&mut self, sort: Sort) -> Value {
        let value = match self.given.get(self.real.len()) {
            Some((known, value)) if *known == sort => value.clone(),
            _ => match sort {
                Sort::Bool | Sort::Bv(1..=64) => Value::Bits(self.fallback),
                Sort::Int => Value::int(self.fallback),
                _ => Value::zero(sort, &self.flat.terms),
            },
        };
        self.real.push((sort, value.clone()));
        value
    }

    /// Runs a procedure; its first inputs are the arguments that were passed.
    fn run(&mut self, start: usize, passed: &[Value], depth: u32) -> Run {
        let flat = self.flat;
        let store = &flat.terms;
        let mut run = Run::empty();
        let mut model = Model::default();
        let mut at = start;
        loop {
            let left = if depth == 0 { &mut self.steps } else { &mut self.inner };
            match left.checked_sub(1) {
                Some(fewer) => *left = fewer,
                None => return run,
            }
            run.length = run.length.saturating_add(1);
            let block = &flat.blocks[at];
            let first = run.inputs.len();
            let mut step = Step { block: at, exit: None, inputs: first as u32, real: self.real.len() as u32, inside: None };
            let returned = match &block.call {
                None => Vec::new(),
                Some(call) => {
                    let (inside, values) = match self.call(call, &model, depth) {
                        Ok(called) => called,
                        Err(end) => {
                            run.steps.push(step);
                            run.end = end;
                            return run;
                        }
                    };
                    let end = inside.end.clone();
                    run.length = run.length.saturating_add(inside.length);
                    run.is_computed |= inside.is_computed;
                    step.inside = Some(inside);
                    let Some(values) = values else {
                        step.exit = matches!(end, RunEnd::AtError(_)).then_some(call.fails);
                        run.steps.push(step);
                        run.end = end;
                        return run;
                    };
                    values
                }
            };
            let known: &[Value] = if first == 0 && block.call.is_none() { passed } else { &returned };
            for (ahead, &sort) in block.inputs.iter().enumerate() {
                let number = self.real.len() as u32;
                let (value, number) = match known.get(ahead) {
                    Some(value) => (value.clone(), None),
                    None => (self.input(sort), Some(number)),
                };
                if let Some(var) = store.as_var(flat.inputs.next(store, ahead as u32, sort)) {
                    model.values.insert(var, value.clone());
                }
                run.inputs.push((sort, value));
                run.numbers.push(number);
            }
            let evaluator = Evaluator::new(std::mem::take(&mut model));
            let taken = block.edges.iter().position(|edge| evaluator.holds(store, edge.guard) == Some(true));
            let unclear = taken.is_none() && block.edges.iter().any(|edge| evaluator.holds(store, edge.guard).is_none());
            step.exit = taken;
            run.steps.push(step);
            let Some(exit) = taken else {
                run.end = if unclear { RunEnd::Unclear } else { RunEnd::Ended };
                return run;
            };
            let target = block.edges[exit].target;
            if let Target::Error(error) = target {
                run.end = RunEnd::AtError(error);
                return run;
            }
            let values: Option<Vec<(VarId, Value)>> =
                block.assigns.iter().map(|&(var, term)| Some((var, evaluator.eval(store, term)?))).collect();
            model = evaluator.into_model();
            let Some(values) = values else {
                run.end = if target == Target::End { RunEnd::Ended } else { RunEnd::Unclear };
                return run;
            };
            for (var, value) in values {
                if model.values.get(&var) != Some(&value) {
                    run.changes.entry(var).or_default().push((run.steps.len() as u32, value.clone()));
                    model.values.insert(var, value);
                }
            }
            match target {
                Target::Block(next) => at = next,
                _ => {
                    run.end = if target == Target::Return { self.returned(start, &model) } else { RunEnd::Ended };
                    return run;
                }
            }
        }
    }

    /// The results of a procedure that was entered at this block.
    fn returned(&self, start: usize, model: &Model) -> RunEnd {
        let Some(procedure) = self.flat.procedures.iter().find(|procedure| procedure.start == start) else { return RunEnd::Unclear };
        let values: Option<Vec<Value>> = procedure.exit.iter().map(|var| model.values.get(var).cloned()).collect();
        values.map_or(RunEnd::Unclear, RunEnd::Returned)
    }

    /// Runs a procedure; the inputs of the block that calls it, if it returns.
    fn call(&mut self, call: &Call, model: &Model, depth: u32) -> Result<(Rc<Run>, Option<Vec<Value>>), RunEnd> {
        let flat = self.flat;
        if depth >= self.most_depth {
            return Err(RunEnd::Bounded);
        }
        let evaluator = Evaluator::new(model.clone());
        let passed: Option<Vec<Value>> = call.entry.iter().map(|&term| evaluator.eval(&flat.terms, term)).collect();
        let passed = passed.ok_or(RunEnd::Unclear)?;
        let key = (call.procedure, passed);
        let inside = match self.known.get(&key) {
            Some(known) => known.clone(),
            None if let Some(values) = (self.shortcut)(call.procedure, &key.1) => {
                let passed = key.1.iter().zip(&call.entry).map(|(value, &term)| (flat.terms.sort(term), value.clone()));
                let end = RunEnd::Returned(values);
                let inside = Rc::new(Run { inputs: passed.collect(), end, length: u64::MAX, is_computed: true, ..Run::empty() });
                self.known.insert(key, inside.clone());
                inside
            }
            None => {
                let before = self.real.len();
                let mut inside = self.run(flat.procedures[call.procedure].start, &key.1, depth + 1);
                inside.real = self.real[before..].to_vec();
                let inside = Rc::new(inside);
                if inside.is_determined() {
                    self.known.insert(key, inside.clone());
                }
                inside
            }
        };
        let values = match &inside.end {
            RunEnd::Returned(values) => Some([Value::FALSE].into_iter().chain(values.iter().cloned()).collect()),
            _ => None,
        };
        Ok((inside, values))
    }
}

impl Run {
    fn empty() -> Run {
        Run {
            inputs: Vec::new(),
            numbers: Vec::new(),
            real: Vec::new(),
            steps: Vec::new(),
            changes: FxMap::default(),
            end: RunEnd::Bounded,
            length: 0,
            is_computed: false,
        }
    }

    /// Whether it is a call that returned, and does so whenever the same is passed.
    pub fn is_determined(&self) -> bool {
        self.real.is_empty() && matches!(self.end, RunEnd::Returned(_))
    }

    /// Whether a condition holds at the start of a step; None if it can't be evaluated.
    pub fn holds(&self, flat: &Flat, step: u32, condition: Term) -> Option<bool> {
        let mut model = Model::default();
        for var in flat.vars(condition) {
            if let Some(value) = self.value(flat, step, var) {
                model.values.insert(var, value.clone());
            }
        }
        Evaluator::new(model).holds(&flat.terms, condition)
    }

    /// The value of a term at the start of a step.
    pub fn term_value(&self, flat: &Flat, step: u32, term: Term) -> Option<Value> {
        let mut model = Model::default();
        for var in flat.vars(term) {
            model.values.insert(var, self.value(flat, step, var)?.clone());
        }
        Evaluator::new(model).eval(&flat.terms, term)
    }

    /// The value of a variable at the start of a step.
    pub fn value(&self, flat: &Flat, step: u32, var: VarId) -> Option<&Value> {
        match flat.inputs.ahead(var) {
            Some((ahead, sort)) => {
                let index = self.steps[step as usize].inputs as usize + ahead as usize;
                self.inputs.get(index).filter(|(known, _)| *known == sort).map(|(_, value)| value)
            }
            None => self.changes.get(&var).and_then(|changes| {
                let after = changes.partition_point(|(since, _)| *since <= step);
                changes.get(after.checked_sub(1)?).map(|(_, value)| value)
            }),
        }
    }
}
