//! Why it is a violation, in a line or two: the condition that does not hold with the value of each part, or the object that
//! an access missed, with its size, the bytes that were meant, and where the object came from or ended.

use super::environment::Environment;
use super::names::Names;
use super::parts::{Part, Step, argument_of, parts};
use fathom_base::{Loc, name_in_source};
use fathom_ir::Property;
use fathom_machine::{Fault, ObjectKind, ReplayLog, TraceStep, Violation};

/// Parts of a line whose values are told.
const MOST_PARTS: usize = 8;

/// The name of the object that holds the arguments of a function like `printf`.
const ARGUMENTS: &str = "variadic arguments";

/// The lines that say why.
pub fn cause(violation: &Violation, at: Loc, log: &ReplayLog, environment: &Environment<'_>) -> Vec<String> {
    let names = environment.names;
    let mut lines = Vec::new();
    if violation.property == Property::Termination && environment.waiting().len() > 1 {
        return environment.waiting().into_iter().map(|(thread, start, loc)| waits(names, thread, start, loc)).collect();
    }
    if let Some(fault) = log.scene.fault.filter(|_| is_about_memory(violation.property)) {
        lines.push(memory(names, violation, fault));
    }
    if matches!(violation.property, Property::ValidMemtrack | Property::ValidMemcleanup) {
        return lines;
    }
    match condition(violation, at, log, environment) {
        Some((text, values)) if lines.is_empty() && violation.property == Property::Assertion => {
            lines.push(format!("`{text}` does not hold{}", with(&values)));
        }
        Some((text, values)) if matches!(violation.property, Property::UnreachCall) => {
            lines.push(format!("after `{text}`{}", with(&values)));
        }
        Some((_, values)) if !values.is_empty() => lines.push(format!("where {}", values.join(", "))),
        _ => {}
    }
    lines
}

fn waits(names: &Names<'_>, thread: u32, start: &str, loc: Loc) -> String {
    let start = if start.is_empty() { "main" } else { start };
    let line = names.line(loc).map_or(String::new(), |line| format!(": {}", line.trim()));
    format!("thread {thread} ({}) waits at {}{line}", name_in_source(start), names.short(loc))
}

fn with(values: &[String]) -> String {
    if values.is_empty() { String::new() } else { format!(": {}", values.join(", ")) }
}

fn is_about_memory(property: Property) -> bool {
    use Property as P;
    matches!(property, P::ValidDeref | P::ValidFree | P::ValidMemtrack | P::ValidMemcleanup | P::Dangling)
}

fn memory(names: &Names<'_>, violation: &Violation, fault: Fault) -> String {
    let Fault { place, length } = fault;
    let object = names.sized_object(place.object);
    let Some(record) = names.record(place.object) else { return object };
    if record.name == ARGUMENTS {
        let slot = u64::from(names.scene.pointer_bits / 8).max(1);
        return format!("the call passes {} arguments behind those with names, and one more is asked for", record.size / slot);
    }
    let quoted = if record.kind == ObjectKind::Heap { object } else { format!("`{object}`") };
    if matches!(violation.property, Property::ValidMemtrack | Property::ValidMemcleanup) {
        return format!("{quoted} is lost");
    }
    if !names.scene.lives(place.object) {
        let ended = names.user_place(&record.ended).map_or("before".into(), |loc| format!("at {}", names.short(loc)));
        return match record.kind {
            ObjectKind::Heap => format!("{quoted} was freed {ended}"),
            _ => format!("{quoted} went out of scope {ended}"),
        };
    }
    if violation.property == Property::ValidFree {
        let what = match record.kind {
            ObjectKind::Heap => "points into the middle of an allocation",
            ObjectKind::Stack => "points to a local variable",
            ObjectKind::Global => "points to a global variable",
            ObjectKind::Code => "points to a function",
        };
        return format!("the pointer is {}: it {what}", names.pointer(place, None));
    }
    let size = record.size;
    let owner = if record.kind == ObjectKind::Heap { names.object(place.object) } else { format!("`{}`", record.name) };
    match (length, place.offset) {
        (0, _) => owner,
        (1, offset) => format!("{owner} has {size} bytes, the access is at byte {offset}"),
        (_, offset) => format!("{owner} has {size} bytes, the access is at bytes {offset}..{}", offset + length as i64 - 1),
    }
}

