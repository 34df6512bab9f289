//! Measures the coverage of a suite: the program is compiled with clang's source-based coverage, every test is run on
//! it, and LLVM's own tools count. Branch outcomes that the exploration proved unreachable are distinguished from those
//! that were merely missed.

use crate::export::{self, Data, Sides};
use crate::llvm_tools::tool;
use fathom_base::name_in_source;
use fathom_native::Bench;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// A count out of a total, such as 3 of 5.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Ratio {
    /// How many of them some run executed.
    pub covered: u64,
    /// How many there are.
    pub total: u64,
}

impl Ratio {
    fn add(&mut self, more: Ratio) {
        *self = Ratio { covered: self.covered + more.covered, total: self.total + more.total };
    }

    /// The ratio in percent; 100 of nothing.
    pub fn percent(self) -> f64 {
        if self.total == 0 { 100.0 } else { self.covered as f64 * 100.0 / self.total as f64 }
    }
}

/// A suite's coverage of one function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionCoverage {
    /// As the source names it.
    pub name: String,
    /// The file that it is defined in.
    pub file: String,
    /// Lines with code.
    pub lines: Ratio,
    /// Sides of branches.
    pub branches: Ratio,
}

/// A side of a branch that no run takes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unreachable {
    /// The file of the branch.
    pub file: PathBuf,
    /// The line of the branch.
    pub line: u32,
    /// The column of the branch.
    pub column: u32,
    /// The function of the branch.
    pub function: String,
    /// Where it would go on, if that is known and elsewhere.
    pub target: Option<u32>,
}

/// A suite's coverage.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// Every function with code, in the order of the files.
    pub functions: Vec<FunctionCoverage>,
    /// Of all functions together.
    pub lines: Ratio,
    /// Of all functions together.
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
    /// The file of the branch.
    pub file: PathBuf,
    /// The line of the branch.
    pub line: u32,
    /// The function of the branch.
    pub function: String,
    /// Sides that some run took.
    pub taken: usize,
    /// Sides that there are.
    pub all: usize,
}

/// Merges the profiles of a suite's runs into its coverage.
pub fn measure(bench: &Bench, profiles: &[PathBuf]) -> Result<Measured, String> {
    if profiles.is_empty() {
        return Err("no run left a profile behind".into());
    }
    let (merged, list) = (bench.profiles().join("suite.profdata"), bench.profiles().join("suite.list"));
    let lines: String = profiles.iter().map(|file| format!("{}\n", file.display())).collect();
    std::fs::write(&list, lines).map_err(|error| format!("profiles can't be listed: {error}"))?;
    tool("llvm-profdata", |command| command.args(["merge", "-sparse", "-o"]).arg(&merged).arg("-f").arg(&list))?;
    let profile = format!("-instr-profile={}", merged.display());
    let export = |format: &str| tool("llvm-cov", |command| command.args(["export", format, &profile]).arg(bench.binary()));
    let measured = Measured::of(&export::read(&export("-format=text")?)?);
    Ok(Measured { lcov: export("-format=lcov")?, ..measured })
}

/// A function's name without the file that a static one has in front.
fn plain_name(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, plain)| plain)
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

impl Measured {
    /// Adds up what LLVM counted.
    fn of(data: &Data) -> Self {
        let mut measured = Measured::default();
        let lines = data.lines();
        for function in &data.functions {
            let file = real(Path::new(function.file()));
            let mut branches = Ratio::default();
            for Sides { line, missed } in function.sides() {
                branches.add(Ratio { covered: 2 - missed as u64, total: 2 });
                *measured.sides.entry((file.clone(), line)).or_insert(0) += 2;
                if missed > 0 {
                    *measured.missed.entry((file.clone(), line)).or_insert(0) += missed;
                }
            }
            let (first, last) = function.span().unwrap_or((1, 0));
            let counts = lines.get(function.file()).into_iter().flatten().filter(|(line, _)| (first..=last).contains(line));
            let mut lines = Ratio::default();
            counts.for_each(|(_, &count)| lines.add(Ratio { covered: u64::from(count > 0), total: 1 }));
            measured.lines.add(lines);
            measured.branches.add(branches);
            let name = plain_name(&function.name).to_string();
            measured.functions.push(FunctionCoverage { name, file: function.file().to_string(), lines, branches });
        }
        measured
    }

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

    const FILE: &str = "/x/a.c";

    fn function(name: &str, lines: (u64, u64), branches: (u64, u64)) -> FunctionCoverage {
        let ratio = |(covered, total)| Ratio { covered, total };
        FunctionCoverage { name: name.into(), file: FILE.into(), lines: ratio(lines), branches: ratio(branches) }
    }

    fn counts(counts: &[(u32, usize)]) -> BTreeMap<(PathBuf, u32), usize> {
        counts.iter().map(|&(line, count)| ((FILE.into(), line), count)).collect()
    }

    #[test]
    fn functions_are_counted_one_by_one() {
        let json = r#"{ "data": [ { "files": [ { "filename": "/x/a.c", "segments": [ [1, 1, 2, true, true, false],
            [2, 3, 0, true, true, false], [2, 9, 2, true, false, false], [3, 2, 0, false, false, false] ] } ], "functions": [
            { "name": "a.c:f", "filenames": ["/x/a.c"], "regions": [ [1, 1, 3, 2, 2, 0, 0, 0], [2, 3, 2, 9, 0, 0, 0, 0] ],
              "branches": [ [1, 5, 1, 9, 0, 2, 0, 0, 4] ] } ] } ] }"#;
        let measured = Measured::of(&export::read(json).unwrap());
        assert_eq!(measured.functions, [function("f", (3, 3), (1, 2))]);
        assert_eq!((measured.sides, measured.missed), (counts(&[(1, 2)]), counts(&[(1, 1)])));
    }

    #[test]
    fn only_missed_sides_are_called_unreachable() {
        let measured = Measured { missed: counts(&[(3, 1), (7, 1)]), ..Default::default() };
        let side = |line| Unreachable { file: "/x/a.c".into(), line, column: 1, function: "f".into(), target: None };
        let confirmed = measured.confirmed(vec![side(3), side(3), side(7), side(9)]);
        assert_eq!(confirmed.iter().map(|s| s.line).collect::<Vec<_>>(), [3, 7]);
    }

    #[test]
    fn no_more_sides_count_than_the_interpreter_saw() {
        let mut measured = Measured {
            functions: vec![function("f", (0, 0), (4, 4))],
            branches: Ratio { covered: 4, total: 4 },
            sides: counts(&[(3, 2), (7, 2)]),
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
            functions: vec![function("helper", (3, 4), (1, 2)), function("main", (10, 10), (0, 0))],
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
