//! Checks that a compiled program took the path that a test promises. Compiled for coverage, the program counts how
//! often it enters each region of its source; the interpreter predicts these counts. A run on the same path has the
//! same counts everywhere; a run that continues after the end of the promised path (an error that only a sanitizer
//! sees, a limit) has equal or larger ones.

use crate::llvm_tools::tool;
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

/// Counts by the function's name in the profile.
pub type Counts = BTreeMap<String, Vec<u64>>;

/// The counts that the interpreter predicts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Foreseen {
    /// How often each counter is reached.
    pub counts: Counts,
    /// Whether the run must end where the interpreter's did; otherwise it may continue.
    pub ends_there: bool,
}

impl Foreseen {
    /// Adds to the count of one region of a function.
    pub fn add(&mut self, function: &str, index: usize, count: u64) {
        let counts = self.counts.entry(function.to_string()).or_default();
        counts.resize(counts.len().max(index + 1), 0);
        counts[index] += count;
    }
}

/// The result of comparing a run with its promise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathCheck {
    /// The same counts in every region.
    Same,
    /// Every predicted count was reached, and the run went on beyond them.
    Included,
    /// The native run counted something else; what.
    Differs(String),
    /// There is nothing to compare with; why.
    NotCompared(String),
}

impl fmt::Display for PathCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PathCheck::Same => f.write_str("same"),
            PathCheck::Included => f.write_str("same up to the end of the promise"),
            PathCheck::Differs(how) => write!(f, "differs: {how}"),
            PathCheck::NotCompared(why) => write!(f, "not compared: {why}"),
        }
    }
}

/// Compares what one run counted with what was foreseen.
pub fn check(foreseen: &Foreseen, profile: &Path) -> PathCheck {
    if foreseen.counts.is_empty() {
        return PathCheck::NotCompared("nothing counts regions of the source".into());
    }
    match tool("llvm-profdata", |command| command.args(["show", "--all-functions", "--counts"]).arg(profile)) {
        Ok(text) => compare(foreseen, &counts(&text)),
        Err(why) => PathCheck::NotCompared(why),
    }
}

fn compare(foreseen: &Foreseen, counted: &Counts) -> PathCheck {
    let none = Vec::new();
    let mut goes_on = false;
    let names: std::collections::BTreeSet<&String> = foreseen.counts.keys().chain(counted.keys()).collect();
    for name in names {
        let (expected, found) = (foreseen.counts.get(name).unwrap_or(&none), counted.get(name).unwrap_or(&none));
        for index in 0..expected.len().max(found.len()) {
            let at = |counts: &Vec<u64>| counts.get(index).copied().unwrap_or(0);
            let (expected, found) = (at(expected), at(found));
            if found < expected || found > expected && foreseen.ends_there {
                return PathCheck::Differs(format!("region {index} of {name} was entered {found} times instead of {expected}"));
            }
            goes_on |= found > expected;
        }
    }
    if goes_on { PathCheck::Included } else { PathCheck::Same }
}

/// The text of `llvm-profdata show`: a name with a colon, then indented lines with the first count and the others.
fn counts(text: &str) -> Counts {
    let mut all = Counts::new();
    let mut function = String::new();
    for line in text.lines() {
        let indent = line.len() - line.trim_start().len();
        let line = line.trim();
        if indent == 2 {
            function = line.strip_suffix(':').unwrap_or(line).to_string();
            continue;
        }
        let numbers: Vec<u64> = if let Some(first) = line.strip_prefix("Function count: ") {
            first.parse().into_iter().collect()
        } else if let Some(rest) = line.strip_prefix("Block counts: [") {
            rest.trim_end_matches(']').split(", ").filter_map(|number| number.parse().ok()).collect()
        } else {
            continue;
        };
        let is_first = line.starts_with('F');
        let counts = all.entry(function.clone()).or_default();
        for (index, number) in numbers.into_iter().enumerate() {
            let index = if is_first { 0 } else { index + 1 };
            counts.resize(counts.len().max(index + 1), 0);
            // Functions of one name (in files of one name) count together.
            counts[index] += number;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHOWN: &str = "Counters:\n  main:\n    Hash: 0x000000028e498458\n    Counters: 4\n    Function count: 1\n    \
        Block counts: [1, 0, 7]\n  t.c:h:\n    Hash: 0x0d\n    Counters: 1\n    Function count: 2\n    Block counts: []\n\
        Instrumentation level: Front-end\nFunctions shown: 3\n";

    fn foreseen(main: &[u64], helper: u64, ends_there: bool) -> Foreseen {
        let mut foreseen = Foreseen { ends_there, ..Default::default() };
        main.iter().enumerate().for_each(|(index, &count)| foreseen.add("main", index, count));
        foreseen.add("t.c:h", 0, helper);
        foreseen
    }

    #[test]
    fn counts_are_compared() {
        let counted = counts(SHOWN);
        assert_eq!(compare(&foreseen(&[1, 1, 0, 7], 2, true), &counted), PathCheck::Same);
        // A function that the interpreter never enters is not foreseen at all.
        assert_eq!(
            compare(
                &foreseen(&[1, 1, 0, 7], 2, true),
                &Counts::from([("unused".into(), vec![0])]).into_iter().chain(counted.clone()).collect()
            ),
            PathCheck::Same
        );
        assert_eq!(compare(&foreseen(&[1, 1, 0, 6], 1, false), &counted), PathCheck::Included);
        let said = |check: PathCheck| check.to_string();
        assert_eq!(
            said(compare(&foreseen(&[1, 1, 0, 6], 2, true), &counted)),
            "differs: region 3 of main was entered 7 times instead of 6"
        );
        assert_eq!(
            said(compare(&foreseen(&[1, 1, 2, 7], 2, false), &counted)),
            "differs: region 2 of main was entered 0 times instead of 2"
        );
    }
}
