//! Derives the verdict of each alarm from the results of entries. The order matters: first, a native run from an entry
//! of the program confirms the alarm; then an infeasible path, or completely explored entries, refute it; then a native
//! run of the function alone shows a precondition that callers have to satisfy. If a bounded exploration found nothing,
//! the verdict is only "refuted within bounds".

use crate::scan::code_base::{CodeBase, Id};
use crate::scan::entry_run::{EntryResult, FoundViolation, OfAlarm, is_of_class};
use fathom_scan::{Alarm, Class, Verdict, VerdictKind};

/// An entry from which an alarm's function may be reached, and the result of its exploration.
pub(crate) struct Explored<'a> {
    pub entry: Id,
    pub name: &'a str,
    /// Users have it: main, or an exported function where no main leads to it.
    pub is_real: bool,
    /// Pointer arguments could be null.
    pub null: bool,
    pub result: &'a EntryResult,
    /// If the entry was asked about the alarm.
    pub of_alarm: Option<&'a OfAlarm>,
}

/// An alarm, with the explorations that may have reached it.
pub(crate) struct Case<'a> {
    pub alarm: &'a Alarm,
    /// The function that it is in.
    pub function: Id,
    pub explored: Vec<Explored<'a>>,
    /// Whether entries that users have and that lead there were left out.
    pub left_out: bool,
}

