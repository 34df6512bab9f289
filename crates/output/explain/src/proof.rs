//! Explains one proof: its method in a sentence or two, and every condition that it uses at its location in the source.

use crate::contracts::own_conditions;
use crate::entry::holds_on_entry;
use crate::loops::{Language, Said, Texts, say};
use crate::untold::Untold;
use fathom_engine::{Explored, Proof};
use fathom_ir::{Invariant, Invariants, LoopHead, LoopLabel, Program};
use fathom_report::{ClaimKind, ClaimReport, PlaceReport, ProofReport};
use std::collections::{BTreeMap, BTreeSet};

/// What a label says that is an interpolant: nothing fails under it, but other states may come there, too.
const INTERPOLATION: &str = "interpolation";
/// Parts of one label that are shown.
const MOST_PARTS: usize = 8;
/// Labels of one loop that are shown.
const MOST_LABELS: usize = 12;

/// What an explanation is made from.
pub struct Explained<'a> {
    /// The program that was decided.
    pub program: &'a Program,
    /// The same with calls replaced by contracts.
    pub by_contracts: Option<&'a Program>,
    /// What it is written in.
    pub language: Language,
    /// What interval analysis knows of its loops.
    pub intervals: &'a Invariants,
}

/// What a proof rests on, in the language of the program.
pub fn explain(what: &Explained<'_>, proof: &Proof) -> ProofReport {
    let mut telling = Telling { what, texts: Texts::default(), claims: BTreeMap::new(), untold: BTreeMap::new() };
    let mut is_induction = false;
    match proof {
        Proof::Inductive { k, loops, .. } => {
            is_induction = true;
            for (head, known) in loops {
                let always = |known: &Invariant| {
                    what.intervals.of(*head).contains(known) || (*k == 1 && holds_on_entry(what.program, *head, known.condition))
                };
                let (lasting, others): (Vec<Invariant>, Vec<Invariant>) = known.iter().cloned().partition(always);
                telling.conditions(*head, &lasting, ClaimKind::LoopInvariant, "proved by induction");
                telling.conditions(*head, &others, ClaimKind::InductionHypothesis, "proved by induction");
            }
        }
        Proof::Interpolated { labels, .. } => telling.all_labels(labels, INTERPOLATION),
        Proof::Deduced { contracts, .. } => {
            let program = what.by_contracts.filter(|_| *contracts).unwrap_or(what.program);
            telling.own(program);
        }
        Proof::AllPathsEnded { explored: Explored::CutLoops(_), .. } => telling.own(what.by_contracts.unwrap_or(what.program)),
        Proof::Partition { labels, .. } => telling.all_labels(labels, "regions of states"),
        Proof::Interference(interference) => telling.all_labels(&interference.labels, "invariants that all threads preserve"),
        Proof::Ranked(ranking) => telling.all_labels(&ranking.labels, "supports the ranking functions"),
        Proof::AllPathsEnded { .. } | Proof::AllPathsEnd { .. } | Proof::UnwindingComplete { .. } | Proof::NothingToCheck => {}
    }
    if !matches!(proof, Proof::NothingToCheck) {
        let origin = if is_induction { "interval analysis" } else { "interval analysis, not part of the proof" };
        for (head, known) in &what.intervals.at {
            telling.conditions(*head, known, ClaimKind::LoopInvariant, origin);
        }
    }
    telling.report(method(proof))
}

/// How a proof goes.
fn method(proof: &Proof) -> String {
    match proof {
        Proof::NothingToCheck => "Nothing in the program can violate it.".into(),
        Proof::AllPathsEnded { explored, .. } => match explored {
            Explored::Program => "Every path was followed to its end.".into(),
            Explored::Coarser(_) => {
                "Every path was followed to its end in a coarser program, in which memory reached through pointers is arbitrary.".into()
            }
            Explored::CutLoops(_) => "Every path was followed to its end, with loops cut at the invariants of the program.".into(),
            Explored::FoldedLists => "Every path was followed to its end, with list segments folded into single objects.".into(),
        },
        Proof::AllPathsEnd { .. } => "Every path was followed to its end, and no path returns to an earlier state.".into(),
        Proof::Interpolated { .. } => "Every path was followed to its end, or to a state that satisfies an interpolant: a condition \
                                       under which nothing fails from there on."
            .into(),
        Proof::Inductive { k: 1, .. } => "Induction over loop iterations: the invariants hold when a loop is entered and every iteration \
                                          preserves them; no check fails in an iteration that starts in a state that satisfies them."
            .into(),
        Proof::Inductive { k, .. } => format!(
            "Induction over loop iterations: no check fails in the first {k} iterations, nor in an iteration after {} iterations \
             without a failure that start in a state which satisfies the invariants.",
            k - 1
        ),
        Proof::Deduced { contracts, .. } => {
            let cut = if *contracts { "loops cut at their invariants and calls at contracts" } else { "loops cut at their invariants" };
            format!("One formula per procedure says that an assertion fails, with {cut}; all of them are unsatisfiable.")
        }
        Proof::UnwindingComplete { bound, .. } => {
            let often = if *bound == 1 { "one iteration".into() } else { format!("{bound} iterations") };
            format!(
                "All loops were unwound completely: each ends, or returns to an earlier state, within {often} or a constant number of them."
            )
        }
        Proof::Ranked(ranking) => {
            let told: Vec<&str> = ranking.told.iter().map(|(_, what)| what.as_str()).collect();
            let what = if told.is_empty() { String::new() } else { format!(": {}", told.join("; ")) };
            format!("In every loop and recursion some value decreases, which it cannot do for ever{what}.")
        }
        Proof::Interference(_) => {
            "Invariants hold for every thread wherever it may be interrupted: its own steps preserve them, and so do those of all other threads."
                .into()
        }
        Proof::Partition { .. } => {
            "Regions of states contain every reachable state of the program, and no step leads out of them.".into()
        }
    }
}

