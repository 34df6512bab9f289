//! `fathom scan`: finds the build if none is named, locates the store of results, and prints the report.

use crate::args::VerifyArgs;
use crate::colour;
use crate::ending::Ending;
use crate::format::FormatArg;
use crate::progress::ProgressLine;
use crate::running::{finish, work};
use crate::scan_args::ScanArgs;
use crate::telling::Telling;
use crate::{Beginning, VERDICT, configuration, wrong_flags};
use fathom_driver::supervise::{Limits, supervised};
use fathom_driver::{Format, InputConfig, Known, ScanConfig, ScanReport, VerdictKind, write_whole};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What the last line of a scan begins with.
pub const SCAN: &str = "SCAN";

/// A scan has no limit of its own: each alarm has one.
const FOR_EVER: Duration = Duration::from_secs(365 * 24 * 3600);
/// Where builds leave a compilation database.
const BUILDS: [&str; 2] = [".", "build"];
const DATABASE: &str = "compile_commands.json";
const STORE: &str = ".fathom";

/// Scans, tells and ends.
pub fn scan(args: &ScanArgs, Beginning { start, wish }: Beginning) -> ! {
    let telling = Telling::plain(SCAN);
    let forms = forms(&args.format).unwrap_or_else(|why| wrong_flags(Some(&telling), why));
    let config = config(args).unwrap_or_else(|why| wrong_flags(Some(&telling), why));
    // The watched process holds little itself; the limit is for its children.
    let limits = Limits { start, time: FOR_EVER, memory: u64::MAX };
    let mut display = ProgressLine::new(wish, start, None);
    let ended = supervised(limits, false, &mut display, |leash, _| {
        work(&telling, start, leash, Vec::new(), |session| {
            let report = fathom_driver::scan(&config, session)?;
            let ending = ending(&report);
            let (telling, forms) = (&telling, &forms);
            Ok((ending, move || tell(telling, forms, &report, args.all)))
        })
    });
    config.out.iter().for_each(|out| fathom_driver::remove_unfinished(out));
    finish(&telling, &ended)
}

/// `fathom verify --all-functions`: a scan that reports functions instead of alarms.
pub fn all_functions(args: &VerifyArgs, Beginning { start, wish }: Beginning) -> ! {
    let telling = Telling::plain(VERDICT);
    let input = configuration::input(&args.input).unwrap_or_else(|why| wrong_flags(Some(&telling), why));
    let beside = input.compile_commands.as_deref().map_or(Path::new("."), place_of);
    let store = Some(beside.join(STORE));
    let config = ScanConfig {
        per_function: Some(args.timeout),
        per_alarm: args.timeout,
        library: true,
        out: args.out.clone(),
        store,
        memory: args.memory,
        ..ScanConfig::new(input)
    };
    let limits = Limits { start, time: FOR_EVER, memory: u64::MAX };
    let mut display = ProgressLine::new(wish, start, None);
    let ended = supervised(limits, false, &mut display, |leash, _| {
        work(&telling, start, leash, Vec::new(), |session| {
            let report = fathom_driver::scan(&config, session)?;
            let (ending, verdict) = known(&report);
            let telling = &telling;
            Ok((ending, move || telling.print(&fathom_driver::render_functions(&report), &verdict)))
        })
    });
    config.out.iter().for_each(|out| fathom_driver::remove_unfinished(out));
    finish(&telling, &ended)
}

/// How a run over all functions ends: the one that needs most attention decides.
fn known(report: &ScanReport) -> (Ending, String) {
    let rows = fathom_driver::function_rows(report);
    let count = |known: Known| rows.iter().filter(|row| row.known == known).count();
    match rows.first().map(|row| row.known) {
        _ if report.interrupted => (Ending::Interrupted, "unknown(interrupted)".into()),
        Some(Known::Violated) => {
            let property = rows[0].properties.first().cloned().unwrap_or_else(|| "see above".into());
            (Ending::Violated, format!("false({property})"))
        }
        Some(Known::NeedsPrecondition) => {
            (Ending::OtherUnknown, format!("unknown(functions that need a precondition: {})", count(Known::NeedsPrecondition)))
        }
        Some(Known::Open) => (Ending::OtherUnknown, format!("unknown(functions that are open: {})", count(Known::Open))),
        Some(Known::ProvedWithinBounds) => (Ending::ProvedWithinBounds, "true within bounds".into()),
        Some(Known::Proved) => (Ending::Proved, "true".into()),
        None => (Ending::OtherUnknown, "unknown(no function is exported)".into()),
    }
}

