//! Reads test files of any format, which is recognised by the contents.

use crate::case::{Input, Promise};
use crate::{driver, ktest, testcomp, trace_json, witness};
use quick_xml::events::Event;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a file is not a test.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The system refuses to read the file.
    #[error("{path} can't be read: {reason}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: std::io::Error,
    },
    /// The file is larger than any test.
    #[error("{path} is larger than {limit} bytes; that is no test")]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The largest size that is read, in bytes.
        limit: u64,
    },
    /// The file is of a known form, but damaged.
    #[error("{path}: {form}: {reason}")]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The form that it was taken for.
        form: &'static str,
        /// What is wrong in it.
        reason: String,
    },
    #[error(
        "{0}: not a test; Fathom reads Test-Comp test cases (.xml), KLEE's .ktest, its own C drivers, reports of `fathom verify --json` and GraphML witnesses"
    )]
    /// The file is of none of the known forms.
    NotATest(PathBuf),
}

/// A test that was read from a file.
#[derive(Debug)]
pub enum Readable {
    /// Inputs in order, and what the file says of the run.
    Inputs {
        /// In the order in which the program asks.
        inputs: Vec<Input>,
        /// What the run does, if the file says so.
        promise: Option<Promise>,
        /// The form of the file, for people.
        form: &'static str,
    },
    /// A C file that brings its own inputs.
    Driver(String),
}

const LARGEST: u64 = 256 << 20;

/// Reads a test file of any known form.
pub fn read_test(path: &Path, pointer_bits: u32) -> Result<Readable, ReadError> {
    let unreadable = |reason| ReadError::Unreadable { path: path.to_path_buf(), reason };
    if std::fs::metadata(path).map_err(unreadable)?.len() > LARGEST {
        return Err(ReadError::TooLarge { path: path.to_path_buf(), limit: LARGEST });
    }
    let bytes = std::fs::read(path).map_err(unreadable)?;
    let malformed = |form, reason| ReadError::Malformed { path: path.to_path_buf(), form, reason };
    if ktest::is_ktest(&bytes) {
        let form = "a .ktest file";
        let test = ktest::read(&bytes).map_err(|reason| malformed(form, reason))?;
        return Ok(Readable::Inputs { inputs: ktest::inputs(test), promise: None, form });
    }
    let not_a_test = || ReadError::NotATest(path.to_path_buf());
    let text = String::from_utf8(bytes).map_err(|_| not_a_test())?;
    match text.trim_start().chars().next() {
        Some('<') => xml(&text, pointer_bits, &malformed, &not_a_test),
        Some('{') => {
            let form = "a JSON trace";
            let (inputs, promise) = trace_json::read(&text).map_err(|reason| malformed(form, reason))?;
            Ok(Readable::Inputs { inputs, promise: Some(promise), form })
        }
        _ if driver::is_test(&text) => Ok(Readable::Driver(text)),
        _ => Err(not_a_test()),
    }
}

fn xml(
    text: &str,
    pointer_bits: u32,
    malformed: &dyn Fn(&'static str, String) -> ReadError,
    not_a_test: &dyn Fn() -> ReadError,
) -> Result<Readable, ReadError> {
    let (form, inputs) = match root(text).map_err(|error| malformed("XML", error.to_string()))?.as_deref() {
        Some("graphml") => ("a GraphML witness", witness::inputs(text, pointer_bits)),
        Some("testcase") => ("a Test-Comp test case", testcomp::inputs(text, pointer_bits)),
        _ => return Err(not_a_test()),
    };
    let inputs = inputs.map_err(|reason| malformed(form, reason))?;
    Ok(Readable::Inputs { inputs, promise: None, form })
}

/// The name of a document's outermost element.
fn root(text: &str) -> quick_xml::Result<Option<String>> {
    let mut reader = quick_xml::Reader::from_str(text);
    loop {
        match reader.read_event()? {
            Event::Start(tag) | Event::Empty(tag) => return Ok(Some(tag.local_name().into_inner().to_string())),
            Event::Eof => return Ok(None),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(content: &str) -> Result<Readable, ReadError> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), content).unwrap();
        read_test(file.path(), 64)
    }

    fn inputs(content: &str) -> Vec<(String, Vec<u8>)> {
        match read(content).unwrap() {
            Readable::Inputs { inputs, .. } => inputs.into_iter().map(|input| (input.source, input.bytes)).collect(),
            Readable::Driver(_) => panic!("a driver"),
        }
    }

    #[test]
    fn a_witness_gives_its_results_in_the_order_of_its_edges() {
        let witness = r#"<?xml version="1.0"?><graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="directed">
            <data key="witness-type">violation_witness</data><node id="n0"><data key="entry">true</data></node><node id="n1"/><node id="n2"><data key="violation">true</data></node>
            <edge source="n1" target="n2"><data key="assumption">\result == -2;</data>
              <data key="assumption.resultfunction">__VERIFIER_nondet_int</data></edge>
            <edge source="n0" target="n1"><data key="assumption">\result == 1U;</data>
              <data key="assumption.resultfunction">__VERIFIER_nondet_uchar</data></edge></graph></graphml>"#;
        let expected =
            [("__VERIFIER_nondet_uchar".to_string(), vec![1]), ("__VERIFIER_nondet_int".to_string(), vec![0xfe, 0xff, 0xff, 0xff])];
        assert_eq!(inputs(witness), expected);
        assert!(read(&witness.replace("resultfunction", "scope")).unwrap_err().to_string().contains("nothing to replay"));
    }

    #[test]
    fn a_trace_gives_the_inputs_of_its_violation() {
        let report = r#"{ "properties": [ { "property": "assertion", "violation": null },
            { "property": "unreach-call", "violation": { "message": "m", "place": { "file": "a.c", "line": 6, "column": 5 },
              "inputs": [ { "source": "", "type_name": "int", "bytes": "00" },
                          { "source": "nondet_int", "type_name": "int", "bytes": "67120000" } ] } } ] }
            VERDICT false(unreach-call)"#;
        assert_eq!(inputs(report), [("nondet_int".to_string(), vec![0x67, 0x12, 0, 0])]);
        assert!(read(r#"{ "properties": [] }"#).unwrap_err().to_string().contains("nothing to replay"));
    }

    #[test]
    fn what_is_no_test() {
        for text in ["", "int main(void) { return 0; }", "<html></html>", "\u{fffd}"] {
            assert!(matches!(read(text), Err(ReadError::NotATest(_))), "{text}");
        }
        assert!(read("<testcase><input>1</testcase>").unwrap_err().to_string().contains("XML"));
        assert!(read("<testcase><input type=\"int\">x</input></testcase>").unwrap_err().to_string().contains("input 1"));
        assert!(read("{ \"a\": }").is_err());
    }
}
