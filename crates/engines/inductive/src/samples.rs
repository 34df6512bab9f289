//! Runs on random inputs: states at cut points, which refute guessed facts, and transitions, which refute guessed measures. Nothing
//! rests on them but what is tried first.

use crate::limits::Limits;
use crate::system::System;
use fathom_base::{FxMap, Random};
use fathom_flat::Target;
use fathom_term::{Evaluator, Model, Sort, Value, VarId, mask};
use std::collections::BTreeSet;
use std::rc::Rc;

/// States that runs went through, as samples for guesses.
#[derive(Default)]
pub struct Samples {
    /// States at cut points.
    pub states: FxMap<usize, Vec<Rc<Evaluator>>>,
    /// By segment: the state and inputs at its start.
    pub steps: FxMap<usize, Vec<Rc<Evaluator>>>,
}

/// Runs the program on random inputs.
pub fn samples(system: &System<'_>, limits: &Limits, seed: u64) -> Samples {
    let mut random = Random::new(seed);
    let mut from: FxMap<usize, Vec<usize>> = FxMap::default();
    for (number, segment) in system.segments.iter().enumerate() {
        from.entry(segment.from).or_default().push(number);
    }
    let inputs: FxMap<usize, Vec<VarId>> = from.iter().map(|(&cut, segments)| (cut, inputs_of(system, segments))).collect();
    let mut seen = Samples::default();
    let mut evaluations = 0;
    for _ in 0..limits.runs {
        let mut state = Model::default();
        let mut at = 0;
        for _ in 0..limits.run_length {
            if evaluations > limits.evaluations {
                return seen;
            }
            let Some(segments) = from.get(&at) else { break };
            for &input in &inputs[&at] {
                state.values.insert(input, any_value(system, input, &mut random));
            }
            let here = Rc::new(Evaluator::new(state.clone()));
            evaluations += segments.len();
            let holds = |&&number: &&usize| {
                let guard = &system.segments[number].guard;
                guard.iter().all(|&part| here.holds(system.store(), part) == Some(true))
            };
            let open: Vec<usize> = segments.iter().filter(holds).copied().collect();
            if open.is_empty() {
                break;
            }
            let taken = open[random.below(open.len() as u64) as usize];
            keep(seen.steps.entry(taken).or_default(), &here, limits.kept, &mut random);
            let Target::Block(to) = system.segments[taken].to else { break };
            for &(var, value) in &system.segments[taken].assigns {
                match here.eval(system.store(), value) {
                    Some(value) => state.values.insert(var, value),
                    None => return seen,
                }
            }
            at = to;
            let there = Rc::new(Evaluator::new(state.clone()));
            keep(seen.states.entry(at).or_default(), &there, limits.kept, &mut random);
        }
    }
    seen
}

/// The first ones, and later ones in the place of some.
fn keep(kept: &mut Vec<Rc<Evaluator>>, new: &Rc<Evaluator>, most: usize, random: &mut Random) {
    if kept.len() < most {
        kept.push(new.clone());
    } else if random.below(4) == 0 {
        let place = random.below(most as u64) as usize;
        kept[place] = new.clone();
    }
}

fn inputs_of(system: &System<'_>, segments: &[usize]) -> Vec<VarId> {
    let segments = segments.iter().map(|&number| &system.segments[number]);
    let terms = segments.flat_map(|segment| segment.guard.iter().copied().chain(segment.assigns.iter().map(|(_, value)| *value)));
    let vars: BTreeSet<VarId> = terms.flat_map(|term| system.flat.vars(term)).filter(|&var| system.is_input(var)).collect();
    vars.into_iter().collect()
}

/// Small numbers of both signs most of the time.
fn any_value(system: &System<'_>, var: VarId, random: &mut Random) -> Value {
    let sort = system.store().var_sort(var);
    let number = match random.below(8) {
        0 => 0,
        1 => 1,
        2 | 3 => random.below(12) as i64,
        4 => -(random.below(6) as i64),
        5 => random.below(200) as i64,
        6 => random.below(1 << 16) as i64,
        _ => random.bits() as i64,
    };
    match sort {
        Sort::Bool => Value::bool(random.below(2) == 0),
        Sort::Bv(width @ 1..=64) => Value::Bits(number as u64 & mask(width)),
        Sort::Int => Value::int(number),
        other => Value::zero(other, system.store()),
    }
}
