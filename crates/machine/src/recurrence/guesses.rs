//! Searches for a recurrent set: guesses conditions that its states have in common, and removes those that a round
//! violates (Flanagan and Leino's Houdini, beginning with all conditions that hold in the states of a run).

use crate::exec::machine::{Machine, Mode};
use crate::exec::state::State;
use crate::exec::value::Val;
use crate::induction::havoc::Changes;
use crate::recurrence::rounds::{Round, Rounds, is_literal};
use crate::recurrence::{InputOrder, Recurrence, ask};
use crate::replay::interpreter::at_head;
use crate::replay::trace::Cycle;
use fathom_base::FxSet;
use fathom_smt::{Oracle, Verdict};
use fathom_term::{Evaluator, Model, Sort, Term, TermStore, Value, VarId};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

/// Time for one loop head with one model.
const TIME: Duration = Duration::from_millis(1500);
/// Models of a state that are tried.
const SEEDS: usize = 6;
/// Rounds that a sampled run must stay for, and those whose states guesses are compared with.
const STAYS: usize = 200;
const SAMPLES: usize = 12;
/// Corrections before a set is given up.
const CORRECTIONS: usize = 60;
/// Variables that are compared with each other, and nodes of a condition.
const COMPARED: usize = 8;
const NODES: usize = 60;

impl Machine {
    /// Whether some run of this path, which is at a loop head, never leaves the loop: then that was reported.
    pub fn look_for_recurrence(&mut self, state: &State, new_oracle: &dyn Fn() -> Oracle) -> bool {
        if state.threads.is_some() || !state.is_certain() || state.abstraction.is_some() {
            return false;
        }
        let Some(visit) = state.comparison.watch.as_ref().map(|watch| watch.visits()) else { return false };
        for model in self.seeds(state) {
            let mut trace = self.trace_of(state, &model, self.endless(state, String::new()));
            let (program, checks, budget) = (self.program.clone(), self.checks.clone(), self.budget.at_most(TIME));
            let Some((mut other, at)) = at_head(&program, &checks, &trace, visit, &budget) else { continue };
            other.mode = Mode::Symbolic(Box::new(new_oracle()));
            if let Some(set) = other.recurrent_set(&at, visit) {
                trace.violation.message = message(&set);
                trace.cycle = Some(Cycle::Stays(Rc::new(set)));
                self.found.violations.push(trace);
                return true;
            }
        }
        false
    }

    /// Models of the path: its own, and some in which what the loop has is odd, even or of either sign.
    fn seeds(&mut self, state: &State) -> Vec<Rc<Evaluator>> {
        let store = self.store.clone();
        let mut found = vec![state.path.model.clone()];
        let live = self.live_locals(&state.frames, state.frames.len() - 1);
        let terms = live.iter().filter_map(|&slot| match state.frame().locals[slot as usize] {
            Val::Term(term) if matches!(store.sort(term), Sort::Bv(2..=64)) => Some(term),
            _ => None,
        });
        for term in terms.take(SEEDS / 2) {
            let width = store.sort(term).width();
            let odd = store.eq(store.extract(term, 0, 0), store.bv(1, 1));
            let negative = store.bv_slt(term, store.bv(0, width));
            for condition in [odd, store.not(odd), negative, store.not(negative)] {
                let is_new = found.iter().all(|model| model.holds(&store, condition) != Some(true));
                if found.len() < SEEDS
                    && is_new
                    && let Verdict::Sat(model) = self.query(state, condition)
                {
                    found.push(model);
                }
            }
        }
        found
    }

    /// A recurrent set that has this concrete state.
    fn recurrent_set(&mut self, at: &State, visit: u64) -> Option<Recurrence> {
        let mut changes = Changes::default();
        let mut rounds = Rounds::of(self, at, &mut changes, &BTreeMap::new())?;
        let store = self.store.clone();
        let values = self.values_at(at, &rounds);
        let inputs = self.inputs_that_return(&rounds, &values)?;
        rounds.give(&store, &inputs);
        let samples = sampled(&store, &rounds, &values)?;
        let mut facts = guesses(&store, &rounds, &samples);
        facts.retain(|&fact| samples.iter().all(|sample| sample.holds(&store, rounds.before(&store, fact)) == Some(true)));
        let facts = self.corrected(&rounds, facts)?;
        let says = self.fewer(&rounds, facts);
        Some(Recurrence { visit, changes, says, inputs })
    }

    /// The values of the symbols of a set's states in this one.
    fn values_at(&mut self, at: &State, rounds: &Rounds) -> Vec<(VarId, Value)> {
        let store = self.store.clone();
        let values: Vec<Option<Term>> = rounds.spots.iter().map(|&spot| self.value_at(at, spot)).collect();
        let pairs = rounds.symbols().into_iter().zip(values);
        pairs.filter_map(|(symbol, value)| Some((store.as_var(symbol)?, store.const_value(value?)?))).collect()
    }

    /// Values of inputs with which the state takes one of the rounds; zeros, if they do.
    fn inputs_that_return(&mut self, rounds: &Rounds, values: &[(VarId, Value)]) -> Option<BTreeMap<InputOrder, Value>> {
        let store = self.store.clone();
        let fixed: Vec<(VarId, Term)> = values.iter().map(|(var, value)| (*var, store.constant(value, store.var_sort(*var)))).collect();
        let mut here = fathom_term::Substitution::new(fixed);
        let any = store.or_all(rounds.all.iter().map(|round| here.apply(&store, round.when)).collect::<Vec<_>>());
        let zeros = Evaluator::new(Model::default());
        let model = match zeros.holds(&store, any) {
            Some(true) => Model::default(),
            _ => match ask(self, any) {
                Verdict::Sat(model) => model.model().clone(),
                Verdict::Unsat | Verdict::Unknown(_) => return None,
            },
        };
        Some(rounds.inputs.iter().map(|(order, var)| (order.clone(), model.get(&store, *var))).collect())
    }

