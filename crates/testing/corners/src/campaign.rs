//! A campaign: corners are generated and run natively in batches, the verifier is asked about them, and its answers are
//! compared with the truth.
//!
//! Each question goes to one engine, in turn, or to all of them. Since the truth is known, engines that contradict each
//! other contradict it, too. `auto --agree` also reports rejected proofs and crashed engines; `explore` replays
//! natively what it finds.

use crate::corner::{Corner, Question};
use crate::native::{self, Run};
use crate::pending;
use crate::truth::{self, Truth};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Random corners, each checked against the verifier.
pub struct Campaign {
    /// The verifier's binary.
    pub fathom: PathBuf,
    /// The first seed; every corner has its own.
    pub seed: u64,
    /// How many corners.
    pub count: u64,
    /// All ways of compiling, not only the quick ones.
    pub thorough: bool,
    /// Every engine is asked, not only the default one.
    pub every_engine: bool,
    /// Only corners whose class or name contains this.
    pub only: String,
}

/// Programs that share a native translation unit, at most.
const BATCH: u64 = 250;
const WORKERS: usize = 2;
const ENGINES: [&[&str]; 9] =
    [&["explore"], &["bmc"], &["kind"], &["dash"], &["explore", "--interpolate"], &["coarse"], &["lists"], &["horn"], &["auto", "--agree"]];
/// The engine whose violations are replayed natively: one is enough.
const WITH_NATIVE: &[&str] = &["explore"];
/// How Fathom says that a fault of its own showed.
const FAULTS: [&str; 4] = ["not confirmed: ", "please report", "engines contradict", "panicked"];

/// An answer that contradicts the truth, or none at all.
#[derive(Clone, Debug)]
pub struct Finding {
    /// One line that names the corner and what is wrong.
    pub title: String,
    /// Why this is known, if it is.
    pub pending: Option<&'static str>,
    /// The program, what compilers saw, and what the verifier said.
    pub text: String,
}

/// What a campaign found.
#[derive(Default)]
pub struct Summary {
    /// Answers that agree with the compilers.
    pub right: u64,
    /// Answers `unknown`.
    pub unknown: u64,
    /// Corners without a question that the truth answers.
    pub open: u64,
    /// Answers that contradict the compilers.
    pub findings: Vec<Finding>,
    /// Right and unknown answers, and findings, of each class.
    pub classes: BTreeMap<&'static str, [u64; 3]>,
}

impl Summary {
    fn merge(&mut self, other: Summary) {
        self.right += other.right;
        self.unknown += other.unknown;
        self.open += other.open;
        self.findings.extend(other.findings);
        for (class, counts) in other.classes {
            let sum = self.classes.entry(class).or_default();
            for (total, count) in sum.iter_mut().zip(counts) {
                *total += count;
            }
        }
    }

    /// What fails a test.
    pub fn news(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.pending.is_none())
    }
}

impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let pending = self.findings.len() - self.news().count();
        writeln!(
            f,
            "{} right, {} unknown, {} open, {} wrong, {pending} wrong for a known cause",
            self.right,
            self.unknown,
            self.open,
            self.news().count()
        )?;
        for (class, [right, unknown, wrong]) in &self.classes {
            writeln!(f, "  {class}: {right} right, {unknown} unknown, {wrong} wrong")?;
        }
        Ok(())
    }
}

