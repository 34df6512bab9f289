//! The report as JUnit XML, as the servers of continuous integration read it: a test case per property. A violated
//! property is a failure, an undecided one an error, and one that was not examined because the run stopped first is
//! skipped.

use crate::markup::xml_text;
use crate::model::{PropertyReport, Report, UnknownKind};
use crate::text::{TextOptions, render_text};
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use std::io;

/// The report as one test suite.
pub fn render_junit(report: &Report) -> String {
    let mut bytes = Vec::new();
    match suite(&mut Writer::new_with_indent(&mut bytes, b' ', 2), report) {
        Ok(()) => bytes.push(b'\n'),
        Err(error) => return format!("<!-- {error} -->\n"),
    }
    String::from_utf8(bytes).unwrap_or_default()
}

/// How a property counts among tests.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Count {
    Passed,
    Failed,
    Error,
    Skipped,
}

impl Count {
    fn of(property: &PropertyReport) -> Self {
        match property.unknown {
            _ if property.violation.is_some() => Count::Failed,
            Some(UnknownKind::NotReached) => Count::Skipped,
            Some(_) => Count::Error,
            // A passed test would claim more than a proof within bounds.
            None if property.is_bounded() => Count::Skipped,
            None => Count::Passed,
        }
    }
}

type Xml<'a> = Writer<&'a mut Vec<u8>>;

fn suite(xml: &mut Xml<'_>, report: &Report) -> io::Result<()> {
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let counted = |what| report.properties.iter().filter(|property| Count::of(property) == what).count();
    let tests = report.properties.len() + usize::from(report.error.is_some());
    let errors = counted(Count::Error) + usize::from(report.error.is_some());
    let name = xml_text(&report.run.files.join(" "));
    let (tests, failures, errors, skipped, time) = (
        tests.to_string(),
        counted(Count::Failed).to_string(),
        errors.to_string(),
        counted(Count::Skipped).to_string(),
        format!("{:.3}", report.run.seconds),
    );
    let numbers = [
        ("name", "fathom"),
        ("tests", tests.as_str()),
        ("failures", failures.as_str()),
        ("errors", errors.as_str()),
        ("time", time.as_str()),
    ];
    xml.create_element("testsuites").with_attributes(numbers).write_inner_content(|xml| {
        let own = [("skipped", skipped.as_str()), ("package", name.as_str())];
        xml.create_element("testsuite").with_attributes(numbers).with_attributes(own).write_inner_content(|xml| {
            for property in &report.properties {
                case(xml, report, property)?;
            }
            if let Some(error) = &report.error {
                element(xml, &name, "fathom", "error", &report.verdict, &error.message)?;
            }
            let text = xml_text(&render_text(report, TextOptions::default()));
            xml.create_element("system-out").write_text_content(BytesText::new(&text))?;
            Ok(())
        })?;
        Ok(())
    })?;
    Ok(())
}

fn case(xml: &mut Xml<'_>, report: &Report, property: &PropertyReport) -> io::Result<()> {
    let class = xml_text(&report.run.files.join(" "));
    let reason = property.reason.as_deref().unwrap_or_default();
    match Count::of(property) {
        Count::Passed => {
            xml.create_element("testcase").with_attributes([("classname", class.as_str()), ("name", &property.property)]).write_empty()?;
            Ok(())
        }
        Count::Error => element(xml, &class, &property.property, "error", reason, reason),
        Count::Skipped if property.is_bounded() => {
            element(xml, &class, &property.property, "skipped", &format!("{}: {reason}", property.verdict), "")
        }
        Count::Skipped => element(xml, &class, &property.property, "skipped", reason, ""),
        Count::Failed => {
            let Some(violation) = &property.violation else { return Ok(()) };
            let place = &violation.place;
            let mut text = format!("{}:{}:{}: {}\n", place.file.as_deref().unwrap_or("?"), place.line, place.column, violation.message);
            for input in violation.inputs.iter().filter(|input| !input.source.is_empty()) {
                text += &format!("{}\n", input.shown());
            }
            element(xml, &class, &property.property, "failure", &violation.message, &text)
        }
    }
}

/// A test case with one element inside that says how it ended.
fn element(xml: &mut Xml<'_>, class: &str, name: &str, how: &str, message: &str, text: &str) -> io::Result<()> {
    let (message, text) = (xml_text(message), xml_text(text));
    xml.create_element("testcase").with_attributes([("classname", class), ("name", name)]).write_inner_content(|xml| {
        let element = xml.create_element(how).with_attributes([("message", message.as_str()), ("type", name)]);
        if text.is_empty() {
            element.write_empty()?
        } else {
            element.write_text_content(BytesText::new(&text))?
        };
        Ok(())
    })?;
    Ok(())
}
