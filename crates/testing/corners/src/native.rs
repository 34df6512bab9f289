//! Native runs: many corners become one translation unit, which clang and gcc compile in several ways; `driver.c` runs
//! each corner on each combination of its inputs and says what happened.

use crate::corner::Corner;
use crate::property::{Event, Property};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// What all ways of compiling made of one combination of inputs.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// The values that the run read.
    pub inputs: Vec<u128>,
    /// Which way of compiling saw which event.
    pub events: Vec<(&'static str, Event)>,
    /// The values that the run printed.
    pub observed: Vec<u64>,
    /// The ways of compiling observed different things although none saw an event.
    pub disagreement: Option<String>,
}

#[derive(Clone, Copy, PartialEq)]
enum Sanitizer {
    None,
    Undefined,
    Address,
    Memory,
}

/// A way of compiling.
struct Way {
    name: &'static str,
    compiler: &'static str,
    level: &'static str,
    sanitizer: Sanitizer,
    /// Whether the short campaign uses it.
    usual: bool,
}

const fn way(name: &'static str, compiler: &'static str, level: &'static str, sanitizer: Sanitizer, usual: bool) -> Way {
    Way { name, compiler, level, sanitizer, usual }
}

const WAYS: [Way; 9] = [
    way("clang -O0 UBSan", "clang-19", "-O0", Sanitizer::Undefined, true),
    way("clang -O0 ASan", "clang-19", "-O0", Sanitizer::Address, true),
    way("gcc -O2", "gcc", "-O2", Sanitizer::None, true),
    way("clang -O2 UBSan", "clang-19", "-O2", Sanitizer::Undefined, false),
    way("gcc -O0 UBSan", "gcc", "-O0", Sanitizer::Undefined, false),
    way("gcc -O2 UBSan", "gcc", "-O2", Sanitizer::Undefined, false),
    way("gcc -O0 ASan", "gcc", "-O0", Sanitizer::Address, false),
    way("clang -O2", "clang-19", "-O2", Sanitizer::None, false),
    way("clang -O1 MSan", "clang-19", "-O1", Sanitizer::Memory, false),
];

const NARROW: [&str; 5] = ["-m32", "-msse2", "-mfpmath=sse", "-idirafter", "/usr/include/x86_64-linux-gnu"];
/// Values of inputs are compared, so no optimisation may rest on types of accesses or on the absence of NaNs.
const COMMON: [&str; 4] = ["-w", "-g0", "-fno-strict-aliasing", "-ffp-contract=off"];

impl Way {
    fn sanitizer_flags(&self) -> Vec<&'static str> {
        match self.sanitizer {
            Sanitizer::None => vec![],
            Sanitizer::Undefined if self.compiler == "gcc" => vec!["-fsanitize=undefined,float-cast-overflow", "-fno-sanitize-recover=all"],
            Sanitizer::Undefined => vec!["-fsanitize=undefined,float-cast-overflow", "-fno-sanitize=function", "-fno-sanitize-recover=all"],
            Sanitizer::Address => vec!["-fsanitize=address"],
            Sanitizer::Memory => vec!["-fsanitize=memory", "-fno-sanitize-memory-param-retval"],
        }
    }

    fn driver_flags(&self) -> Vec<&'static str> {
        match self.sanitizer {
            Sanitizer::Address => vec!["-DWITH_ASAN"],
            Sanitizer::Memory => vec!["-DWITH_MSAN", "-fsanitize=memory"],
            _ => vec![],
        }
    }

    fn suits(&self, wide: bool) -> bool {
        wide || self.sanitizer != Sanitizer::Memory
    }

    /// Compiles the corners and the driver into `binary`.
    fn build(&self, directory: &Path, wide: bool) -> Result<(), String> {
        let model: &[&str] = if wide { &["-m64"] } else { &NARROW };
        let compile = |compiler: &str, flags: &[&str], source: &str, object: &str| {
            let mut command = Command::new(compiler);
            command.args(COMMON).args(model).args(flags).arg("-c").arg(directory.join(source)).arg("-o").arg(directory.join(object));
            finish(command)
        };
        let mut flags = self.sanitizer_flags();
        flags.push(self.level);
        compile(self.compiler, &flags, "corners.c", "corners.o")?;
        compile("clang-19", &self.driver_flags(), "driver.c", "driver.o")?;
        let mut link = Command::new("clang-19");
        link.args(model).args(["corners.o", "driver.o", "-o", "binary", "-lm", "--rtlib=compiler-rt"]).current_dir(directory);
        if !wide {
            link.arg("--unwindlib=none");
        }
        link.args(match self.sanitizer {
            Sanitizer::Address => &["-fsanitize=address"][..],
            Sanitizer::Memory => &["-fsanitize=memory"],
            _ => &[],
        });
        finish(link)
    }
}

