//! Running tests: finds one that crosses the frontier, or refines if there is none.

use crate::guided::trace_of_run;
use crate::paths::{self, Path};
use crate::regions::Position;
use crate::runs::{Run, RunEnd, run};
use crate::samples::note_calls;
use crate::search::{Frontier, Goal};
use crate::session::Session;
use crate::solving::Reply;
use fathom_base::FxSet;
use fathom_engine::{Cx, Reason, Task, confirmed};
use fathom_flat::{ErrorKind, Flat};
use fathom_term::{Model, Sort, Term, Value, VarId};

impl Session<'_> {
    /// Runs a test and puts it into the abstraction.
    pub fn test(&mut self, inputs: &[(Sort, Value)], fallback: u64, most_steps: usize, task: &Task, cx: &Cx<'_>) -> usize {
        let (flat, limits) = (self.flat, &self.config.limits);
        let number = self.runs.len();
        let summaries = self.summaries;
        let run = run(flat, self.start, inputs, fallback, most_steps, limits, &|procedure, entry| {
            summaries.borrow().computed(flat, procedure, entry)
        });
        for (at, step) in run.steps.iter().enumerate() {
            let position = (number as u32, at as u32);
            self.regions.place(step.block, position, &mut |predicate| run.holds(flat, at as u32, predicate).unwrap_or(false));
        }
        match run.end {
            _ if let Some(subgoal) = &self.subgoal => {
                let entry: Vec<Value> =
                    run.inputs.iter().take(flat.procedures[subgoal.procedure].entry.len()).map(|(_, value)| value.clone()).collect();
                self.refuted |= match &run.end {
                    RunEnd::Returned(values) => subgoal.is_refuted_by(flat, &entry, Some(values)),
                    RunEnd::AtError(_) => subgoal.is_refuted_by(flat, &entry, None),
                    RunEnd::Unclear => true,
                    RunEnd::Ended | RunEnd::Bounded => false,
                };
            }
            RunEnd::AtError(error) if self.active[error] => {
                // The run is repeated with what the calls really do, instead of with results that were computed from summaries.
                let seen = match run.is_computed {
                    true => &crate::runs::run(flat, self.start, inputs, fallback, most_steps, limits, &|_, _| None),
                    false => &run,
                };
                match seen.end == run.end {
                    true => self.arrived(seen, error, task, cx),
                    false => {
                        self.reasons.note(Reason::BoundReached("calls that a test runs through".to_string()));
                        self.active[error] = false;
                    }
                }
            }
            RunEnd::Unclear => {
                let what = "an expression that has no value in a test".to_string();
                let last = run.steps.last().map_or(fathom_base::Loc::UNKNOWN, |step| flat.blocks[step.block].loc);
                self.give_up(Reason::Unsupported { what, location: task.program.files.show(last) });
            }
            _ => {}
        }
        note_calls(flat, &run, &mut self.summaries.borrow_mut(), limits);
        self.runs.push(run);
        self.paths.push(Path::new(limits.path_steps));
        number
    }

    /// A test came to an error location.
    fn arrived(&mut self, run: &Run, error: usize, task: &Task, cx: &Cx<'_>) {
        let flat = self.flat;
        let location = task.program.files.show(flat.errors[error].loc);
        match flat.errors[error].kind.clone() {
            ErrorKind::Violation { property, .. } => {
                let trace = trace_of_run(flat, run, property, task, cx, &self.config.limits)
                    .and_then(|trace| confirmed(task, &trace).map(|()| trace));
                match trace {
                    Ok(trace) => {
                        self.violated.insert(trace.violation.property, Box::new(trace));
                        self.drop_errors(|kind| matches!(kind, ErrorKind::Violation { property: p, .. } if *p == property));
                    }
                    Err(reason) => {
                        self.refused.insert(property, reason);
                        self.active[error] = false;
                    }
                }
            }
            ErrorKind::Unsupported(what) => self.give_up(Reason::Unsupported { what, location }),
            ErrorKind::Undefined { what, .. } => self.give_up(Reason::Undefined { what, location }),
            ErrorKind::Within(name) => unreachable!("a test of {name} ends at its own place"),
        }
    }

    /// Nothing can be proved any more; violations are still of interest.
    fn give_up(&mut self, reason: Reason) {
        self.reasons.note(reason);
        self.drop_errors(|kind| !matches!(kind, ErrorKind::Violation { .. } | ErrorKind::Within(_)));
    }

    fn drop_errors(&mut self, dropped: impl Fn(&ErrorKind) -> bool) {
        for (active, error) in self.active.iter_mut().zip(&self.flat.errors) {
            *active &= !dropped(&error.kind);
        }
    }

    /// Tries to get a test over the frontier, and refines the abstraction where none gets there.
    pub fn extend(&mut self, found: &Frontier, task: &Task, cx: &Cx<'_>) {
        let flat = self.flat;
        let Frontier { from, exit, to } = *found;
        let block = self.regions.get(from).block;
        let literals = match to {
            Goal::Region(region) => self.regions.get(region).literals.clone(),
            Goal::Objective(objective) => self.objectives[objective].conditions.clone(),
        };
        let needed = flat.before(block, exit, &literals);
        if !self.config.plain && needed.iter().any(|&part| flat.terms.const_bool(part) == Some(false)) {
            let everywhere = self.regions.leaves(block).to_vec();
            return self.take_away(&everywhere, exit, to);
        }
        let Some(&(test, step)) = self.regions.get(from).members.first() else { return };
        let call = flat.blocks[block].call.as_ref();
        if call
            .is_some_and(|call| self.before_any_call(found, &needed, (test, step)) || self.by_summaries(found, &needed, call, (test, step)))
        {
            self.counters.refinements += 1;
            return;
        }
        let (run, path) = (&self.runs[test as usize], &mut self.paths[test as usize]);
        let here = path.at(flat, run, step, &needed);
        let constraints = paths::related(flat, path.constraints(flat, run, step), &here);
        let wanted = variables(flat, constraints.iter().chain(&here).copied());
        let mut context = match self.queries.context(&constraints) {
            Ok(context) => context,
            Err(error) => return self.undecided(found, &error.to_string()),
        };
        match self.queries.ask(&flat.terms, &mut context, &here, &wanted) {
            Reply::Unknown(why) => self.undecided(found, &why.to_string()),
            Reply::Sat(model) => {
                let inputs = self.inputs_of_model(test, &model, &wanted);
                let number = self.test(&inputs, 0, step as usize + self.config.limits.test_steps, task, cx);
                if self.refuted || self.got_over(found, number, step) {
                    return;
                }
                match call {
                    None => self.undecided(found, "its model did not lead where it should"),
                    Some(_) if self.learns_nothing(&needed, number, step) && self.refine_behind(found) => self.counters.refinements += 1,
                    Some(call) => {
                        let asked = self.ask_callee(found, &needed, call, (test, step), task, cx);
                        self.counters.refinements += 1;
                        if !asked {
                            self.undecided(found, "no summary of a recursive procedure was found");
                        }
                    }
                }
            }
            Reply::Unsat(core) => self.refine(found, &needed, &here, core, &mut context, (test, step)),
        }
    }

    /// Whether a test made a call that did not return, where it would not matter what it returns.
    fn learns_nothing(&self, needed: &[Term], test: usize, step: u32) -> bool {
        let flat = self.flat;
        let is_about_results = |part: &Term| flat.vars(*part).iter().any(|&var| matches!(flat.inputs.ahead(var), Some((1.., _))));
        let returned = self.runs[test].steps.get(step as usize).is_some_and(|step| step.exit.is_some());
        !returned && !needed.iter().any(is_about_results)
    }

    /// A test that goes the way of another up to its position, satisfies these conditions there and has these inputs next.
    pub fn test_with(
        &mut self,
        conditions: &[Term],
        (test, step): Position,
        next: &[(Sort, Value)],
        task: &Task,
        cx: &Cx<'_>,
    ) -> Option<usize> {
        let flat = self.flat;
        let (run, path) = (&self.runs[test as usize], &mut self.paths[test as usize]);
        let here = path.at(flat, run, step, conditions);
        let constraints = paths::related(flat, path.constraints(flat, run, step), &here);
        let wanted = variables(flat, constraints.iter().chain(&here).copied());
        let mut context = self.queries.context(&constraints).ok()?;
        match self.queries.ask_briefly(&flat.terms, &mut context, &here, &wanted) {
            Reply::Sat(model) => {
                let mut inputs = self.inputs_of_model(test, &model, &wanted);
                inputs.truncate(self.runs[test as usize].steps[step as usize].real as usize);
                inputs.extend_from_slice(next);
                Some(self.test(&inputs, 0, step as usize + self.config.limits.test_steps, task, cx))
            }
            _ => None,
        }
    }

    /// The inputs of a test, but for those that the model knows.
    fn inputs_of_model(&self, test: u32, model: &Model, wanted: &[VarId]) -> Vec<(Sort, Value)> {
        let flat = self.flat;
        let mut inputs = self.runs[test as usize].real.clone();
        for (number, (sort, value)) in inputs.iter_mut().enumerate() {
            if let Some(var) = flat.terms.as_var(paths::input(&flat.terms, number as u32, *sort))
                && let Some(new) = model.values.get(&var)
            {
                *value = new.clone();
            }
        }
        // Inputs that the test had not asked for yet.
        let upto = wanted.iter().filter_map(|&var| input_number(flat, var)).max().map_or(0, |last| last + 1);
        while (inputs.len() as u32) < upto {
            let number = inputs.len() as u32;
            let known = wanted.iter().find(|&&var| input_number(flat, var) == Some(number));
            let sort = known.map_or(Sort::Bool, |&var| flat.terms.var_sort(var));
            let value = known.map(|&var| model.get(&flat.terms, var));
            inputs.push((sort, value.unwrap_or(Value::FALSE)));
        }
        inputs
    }

    /// Gives a frontier up that no solver could decide.
    pub fn undecided(&mut self, found: &Frontier, why: &str) {
        self.stuck.insert(*found);
        self.reasons.note(Reason::Solver(why.to_string()));
    }
}

fn variables(flat: &Flat, terms: impl Iterator<Item = Term>) -> Vec<VarId> {
    let all: FxSet<VarId> = terms.flat_map(|term| flat.vars(term)).collect();
    let mut all: Vec<VarId> = all.into_iter().collect();
    all.sort();
    all
}

/// The number of a run's input, if the variable is one.
fn input_number(flat: &Flat, var: VarId) -> Option<u32> {
    flat.terms.var_name(var).strip_prefix("run!")?.split('.').next()?.parse().ok()
}
