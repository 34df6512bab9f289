//! Interprets reports of MemorySanitizer. It stops at the first use that it sees, and not every part of a program is
//! compiled with it (the C library is not), so its report counts only if it is about the location at which the
//! interpreter stopped. The sandbox has no symbolizer, so the addresses in the report are resolved afterwards.

use crate::Claim;
use fathom_base::LIBRARY;
use fathom_base::Loc;
use fathom_machine::TraceStep;
use std::path::Path;
use std::process::Command;

/// Flags that make uses visible. Passing a value on is no use of it.
pub const FLAGS: [&str; 4] =
    ["-fsanitize=memory", "-fsanitize-memory-track-origins", "-fno-sanitize-memory-param-retval", "-fno-sanitize-recover=all"];
/// How the report begins, and what ends the list of calls behind it.
const REPORT: &str = "WARNING: MemorySanitizer: use-of-uninitialized-value";
const SYMBOLIZERS: [&str; 2] = ["llvm-symbolizer-19", "llvm-symbolizer"];
/// Innermost calls of a report that are looked at: its own functions for those of the C library come first.
const MOST_CALLS: usize = 4;

/// The sanitizer's finding, if its report is about the location of the violation.
pub fn seen(stderr: &str, binary: &Path, claim: &Claim<'_>) -> Result<String, String> {
    let (_, report) = stderr.split_once(REPORT).ok_or("MemorySanitizer saw no use of an uninitialised value")?;
    let calls = report.lines().skip(1).map_while(|line| line.trim().starts_with('#').then(|| offset_in(line, binary)));
    let offsets: Vec<String> = calls.take(MOST_CALLS).flatten().collect();
    let places = looked_up(binary, &offsets).ok_or("there is no llvm-symbolizer to tell where MemorySanitizer saw one")?;
    let wanted = place(claim).ok_or("it is not known where in the source that is")?;
    match places.iter().find(|(file, line)| *line == wanted.1 && *file == wanted.0) {
        Some((file, line)) => Ok(format!("MemorySanitizer: use-of-uninitialized-value at {file}:{line}")),
        None => Err(match places.first() {
            Some((file, line)) => format!("MemorySanitizer saw another use, at {file}:{line}"),
            None => "MemorySanitizer saw another use".to_string(),
        }),
    }
}

/// The file and line where the run stopped, or where it called the C library.
fn place(claim: &Claim<'_>) -> Option<(String, u32)> {
    let files = &claim.program.files;
    let is_users = |loc: &Loc| loc.is_known() && files.path(loc.file).is_some_and(|path| !path.starts_with(LIBRARY));
    let calls = claim.log.steps.iter().rev().filter_map(|step| match step {
        TraceStep::Enter { called_from, .. } => Some(*called_from),
        _ => None,
    });
    let loc = [claim.trace.violation.loc].into_iter().chain(calls).find(is_users)?;
    let name = files.path(loc.file)?.file_name()?.to_string_lossy().into_owned();
    Some((name, loc.line))
}

/// The offset in the binary that a line of a report names, `#0 0x5605 (/tmp/replay+0xc9ded) (BuildId: ...)`; that of a call is behind it.
fn offset_in(line: &str, binary: &Path) -> Option<String> {
    let (_, place) = line.split_once(&format!("({}+", binary.display()))?;
    let (offset, _) = place.split_once(')')?;
    let is_call = !line.trim().starts_with("#0 ");
    let number = u64::from_str_radix(offset.strip_prefix("0x")?, 16).ok()? - u64::from(is_call);
    Some(format!("{number:#x}"))
}

/// File names and lines of offsets; None without a symbolizer.
fn looked_up(binary: &Path, offsets: &[String]) -> Option<Vec<(String, u32)>> {
    let run =
        |tool: &str| Command::new(tool).arg("--obj").arg(binary).args(["--no-inlines", "--functions=none"]).args(offsets).output().ok();
    let output = SYMBOLIZERS.iter().find_map(|tool| run(tool).filter(|output| output.status.success()))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let read = |line: &str| {
        let mut parts = line.trim().rsplitn(3, ':');
        let (_, number, path) = (parts.next()?, parts.next()?, parts.next()?);
        Some((Path::new(path).file_name()?.to_string_lossy().into_owned(), number.parse().ok()?))
    };
    Some(text.lines().filter_map(read).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_those_of_the_binary() {
        let binary = Path::new("/tmp/x/replay");
        assert_eq!(offset_in("    #0 0x56  (/tmp/x/replay+0xc9ded) (BuildId: 1)", binary).as_deref(), Some("0xc9ded"));
        assert_eq!(offset_in("    #1 0x56  (/tmp/x/replay+0x10) (BuildId: 1)", binary).as_deref(), Some("0xf"));
        assert_eq!(offset_in("    #1 0x7f  (/lib/libc.so.6+0x27249)", binary), None);
    }
}
