//! Small programs with the mistakes that people make (tests/buggy): a run without flags finds each, and the first lines of the report
//! name the cause. A header says the property, and what those lines say; `open` says why a mistake is not found yet. The whole reports
//! of some are golden files.

mod common;

use common::{Bench, Run};
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};

/// Lines of a report in which the cause must be named.
const FIRST_LINES: usize = 5;

struct Header {
    property: String,
    says: Vec<String>,
    is_open: bool,
}

fn header(text: &str) -> Header {
    let values = |key: &str| -> Vec<String> {
        let prefix = format!("//! {key}: ");
        text.lines().filter_map(|line| Some(line.strip_prefix(&prefix)?.to_string())).collect()
    };
    let property = values("property").pop().expect("a header names its property");
    Header { property, says: values("says"), is_open: !values("open").is_empty() }
}

fn check(path: &Path) -> Result<(), Failed> {
    let text = std::fs::read_to_string(path)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let Header { property, says, is_open } = header(&text);
    let bench = Bench::new();
    bench.write(&name, &text);
    let run = bench.verify(&["--timeout", "20s", &name]);
    // Whether a program is meant to end is the user's question: without it the report only warns.
    let run = if property == "termination" { warned(&bench, &name, &run.stdout)? } else { run };
    if is_open {
        return match run.verdict().starts_with("unknown(") {
            true => Ok(()),
            false => Err(format!("{} is decided: {}", name, run.verdict()).into()),
        };
    }
    if run.verdict() != format!("false({property})") {
        return Err(format!("{}\n{}\n{}", run.verdict(), run.stdout, run.stderr).into());
    }
    let first: Vec<&str> = run.stdout.lines().take(FIRST_LINES).collect();
    let first = first.join("\n");
    if let Some(missing) = says.iter().find(|words| !first.contains(words.as_str())) {
        return Err(format!("`{missing}` is missing in\n{first}").into());
    }
    if run.stdout.contains("fathom-runtime") || run.stdout.contains("in fathom_") {
        return Err(format!("the library's own files are mentioned in\n{}", run.stdout).into());
    }
    // What is said of the other properties may come from one engine or another.
    let alone = bench.verify(&["--property", &property, &name]);
    compare_whole(path, &alone.stdout)
}

/// The run that asks about termination, after the one without flags has warned.
fn warned(bench: &Bench, name: &str, report: &str) -> Result<Run, Failed> {
    match report.lines().take(FIRST_LINES).any(|line| line.contains("no run of this program comes to an end") && line.contains(name)) {
        true => Ok(bench.verify(&["--property", "termination", name])),
        false => Err(format!("there is no warning in\n{report}").into()),
    }
}

/// Compares the report with the golden file, if there is one: without the lines of the native replay, which differ from machine
/// to machine.
fn compare_whole(path: &Path, report: &str) -> Result<(), Failed> {
    let folder = path.with_file_name("snapshots");
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    if !folder.join(format!("{name}.snap")).exists() {
        return Ok(());
    }
    let kept: Vec<&str> = report.lines().filter(|line| !line.contains("native")).collect();
    insta::with_settings!({ snapshot_path => folder, prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(name.as_ref(), kept.join("\n"));
    });
    Ok(())
}

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/buggy");
    let entries = std::fs::read_dir(&folder).expect("tests/buggy is there");
    let mut programs: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    programs.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    programs.sort();
    let trial = |path: PathBuf| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Trial::test(name, move || check(&path))
    };
    libtest_mimic::run(&Arguments::from_args(), programs.into_iter().map(trial).collect()).exit();
}
