//! The report as HTML: one file that needs no network, with the answers, the sources, the trace of a violation to step
//! through, explanations of proofs, and the numbers of the run. Rust collects the data (`data`, `sources`), plain
//! JavaScript displays it. The text of a program may be hostile: the page contains it as JSON in which every `<` is
//! escaped, the scripts put it only into text nodes, and the content security policy of the page allows no other
//! scripts and no loading.

mod data;
mod sources;

use crate::model::Report;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use data::PageData;
use sha2::{Digest, Sha256};

const SKELETON: &str = include_str!("page.html");
const STYLE: &str = include_str!("style.css");
const SCRIPTS: [&str; 7] = [
    include_str!("dom.js"),
    include_str!("state.js"),
    include_str!("source.js"),
    include_str!("trace.js"),
    include_str!("proof.js"),
    include_str!("numbers.js"),
    include_str!("main.js"),
];

/// The page. Sources are read from the paths in the report; if one cannot be read, the page says so.
pub fn render_html(report: &Report) -> String {
    page(report, &|path| sources::read(path))
}

/// The page, with files from elsewhere.
fn page(report: &Report, read: &dyn Fn(&str) -> Option<Vec<u8>>) -> String {
    let data = serde_json::to_string(&PageData::new(report, read)).unwrap_or_else(|error| format!("{{\"failed\": \"{error}\"}}"));
    let script = format!("(function () {{\n\"use strict\";\n{}}})();\n", SCRIPTS.concat());
    let hash = STANDARD.encode(Sha256::digest(script.as_bytes()));
    let policy = format!("default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'");
    let title = format!("{} \u{2013} {}", report.run.files.first().map_or("Fathom", String::as_str), report.verdict);
    let parts = [policy, as_text(&title), STYLE.to_string(), without_tags(&data), script];
    let mut pieces = SKELETON.split("{{}}");
    let mut page = pieces.next().unwrap_or_default().to_string();
    for (part, piece) in parts.iter().zip(pieces) {
        page += part;
        page += piece;
    }
    page
}

/// JSON that nothing in it can end or turn into something else: outside of strings it has none of these signs.
fn without_tags(json: &str) -> String {
    let mut out = String::with_capacity(json.len() + json.len() / 16);
    for c in json.chars() {
        match c {
            '<' => out += "\\u003c",
            '>' => out += "\\u003e",
            '&' => out += "\\u0026",
            '\u{2028}' => out += "\\u2028",
            '\u{2029}' => out += "\\u2029",
            c => out.push(c),
        }
    }
    out
}

fn as_text(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{PlaceReport, PropertyReport, RunInfo, StepReport, ViolationReport};

    const HOSTILE: &str = "</script><script>alert(1)</script><!-- \" ' & \u{2028} {{}}";

    fn hostile() -> Report {
        let run = RunInfo { files: vec![HOSTILE.into()], ..RunInfo::default() };
        let place = PlaceReport { file: Some("x.c".into()), line: 1, column: 1, text: Some(HOSTILE.into()) };
        let variable = HOSTILE.to_string();
        let value = StepReport::Value {
            variable: variable.clone(),
            type_name: variable.clone(),
            value: variable.clone(),
            memory: false,
            object: None,
            place: place.clone(),
        };
        let violation = ViolationReport { message: variable, place, steps: vec![value], ..ViolationReport::default() };
        let property = PropertyReport {
            property: "assertion".into(),
            verdict: crate::Answered::Violated,
            certificates: vec![HOSTILE.into()],
            violation: Some(violation),
            ..PropertyReport::default()
        };
        let error = crate::ErrorReport { kind: crate::ErrorKind::Other, message: HOSTILE.into(), entries: None };
        Report { properties: vec![property], ..Report::without_answer(run, HOSTILE, error) }
    }

    #[test]
    fn no_text_of_a_program_becomes_part_of_the_page() {
        let page = page(&hostile(), &|_| Some(HOSTILE.as_bytes().to_vec()));
        assert_eq!(page.matches("<script").count(), 2, "the data and ours");
        assert_eq!(page.matches("</script").count(), 2);
        assert!(!page.contains("<!--") && !page.contains("alert(1)</"));
        let start = page.find("type=\"application/json\">").unwrap() + "type=\"application/json\">".len();
        let json = &page[start..start + page[start..].find("</script").unwrap()];
        let data: serde_json::Value = serde_json::from_str(json).unwrap();
        assert_eq!(data["report"]["properties"][0]["violation"]["message"], HOSTILE);
        assert_eq!(data["sources"][0]["parts"][0]["lines"][0], HOSTILE.split('\u{2028}').collect::<Vec<_>>().join("\u{2028}"));
    }

    #[test]
    fn nothing_is_loaded_from_elsewhere() {
        for part in SCRIPTS.iter().chain([&SKELETON, &STYLE]) {
            // The name of a vocabulary, not an address.
            let part = part.replace("\"http://www.w3.org/2000/svg\"", "");
            for word in [
                "http:",
                "https:",
                "@import",
                "url(",
                "fetch(",
                "XMLHttpRequest",
                "innerHTML",
                "outerHTML",
                "eval(",
                "document.write",
                " src=",
            ] {
                assert!(!part.contains(word), "{word}");
            }
        }
        assert!(SKELETON.matches("{{}}").count() == 5 && SCRIPTS.iter().all(|script| !script.contains("</script")));
    }
}
