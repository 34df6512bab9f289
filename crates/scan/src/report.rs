//! The report of a scan, as plain data. Its serialised form is what `--format json` prints.

use crate::alarm::Alarm;
use crate::store::digest;
use crate::verdict::{Verdict, VerdictKind};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// An alarm and its verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The alarm.
    pub alarm: Alarm,
    /// What became of it.
    pub verdict: Verdict,
    /// What stays the same when code moves: see [`fingerprint`].
    pub fingerprint: String,
}

/// The verdict on a function that was explored as an entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunctionReport {
    /// Its name.
    pub name: String,
    /// The file that it is in.
    pub file: String,
    /// Where it begins.
    pub line: u32,
    /// `proved`, `proved within bounds`, `violated` or `open`.
    pub status: String,
    /// Why it is open, or what was proved.
    pub reason: String,
}

/// How long the parts of a scan took, in seconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Times {
    /// Clang's analyzer, added up over translation units.
    pub analyzer: f64,
    /// Deciding whether reported paths are possible, added up.
    pub paths: f64,
    /// Everything, by the clock.
    pub total: f64,
}

/// What a scan took from the store.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoreUse {
    /// Results that were there.
    pub taken: usize,
    /// Results that had to be found.
    pub made: usize,
}

/// What a scan has to say.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ScanReport {
    /// The version of this format.
    pub schema: u32,
    /// The version of Fathom.
    pub version: String,
    /// The directory that file names are shown relative to.
    pub root: String,
    /// The files that were scanned.
    pub files: Vec<String>,
    /// Files that could not be scanned, and why.
    pub failed: Vec<(String, String)>,
    /// Alarms with what became of them.
    pub findings: Vec<Finding>,
    /// How many alarms the baseline knew, which are left out.
    pub known: usize,
    /// Functions that were checked whole.
    pub functions: Vec<FunctionReport>,
    /// What the user should know.
    pub warnings: Vec<String>,
    /// How long it took.
    pub times: Times,
    /// What came from the store.
    pub store: StoreUse,
    /// Whether the scan was interrupted.
    pub interrupted: bool,
}

impl ScanReport {
    /// How many alarms have this verdict.
    pub fn count(&self, kind: VerdictKind) -> usize {
        self.findings.iter().filter(|finding| finding.verdict.kind == kind).count()
    }

    /// A file name as people want to see it.
    pub fn shown<'a>(&self, file: &'a str) -> &'a str {
        Path::new(file).strip_prefix(&self.root).ok().and_then(Path::to_str).unwrap_or(file)
    }

    /// Sorts alarms by verdict, file and line.
    pub fn put_in_order(&mut self) {
        self.findings.sort_by(|a, b| {
            let key = |finding: &Finding| (finding.verdict.kind, finding.alarm.place.clone(), finding.alarm.rule.clone());
            key(a).cmp(&key(b))
        });
        self.functions.sort_by(|a, b| (&a.file, a.line, &a.name).cmp(&(&b.file, b.line, &b.name)));
    }

    /// The last line: counts.
    pub fn summary(&self) -> String {
        let count = |kind: VerdictKind| format!("{} {}", self.count(kind), kind.name());
        VerdictKind::ALL.map(count).join(", ")
    }
}

/// The report as JSON: one object, a newline at the end.
pub fn render_json(report: &ScanReport) -> String {
    let mut json = serde_json::to_string_pretty(report).unwrap_or_else(|error| format!("{{\"error\": \"{error}\"}}"));
    json.push('\n');
    json
}

/// What identifies an alarm although lines above it come and go: rule, file, function, and the text of its line. `nth` tells
/// apart those that agree in all of that.
pub fn fingerprint(alarm: &Alarm, root: &str, line_text: &str, nth: usize) -> String {
    let file = Path::new(&alarm.place.file).strip_prefix(root).map_or(alarm.place.file.clone(), |path| path.display().to_string());
    let words: Vec<&str> = line_text.split_whitespace().collect();
    let function = alarm.function.as_deref().unwrap_or_default();
    digest(&[&alarm.tool, &alarm.rule, &file, function, &words.join(" "), &nth.to_string()])[..32].to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alarm::Place;
    use crate::rules::Class;

    #[test]
    fn fingerprints_survive_moved_lines() {
        let place = |line| Place { file: "/p/a.c".into(), line, column: 3 };
        let alarm = |line| Alarm {
            tool: "t".into(),
            rule: "r".into(),
            class: Class::Null,
            place: place(line),
            function: Some("f".into()),
            message: String::new(),
            flow: Vec::new(),
        };
        assert_eq!(fingerprint(&alarm(3), "/p", "  x = *p;", 0), fingerprint(&alarm(9), "/p", "x  = *p;", 0));
        assert_ne!(fingerprint(&alarm(3), "/p", "x = *p;", 0), fingerprint(&alarm(3), "/p", "x = *p;", 1));
    }
}
