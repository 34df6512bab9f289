//! Selects the relevant steps of a trace: those that the failure depends on, the calls around them, and constants that
//! initialise relevant variables.

use super::parts::parts;
use crate::model::StepReport;
use std::collections::BTreeSet;

/// The steps that do not matter; none where that is unknown. `line` is the source of the failure; of steps before `known_from`
/// it is unknown what depends on them, because others are missing behind them.
pub fn irrelevant(steps: &[StepReport], origins: &[usize], influences: &[Option<bool>], line: &str, known_from: usize) -> Vec<usize> {
    let has_threads = steps.iter().any(|step| matches!(step, StepReport::Thread { .. }));
    if influences.is_empty() || has_threads {
        return Vec::new();
    }
    let influence = |index: usize| influences.get(origins[index]).copied().flatten();
    let mentioned: BTreeSet<String> = parts(line).into_iter().map(|part| part.name).collect();
    let mut names = mentioned.clone();
    for (index, step) in steps.iter().enumerate() {
        if let (StepReport::Value { variable, memory: false, .. }, Some(true)) = (step, influence(index)) {
            names.insert(variable.clone());
        }
    }
    let innermost = innermost_call(steps);
    let mut matters: Vec<bool> = Vec::with_capacity(steps.len());
    // Calls that are open, and those of them that hold something that matters.
    let mut open: Vec<(usize, bool)> = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        let kept = match step {
            StepReport::Value { variable, memory: false, .. } if index >= innermost && mentioned.contains(variable) => true,
            StepReport::Value { variable, memory: false, .. } => influence(index).unwrap_or(names.contains(variable)),
            StepReport::Enter { .. } => {
                open.push((index, false));
                false
            }
            StepReport::Leave { .. } => match open.pop() {
                Some((start, kept)) => {
                    matters[start] = kept;
                    if let (true, Some(outer)) = (kept, open.last_mut()) {
                        outer.1 = true;
                    }
                    kept
                }
                None => true,
            },
            _ => influence(index) == Some(true),
        };
        if let (true, Some(call)) = (kept, open.last_mut()) {
            call.1 = true;
        }
        matters.push(kept);
    }
    // The last step is where it happens, and calls that had not returned lead there.
    if let Some(last) = matters.last_mut() {
        *last = true;
    }
    open.into_iter().for_each(|(start, _)| matters[start] = true);
    matters.iter().enumerate().skip(known_from).filter(|(_, kept)| !**kept).map(|(index, _)| index).collect()
}

/// Where the call begins that the failure is in.
fn innermost_call(steps: &[StepReport]) -> usize {
    let mut open = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        match step {
            StepReport::Enter { .. } => open.push(index),
            StepReport::Leave { .. } => _ = open.pop(),
            _ => {}
        }
    }
    open.pop().unwrap_or(0)
}