impl Campaign {
    /// Runs everything, and tells each finding at once. An error means that the corners themselves could not be compiled or run.
    pub fn run(&self, tell: &(dyn Fn(&Finding) + Sync)) -> Result<Summary, String> {
        let next = AtomicU64::new(0);
        // Each worker gets a few.
        let size = self.count.div_ceil(4).clamp(1, BATCH);
        let total = Mutex::new(Summary::default());
        let worker = || -> Result<(), String> {
            loop {
                let start = next.fetch_add(size, Ordering::Relaxed);
                if start >= self.count {
                    return Ok(());
                }
                let summary = self.batch(start, (start + size).min(self.count))?;
                summary.findings.iter().for_each(tell);
                total.lock().expect("no worker panics").merge(summary);
            }
        };
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..WORKERS).map(|_| scope.spawn(worker)).collect();
            workers.into_iter().try_for_each(|worker| worker.join().expect("a worker"))
        })?;
        Ok(total.into_inner().expect("no worker panics"))
    }

    fn batch(&self, start: u64, end: u64) -> Result<Summary, String> {
        let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
        let mut summary = Summary::default();
        let corners: Vec<(u64, Corner)> = (start..end)
            .map(|number| (number, crate::generate(self.seed, number)))
            .filter(|(_, corner)| corner.class.contains(&self.only) || corner.name.contains(&self.only))
            .collect();
        for wide in [true, false] {
            let (numbers, of_model): (Vec<u64>, Vec<&Corner>) =
                corners.iter().filter(|(_, c)| c.wide == wide).map(|(n, c)| (*n, c)).unzip();
            if of_model.is_empty() {
                continue;
            }
            let runs = native::run(&of_model, wide, self.thorough)?;
            for ((number, corner), runs) in numbers.into_iter().zip(of_model).zip(&runs) {
                self.judge(number, corner, runs, directory.path(), &mut summary);
            }
        }
        Ok(summary)
    }

    fn judge(&self, number: u64, corner: &Corner, runs: &[Run], directory: &Path, summary: &mut Summary) {
        if let Some(contradiction) = truth::contradiction(corner, runs) {
            let source = corner.native_source(number as usize);
            summary.findings.push(Finding {
                title: format!("corner {number} ({}, {}): the template is wrong", corner.class, corner.name),
                pending: None,
                text: format!("{contradiction}\n{source}"),
            });
            return;
        }
        let asked = truth::question(corner, runs).map(|question| (truth::truth(corner, runs, &question), question));
        let Some((truth @ (Truth::Holds | Truth::Violated), question)) = asked else {
            summary.open += 1;
            return;
        };
        let engines: Vec<&[&str]> = if self.every_engine { ENGINES.to_vec() } else { vec![ENGINES[number as usize % ENGINES.len()]] };
        for engine in engines {
            let asked = Asked { corner, runs, question: &question, truth, engine };
            let outcome = asked.put_to(&self.fathom, directory);
            let counts = summary.classes.entry(corner.class).or_default();
            match outcome {
                Outcome::Right => (summary.right, counts[0]) = (summary.right + 1, counts[0] + 1),
                Outcome::Unknown => (summary.unknown, counts[1]) = (summary.unknown + 1, counts[1] + 1),
                Outcome::Wrong(said) => {
                    counts[2] += 1;
                    summary.findings.push(asked.finding(number, &said));
                }
            }
        }
    }
}

enum Outcome {
    Right,
    Unknown,
    Wrong(String),
}

struct Asked<'a> {
    corner: &'a Corner,
    runs: &'a [Run],
    question: &'a Question,
    truth: Truth,
    engine: &'a [&'a str],
}

impl Asked<'_> {
    fn flags(&self) -> Vec<&str> {
        let mut flags = self.question.property.flags().to_vec();
        flags.push(if self.corner.wide { "--64" } else { "--32" });
        flags.push("--engine");
        flags.extend(self.engine);
        if self.engine != WITH_NATIVE {
            flags.push("--no-native");
        }
        flags
    }

    fn put_to(&self, fathom: &Path, directory: &Path) -> Outcome {
        let file = directory.join("corner.c");
        if let Err(error) = std::fs::write(&file, self.corner.source(self.question)) {
            return Outcome::Wrong(error.to_string());
        }
        let mut command = Command::new(fathom);
        command.arg("verify").arg(&file).args(self.flags()).args(["--timeout", "10s"]);
        command.env("TMPDIR", directory).stdin(Stdio::null());
        match command.output() {
            Err(error) => Outcome::Wrong(error.to_string()),
            Ok(output) => {
                self.compare(&String::from_utf8_lossy(&output.stdout), &String::from_utf8_lossy(&output.stderr), output.status.code())
            }
        }
    }

    fn compare(&self, stdout: &str, stderr: &str, code: Option<i32>) -> Outcome {
        let verdict = stdout.lines().last().and_then(|line| line.strip_prefix("VERDICT ")).unwrap_or("");
        let right = match self.truth {
            Truth::Violated => format!("false({})", self.question.property.name()),
            _ => "true".to_owned(),
        };
        let faults: Vec<&str> =
            stdout.lines().chain(stderr.lines()).filter(|line| FAULTS.iter().any(|fault| line.contains(fault))).collect();
        let is_fault = [70, 3].contains(&code.unwrap_or(70)) || !faults.is_empty();
        match verdict {
            _ if is_fault => {}
            _ if verdict == right => return Outcome::Right,
            _ if verdict.starts_with("unknown(") => return Outcome::Unknown,
            _ => {}
        }
        let more: String = faults.into_iter().chain(stderr.lines()).take(6).collect::<Vec<_>>().join("\n");
        Outcome::Wrong(format!("{verdict}{}{more}", if more.is_empty() { "" } else { "\n" }))
    }

    fn finding(&self, number: u64, said: &str) -> Finding {
        let (corner, property) = (self.corner, self.question.property);
        let mut text = format!("flags: {}\nsaid: {said}\ntruth: {:?}", self.flags().join(" "), self.truth);
        match &corner.stated {
            Some(events) => text += &format!(", the template states {events:?} ({})", corner.because),
            None => text += ", by running it",
        }
        for run in self.runs {
            text += &format!("\n  inputs {:x?}: observed {:x?}, events {:?}", run.inputs, run.observed, run.events);
        }
        text += &format!("\n{}", corner.source(self.question));
        Finding { title: format!("corner {number} ({}: {})", corner.class, corner.name), pending: pending::cause(corner, property), text }
    }
}
