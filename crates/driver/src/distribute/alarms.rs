//! Turns alarms that a scan left open into tasks: the alarm's function becomes the entry, and the properties are those
//! of which one is violated if the alarm is right. Alarms that agree in both share a task.

use fathom_distribute::LeftOut;
use fathom_scan::{Alarm, ScanReport, VerdictKind};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What is asked of the functions of a file.
type OfFile = BTreeMap<String, BTreeSet<&'static str>>;

/// The open alarms of a scan.
#[derive(Debug, Default)]
pub(super) struct OpenAlarms {
    files: BTreeMap<PathBuf, OfFile>,
    /// Those that no task can decide.
    pub left_out: Vec<LeftOut>,
}

impl OpenAlarms {
    /// Reads the JSON report of a scan.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = std::fs::read_to_string(path).map_err(|error| format!("--alarms {}: {error}", path.display()))?;
        let report: ScanReport = serde_json::from_str(&text)
            .map_err(|error| format!("--alarms {}: not a report of `fathom scan --format json`: {error}", path.display()))?;
        let mut open = Self::default();
        for finding in report.findings.iter().filter(|finding| finding.verdict.kind == VerdictKind::Open) {
            open.add(&report, &finding.alarm);
        }
        Ok(open)
    }

    fn add(&mut self, report: &ScanReport, alarm: &Alarm) {
        let properties = alarm.class.properties();
        let why = match &alarm.function {
            None => "it is in no function",
            Some(_) if properties.is_empty() => "no property of Fathom is about its rule",
            Some(function) => {
                let file = self.files.entry(PathBuf::from(&alarm.place.file)).or_default();
                file.entry(function.clone()).or_default().extend(properties.iter().map(|property| property.name()));
                return;
            }
        };
        let name = format!("{}:{} {}", report.shown(&alarm.place.file), alarm.place.line, alarm.rule);
        self.left_out.push(LeftOut { name, why: why.into() });
    }

    /// The functions of this file that have open alarms, with the properties that are asked about. Taken once.
    pub fn take(&mut self, file: &Path) -> Vec<(String, Vec<String>)> {
        let known = file.canonicalize().ok().and_then(|path| self.files.remove(&path)).or_else(|| self.files.remove(file));
        let owned = |(function, properties): (String, BTreeSet<&str>)| (function, properties.into_iter().map(String::from).collect());
        known.unwrap_or_default().into_iter().map(owned).collect()
    }

    /// Says of alarms in files that are not planned that they are left out.
    pub fn end(mut self) -> Vec<LeftOut> {
        let left =
            |file: &PathBuf| LeftOut { name: file.display().to_string(), why: "it has open alarms, but is not among the files".into() };
        self.left_out.extend(self.files.keys().map(left));
        self.left_out
    }
}
