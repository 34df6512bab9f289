//! Which engines the portfolio runs and when they start, as `portfolio.toml` states it per kind of task.

use crate::error::Error;
use fathom_engine::Language;
use fathom_flat::is_recursive;
use fathom_ir::{Program, Property};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::time::Duration;

/// What a question is about, as far as that makes a difference for who answers it soonest.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Threads,
    Termination,
    Recursion,
    Memory,
    Overflow,
    Reachability,
}

impl Kind {
    /// The first kind that fits.
    pub fn of(program: &Program, properties: &BTreeSet<Property>) -> Self {
        let memory = [Property::ValidDeref, Property::ValidFree, Property::ValidMemtrack, Property::ValidMemcleanup];
        match () {
            () if program.uses_threads() => Kind::Threads,
            () if properties.contains(&Property::Termination) => Kind::Termination,
            () if is_recursive(program) => Kind::Recursion,
            () if memory.iter().any(|property| properties.contains(property)) => Kind::Memory,
            () if properties.contains(&Property::NoOverflow) => Kind::Overflow,
            () => Kind::Reachability,
        }
    }
}

/// The contents of the file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Plan {
    head_start_ms: u64,
    crowded_ms: u64,
    c: Orders,
    boogie: Orders,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Orders {
    reachability: Vec<String>,
    overflow: Option<Vec<String>>,
    memory: Option<Vec<String>>,
    recursion: Option<Vec<String>>,
    termination: Option<Vec<String>>,
    threads: Option<Vec<String>>,
}

impl Plan {
    pub fn read() -> Result<Self, Error> {
        toml::from_str(include_str!("../../portfolio.toml")).map_err(|error| Error::Internal(format!("portfolio.toml: {error}")))
    }

    /// The names of the engines for such a task, in the order in which they start.
    pub fn order(&self, language: Language, kind: Kind) -> &[String] {
        let orders = match language {
            Language::C => &self.c,
            Language::Boogie => &self.boogie,
        };
        let listed = match kind {
            Kind::Threads => &orders.threads,
            Kind::Termination => &orders.termination,
            Kind::Recursion => &orders.recursion,
            Kind::Memory => &orders.memory,
            Kind::Overflow => &orders.overflow,
            Kind::Reachability => &None,
        };
        listed.as_ref().unwrap_or(&orders.reachability)
    }

    /// The rules by which engines start on a machine with so many cores.
    pub fn pace(&self, cores: usize) -> Pace {
        Pace {
            slots: cores.max(LEAST_SLOTS),
            head_start: Duration::from_millis(self.head_start_ms),
            crowded: Duration::from_millis(self.crowded_ms),
        }
    }
}

/// With one core two engines share it: the first is often stuck where the second is not.
const LEAST_SLOTS: usize = 2;

/// When the next engine starts.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Pace {
    slots: usize,
    head_start: Duration,
    crowded: Duration,
}

/// How far the portfolio is.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Standing {
    pub running: usize,
    /// Members that gave up and whose place nobody has taken yet.
    pub freed: usize,
    pub since_begin: Duration,
    pub since_last_start: Duration,
}

impl Pace {
    pub fn is_due(&self, now: Standing) -> bool {
        let has_core = now.running < self.slots && now.since_begin >= self.head_start;
        now.running == 0 || now.freed > 0 || has_core || now.since_last_start >= self.crowded
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{InputConfig, VerifyConfig};
    use crate::engines;

    #[test]
    fn the_file_names_engines_of_the_right_language() {
        let plan = Plan::read().unwrap();
        let config = VerifyConfig::new(InputConfig::default());
        let kinds = [Kind::Threads, Kind::Termination, Kind::Recursion, Kind::Memory, Kind::Overflow, Kind::Reachability];
        for (language, kind) in [Language::C, Language::Boogie].into_iter().flat_map(|language| kinds.map(|kind| (language, kind))) {
            let order = plan.order(language, kind);
            assert_eq!(order.iter().collect::<BTreeSet<_>>().len(), order.len(), "{language:?} {kind:?}");
            for name in order {
                let can = engines::engine(name, &config).unwrap().capabilities();
                assert!(can.languages.contains(&language), "{name} for {language:?}");
                let in_c = language == Language::C;
                assert!(!in_c || kind != Kind::Threads || can.threads, "{name}");
                assert!(!in_c || kind != Kind::Termination || (can.decides)(Property::Termination), "{name}");
            }
        }
    }

    #[test]
    fn cores_and_givers_up_let_others_start() {
        let plan = Plan::read().unwrap();
        let at = |running, freed, begin, last| Standing {
            running,
            freed,
            since_begin: Duration::from_millis(begin),
            since_last_start: Duration::from_millis(last),
        };
        let (one, two, eight) = (plan.pace(1), plan.pace(2), plan.pace(8));
        assert!(two.is_due(at(0, 0, 0, 0)), "the first starts at once");
        assert!(!eight.is_due(at(1, 0, 100, 100)), "and has a head start");
        assert!(one.is_due(at(1, 0, 300, 300)) && two.is_due(at(1, 0, 300, 300)));
        assert!(!two.is_due(at(2, 0, 310, 10)) && eight.is_due(at(2, 0, 310, 10)), "more cores, more engines");
        assert!(two.is_due(at(2, 0, 600, 300)), "nobody waits for ever");
        assert!(two.is_due(at(2, 1, 310, 10)), "whoever gives up makes room");
    }
}
