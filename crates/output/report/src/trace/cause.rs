//! The cause of a violation, in a line or two: the condition that is false, with the value of each part; or the object
//! that an access missed, with its size, the accessed bytes, and where the object was allocated or ended.

use super::ending::accessed;
use super::environment::Environment;
use super::lost::last_pointer;
use super::names::Names;
use super::parts::{Part, Step, argument_of, parts};
use super::passed::{condition_of, passed};
use super::walk::Locked;
use fathom_base::{Loc, name_in_source};
use fathom_ir::Property;
use fathom_machine::{Deed, Fault, ObjectKind, ObjectRecord, RaceAccess, ReplayLog, TraceStep, Violation};

/// Parts of a line whose values are shown.
const MOST_PARTS: usize = 8;

/// The name of the object that holds the arguments of a function like `printf`.
const ARGUMENTS: &str = "variadic arguments";

/// The lines that say why.
pub fn cause(violation: &Violation, at: Loc, log: &ReplayLog, environment: &Environment<'_>, locked: &Locked) -> Vec<String> {
    let names = environment.names;
    let mut lines = Vec::new();
    if matches!(violation.property, Property::Deadlock | Property::Termination) && environment.waiting().len() > 1 {
        return environment.waiting().into_iter().map(|waiting| waits(environment, locked, waiting)).collect();
    }
    if let Some(race) = log.scene.race.as_ref().filter(|_| violation.property == Property::NoDataRace) {
        return race.accesses.iter().map(|access| accesses(names, access)).collect();
    }
    if let Some(fault) = log.scene.fault.filter(|_| is_about_memory(violation.property)) {
        lines.push(memory(names, violation, fault));
    }
    if matches!(violation.property, Property::ValidMemtrack | Property::ValidMemcleanup) {
        let last = log.scene.fault.and_then(|fault| last_pointer(fault.place.object, log, names));
        lines.extend(last.map(|(name, until)| {
            let until = until.map_or(String::new(), |loc| format!(", until {}", names.short(loc)));
            format!("the last pointer to it was in `{name}`{until}")
        }));
        return lines;
    }
    match condition(violation, at, log, environment) {
        Some((text, values)) if lines.is_empty() && violation.property == Property::Assertion => {
            lines.push(format!("`{text}` does not hold{}", with(&values)));
        }
        Some((text, values)) if matches!(violation.property, Property::UnreachCall) => {
            lines.push(format!("last condition: `{text}`{}", with(&values)));
        }
        Some((_, values)) if !values.is_empty() => lines.push(format!("where {}", values.join(", "))),
        _ => {}
    }
    if matches!(violation.property, Property::ValidDeref | Property::Bounds)
        && let Some((text, values)) = passed(at, log, environment)
    {
        lines.push(format!("last condition: `{text}`{}", with(&values)));
    }
    lines
}

/// Where a thread waits, and of a mutex who has it.
fn waits(environment: &Environment<'_>, locked: &Locked, (thread, start, loc): (u32, &str, Loc)) -> String {
    let names = environment.names;
    let line = names.line(loc).unwrap_or_default();
    let text = if line.is_empty() { String::new() } else { format!(": {}", line.trim()) };
    let waits = format!("{} waits at {}{text}", thread_name(thread, start), names.short(loc));
    let theirs = environment.of_thread(thread);
    let mutex = ["pthread_mutex_lock", "mtx_lock"].iter().find_map(|call| argument_of(&line, call));
    let place = mutex.and_then(|text| theirs.pointed_to(text, theirs.library_depth()));
    match place.and_then(|place| locked.get(&(place.object, u64::try_from(place.offset).ok()?))) {
        Some((owner, since)) if *owner == thread => format!("{waits} (it locked that itself at {})", names.short(*since)),
        Some((owner, since)) => {
            let (start, is_running) = environment.thread(*owner);
            let ended = if is_running { "" } else { ", which has ended," };
            format!("{waits} ({}{ended} locked that at {})", thread_name(*owner, start), names.short(*since))
        }
        None => waits,
    }
}

/// `thread 2 (count)`.
fn thread_name(thread: u32, start: &str) -> String {
    match (thread, start) {
        (1, "") => "thread 1 (main)".into(),
        (_, "") => format!("thread {thread}"),
        _ => format!("thread {thread} ({})", name_in_source(start)),
    }
}

/// `thread 2 (count) writes counter at race.c:12: counter++;`
pub fn accesses(names: &Names<'_>, access: &RaceAccess) -> String {
    let RaceAccess { thread, start, places, deed, atomic, .. } = access;
    let verb = match deed {
        Deed::Read => "reads",
        Deed::Write => "writes",
        Deed::Free => "frees",
    };
    let what = accessed(names, access);
    let loc = names.user_place(places).unwrap_or(Loc::UNKNOWN);
    let line = names.line(loc).map_or(String::new(), |line| format!(": {}", line.trim()));
    let atomically = if *atomic { " atomically" } else { "" };
    format!("thread {thread} ({}) {verb} {what}{atomically} at {}{line}", name_in_source(start), names.short(loc))
}

fn with(values: &[String]) -> String {
    if values.is_empty() { String::new() } else { format!(": {}", values.join(", ")) }
}

fn is_about_memory(property: Property) -> bool {
    use Property as P;
    matches!(property, P::ValidDeref | P::ValidFree | P::ValidMemtrack | P::ValidMemcleanup | P::Dangling | P::Uninitialised)
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
    if violation.property == Property::Uninitialised {
        return unwritten(names, record, fault, &quoted);
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

/// Memory that was never written, and where it comes from.
fn unwritten(names: &Names<'_>, record: &ObjectRecord, fault: Fault, quoted: &str) -> String {
    let Fault { place, length } = fault;
    let offset = place.offset.max(0) as u64;
    let spot = names.spot(place.object, offset, length).filter(|spot| spot.rest == 0 && length <= spot.size);
    let what = match spot {
        Some(spot) if spot.path != record.name => format!("`{}`", spot.path),
        _ if length == record.size => quoted.to_string(),
        _ => format!("bytes {offset}..{} of {quoted}", offset + length.max(1) - 1),
    };
    match names.user_place(&record.made) {
        Some(loc) if record.kind != ObjectKind::Heap => format!("{what}, declared at {}, was not written", names.short(loc)),
        _ => format!("{what} was not written"),
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
        let text = condition_of(&line).unwrap_or(line.trim());
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

/// The values of what a text mentions.
pub fn values(text: &str, outer: usize, environment: &Environment<'_>) -> Vec<String> {
    let mut told: Vec<String> = Vec::new();
    for part in parts(text) {
        // Of what only its address is used the value says little.
        if text[..part.start].ends_with('&') && !text[..part.start].ends_with("&&") {
            continue;
        }
        let Some(line) = longest(&part, outer, environment) else { continue };
        if !told.contains(&line) && told.len() < MOST_PARTS {
            told.push(line);
        }
    }
    told
}

/// A part with its value, or as much of it as has one: of `p->next` where `p` is null that of `p`. Of an array that an index leaves
/// the length says more than the elements.
fn longest(part: &Part, outer: usize, environment: &Environment<'_>) -> Option<String> {
    if let Some((shown, count)) = environment.left_array(part, outer) {
        return Some(format!("{shown} has {count} elements"));
    }
    let mut part = part.clone();
    loop {
        let found = environment.find(&part, outer, None);
        if let Some((shown, value)) = found.and_then(|(shown, found)| Some((shown, environment.value(&found)?))) {
            return Some(format!("{shown} = {value}"));
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
        told.extend(longest(&part, outer, environment));
    }
    told
}
