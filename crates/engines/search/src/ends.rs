//! How paths ended, for the summary that users see and for the records that they may ask for.

use fathom_engine::PathNote;
use fathom_machine::{Cut, Machine, PathEnd, State};

/// How paths ended (Symbooglix, section III), and their records.
#[derive(Default)]
pub(crate) struct Ends {
    finished: u64,
    discarded: u64,
    violated: u64,
    unsupported: u64,
    unfinished: u64,
    speculative: u64,
    /// Paths that an assumption ended before the entry was called.
    pub never_started: u64,
    pub records: Option<Vec<PathNote>>,
    /// How many of them are kept.
    pub most_records: usize,
}

impl Ends {
    /// Counts the end of a path, and records it.
    pub fn note(&mut self, machine: &Machine, state: &State, end: &PathEnd) {
        let (counter, words) = match end {
            PathEnd::Finished => (&mut self.finished, "ended".to_string()),
            PathEnd::Discarded => (&mut self.discarded, "an assumption does not hold".to_string()),
            PathEnd::Violated => (&mut self.violated, "an assertion fails".to_string()),
            PathEnd::Cut(cut @ (Cut::Unsupported { .. } | Cut::Undefined { .. })) => (&mut self.unsupported, cut.to_string()),
            PathEnd::Cut(cut) => (&mut self.unfinished, cut.to_string()),
        };
        *counter += 1;
        self.never_started += u64::from(matches!(end, PathEnd::Discarded) && state.frames.len() <= 1);
        self.speculative += u64::from(!state.is_certain());
        self.record(machine, state, words);
    }

    /// Records how a path ended, if records are wanted.
    pub fn record(&mut self, machine: &Machine, state: &State, end: String) {
        let Some(records) = self.records.as_mut().filter(|records| records.len() < self.most_records) else { return };
        records.push(PathNote {
            end,
            place: machine.place(state),
            statements: state.search.steps,
            forks: state.search.depth,
            speculative: !state.is_certain(),
        });
    }

    /// How paths ended, in a sentence.
    pub fn summary(&self, repeated: u64) -> String {
        let parts = [
            (self.finished, "ended normally"),
            (self.discarded, "ended at an assumption"),
            (self.violated, "ended at a violation"),
            (repeated, "met a state that was followed before"),
            (self.unsupported, "came to something unsupported or undefined"),
            (self.unfinished, "were cut"),
            (self.speculative, "of these were speculative: no solver could tell whether they are feasible"),
        ];
        let said: Vec<String> = parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
        said.join(", ")
    }
}
