//! The exchange format of the software-testing competition: `metadata.xml` for the suite, `testcase-*.xml` with the
//! inputs of each test in order. Both follow the document types `test-metadata` and `testcase`, version 1.1.

use crate::case::{Input, Promise, TestCase};
use crate::values;
use fathom_base::sha256_of;
use fathom_native as native;
use fathom_report::xml_text;
use fathom_witness::iso_8601;
use quick_xml::errors::IllFormedError;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesDecl, BytesText, Event};
use quick_xml::{Reader, Writer, XmlVersion};
use std::io;
use std::path::PathBuf;
use std::time::SystemTime;

type Xml<'a> = Writer<&'a mut Vec<u8>>;

/// A document of one of the two types.
fn document(root: &str, content: impl FnOnce(&mut Xml<'_>) -> io::Result<()>) -> String {
    let mut bytes = Vec::new();
    write_document(&mut Writer::new_with_indent(&mut bytes, b' ', 2), root, content).expect("writing to memory does not fail");
    bytes.push(b'\n');
    String::from_utf8(bytes).expect("XML is written from strings")
}

fn write_document(xml: &mut Xml<'_>, root: &str, content: impl FnOnce(&mut Xml<'_>) -> io::Result<()>) -> io::Result<()> {
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), Some("no"))))?;
    let kind = format!(
        "{root} PUBLIC \"+//IDN sosy-lab.org//DTD test-format {root} 1.1//EN\" \"https://sosy-lab.org/test-format/{root}-1.1.dtd\""
    );
    xml.write_event(Event::DocType(BytesText::from_escaped(kind)))?;
    content(xml)
}

/// What a suite is for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Cover every side of every branch.
    Branches,
    /// Cover every line.
    Lines,
    /// Reach the error function.
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

/// The contents of `metadata.xml`.
pub struct Metadata<'a> {
    /// The tool and its version.
    pub producer: &'a str,
    /// What the suite was made for.
    pub goal: Goal,
    /// The program's sources.
    pub files: &'a [PathBuf],
    /// The function that runs start in.
    pub entry: &'a str,
    /// 32 or 64.
    pub pointer_bits: u32,
    /// When the suite was made.
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
        ("creationtime", iso_8601(about.created)),
    ];
    document("test-metadata", |xml| {
        xml.create_element("test-metadata").write_inner_content(|xml| {
            for (name, value) in fields {
                xml.create_element(name).write_text_content(BytesText::new(&xml_text(&value)))?;
            }
            Ok(())
        })?;
        Ok(())
    })
}

/// SHA-256 over the contents of all files, in order.
pub fn program_hash(files: &[PathBuf]) -> String {
    sha256_of(files.iter().map(|file| std::fs::read(file).unwrap_or_default()))
}

/// The text of `testcase-*.xml`.
pub fn write(test: &TestCase) -> String {
    let covers_error = matches!(&test.promise, Promise::Fails { property, .. } if property == "unreach-call");
    document("testcase", |xml| {
        let root = xml.create_element("testcase").with_attributes(covers_error.then_some(("coversError", "true")));
        if test.inputs.is_empty() {
            root.write_text_content(BytesText::from_escaped("\n"))?;
            return Ok(());
        }
        root.write_inner_content(|xml| {
            for input in &test.inputs {
                let (variable, type_name) = (xml_text(&input.variable), xml_text(&input.type_name));
                let named = (!variable.is_empty()).then_some(("variable", variable.as_str()));
                let element = xml.create_element("input").with_attributes(named).with_attribute(("type", type_name.as_str()));
                element.write_text_content(BytesText::new(&input.value()))?;
            }
            Ok(())
        })?;
        Ok(())
    })
}

/// The inputs of a test case; the function that asks for each is not part of the format.
pub fn inputs(text: &str, pointer_bits: u32) -> Result<Vec<Input>, String> {
    let mut inputs = Vec::new();
    for Element { name, type_name, variable, text } in elements(text).map_err(|error| format!("malformed XML: {error}"))? {
        if name != "input" {
            return Err(format!("unexpected element <{name}> in <testcase>"));
        }
        let bytes = values::parse(&text, &type_name, pointer_bits);
        let bytes = bytes.map_err(|why| format!("input {}: {why}", inputs.len() + 1))?;
        let source = if native::has_own_name(&variable) { variable.clone() } else { String::new() };
        inputs.push(Input { source, type_name, variable, bytes });
    }
    Ok(inputs)
}

/// A child of the root.
struct Element {
    name: String,
    type_name: String,
    variable: String,
    text: String,
}

/// The children of the root.
fn elements(text: &str) -> quick_xml::Result<Vec<Element>> {
    let mut reader = Reader::from_str(text);
    let (mut found, mut depth) = (Vec::new(), 0);
    loop {
        match reader.read_event()? {
            Event::Start(tag) if depth == 1 => {
                let name = tag.name().into_inner().to_string();
                let attribute = |name: &str| -> quick_xml::Result<String> {
                    let value = tag.try_get_attribute(name)?.map(|value| value.normalized_value(XmlVersion::Implicit1_0));
                    Ok(value.transpose()?.unwrap_or_default().into_owned())
                };
                let (type_name, variable) = (attribute("type")?, attribute("variable")?);
                // What an input is given has no tags inside.
                let text = unescape(&reader.read_text(tag.name())?)?.into_owned();
                found.push(Element { name, type_name, variable, text });
            }
            Event::Start(_) => depth += 1,
            Event::End(_) => depth -= 1,
            Event::Empty(tag) if depth == 1 => {
                let name = tag.name().into_inner().to_string();
                found.push(Element { name, type_name: String::new(), variable: String::new(), text: String::new() });
            }
            Event::Eof if depth > 0 => return Err(IllFormedError::MissingEndTag("testcase".into()).into()),
            Event::Eof => return Ok(found),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// The elements in the order in which they begin, with the names of their attributes.
    fn outline(text: &str) -> Vec<(String, Vec<String>)> {
        let mut reader = Reader::from_str(text);
        let mut found = Vec::new();
        loop {
            match reader.read_event().unwrap() {
                Event::Start(tag) | Event::Empty(tag) => {
                    let attributes = tag.attributes().map(|attribute| attribute.unwrap().key.into_inner().to_string());
                    found.push((tag.name().into_inner().to_string(), attributes.collect()));
                }
                Event::Eof => return found,
                _ => {}
            }
        }
    }

    /// The rules of the document type: which children in which order, and no attributes.
    fn check_metadata(text: &str) {
        let order = [
            "test-metadata",
            "sourcecodelang",
            "producer",
            "specification",
            "programfile",
            "programhash",
            "entryfunction",
            "architecture",
            "creationtime",
        ];
        assert_eq!(outline(text), order.map(|name| (name.to_string(), Vec::new())));
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
        assert_eq!(
            text,
            "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n\
             <!DOCTYPE testcase PUBLIC \"+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN\" \
             \"https://sosy-lab.org/test-format/testcase-1.1.dtd\">\n\
             <testcase coversError=\"true\">\n  <input type=\"int\">7</input>\n  \
             <input variable=\"a&quot;b\" type=\"unsigned char[2]\">0x0201</input>\n</testcase>\n"
        );
        let back = super::inputs(&text, 64).unwrap();
        assert_eq!((back[0].bytes.as_slice(), back[1].bytes.as_slice()), (&[7u8, 0, 0, 0][..], &[1u8, 2][..]));
    }
}