fn finish(mut command: Command) -> Result<(), String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{command:?}:\n{}", String::from_utf8_lossy(&output.stderr)))
}

fn write_sources(directory: &Path, corners: &[&Corner]) -> std::io::Result<()> {
    let mut text = Corner::native_prelude();
    for (number, corner) in corners.iter().enumerate() {
        text.push_str(&corner.native_source(number));
    }
    text.push_str("int (*const corner_table[])(void) = {");
    for number in 0..corners.len() {
        let _ = write!(text, "corner_{number}, ");
    }
    text.push_str("};\n");
    std::fs::write(directory.join("corners.c"), text)?;
    std::fs::write(directory.join("driver.c"), include_str!("driver.c"))
}

fn jobs(corners: &[&Corner]) -> String {
    let mut text = String::new();
    for (number, corner) in corners.iter().enumerate() {
        let leaks = u8::from(corner.properties.contains(&Property::ValidMemtrack));
        for vector in corner.vectors() {
            let _ = write!(text, "{number} {leaks} {}", vector.len());
            for value in vector {
                let _ = write!(text, " {:x} {:x}", (value >> 64) as u64, value as u64);
            }
            text.push('\n');
        }
    }
    text
}

fn run_binary(directory: &Path, jobs: &str) -> Result<Vec<String>, String> {
    let fail = |error: std::io::Error| format!("the native corners: {error}");
    let mut child =
        Command::new(directory.join("binary")).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().map_err(fail)?;
    let mut stdin = child.stdin.take().expect("a pipe");
    let jobs = jobs.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(jobs.as_bytes()));
    let output = child.wait_with_output().map_err(fail)?;
    writer.join().expect("the writer").map_err(fail)?;
    let mut answers: Vec<String> = Vec::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        match answers.last_mut() {
            // A run that is undefined may write anything, an end of line too.
            Some(answer) if !line.starts_with('j') => answer.push_str(line),
            _ => answers.push(line.to_owned()),
        }
    }
    Ok(answers)
}

/// Adds what one way of compiling said about one run.
fn add(run: &mut Run, way: &Way, line: &str, first: bool) -> Result<(), String> {
    let mut observed = Vec::new();
    for word in line.split_whitespace() {
        match word.split_at(1) {
            ("o", hex) => observed.push(u64::from_str_radix(hex, 16).map_err(|error| format!("{line}: {error}"))?),
            ("e", name) => run.events.push((way.name, Event::by_name(name).ok_or_else(|| format!("{line}: what is {name}?"))?)),
            _ => {}
        }
    }
    if first {
        run.observed = observed;
    } else if run.observed != observed && run.disagreement.is_none() {
        run.disagreement = Some(format!("{} observed {observed:?}, {} {:?}", way.name, WAYS[0].name, run.observed));
    }
    Ok(())
}

/// Runs corners of one data model. `thorough` takes all ways of compiling, otherwise the usual few.
pub fn run(corners: &[&Corner], wide: bool, thorough: bool) -> Result<Vec<Vec<Run>>, String> {
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    write_sources(directory.path(), corners).map_err(|error| error.to_string())?;
    let jobs = jobs(corners);
    let mut all: Vec<Vec<Run>> =
        corners.iter().map(|c| c.vectors().into_iter().map(|inputs| Run { inputs, ..Run::default() }).collect()).collect();
    for (number, way) in WAYS.iter().filter(|way| (way.usual || thorough) && way.suits(wide)).enumerate() {
        way.build(directory.path(), wide)?;
        let lines = run_binary(directory.path(), &jobs)?;
        let runs: Vec<&mut Run> = all.iter_mut().flatten().collect();
        if lines.len() != runs.len() {
            return Err(format!("{}: {} answers to {} jobs", way.name, lines.len(), runs.len()));
        }
        for (run, line) in runs.into_iter().zip(&lines) {
            add(run, way, line, number == 0)?;
        }
    }
    Ok(all)
}
