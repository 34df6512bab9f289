//! What a suite reaches, measured: the program is compiled with clang's source-based coverage, every test is run on it,
//! and LLVM's own tools count. Sides of branches that the exploration proved to be taken by no run are told apart from
//! those that were merely missed.

use crate::llvm_tools::tool;
use fathom_base::name_in_source;
use fathom_native::Bench;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// So many of so many.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Ratio {
    pub covered: u64,
    pub total: u64,
}

impl Ratio {
    /// The ratio in percent; 100 of nothing.
    pub fn percent(self) -> f64 {
        if self.total == 0 { 100.0 } else { self.covered as f64 * 100.0 / self.total as f64 }
    }
}

/// What a suite covers of one function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionCoverage {
    pub name: String,
    pub file: String,
    pub lines: Ratio,
    pub branches: Ratio,
}

/// A side of a branch that no run takes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unreachable {
    pub file: PathBuf,
    pub line: u32,
    pub column: u32,
    pub function: String,
    /// Where it would go on, if that is known and elsewhere.
    pub target: Option<u32>,
}

/// What a suite covers.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    pub functions: Vec<FunctionCoverage>,
    pub lines: Ratio,
    pub branches: Ratio,
    /// The tracefile for lcov, genhtml and code hosting.
    pub lcov: String,
    /// Sides of branches by file and line: all, and those that no test took.
    sides: BTreeMap<(PathBuf, u32), usize>,
    missed: BTreeMap<(PathBuf, u32), usize>,
}

/// How many sides of the branches on a line the interpreter saw taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenSides {
    pub file: PathBuf,
    pub line: u32,
    pub function: String,
    pub taken: usize,
    pub all: usize,
}

/// Adds up what runs on this bench counted.
pub fn measure(bench: &Bench, profiles: &[PathBuf]) -> Result<Measured, String> {
    if profiles.is_empty() {
        return Err("no run left a profile behind".into());
    }
    let (merged, list) = (bench.profiles().join("suite.profdata"), bench.profiles().join("suite.list"));
    let lines: String = profiles.iter().map(|file| format!("{}\n", file.display())).collect();
    std::fs::write(&list, lines).map_err(|error| format!("profiles can't be listed: {error}"))?;
    tool("llvm-profdata", |command| command.args(["merge", "-sparse", "-o"]).arg(&merged).arg("-f").arg(&list))?;
    let profile = format!("-instr-profile={}", merged.display());
    let lcov = tool("llvm-cov", |command| command.args(["export", "-format=lcov", &profile]).arg(bench.binary()))?;
    let sources: Vec<String> = lcov.lines().filter_map(|line| line.strip_prefix("SF:")).map(str::to_string).collect();
    let report = tool("llvm-cov", |command| {
        command.args(["report", "-show-functions", "-show-branch-summary", &profile]);
        command.arg(bench.binary()).args(&sources)
    })?;
    let functions = functions(&report);
    let sum = |ratio: fn(&FunctionCoverage) -> Ratio| {
        functions.iter().map(ratio).fold(Ratio::default(), |a, b| Ratio { covered: a.covered + b.covered, total: a.total + b.total })
    };
    let (lines, branches) = (sum(|f| f.lines), sum(|f| f.branches));
    let (sides, missed) = (count_sides(&lcov, false), count_sides(&lcov, true));
    Ok(Measured { sides, missed, functions, lines, branches, lcov })
}