/// The condition that decided, as the source has it, and the values of its parts.
fn condition(violation: &Violation, at: Loc, log: &ReplayLog, environment: &Environment<'_>) -> Option<(String, Vec<String>)> {
    let (names, inner) = (environment.names, environment.library_depth());
    let line = names.line(at)?;
    let is_check = matches!(violation.property, Property::UnreachCall | Property::Assertion);
    if is_check && let Some(text) = argument_of(&line, "assert") {
        return Some((text.to_string(), values(text, inner, environment)));
    }
    // A function that checks its argument: the caller has the condition.
    let active = environment.active();
    if let Some(call) = active.last().filter(|call| is_check && call.procedure.to_lowercase().contains("assert")) {
        let line = names.line(call.called_from)?;
        let text = argument_of(&line, &call.procedure)?;
        return Some((text.to_string(), values(text, 1, environment)));
    }
    if is_check {
        let branch = log.steps.iter().rev().find_map(|step| match step {
            TraceStep::Branch { loc, .. } if !names.is_library(*loc) => Some(*loc),
            _ => None,
        })?;
        let line = names.line(branch)?;
        let text = ["if", "while", "for", "switch"].iter().find_map(|word| argument_of(&line, word)).unwrap_or(line.trim());
        return Some((text.to_string(), values(text, inner, environment)));
    }
    if violation.property == Property::Alignment {
        return Some((line.trim().to_string(), pointers(&line, inner, environment)));
    }
    Some((line.trim().to_string(), values(read_side(&line), inner, environment)))
}

/// The line without what it assigns to, whose old value does not matter.
fn read_side(line: &str) -> &str {
    let bytes = line.as_bytes();
    let assigns = |at: usize| {
        bytes[at] == b'='
            && bytes.get(at + 1) != Some(&b'=')
            && at > 0
            && (bytes[at - 1].is_ascii_whitespace() || bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] == b'_')
    };
    match (0..bytes.len()).find(|&at| assigns(at)) {
        // Members and elements are found by what the left side reads.
        Some(at) if !line[..at].contains(['[', '*', '>', '(']) => &line[at + 1..],
        _ => line,
    }
}

fn values(text: &str, outer: usize, environment: &Environment<'_>) -> Vec<String> {
    let mut told: Vec<String> = Vec::new();
    for part in parts(text) {
        // Of what only its address is used the value says little.
        if text[..part.start].ends_with('&') && !text[..part.start].ends_with("&&") {
            continue;
        }
        let Some((shown, value)) = longest(&part, outer, environment) else { continue };
        let line = format!("{shown} = {value}");
        if !told.contains(&line) && told.len() < MOST_PARTS {
            told.push(line);
        }
    }
    told
}

/// The value of a part, or of as much of it as has one: of `p->next` where `p` is null that of `p`.
fn longest(part: &Part, outer: usize, environment: &Environment<'_>) -> Option<(String, String)> {
    let mut part = part.clone();
    loop {
        let found = environment.find(&part, outer, None);
        if let Some((shown, value)) = found.and_then(|(shown, found)| Some((shown, environment.value(&found)?))) {
            return Some((shown, value));
        }
        match part.stars {
            0 => _ = part.steps.pop()?,
            _ => part.stars -= 1,
        }
    }
}

/// The pointers that a line follows.
fn pointers(line: &str, outer: usize, environment: &Environment<'_>) -> Vec<String> {
    let mut told = Vec::new();
    for mut part in parts(line) {
        match part.steps.pop() {
            Some(Step::Arrow(_) | Step::Index(_)) => part.stars = 0,
            None if part.stars > 0 => part.stars -= 1,
            _ => continue,
        }
        told.extend(longest(&part, outer, environment).map(|(shown, value)| format!("{shown} = {value}")));
    }
    told
}
