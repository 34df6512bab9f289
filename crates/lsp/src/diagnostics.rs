//! Turns a report into diagnostics: violations as errors with their traces, compiler errors at their lines, and on the
//! first line, as an information, what was not decided or not checked.

use crate::compiler::{self, CompileError, Remark};
use crate::documents::{real, uri_of};
use crate::positions::Lines;
use crate::trace;
use fathom_report::{ErrorKind, ErrorReport, PlaceReport, PropertyReport, Report, UnknownKind, ViolationReport};
use gen_lsp_types::{Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What diagnostics are said to come from.
const SOURCE: &str = "fathom";

/// Diagnostics by file.
pub type FileDiagnostics = BTreeMap<PathBuf, Vec<Diagnostic>>;

/// What a run was about.
#[derive(Clone, Debug)]
pub struct About {
    /// The open document.
    pub document: PathBuf,
    /// Where the run took place: file names in the report may be relative to it.
    pub directory: PathBuf,
    /// The number of the program, which code actions come back with.
    pub program: usize,
}

/// What diagnostics carry for code actions.
pub fn property_of(diagnostic: &Diagnostic) -> Option<(usize, &str)> {
    let data = diagnostic.data.as_ref()?;
    let program = usize::try_from(data.get("program")?.as_u64()?).ok()?;
    Some((program, data.get("property")?.as_str()?))
}

/// The diagnostics of a report; `why` if there is none.
pub fn of_outcome(outcome: Result<&Report, &str>, about: &About) -> FileDiagnostics {
    let mut teller = Teller { about, lines: Lines::default(), told: FileDiagnostics::from([(about.document.clone(), Vec::new())]) };
    match outcome {
        Ok(Report { error: Some(error), .. }) => teller.failure(error),
        Ok(report) => {
            report.properties.iter().for_each(|property| teller.violation(property));
            teller.undecided(&report.properties);
        }
        Err(why) => teller.first_line(DiagnosticSeverity::Warning, why.to_string()),
    }
    teller.told
}

/// The diagnostics of a file that is only included by others.
pub fn of_header(about: &About) -> FileDiagnostics {
    let mut teller = Teller { about, lines: Lines::default(), told: FileDiagnostics::new() };
    let text = "Not checked by itself: a header is checked with the programs that include it.";
    teller.first_line(DiagnosticSeverity::Hint, text.into());
    teller.told
}

struct Teller<'a> {
    about: &'a About,
    lines: Lines,
    told: FileDiagnostics,
}

