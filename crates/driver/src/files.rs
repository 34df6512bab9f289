//! Files in an output directory besides the report: for each violation and each reached target, everything needed to
//! reproduce it without Fathom; and a record of the paths. Their contents are made in the process that found the answer
//! and written by the process that reports it.

use fathom_base::{FileId, SourceFiles};
use fathom_engine::{Statistics, TargetFate, TargetNote};
use fathom_ir::Property;
use fathom_machine::ReplayLog;
use fathom_native::{self as native, NativeSetup};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write;

/// A file that is to be written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OutFile {
    /// Its place in the directory.
    pub name: String,
    pub content: String,
}

fn file(name: impl Into<String>, content: String) -> OutFile {
    OutFile { name: name.into(), content }
}

/// For each target that was reached, numbered as in the report, what is needed to get there again.
pub(crate) fn of_targets(targets: &[TargetNote], setup: Option<&NativeSetup>) -> Vec<OutFile> {
    let reached = (1..).zip(targets).filter_map(|(number, target)| match &target.fate {
        TargetFate::Reached(log) => Some(of_run(&format!("target-{number}"), target.property, log, setup)),
        TargetFate::Unreachable | TargetFate::Open => None,
    });
    reached.flatten().collect()
}

/// The inputs of a run, and a program that gives them to the analysed one.
pub(crate) fn of_run(name: &str, property: Property, log: &ReplayLog, setup: Option<&NativeSetup>) -> Vec<OutFile> {
    let mut inputs = String::new();
    for input in &log.inputs {
        let bytes: Vec<String> = input.bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let source = if input.kind.source.is_empty() { "(uninitialised)" } else { &input.kind.source };
        let _ = writeln!(inputs, "{source} {}", bytes.join(" "));
    }
    let mut files = vec![file(format!("inputs-{name}.txt"), inputs)];
    if let Some(setup) = setup {
        let driver = format!("driver-{name}.c");
        let command = native::build_command(setup, property).replace("driver.c", &driver);
        let text = native::driver_text(log, setup);
        files.push(file(driver, format!("/* Build: {} */\n{text}", command.replace("*/", "* /"))));
    }
    files
}

/// A line per path, and which source lines some path came to, in the format of lcov.
pub(crate) fn of_paths(statistics: &Statistics, files: &SourceFiles) -> Vec<OutFile> {
    if statistics.paths.is_empty() {
        return Vec::new();
    }
    let mut paths = String::from("path\tend\tplace\tstatements\tforks\tspeculative\n");
    for (number, path) in statistics.paths.iter().enumerate() {
        let end = path.end.replace(['\t', '\n'], " ");
        let place = files.show(path.place);
        let _ = writeln!(paths, "{}\t{end}\t{place}\t{}\t{}\t{}", number + 1, path.statements, path.forks, path.speculative);
    }
    let lcov = coverage(statistics, files);
    let page = fathom_report::coverage_page(&lcov, |file| std::fs::read_to_string(file).ok());
    vec![file("paths.tsv", paths), file("coverage.info", lcov), file("coverage.html", page)]
}

fn coverage(statistics: &Statistics, files: &SourceFiles) -> String {
    let mut lines: BTreeMap<(FileId, u32), bool> = BTreeMap::new();
    for (loc, covered) in &statistics.coverage {
        *lines.entry((loc.file, loc.line)).or_default() |= covered;
    }
    let mut coverage = String::new();
    let mut current = None;
    for ((file, line), covered) in lines {
        if current != Some(file) {
            coverage += if current.is_some() { "end_of_record\n" } else { "" };
            let path = files.path(file).map(|path| path.display().to_string()).unwrap_or_default();
            let _ = writeln!(coverage, "SF:{path}");
            current = Some(file);
        }
        let _ = writeln!(coverage, "DA:{line},{}", u32::from(covered));
    }
    coverage + if current.is_some() { "end_of_record\n" } else { "" }
}
