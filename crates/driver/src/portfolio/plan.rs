//! Which engines the portfolio runs and when they start, as `portfolio.toml` states it per kind of task.

use crate::error::Error;
use fathom_engine::Language;
use fathom_flat::is_recursive;
use fathom_ir::{Program, Property};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::Path;
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

/// The plan that comes with Fathom.
const OWN: &str = include_str!("../../portfolio.toml");

/// The contents of the file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Plan {
    head_start_ms: u64,
    turn_ms: u64,
    longest_turn_percent: u32,
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
    /// The plan that this file states, or Fathom's own.
    pub fn read(file: Option<&Path>) -> Result<Self, Error> {
        let Some(path) = file else {
            return toml::from_str(OWN).map_err(|error| Error::Internal(format!("portfolio.toml: {error}")));
        };
        let bad = |what: String| Error::Usage(format!("--portfolio {}: {what}", path.display()));
        let text = std::fs::read_to_string(path).map_err(|error| bad(error.to_string()))?;
        toml::from_str(&text).map_err(|error| bad(error.to_string()))
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

    /// The rules by which engines share so many cores for so long.
    pub fn pace(&self, cores: usize, time: Duration) -> Pace {
        Pace {
            cores,
            head_start: Duration::from_millis(self.head_start_ms),
            turn: Duration::from_millis(self.turn_ms),
            longest_turn: time * self.longest_turn_percent / 100,
        }
    }
}

/// How members share the cores: at most one member runs on each, and where more wait they take turns that get longer.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Pace {
    cores: usize,
    head_start: Duration,
    turn: Duration,
    longest_turn: Duration,
}

impl Pace {
    /// Whether one more engine may run in addition to so many, this long after the start.
    pub fn has_core(&self, active: usize, since_begin: Duration) -> bool {
        active == 0 || (active < self.cores && since_begin >= self.head_start)
    }

    /// How long the turn of a member lasts that had so many before, if others wait.
    pub fn turn(&self, turns: u32) -> Duration {
        let doubled = self.turn.checked_mul(1u32.checked_shl(turns).unwrap_or(u32::MAX)).unwrap_or(Duration::MAX);
        doubled.min(self.longest_turn).max(self.turn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{InputConfig, VerifyConfig};
    use crate::engines;

    #[test]
    fn the_file_names_engines_of_the_right_language() {
        let plan = Plan::read(None).unwrap();
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
    fn there_is_one_member_a_core_and_turns_get_longer() {
        let milliseconds = Duration::from_millis;
        let plan = Plan::read(None).unwrap();
        let (one, two) = (plan.pace(1, milliseconds(10_000)), plan.pace(2, milliseconds(10_000)));
        assert!(one.has_core(0, Duration::ZERO), "the first starts at once");
        assert!(!two.has_core(1, Duration::ZERO) && two.has_core(1, milliseconds(plan.head_start_ms)), "and has a head start");
        assert!(!one.has_core(1, milliseconds(5_000)) && !two.has_core(2, milliseconds(5_000)));
        let turns: Vec<Duration> = [0, 1, 2, 3, 40].map(|turns| two.turn(turns)).into();
        assert!(turns.is_sorted() && turns[0] < turns[1]);
        assert_eq!(turns[4], milliseconds(10_000) * plan.longest_turn_percent / 100);
        assert_eq!(plan.pace(2, Duration::ZERO).turn(5), milliseconds(plan.turn_ms), "a turn is never shorter than the first");
    }
}
