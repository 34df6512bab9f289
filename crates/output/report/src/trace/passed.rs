//! The last branch condition before the violation, if it is about the same variables: for an index that is too large,
//! the bound of the surrounding loop explains more than the index.

use super::cause::values;
use super::environment::{Environment, Found};
use super::parts::{argument_of, parts};
use fathom_base::Loc;
use fathom_machine::{ReplayLog, TraceStep};
use std::collections::{BTreeMap, BTreeSet};

/// A branch of an active call, and how many steps came before it.
type Passed = (Loc, usize);

/// The condition as the source has it, and the values of its parts. None if what it mentions has changed since.
pub fn passed(at: Loc, log: &ReplayLog, environment: &Environment<'_>) -> Option<(String, Vec<String>)> {
    let (names, inner) = (environment.names, environment.library_depth());
    let line = names.line(at)?;
    let mentioned: BTreeSet<String> = parts(&line).into_iter().map(|part| part.name).collect();
    let calls = branches(log).remove(&environment.running)?;
    let call = calls.get(calls.len().checked_sub(inner + 1)?)?;
    call.iter().rev().filter(|(loc, _)| loc.line != at.line || loc.file != at.file).find_map(|(loc, step)| {
        let line = names.line(*loc)?;
        let text = condition_of(&line)?.to_string();
        let is_about_it = parts(&text).iter().any(|part| mentioned.contains(&part.name));
        if !is_about_it || has_changed(&text, *step, inner, log, environment) {
            return None;
        }
        let values = values(&text, inner, environment);
        (!values.is_empty()).then_some((text, values))
    })
}

/// The condition in a line that branches: of `for` what stands between the semicolons.
pub fn condition_of(line: &str) -> Option<&str> {
    if let Some(all) = argument_of(line, "for") {
        return Some(all.split(';').nth(1).unwrap_or(all).trim()).filter(|text| !text.is_empty());
    }
    ["if", "while", "switch"].iter().find_map(|word| argument_of(line, word))
}

/// The branches of each thread's active calls, innermost call last, each branch where it was passed last.
fn branches(log: &ReplayLog) -> BTreeMap<u32, Vec<Vec<Passed>>> {
    let mut threads: BTreeMap<u32, Vec<Vec<Passed>>> = BTreeMap::new();
    let mut running = 1;
    for (number, step) in log.steps.iter().enumerate() {
        let calls = threads.entry(running).or_insert_with(|| vec![Vec::new()]);
        match step {
            TraceStep::Enter { .. } => calls.push(Vec::new()),
            TraceStep::Leave { .. } => _ = calls.pop(),
            TraceStep::Switch { thread, .. } => running = *thread,
            TraceStep::Skipped { active } => *calls = vec![Vec::new(); active.len() + 1],
            TraceStep::Branch { loc, .. } => {
                if let Some(call) = calls.last_mut() {
                    call.retain(|(known, _)| known != loc);
                    call.push((*loc, number));
                }
            }
            _ => {}
        }
    }
    threads
}

/// Whether something that the condition mentions was written after it was passed.
fn has_changed(text: &str, step: usize, inner: usize, log: &ReplayLog, environment: &Environment<'_>) -> bool {
    let mentions = parts(text);
    let found = mentions.iter().filter_map(|part| environment.find(part, inner, None));
    let objects: Vec<_> = found
        .filter_map(|(_, found)| match found {
            Found::Memory { object, .. } => Some(object),
            Found::Register(_) => None,
        })
        .collect();
    log.steps[step..].iter().any(|step| match step {
        TraceStep::Value { watched, .. } => mentions.iter().any(|part| part.name == watched.variable),
        TraceStep::Store { object, .. } => objects.contains(object),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::condition_of;

    #[test]
    fn conditions_of_lines() {
        assert_eq!(condition_of("    for (int i = 0; i <= f(n); i++) {"), Some("i <= f(n)"));
        assert_eq!(condition_of("for (;;)"), None);
        assert_eq!(condition_of("} while (*p != '(' && n);"), Some("*p != '(' && n"));
        assert_eq!(condition_of("x = y;"), None);
    }
}
