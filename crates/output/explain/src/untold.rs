//! Why a condition cannot be shown.

use fathom_report::UntoldReport;
use std::collections::BTreeMap;

/// What keeps a condition from being said in the language of the program.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Untold {
    /// It is about memory.
    Memory,
    /// It is about a value that no variable of the source holds there.
    Unnamed,
    /// It has no expression, or one that is too long to read.
    NoForm,
    /// The loop has no place in the source.
    NoPlace,
    /// It is about other calls or other memory.
    OtherCalls,
}

impl Untold {
    fn words(self) -> &'static str {
        match self {
            Untold::Memory => "about memory other than global integers",
            Untold::Unnamed => "about values that no source variable holds at the loop",
            Untold::NoForm => "that cannot be expressed in the language of the program, or only by a very long expression",
            Untold::NoPlace => "at loops without a location in the source",
            Untold::OtherCalls => "about variables of other calls, or about objects in memory",
        }
    }

    /// How many of each there were, for a report.
    pub(crate) fn report(counts: &BTreeMap<Untold, usize>) -> Vec<UntoldReport> {
        let noun = |count: usize| if count == 1 { "condition" } else { "conditions" };
        let report = |(why, &count): (&Untold, &usize)| UntoldReport { count, reason: format!("{} {}", noun(count), why.words()) };
        counts.iter().map(report).collect()
    }
}