/// The table of `llvm-cov report -show-functions`: a name, then total, missed and percent of regions, lines and branches.
fn functions(report: &str) -> Vec<FunctionCoverage> {
    let mut found = Vec::new();
    let mut file = String::new();
    for line in report.lines() {
        if let Some(rest) = line.strip_prefix("File '") {
            file = rest.trim_end_matches(':').trim_end_matches('\'').to_string();
            continue;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((name, numbers)) = words.len().checked_sub(9).filter(|at| *at > 0).map(|at| words.split_at(at)) else { continue };
        let number = |at: usize| numbers[at].parse::<u64>().ok();
        let (Some(lines), Some(lines_missed), Some(branches), Some(branches_missed)) = (number(3), number(4), number(6), number(7)) else {
            continue;
        };
        let name = name.join(" ");
        if name == "TOTAL" {
            continue;
        }
        // Static functions have their file in front.
        let name = name.rsplit_once(':').map_or(name.as_str(), |(_, plain)| plain).to_string();
        found.push(FunctionCoverage {
            name,
            file: file.clone(),
            lines: Ratio { covered: lines.saturating_sub(lines_missed), total: lines },
            branches: Ratio { covered: branches.saturating_sub(branches_missed), total: branches },
        });
    }
    found
}

/// Sides of branches by file and line, all or those that were missed.
fn count_sides(lcov: &str, only_missed: bool) -> BTreeMap<(PathBuf, u32), usize> {
    let mut counts = BTreeMap::new();
    let mut file = PathBuf::new();
    for line in lcov.lines() {
        if let Some(path) = line.strip_prefix("SF:") {
            file = real(Path::new(path));
        } else if let Some(rest) = line.strip_prefix("BRDA:") {
            let fields: Vec<&str> = rest.split(',').collect();
            if let [line, _, _, count] = fields.as_slice()
                && let Ok(line) = line.parse()
                && (!only_missed || ["-", "0"].contains(count))
            {
                *counts.entry((file.clone(), line)).or_insert(0) += 1;
            }
        }
    }
    counts
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

impl Measured {
    /// Removes sides of branches that were counted as taken by mistake. LLVM gets the count of one side as a difference, which
    /// is wrong for what stood open when a run ended inside of a call: at an input that the test does not have, or in an
    /// error function. Where a line has as many branches for the interpreter, no more sides count than it saw taken.
    pub fn agree_with(&mut self, seen: &[SeenSides]) {
        for line in seen {
            let key = (real(&line.file), line.line);
            let (Some(&all), missed) = (self.sides.get(&key), self.missed.get(&key).copied().unwrap_or(0)) else { continue };
            let excess = (all - missed).saturating_sub(line.taken);
            if all != line.all || excess == 0 {
                continue;
            }
            self.missed.insert(key, missed + excess);
            self.branches.covered = self.branches.covered.saturating_sub(excess as u64);
            if let Some(function) = self.functions.iter_mut().find(|function| function.name == line.function) {
                function.branches.covered = function.branches.covered.saturating_sub(excess as u64);
            }
        }
    }

    /// Of these sides, which belong to the measured files and were indeed taken by no test.
    pub fn confirmed(&self, unreachable: Vec<Unreachable>) -> Vec<Unreachable> {
        let mut left = self.missed.clone();
        let mut confirmed = Vec::new();
        for side in unreachable {
            if let Some(count) = left.get_mut(&(real(&side.file), side.line)).filter(|count| **count > 0) {
                *count -= 1;
                confirmed.push(side);
            }
        }
        confirmed.sort();
        confirmed
    }
}

/// The table for people.
pub fn table(measured: &Measured, unreachable: &[Unreachable]) -> String {
    let mut functions: Vec<&FunctionCoverage> = measured.functions.iter().collect();
    functions.sort_by(|a, b| (&a.file, &a.name).cmp(&(&b.file, &b.name)));
    let names: Vec<String> = functions.iter().map(|function| name_in_source(&function.name)).collect();
    let width = names.iter().map(|name| name.chars().count()).chain(["function".len()]).max().unwrap_or(8).min(40);
    let mut text = format!("{:width$}  {:>16}  {:>16}\n", "function", "lines", "branches");
    let cell = |ratio: Ratio| match ratio.total {
        0 => "-".to_string(),
        _ => format!("{}/{} {:5.1}%", ratio.covered, ratio.total, ratio.percent()),
    };
    let mut row = |name: &str, lines: Ratio, branches: Ratio| {
        let _ = writeln!(text, "{name:width$}  {:>16}  {:>16}", cell(lines), cell(branches));
    };
    for (function, name) in functions.iter().zip(&names) {
        row(name, function.lines, function.branches);
    }
    row("total", measured.lines, measured.branches);
    if !unreachable.is_empty() {
        let missed = measured.branches.total - measured.branches.covered;
        let _ =
            writeln!(text, "Of {missed} sides of branches that were not taken, {} can't be: every path was followed.", unreachable.len());
        for side in unreachable {
            let target = side.target.map(|line| format!(" to line {line}")).unwrap_or_default();
            let _ = writeln!(
                text,
                "  {}:{}:{} in {}: no run goes this way{target}",
                side.file.display(),
                side.line,
                side.column,
                name_in_source(&side.function)
            );
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = "File '/tmp/a.c':\n\
        Name                     Regions    Miss   Cover     Lines    Miss   Cover  Branches    Miss   Cover\n\
        ---------------------------------------------------------------------------\n\
        a.c:helper                     3       0 100.00%         4       1  75.00%         2       1  50.00%\n\
        main                           1       0 100.00%        10       0 100.00%         0       0   0.00%\n\
        ---------------------------------------------------------------------------\n\
        TOTAL                          4       0 100.00%        14       1  92.86%         2       1  50.00%\n";

    #[test]
    fn the_report_is_read() {
        let found = functions(REPORT);
        let names: Vec<&str> = found.iter().map(|f| f.name.as_str()).collect();
        assert_eq!(names, ["helper", "main"]);
        assert_eq!((found[0].lines, found[0].branches), (Ratio { covered: 3, total: 4 }, Ratio { covered: 1, total: 2 }));
    }

    #[test]
    fn only_missed_sides_are_called_unreachable() {
        let measured = Measured {
            missed: count_sides("SF:/x/a.c\nBRDA:3,0,0,5\nBRDA:3,0,1,0\nBRDA:7,0,0,-\nend_of_record\n", true),
            ..Default::default()
        };
        let side = |line| Unreachable { file: "/x/a.c".into(), line, column: 1, function: "f".into(), target: None };
        let confirmed = measured.confirmed(vec![side(3), side(3), side(7), side(9)]);
        assert_eq!(confirmed.iter().map(|s| s.line).collect::<Vec<_>>(), [3, 7]);
    }

    #[test]
    fn no_more_sides_count_than_the_interpreter_saw() {
        let lcov = "SF:/x/a.c\nBRDA:3,0,0,5\nBRDA:3,0,1,1\nBRDA:7,0,0,4\nBRDA:7,0,1,2\nend_of_record\n";
        let mut measured = Measured {
            functions: vec![FunctionCoverage {
                name: "f".into(),
                file: "/x/a.c".into(),
                lines: Ratio::default(),
                branches: Ratio { covered: 4, total: 4 },
            }],
            branches: Ratio { covered: 4, total: 4 },
            sides: count_sides(lcov, false),
            missed: count_sides(lcov, true),
            ..Default::default()
        };
        let seen = |line, taken, all| SeenSides { file: "/x/a.c".into(), line, function: "f".into(), taken, all };
        // Line 7 has another branch for the interpreter: nothing can be said about it.
        measured.agree_with(&[seen(3, 1, 2), seen(7, 1, 4)]);
        assert_eq!((measured.branches.covered, measured.functions[0].branches.covered), (3, 3));
    }

    #[test]
    fn the_table() {
        let measured = Measured {
            functions: functions(REPORT),
            lines: Ratio { covered: 13, total: 14 },
            branches: Ratio { covered: 1, total: 2 },
            ..Default::default()
        };
        let side = Unreachable { file: "a.c".into(), line: 3, column: 7, function: "helper".into(), target: Some(4) };
        let expected = "\
function             lines          branches
helper          3/4  75.0%        1/2  50.0%
main          10/10 100.0%                 -
total         13/14  92.9%        1/2  50.0%
Of 1 sides of branches that were not taken, 1 can't be: every path was followed.
  a.c:3:7 in helper: no run goes this way to line 4
";
        assert_eq!(table(&measured, &[side]), expected);
    }
}