impl Teller<'_> {
    fn push(&mut self, path: PathBuf, diagnostic: Diagnostic) {
        self.told.entry(path).or_default().push(diagnostic);
    }

    fn first_line(&mut self, severity: DiagnosticSeverity, text: String) {
        let document = self.about.document.clone();
        let range = self.lines.range(&document, 1, 0);
        self.push(document, diagnostic(range, severity, text));
    }

    /// A violation, where it happens.
    fn violation(&mut self, property: &PropertyReport) {
        let Some(violation) = &property.violation else { return };
        let (path, range) = self.where_it_happens(violation);
        let related = trace::steps(violation).iter().filter_map(|step| self.related(step.place, step.text.clone())).collect();
        let found = Diagnostic {
            code: Some(property.property.clone().into()),
            related_information: Some(related),
            data: Some(json!({ "program": self.about.program, "property": property.property })),
            ..diagnostic(range, DiagnosticSeverity::Error, message(property, violation))
        };
        self.push(path, found);
    }

    /// The location of a violation. If it is not in a user's file, the last location of the run in one.
    fn where_it_happens(&mut self, violation: &ViolationReport) -> (PathBuf, gen_lsp_types::Range) {
        let steps = trace::steps(violation);
        let places = std::iter::once(&violation.place).chain(steps.iter().rev().map(|step| step.place));
        let found = places.into_iter().find_map(|place| Some((self.file(place)?, place.line, place.column)));
        let (path, line, column) = found.unwrap_or_else(|| (self.about.document.clone(), 1, 0));
        let range = self.lines.range(&path, line, column);
        (path, range)
    }

    /// The file of a place, if it is there to be shown.
    fn file(&self, place: &PlaceReport) -> Option<PathBuf> {
        let path = self.about.directory.join(place.file.as_ref().filter(|_| place.line > 0)?);
        path.is_file().then(|| real(&path))
    }

    fn related(&mut self, place: &PlaceReport, message: String) -> Option<DiagnosticRelatedInformation> {
        let path = self.file(place)?;
        let range = self.lines.range(&path, place.line, place.column);
        Some(DiagnosticRelatedInformation { location: Location { uri: uri_of(&path), range }, message })
    }

    /// Why there is no answer.
    fn failure(&mut self, error: &ErrorReport) {
        if let Some(entries) = &error.entries {
            return self.first_line(DiagnosticSeverity::Hint, no_entry(entries));
        }
        // A compiler writes so, and so does whoever reads fathom.toml.
        let has_places = matches!(error.kind, ErrorKind::Input | ErrorKind::Usage);
        let errors = if has_places { compiler::errors(&error.message) } else { Vec::new() };
        if !errors.is_empty() {
            return errors.iter().for_each(|error| self.compile_error(error));
        }
        let severity = match error.kind {
            ErrorKind::Usage | ErrorKind::Input | ErrorKind::Internal => DiagnosticSeverity::Warning,
            _ => DiagnosticSeverity::Information,
        };
        self.first_line(severity, format!("Not decided: {}", error.message));
    }

    fn compile_error(&mut self, error: &CompileError) {
        let place = |remark: &Remark| PlaceReport {
            file: Some(remark.file.display().to_string()),
            line: remark.line,
            column: remark.column,
            text: None,
        };
        let related = error.notes.iter().filter_map(|note| self.related(&place(note), note.text.clone())).collect();
        let path = self.file(&place(&error.error)).unwrap_or_else(|| self.about.document.clone());
        let range = self.lines.range(&path, error.error.line, error.error.column);
        let told = diagnostic(range, DiagnosticSeverity::Error, error.error.text.clone());
        self.push(path, Diagnostic { related_information: Some(related), ..told });
    }

    /// Undecided properties, once for each reason. Properties that were not examined because of a violation are
    /// omitted.
    fn undecided(&mut self, properties: &[PropertyReport]) {
        let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for property in properties.iter().filter(|property| property.unknown.is_some_and(|kind| kind != UnknownKind::NotReached)) {
            reasons.entry(property.reason.as_deref().unwrap_or("no reason is known")).or_default().push(&property.property);
        }
        let told: Vec<String> = reasons.iter().map(|(reason, names)| format!("Not decided: {reason} ({})", names.join(", "))).collect();
        if !told.is_empty() {
            self.first_line(DiagnosticSeverity::Information, told.join("\n"));
        }
    }
}

fn diagnostic(range: gen_lsp_types::Range, severity: DiagnosticSeverity, message: String) -> Diagnostic {
    Diagnostic { range, severity: Some(severity), source: Some(SOURCE.into()), message: message.into(), ..Diagnostic::default() }
}

/// What goes wrong, why, and how it was checked.
fn message(property: &PropertyReport, violation: &ViolationReport) -> String {
    let mut lines = vec![violation.message.clone()];
    lines.extend(violation.cause.iter().cloned());
    lines.extend(property.assurance.iter().map(|assurance| format!("({assurance})")));
    lines.join("\n")
}

/// The message about a file that has no function to start from.
fn no_entry(entries: &[String]) -> String {
    const FEW: usize = 5;
    let names = match entries.len() {
        0 => String::new(),
        1..=FEW => format!(" (it has {})", entries.join(", ")),
        many => format!(" (it has {} and {} more)", entries[..FEW].join(", "), many - FEW),
    };
    format!(
        "Not checked: this file has no function main to start from{names}. The flag --entry names another function; the setting \
         fathom.program says which files make a program."
    )
}

/// The data of a code action.
pub fn data(program: usize, property: Option<&str>) -> Value {
    json!({ "program": program, "property": property })
}

/// Whether a diagnostic is about a place that was asked for.
pub fn touches(diagnostic: &Diagnostic, range: &gen_lsp_types::Range) -> bool {
    diagnostic.range.start <= range.end && range.start <= diagnostic.range.end
}