/// Conditions without casts are read first.
fn easiest_first(texts: BTreeSet<String>) -> Vec<String> {
    let mut texts: Vec<String> = texts.into_iter().collect();
    texts.sort_by_key(|text| ["(unsigned ", "(signed ", "(int)", "(short)", "(long "].iter().any(|cast| text.contains(cast)));
    texts
}

struct Telling<'a, 'w> {
    what: &'a Explained<'w>,
    texts: Texts,
    claims: BTreeMap<(PlaceReport, ClaimKind, String, String), BTreeSet<String>>,
    untold: BTreeMap<Untold, usize>,
}

impl Telling<'_, '_> {
    fn count(&mut self, why: Untold, count: usize) {
        if count > 0 {
            *self.untold.entry(why).or_default() += count;
        }
    }

    fn say(&mut self, head: LoopHead, known: &[Invariant]) -> Option<Said> {
        say(self.what.program, self.what.language, &mut self.texts, head, known)
    }

    fn conditions(&mut self, head: LoopHead, known: &[Invariant], kind: ClaimKind, origin: &str) {
        if known.is_empty() {
            return;
        }
        let Some(Said { site, conditions }) = self.say(head, known) else { return self.count(Untold::NoPlace, known.len()) };
        let place = self.place(&site.file, site.line, site.column);
        for condition in conditions {
            match condition {
                Ok(text) => self.add(&place, kind, &site.function, origin, text),
                Err(why) => self.count(why, 1),
            }
        }
    }

    fn all_labels(&mut self, labels: &[(LoopHead, Vec<LoopLabel>)], origin: &str) {
        for (head, labels) in labels {
            match &labels[..] {
                // Whatever one label says always holds, part by part.
                [only] if origin != INTERPOLATION => {
                    self.count(Untold::OtherCalls, only.others);
                    self.conditions(*head, &only.conditions, ClaimKind::LoopInvariant, origin);
                }
                labels => self.labels(*head, labels, origin),
            }
        }
    }

    /// The labels of a loop: of each its conditions, together.
    fn labels(&mut self, head: LoopHead, labels: &[LoopLabel], origin: &str) {
        for label in labels.iter().take(MOST_LABELS) {
            let Some(Said { site, conditions }) = self.say(head, &label.conditions) else {
                return self.count(Untold::NoPlace, labels.len());
            };
            self.count(Untold::OtherCalls, label.others);
            let (told, untold): (Vec<_>, Vec<_>) = conditions.into_iter().partition(Result::is_ok);
            untold.iter().filter_map(|why| why.as_ref().err()).for_each(|&why| self.count(why, 1));
            let bracketed = |part: String| if part.contains(" || ") || part.contains(" ? ") { format!("({part})") } else { part };
            let mut parts: Vec<String> = told.into_iter().flatten().map(bracketed).collect();
            let is_whole = untold.is_empty() && label.others == 0;
            if parts.is_empty() {
                continue;
            }
            let is_whole = is_whole && parts.len() <= MOST_PARTS;
            parts.truncate(MOST_PARTS);
            parts.extend((!is_whole).then(|| "...".to_string()));
            let place = self.place(&site.file, site.line, site.column);
            self.add(&place, ClaimKind::Interpolant, &site.function, origin, parts.join(" && "));
        }
        self.count(Untold::NoForm, labels.len().saturating_sub(MOST_LABELS));
    }

    fn own(&mut self, program: &Program) {
        for own in own_conditions(program) {
            let Some(file) = program.files.path(own.place.file).map(|path| path.display().to_string()) else {
                self.count(Untold::NoPlace, 1);
                continue;
            };
            let place = self.place(&file, own.place.line, own.place.column);
            self.add(&place, own.kind, &own.function, "the program", own.text);
        }
    }

    fn place(&mut self, file: &str, line: u32, column: u32) -> PlaceReport {
        let text = self.texts.of(file);
        let text = text.lines().nth((line as usize).saturating_sub(1)).map(|line| line.trim().to_string()).filter(|line| !line.is_empty());
        PlaceReport { file: Some(file.to_string()), line, column, text }
    }

    /// A condition that is already listed as proved at its location is not repeated.
    fn add(&mut self, place: &PlaceReport, kind: ClaimKind, function: &str, origin: &str, text: String) {
        let known = self.claims.iter().any(|((at, ..), texts)| at == place && texts.contains(&text));
        if !known {
            self.claims.entry((place.clone(), kind, origin.to_string(), function.to_string())).or_default().insert(text);
        }
    }

    fn report(self, method: String) -> ProofReport {
        let language = match self.what.language {
            Language::C => "C",
            Language::Boogie => "Boogie",
        };
        let claim = |((place, kind, origin, function), texts): ((PlaceReport, ClaimKind, String, String), BTreeSet<String>)| ClaimReport {
            kind,
            place,
            function,
            origin,
            conditions: easiest_first(texts),
        };
        ProofReport {
            method,
            language: language.into(),
            claims: self.claims.into_iter().map(claim).collect(),
            untold: Untold::report(&self.untold),
        }
    }
}
