//! The exchange format of the software-testing competition: `metadata.xml` for the suite, `testcase-*.xml` with the
//! inputs of each test in order. Both follow the document types `test-metadata` and `testcase`, version 1.1.

use crate::case::{Input, Promise, TestCase};
use crate::values;
use fathom_native as native;
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::path::PathBuf;
use std::time::SystemTime;

const HEADER: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n";

fn doctype(root: &str) -> String {
    format!(
        "<!DOCTYPE {root} PUBLIC \"+//IDN sosy-lab.org//DTD test-format {root} 1.1//EN\" \
         \"https://sosy-lab.org/test-format/{root}-1.1.dtd\">\n"
    )
}

/// What a suite is for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    Branches,
    Lines,
    ErrorCall,
}

impl Goal {
    /// The specification in the notation of Test-Comp.
    pub fn specification(self, entry: &str) -> String {
        let edges = match self {
            Goal::Branches => "@DECISIONEDGE",
            Goal::Lines => "@BASICBLOCKENTRY",
            Goal::ErrorCall => "@CALL(reach_error)",
        };
        format!("COVER( init({entry}()), FQL(COVER EDGES({edges})) )")
    }
}

/// What `metadata.xml` says.
pub struct Metadata<'a> {
    pub producer: &'a str,
    pub goal: Goal,
    pub files: &'a [PathBuf],
    pub entry: &'a str,
    pub pointer_bits: u32,
    pub created: SystemTime,
}

/// The text of `metadata.xml`.
pub fn metadata(about: &Metadata<'_>) -> String {
    let files: Vec<String> = about.files.iter().map(|file| file.display().to_string()).collect();
    let fields = [
        ("sourcecodelang", "C".to_string()),
        ("producer", about.producer.to_string()),
        ("specification", about.goal.specification(about.entry)),
        ("programfile", files.join(" ")),
        ("programhash", program_hash(about.files)),
        ("entryfunction", about.entry.to_string()),
        ("architecture", format!("{}bit", about.pointer_bits)),
        ("creationtime", timestamp(about.created)),
    ];
    let mut text = format!("{HEADER}{}<test-metadata>\n", doctype("test-metadata"));
    for (name, value) in fields {
        let _ = writeln!(text, "  <{name}>{}</{name}>", escaped(&value));
    }
    text + "</test-metadata>\n"
}

