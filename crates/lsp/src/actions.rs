//! Code actions: open the replay of a violation as a test, and show the report with its proof. The files are those that
//! the run wrote with `--out`.

use crate::diagnostics::{data, property_of, touches};
use crate::documents::uri_of;
use crate::programs::Programs;
use gen_lsp_types::{CodeAction, CodeActionKind, CodeActionParams, Command, Diagnostic, Uri};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Verifies a document.
pub const VERIFY: &str = "fathom.verify";
/// Writes the test of a violation next to the document, and opens it.
pub const OPEN_REPLAY: &str = "fathom.openReplay";
/// Opens the report.
pub const SHOW_PROOF: &str = "fathom.showProof";

/// The file of a run's directory that shows the proof or the violation to people.
const REPORT: &str = "report.txt";

/// The name of the test for a violated property in a run's directory.
fn driver(property: &str) -> String {
    format!("driver-{property}.c")
}

/// What can be done in this part of a document.
pub fn of_range(params: &CodeActionParams, path: &Path, programs: &Programs) -> Vec<CodeAction> {
    let is_wanted = |kind: &CodeActionKind| {
        let begins = |wanted: &CodeActionKind| kind.to_string().starts_with(&wanted.to_string());
        params.context.only.as_ref().is_none_or(|only| only.iter().any(begins))
    };
    let mut actions = Vec::new();
    for diagnostic in programs.diagnostics(path).iter().filter(|diagnostic| touches(diagnostic, &params.range)) {
        let Some((program, property)) = property_of(diagnostic) else { continue };
        if programs.out(program).join(driver(property)).is_file() {
            let title = format!("Open the replay as a test ({property})");
            actions.push(action(title, OPEN_REPLAY, data(program, Some(property)), Some(diagnostic)));
        }
        actions.push(action("Show the report".into(), SHOW_PROOF, data(program, None), Some(diagnostic)));
    }
    actions.retain(|action| action.kind.as_ref().is_some_and(is_wanted));
    let program = programs.of_document(path).filter(|program| programs.out(*program).join(REPORT).is_file());
    let is_offered = |program: usize| {
        let argument = Some(vec![data(program, None)]);
        actions.iter().any(|action| action.command.as_ref().is_some_and(|command| command.arguments == argument))
    };
    if let Some(program) = program.filter(|program| is_wanted(&CodeActionKind::Source) && !is_offered(*program)) {
        let verdict = programs.get(program).and_then(|program| program.report.as_ref()).map(|report| report.verdict.as_str());
        let title = if verdict == Some("true") { "Show the proof" } else { "Show the report" };
        actions.push(action(title.into(), SHOW_PROOF, data(program, None), None));
    }
    actions
}

/// A quick fix for a diagnostic, or an action for the whole document.
fn action(title: String, command: &str, argument: Value, diagnostic: Option<&Diagnostic>) -> CodeAction {
    let kind = if diagnostic.is_some() { CodeActionKind::QuickFix } else { CodeActionKind::Source };
    let command = Command { title: title.clone(), tooltip: None, command: command.into(), arguments: Some(vec![argument]) };
    CodeAction {
        title,
        kind: Some(kind),
        diagnostics: diagnostic.map(|diagnostic| vec![diagnostic.clone()]),
        command: Some(command),
        ..CodeAction::default()
    }
}

/// The program that the argument of a command names, by its number or by a document.
pub fn program_of(argument: Option<&Value>, programs: &Programs) -> Result<usize, String> {
    let argument = argument.ok_or("the command needs a document or the data of a code action")?;
    let number = argument.get("program").and_then(Value::as_u64).and_then(|number| usize::try_from(number).ok());
    let known = match number {
        Some(number) => programs.get(number).map(|_| number),
        None => document_of(Some(argument)).and_then(|uri| programs.of_document(&crate::documents::path_of(&uri)?)),
    };
    known.ok_or_else(|| "nothing is known of this program: it was not verified yet".into())
}

/// The document that the argument of a command names: a URI, or an object that has one.
pub fn document_of(argument: Option<&Value>) -> Option<Uri> {
    let argument = argument?;
    let uri = argument.as_str().or_else(|| argument.get("uri")?.as_str())?;
    Some(Uri(uri.to_string()))
}

/// The report of a program.
pub fn report(program: usize, programs: &Programs) -> Result<Uri, String> {
    let path = programs.out(program).join(REPORT);
    path.is_file().then(|| uri_of(&path)).ok_or_else(|| "there is no report of this program yet".into())
}

/// Writes the test of a violation next to the document, unless it exists already, and never overwrites another file.
pub fn write_replay(program: usize, argument: Option<&Value>, programs: &Programs) -> Result<Uri, String> {
    let property = argument.and_then(|argument| argument.get("property")?.as_str()).ok_or("the command needs a property")?;
    // A property is a name; what looks like a path is none.
    let name = Some(driver(property)).filter(|name| !name.contains('/')).ok_or_else(|| format!("{property} is no property"))?;
    let test = std::fs::read_to_string(programs.out(program).join(name))
        .map_err(|_| format!("there is no replay of a violation of {property}; verify the file again"))?;
    let document = &programs.get(program).ok_or("there is no such program")?.about.document;
    write_beside(document, property, &test).map(|path| uri_of(&path))
}

fn write_beside(document: &Path, property: &str, test: &str) -> Result<PathBuf, String> {
    let stem = document.file_stem().unwrap_or_default().to_string_lossy();
    // The command that builds it is written for the directory in which it is.
    let named = |number: u32| match number {
        1 => format!("{stem}-{property}-replay.c"),
        _ => format!("{stem}-{property}-replay-{number}.c"),
    };
    for number in 1..1000 {
        let name = named(number);
        let (path, test) = (document.with_file_name(&name), test.replacen(&driver(property), &name, 1));
        match std::fs::File::create_new(&path) {
            Ok(mut file) => {
                let written = std::io::Write::write_all(&mut file, test.as_bytes());
                return written.map(|()| path.clone()).map_err(|error| format!("{} can't be written: {error}", path.display()));
            }
            Err(_) if std::fs::read_to_string(&path).is_ok_and(|known| known == test) => return Ok(path),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(format!("{} can't be written: {error}", path.display())),
        }
    }
    Err(format!("{}: there are too many replays beside it", document.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replay_is_never_written_over_another_file() {
        let directory = tempfile::tempdir().unwrap();
        let document = directory.path().join("a.c");
        let test = "/* Build: clang driver-bounds.c a.c */\n";
        let name = |path: PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
        let write = |test: &str| write_beside(&document, "bounds", test).unwrap();
        assert_eq!(name(write(test)), "a-bounds-replay.c");
        assert_eq!(name(write(test)), "a-bounds-replay.c", "it is there already");
        let second = write("/* another */\n");
        assert_eq!(name(second.clone()), "a-bounds-replay-2.c");
        assert_eq!(std::fs::read_to_string(second).unwrap(), "/* another */\n");
        let first = std::fs::read_to_string(directory.path().join("a-bounds-replay.c")).unwrap();
        assert_eq!(first, "/* Build: clang a-bounds-replay.c a.c */\n");
        assert!(write_beside(Path::new("/no/such/a.c"), "bounds", test).unwrap_err().contains("can't be written"));
    }
}