/// The directory of a compilation database.
fn place_of(place: &Path) -> &Path {
    if place.is_file() { place.parent().unwrap_or(place) } else { place }
}

fn config(args: &ScanArgs) -> Result<ScanConfig, String> {
    let found = || BUILDS.iter().map(PathBuf::from).find(|place| place.join(DATABASE).is_file());
    let compile_commands = args.compile_commands.clone().or_else(|| if args.files.is_empty() { found() } else { None });
    if compile_commands.is_none() && args.files.is_empty() {
        return Err(format!("there is no {DATABASE} here or in build/; name files, or the directory of one with --compile-commands"));
    }
    let beside = compile_commands.as_deref().map_or(Path::new("."), place_of);
    let store = args.store.clone().unwrap_or_else(|| beside.join(STORE));
    let model = args.model.chosen();
    let input = InputConfig { compile_commands, model, clang_args: args.clang_args.clone(), ..InputConfig::new(&args.files) };
    let usual = ScanConfig::new(input);
    Ok(ScanConfig {
        imports: args.import.clone(),
        baseline: args.baseline.clone(),
        since: args.since.clone(),
        jobs: args.jobs.map_or(usual.jobs, |jobs| usize::try_from(jobs).unwrap_or(usual.jobs)),
        per_alarm: args.timeout_per_alarm,
        per_function: (!args.alarms_only).then_some(args.timeout_per_function),
        library: args.library,
        share: args.share,
        out: args.out.clone(),
        store: (!args.no_store).then_some(store),
        memory: args.memory,
        ..usual
    })
}

/// The forms that were asked for; text if there is none on standard output.
fn forms(asked: &[FormatArg]) -> Result<Vec<FormatArg>, String> {
    if let Some(other) = asked.iter().find(|asked| !matches!(asked.form, Format::Text | Format::Json | Format::Sarif | Format::Html)) {
        return Err(format!("--format: the report on a scan can be text, json, sarif or html, not {:?}", other.form).to_lowercase());
    }
    let printed = asked.iter().filter(|asked| asked.file.is_none()).count();
    match printed {
        0 => Ok(asked.iter().cloned().chain([FormatArg { form: Format::Text, file: None }]).collect()),
        1 => Ok(asked.to_vec()),
        _ => Err("--format: one form fits standard output; give the others a file, as in sarif=FILE".into()),
    }
}

fn rendered(report: &ScanReport, form: Format, all: bool) -> String {
    match form {
        Format::Json => fathom_driver::scan_json(report),
        Format::Sarif => fathom_driver::scan_sarif(report),
        Format::Html => fathom_driver::scan_html(report),
        _ => fathom_driver::scan_text(report, all),
    }
}

fn tell(telling: &Telling, forms: &[FormatArg], report: &ScanReport, all: bool) {
    for FormatArg { form, file } in forms {
        let text = rendered(report, *form, all);
        match file {
            Some(file) => {
                if let Err(why) = write_whole(file, text) {
                    colour::say(&format!("error: {why}"));
                }
            }
            None if form.is_document() => telling.print_document(&text, &report.summary()),
            None => telling.print(&text, &report.summary()),
        }
    }
}

fn ending(report: &ScanReport) -> Ending {
    let any = |kinds: &[VerdictKind]| kinds.iter().any(|kind| report.count(*kind) > 0);
    match () {
        () if report.interrupted => Ending::Interrupted,
        () if any(&[VerdictKind::Confirmed]) => Ending::Violated,
        () if any(&[VerdictKind::ConfirmedForCaller, VerdictKind::Open]) => Ending::BoundReached,
        () => Ending::Proved,
    }
}