/// SHA-256 over the contents of all files, in order.
pub fn program_hash(files: &[PathBuf]) -> String {
    let mut hash = Sha256::new();
    for file in files {
        hash.update(std::fs::read(file).unwrap_or_default());
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The text of `testcase-*.xml`.
pub fn write(test: &TestCase) -> String {
    let covers_error = matches!(&test.promise, Promise::Fails { property, .. } if property == "unreach-call");
    let attribute = if covers_error { " coversError=\"true\"" } else { "" };
    let mut text = format!("{HEADER}{}<testcase{attribute}>\n", doctype("testcase"));
    for input in &test.inputs {
        let variable = if input.variable.is_empty() { String::new() } else { format!(" variable=\"{}\"", escaped(&input.variable)) };
        let _ = writeln!(text, "  <input{variable} type=\"{}\">{}</input>", escaped(&input.type_name), escaped(&input.value()));
    }
    text + "</testcase>\n"
}

/// The inputs of a test case; the function that asks for each is not part of the format.
pub fn inputs(document: &roxmltree::Document<'_>, pointer_bits: u32) -> Result<Vec<Input>, String> {
    let root = document.root_element();
    let mut inputs = Vec::new();
    for (index, element) in root.children().filter(roxmltree::Node::is_element).enumerate() {
        if !element.has_tag_name("input") {
            return Err(format!("unexpected element <{}> in <testcase>", element.tag_name().name()));
        }
        let type_name = element.attribute("type").unwrap_or_default().to_string();
        let bytes = values::parse(element.text().unwrap_or_default(), &type_name, pointer_bits);
        let bytes = bytes.map_err(|why| format!("input {}: {why}", index + 1))?;
        let variable = element.attribute("variable").unwrap_or_default().to_string();
        let source = if native::has_own_name(&variable) { variable.clone() } else { String::new() };
        inputs.push(Input { source, type_name, variable, bytes });
    }
    Ok(inputs)
}

fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            // XML 1.0 has no way to say these.
            c if c < ' ' && !matches!(c, '\t' | '\n' | '\r') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// ISO 8601 in UTC, by the usual calendar arithmetic on days since 1970.
fn timestamp(time: SystemTime) -> String {
    let seconds = time.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (days, rest) = ((seconds / 86_400) as i64, seconds % 86_400);
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", rest / 3600, rest / 60 % 60, rest % 60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn parsed(text: &str) -> roxmltree::Document<'_> {
        let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
        roxmltree::Document::parse_with_options(text, options).unwrap()
    }

    /// The rules of the two document types: which children in which order, which attributes with which values.
    fn check_metadata(text: &str) {
        let document = parsed(text);
        let root = document.root_element();
        assert_eq!(root.tag_name().name(), "test-metadata");
        let names: Vec<&str> = root.children().filter(|n| n.is_element()).map(|n| n.tag_name().name()).collect();
        let order =
            ["sourcecodelang", "producer", "specification", "programfile", "programhash", "entryfunction", "architecture", "creationtime"];
        assert_eq!(names, order);
        assert!(root.attributes().next().is_none());
    }

    fn check_testcase(text: &str) {
        let document = parsed(text);
        let root = document.root_element();
        assert_eq!(root.tag_name().name(), "testcase");
        for attribute in root.attributes() {
            assert!(attribute.name() == "coversError" && ["true", "false"].contains(&attribute.value()));
        }
        for input in root.children().filter(|n| n.is_element()) {
            assert_eq!(input.tag_name().name(), "input");
            assert!(input.children().all(|child| child.is_text()));
            assert!(input.attributes().all(|attribute| ["type", "variable"].contains(&attribute.name())));
        }
    }

    #[test]
    fn documents_follow_their_types() {
        let created = SystemTime::UNIX_EPOCH + Duration::from_secs(1_709_164_799);
        let files = [PathBuf::from("a<b>&.c")];
        let about = Metadata { producer: "Fathom", goal: Goal::Branches, files: &files, entry: "main", pointer_bits: 32, created };
        let text = metadata(&about);
        check_metadata(&text);
        assert!(text.contains("<creationtime>2024-02-28T23:59:59Z</creationtime>"), "{text}");
        assert!(text.contains("a&lt;b&gt;&amp;.c"));
        let input = |type_name: &str, variable: &str, bytes: &[u8]| Input {
            source: "f".into(),
            type_name: type_name.into(),
            variable: variable.into(),
            bytes: bytes.to_vec(),
        };
        let inputs = vec![input("int", "", &[7, 0, 0, 0]), input("unsigned char[2]", "a\"b", &[1, 2])];
        let promise = Promise::Fails { property: "unreach-call".into(), message: String::new(), place: String::new() };
        let text = write(&TestCase { inputs, promise, depends_on: Vec::new() });
        check_testcase(&text);
        assert_eq!(
            text,
            "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n\
             <!DOCTYPE testcase PUBLIC \"+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN\" \
             \"https://sosy-lab.org/test-format/testcase-1.1.dtd\">\n\
             <testcase coversError=\"true\">\n  <input type=\"int\">7</input>\n  \
             <input variable=\"a&quot;b\" type=\"unsigned char[2]\">0x0201</input>\n</testcase>\n"
        );
        let back = super::inputs(&parsed(&text), 64).unwrap();
        assert_eq!((back[0].bytes.as_slice(), back[1].bytes.as_slice()), (&[7u8, 0, 0, 0][..], &[1u8, 2][..]));
    }
}
