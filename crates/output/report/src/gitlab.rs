//! The report as GitLab's Code Quality has it, a part of the Code Climate format: an array with an entry per violation.
//! GitLab distinguishes old findings from new ones by their fingerprints. A fingerprint is made of the property and the
//! text of the line, so that it does not change when lines are added above the finding.

use crate::model::{PropertyReport, Report};
use fathom_base::sha256;
use serde_json::{Value, json};

/// The violations as a Code Quality report.
pub fn render_gitlab(report: &Report) -> String {
    let entries: Vec<Value> = report.properties.iter().filter_map(|property| entry(property, report)).collect();
    format!("{:#}\n", Value::from(entries))
}

fn entry(property: &PropertyReport, report: &Report) -> Option<Value> {
    let violation = property.violation.as_ref()?;
    // GitLab needs a location; findings without one are put at the beginning of the program.
    let place = &violation.place;
    let file = place.file.as_ref().or(report.run.files.first()).map_or("", String::as_str);
    let inputs = violation.inputs.iter().filter(|input| !input.source.is_empty());
    let inputs: Vec<String> = inputs.map(|input| input.shown()).collect();
    let with = if inputs.is_empty() { String::new() } else { format!(" (with {})", inputs.join(", ")) };
    let identity = [&property.property, file, place.text.as_deref().unwrap_or_default(), &violation.message].join("\n");
    let fingerprint = sha256(identity);
    Some(json!({
        "type": "issue",
        "check_name": property.property,
        "description": format!("{}{with}", violation.message),
        "categories": ["Bug Risk"],
        "severity": "critical",
        "fingerprint": fingerprint,
        "location": { "path": file, "lines": { "begin": place.line.max(1) } },
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ErrorKind, ErrorReport, PlaceReport, RunInfo, ViolationReport};

    fn report(line: u32) -> Report {
        let mut report = Report::without_answer(RunInfo::default(), "", ErrorReport::new(ErrorKind::Other, ""));
        let place = PlaceReport { file: Some("a.c".into()), line, column: 3, text: Some("return x / 0;".into()) };
        let violation = ViolationReport { message: "division by zero".into(), place, ..ViolationReport::default() };
        report.properties = vec![PropertyReport {
            property: "div-by-zero".into(),
            verdict: crate::Answered::Violated,
            violation: Some(violation),
            ..PropertyReport::default()
        }];
        report
    }

    #[test]
    fn a_finding_that_moved_is_the_same_one() {
        let read = |line| serde_json::from_str::<Value>(&render_gitlab(&report(line))).unwrap();
        let (one, other) = (read(3), read(7));
        assert_eq!(one[0]["fingerprint"], other[0]["fingerprint"]);
        assert_eq!((&one[0]["location"]["lines"]["begin"], &one[0]["location"]["path"]), (&json!(3), &json!("a.c")));
        let mut without = report(3);
        without.properties.clear();
        assert_eq!(render_gitlab(&without), "[]\n");
    }
}