impl Case<'_> {
    /// The verdict on the alarm.
    pub fn verdict(&self, code: &CodeBase) -> Verdict {
        let name = &code.symbol(self.function).name;
        let steps = [self.confirmed(), self.infeasible(), self.unreachable(name), self.for_caller(), self.within_bounds(name)];
        steps.into_iter().flatten().next().unwrap_or_else(|| self.open(name))
    }

    fn matching<'a>(&self, explored: &Explored<'a>) -> Option<&'a FoundViolation> {
        let fits = |seen: &&FoundViolation| is_of_class(seen, self.alarm.class) && is_at(seen, self.alarm) && seen.native.is_ok();
        explored.result.seen.iter().find(fits)
    }

    fn confirmed(&self) -> Option<Verdict> {
        let real = self.explored.iter().filter(|explored| explored.is_real && !explored.null);
        let found = real.filter_map(|explored| Some((explored, self.matching(explored)?)));
        let settled = found.filter(|(explored, seen)| explored.name == "main" || is_free_of_promises(seen));
        let (explored, seen) = settled.min_by_key(|(explored, _)| explored.name != "main")?;
        Some(shown(VerdictKind::Confirmed, explored, seen))
    }

    fn for_caller(&self) -> Option<Verdict> {
        let found = self.explored.iter().filter_map(|explored| Some((explored, self.matching(explored)?)));
        let (explored, seen) = found.min_by_key(|(explored, _)| (explored.null, explored.entry != self.function))?;
        let mut verdict = shown(VerdictKind::ConfirmedForCaller, explored, seen);
        let (proved, hint) = promise(seen);
        verdict.precondition = proved;
        verdict.reason += &hint;
        let other = self.explored.iter().find(|other| explored.null && !other.null && other.entry == explored.entry);
        if let Some(other) = other.filter(|other| other.result.is_complete && self.nothing_here(other)) {
            let nulls: Vec<&str> = seen.evidence.inputs.iter().filter_map(|input| null_argument(input)).collect();
            if !nulls.is_empty() {
                verdict.precondition = Some(nulls.iter().map(|name| format!("{name} != NULL")).collect::<Vec<_>>().join(" && "));
                verdict.assumptions.extend(other.result.assumptions.iter().cloned());
            }
        }
        Some(verdict)
    }

    fn infeasible(&self) -> Option<Verdict> {
        let is_known = |explored: &&Explored<'_>| explored.of_alarm.is_some_and(|of_alarm| of_alarm.path_infeasible);
        self.explored.iter().find(is_known)?;
        let reason = "the reported path can't be taken: its branches contradict each other whatever the arguments and memory".to_string();
        Some(Verdict { kind: VerdictKind::Refuted, reason, ..Verdict::open("") })
    }

    /// Whether no violation of the kind lies on the line.
    fn nothing_here(&self, explored: &Explored<'_>) -> bool {
        let is_kind = |seen: &FoundViolation| self.alarm.class.properties().iter().any(|property| property.name() == seen.property);
        let lies_here = |seen: &FoundViolation| self.alarm.class == Class::Leak || is_at(seen, self.alarm);
        !explored.result.seen.iter().any(|seen| is_kind(seen) && lies_here(seen))
    }

    /// Whether an exploration to the end, in which nothing was found, says that the alarm is wrong.
    fn refutes(&self, explored: &Explored<'_>) -> bool {
        let Some(of_alarm) = explored.of_alarm else { return false };
        let is_hidden = explored.result.is_cut_short && !of_alarm.is_reached;
        if !explored.result.is_complete || is_hidden || !self.nothing_here(explored) {
            return false;
        }
        let names: Vec<&str> = self.alarm.class.properties().iter().map(|property| property.name()).collect();
        let is_checked = match self.alarm.class {
            Class::Leak => explored.result.checked.contains("valid-memtrack"),
            // A value that was never written may be copied and returned: only uses that matter are checked.
            Class::Uninitialised | Class::Race | Class::Other => false,
            _ => names.iter().any(|name| of_alarm.checks.contains(*name) && explored.result.checked.contains(*name)),
        };
        is_checked || !of_alarm.is_reached && self.alarm.class != Class::Leak && !of_alarm.checks.is_empty()
    }

    /// Whatever the function is given, or however main is started, it does not happen.
    fn unreachable(&self, name: &str) -> Option<Verdict> {
        let own = self.explored.iter().find(|explored| explored.entry == self.function && !explored.null && !explored.result.is_bounded);
        if let Some(own) = own.filter(|own| self.refutes(own)) {
            return Some(refuted(VerdictKind::Refuted, format!("no execution from {name} reaches it, whatever its arguments"), &[own]));
        }
        let real = self.real();
        let all = !real.is_empty() && !self.left_out && real.iter().all(|explored| self.refutes(explored));
        let kind =
            if real.iter().any(|explored| explored.result.is_bounded) { VerdictKind::RefutedWithinBounds } else { VerdictKind::Refuted };
        let is_main = real.iter().all(|explored| explored.name == "main");
        (all && (is_main || kind == VerdictKind::Refuted)).then(|| refuted(kind, no_execution(&real), &real))
    }

    fn within_bounds(&self, name: &str) -> Option<Verdict> {
        if self.unshown().is_some() {
            return None;
        }
        let own = self.explored.iter().find(|explored| explored.entry == self.function && !explored.null);
        if let Some(own) = own.filter(|own| self.refutes(own)) {
            let reason = format!("no execution from {name} reaches it, for arguments of bounded size");
            return Some(refuted(VerdictKind::RefutedWithinBounds, reason, &[own]));
        }
        let real = self.real();
        let all = !real.is_empty() && !self.left_out && real.iter().all(|explored| self.refutes(explored));
        all.then(|| refuted(VerdictKind::RefutedWithinBounds, no_execution(&real), &real))
    }

    fn real(&self) -> Vec<&Explored<'_>> {
        self.explored.iter().filter(|explored| explored.is_real && !explored.null).collect()
    }

    /// A violation that is what the alarm says, which the interpreter shows.
    fn unshown(&self) -> Option<&FoundViolation> {
        let seen = self.explored.iter().flat_map(|explored| &explored.result.seen);
        seen.into_iter().find(|seen| is_of_class(seen, self.alarm.class) && is_at(seen, self.alarm))
    }

    fn open(&self, name: &str) -> Verdict {
        if self.alarm.class == Class::Other {
            return Verdict::open(format!("no property of Fathom is about {}", self.alarm.rule));
        }
        if let Some(Err(why)) = self.unshown().map(|seen| &seen.native) {
            return Verdict::open(format!("the interpreter shows it, but no native run does: {why}"));
        }
        let own = self.explored.iter().find(|explored| explored.entry == self.function && !explored.null).or(self.explored.first());
        let Some(own) = own else { return Verdict::open(format!("{name} was not explored")) };
        let reached = match own.of_alarm {
            Some(of_alarm) if of_alarm.is_reached => "a path came to the line, and none showed it",
            _ => "no path came to the line",
        };
        match &own.result.why {
            Some(why) => Verdict::open(format!("{why} ({} as entry; {reached})", own.name)),
            None if self.alarm.class == Class::Uninitialised => Verdict::open(format!(
                "every path from {name} was followed; Fathom checks only uses of such values that branches, addresses or output depend on"
            )),
            None if own.result.is_cut_short && !own.of_alarm.is_some_and(|of_alarm| of_alarm.is_reached) => {
                Verdict::open(format!("runs from {} end at other violations, and none comes to the line", own.name))
            }
            None if !self.nothing_here(own) => Verdict::open("something else is violated on the same line, which may hide it"),
            None if self.alarm.class == Class::Leak => Verdict::open(format!("what {name} gives may keep the memory; its callers decide")),
            None => Verdict::open("no check of Fathom's lies on the line"),
        }
    }
}