    /// The facts that every round keeps; None if some state with all of them leaves.
    fn corrected(&mut self, rounds: &Rounds, mut facts: Vec<Term>) -> Option<Vec<Term>> {
        let store = self.store.clone();
        for _ in 0..CORRECTIONS {
            let model = match rounds.leaves(self, &facts) {
                Verdict::Unsat => return Some(facts),
                Verdict::Unknown(_) => return None,
                Verdict::Sat(model) => model,
            };
            let round = rounds.all.iter().find(|round| model.holds(&store, round.when) == Some(true))?;
            let count = facts.len();
            facts.retain(|&fact| model.holds(&store, rounds.behind(&store, round, fact)) == Some(true));
            if facts.len() == count {
                return None;
            }
        }
        None
    }

    /// No fact at all or a single one, if that is enough.
    fn fewer(&mut self, rounds: &Rounds, facts: Vec<Term>) -> Vec<Term> {
        let single = facts.iter().map(|&fact| vec![fact]);
        let enough =
            [Vec::new()].into_iter().chain(single).take(CORRECTIONS).find(|few| matches!(rounds.leaves(self, few), Verdict::Unsat));
        enough.unwrap_or(facts)
    }
}

/// What is said of a run that stays in a set.
fn message(set: &Recurrence) -> String {
    let number = |value: &Value| match value {
        Value::Bits(bits) => bits.to_string(),
        other => format!("{other:?}"),
    };
    let inputs: Vec<String> = set.inputs.values().map(number).collect();
    match &inputs[..] {
        [] => "the loop goes on for ever: no round ends it".to_string(),
        [only] => format!("the loop goes on for ever if the input is {only} in each round from here on"),
        several => format!("the loop goes on for ever if the inputs are {} in each round from here on", several.join(", ")),
    }
}

/// The states that a run goes through; None if it leaves the loop soon.
fn sampled(store: &TermStore, rounds: &Rounds, start: &[(VarId, Value)]) -> Option<Vec<Evaluator>> {
    let symbols = rounds.symbols();
    let mut values: Vec<(VarId, Value)> = start.to_vec();
    let mut samples = Vec::new();
    for _ in 0..STAYS {
        let mut model = Model::default();
        values.iter().for_each(|(var, value)| model.values.insert(*var, value.clone()));
        let here = Evaluator::new(model);
        let round = rounds.all.iter().find(|round| here.holds(store, round.when) == Some(true))?;
        let next =
            symbols.iter().zip(&round.after).filter_map(|(&symbol, &(_, after))| Some((store.as_var(symbol)?, here.eval(store, after)?)));
        values = next.collect();
        if samples.len() < SAMPLES {
            samples.push(here);
        }
    }
    Some(samples)
}

/// What the states may have in common.
fn guesses(store: &TermStore, rounds: &Rounds, samples: &[Evaluator]) -> Vec<Term> {
    let taken = |round: &Round| rounds.named(store, round.when);
    let mut all = vec![store.or_all(rounds.all.iter().map(taken).collect::<Vec<_>>())];
    for part in rounds.all.iter().flat_map(|round| store.conjuncts(taken(round))) {
        all.extend([part, store.not(part)]);
        let later = rounds.all.iter().map(|round| rounds.named(store, rounds.behind(store, round, part)));
        all.extend(later.filter(|&part| is_literal(store, part)));
    }
    let is_number = |&(_, symbol): &(VarId, Term)| store.as_var(symbol).is_some() && matches!(store.sort(symbol), Sort::Bv(1..=64));
    let numbers: Vec<(VarId, Term)> = rounds.vars().into_iter().zip(rounds.symbols()).filter(is_number).collect();
    for (at, &(var, symbol)) in numbers.iter().enumerate() {
        let one = store.var_term(var);
        let first = samples.first().and_then(|sample| sample.eval(store, symbol));
        of_one(store, one, first.as_ref(), &mut all);
        let others = numbers[at + 1..].iter().map(|&(other, _)| store.var_term(other));
        for other in others.filter(|&other| store.sort(other) == store.sort(one)).take(COMPARED) {
            all.extend([store.eq(one, other), store.ne(one, other)]);
            all.extend([store.bv_sle(one, other), store.bv_sle(other, one), store.bv_ule(one, other), store.bv_ule(other, one)]);
        }
    }
    let mut seen: FxSet<Term> = FxSet::default();
    let is_small = |fact: Term| store.subterms([fact]).nth(NODES).is_none();
    all.retain(|&fact| store.const_bool(fact).is_none() && seen.insert(fact) && is_small(fact) && rounds.is_about_heads(store, fact));
    all
}

/// About one number: its lowest bits, its sign, and how it compares with the first value that it has.
fn of_one(store: &TermStore, number: Term, first: Option<&Value>, all: &mut Vec<Term>) {
    let sort = store.sort(number);
    let width = sort.width();
    for low in 1..=3.min(width) {
        let part = store.extract(number, low - 1, 0);
        all.extend((0..1u64 << low).map(|rest| store.eq(part, store.bv(rest, low))));
    }
    let first = first.map(|value| store.constant(value, sort));
    for constant in [Some(store.bv(0, width)), Some(store.bv(1, width)), first].into_iter().flatten() {
        all.extend([store.eq(number, constant), store.ne(number, constant)]);
        all.extend([store.bv_sle(number, constant), store.bv_sle(constant, number)]);
        all.extend([store.bv_ule(number, constant), store.bv_ule(constant, number)]);
    }
}