/// Whether a violation is where the alarm is: there, or in a function that is called there.
pub(crate) fn is_at(seen: &FoundViolation, alarm: &Alarm) -> bool {
    let is_line = |file: &str, line: u32| seen.places.iter().any(|place| place.file == file && place.line == line);
    // A leak is found where the memory came from or was last held.
    let of_flow = || alarm.class == Class::Leak && alarm.flow.iter().any(|step| is_line(&step.place.file, step.place.line));
    seen.places.first().is_some_and(|place| place.file == alarm.place.file && place.line == alarm.place.line) || of_flow()
}

/// Whether nothing that a caller could promise makes the violation go away.
pub(crate) fn is_free_of_promises(seen: &FoundViolation) -> bool {
    seen.precondition.is_none() && !seen.needs_structures
}

/// What a caller would have to promise, if that is proved; otherwise what there is to say of it.
pub(crate) fn promise(seen: &FoundViolation) -> (Option<String>, String) {
    match &seen.precondition {
        Some((condition, true)) => (Some(condition.clone()), String::new()),
        Some((condition, false)) => (None, format!("; not seen any more with {condition}, which is no proof")),
        None => (None, String::new()),
    }
}

fn shown(kind: VerdictKind, explored: &Explored<'_>, seen: &FoundViolation) -> Verdict {
    let native = seen.native.as_deref().unwrap_or_default();
    let reason = format!("{}, starting in {}: {native}", seen.evidence.message, explored.name);
    let assumptions = if kind == VerdictKind::Confirmed { Vec::new() } else { explored.result.assumptions.clone() };
    Verdict { kind, reason, evidence: Some(seen.evidence.clone()), precondition: None, assumptions }
}

fn refuted(kind: VerdictKind, reason: String, by: &[&Explored<'_>]) -> Verdict {
    let mut assumptions: Vec<String> = by.iter().flat_map(|explored| explored.result.assumptions.iter().cloned()).collect();
    assumptions.sort();
    assumptions.dedup();
    Verdict { kind, reason, assumptions, ..Verdict::open("") }
}

fn no_execution(real: &[&Explored<'_>]) -> String {
    const FEW: usize = 4;
    let names: Vec<&str> = real.iter().map(|explored| explored.name).take(FEW).collect();
    let more = if real.len() > FEW { format!(" and {} more", real.len() - FEW) } else { String::new() };
    format!("no execution from {}{more} reaches it", names.join(", "))
}

/// The argument that an input makes null: the harness of entries asks a choice for each pointer.
fn null_argument(input: &str) -> Option<&str> {
    let (source, value) = input.split_once(" = ")?;
    let name = source.strip_prefix(fathom_ir::sources::NULL)?;
    (!matches!(value, "0" | "false")).then_some(name)
}
