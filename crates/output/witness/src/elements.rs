//! The parts of a GraphML document that witnesses are made of: the graph, its nodes and its edges, each with attributes and with
//! data under keys. Everything else in the document is passed over. Namespaces and document types mean nothing here, and entities
//! other than XML's own are refused.

use crate::Malformed;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use std::collections::BTreeMap;

/// The graph, a node or an edge.
#[derive(Debug, Default)]
pub(crate) struct Element {
    attributes: BTreeMap<String, String>,
    /// In the order of the document.
    data: Vec<(String, String)>,
}

impl Element {
    /// The value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.get(name).map(String::as_str)
    }

    /// The data under a key, the first if there are several.
    pub fn datum(&self, key: &str) -> Option<&str> {
        self.data(key).next()
    }

    /// All data under a key.
    pub fn data(&self, key: &str) -> impl Iterator<Item = &str> {
        self.data.iter().filter(move |(known, _)| known == key).map(|(_, value)| value.as_str())
    }
}

/// The elements of a document, in the order in which they end.
#[derive(Debug, Default)]
pub(crate) struct Elements {
    /// The first graph.
    pub graph: Option<Element>,
    pub nodes: Vec<Element>,
    pub edges: Vec<Element>,
}

/// An element that has begun and not ended.
enum Open {
    /// A graph, a node or an edge.
    Element(Element),
    /// A datum of the element around it: its key, and its text so far.
    Datum(String, String),
    Other,
}

impl Elements {
    /// Reads a whole document.
    pub fn read(text: &str) -> Result<Elements, Malformed> {
        let mut reader = Reader::from_str(text);
        let mut parser = Parser { found: Elements::default(), open: Vec::new() };
        let malformed = |offset: u64, error: &quick_xml::Error| Malformed {
            place: line_and_column(text, offset as usize),
            what: format!("not a GraphML witness: {error}"),
        };
        loop {
            let event = reader.read_event().map_err(|error| malformed(reader.error_position(), &error))?;
            if !parser.step(&event).map_err(|error| malformed(reader.buffer_position(), &error))? {
                return Ok(parser.found);
            }
        }
    }
}

struct Parser {
    found: Elements,
    open: Vec<(String, Open)>,
}

impl Parser {
    /// Takes in an event; whether there is more to come.
    fn step(&mut self, event: &Event<'_>) -> quick_xml::Result<bool> {
        match event {
            Event::Start(tag) => self.start(tag)?,
            Event::Empty(tag) => {
                self.start(tag)?;
                self.end();
            }
            Event::End(_) => self.end(),
            Event::Text(text) => self.say(&text.xml10_content()),
            Event::CData(text) => self.say(&text.xml10_content()),
            Event::GeneralRef(reference) => self.say(&resolved(reference)?),
            Event::Eof => {
                let Some((name, _)) = self.open.pop() else { return Ok(false) };
                return Err(quick_xml::errors::IllFormedError::MissingEndTag(name).into());
            }
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
        Ok(true)
    }

    fn start(&mut self, tag: &BytesStart<'_>) -> quick_xml::Result<()> {
        let name = tag.local_name().into_inner().to_string();
        let mut attributes = BTreeMap::new();
        for attribute in tag.attributes() {
            let attribute = attribute?;
            let value = attribute.normalized_value(XmlVersion::Implicit1_0)?.into_owned();
            attributes.insert(attribute.key.local_name().into_inner().to_string(), value);
        }
        let open = match name.as_str() {
            "graph" | "node" | "edge" => Open::Element(Element { attributes, ..Element::default() }),
            "data" => Open::Datum(attributes.remove("key").unwrap_or_default(), String::new()),
            _ => Open::Other,
        };
        self.open.push((name, open));
        Ok(())
    }

    fn end(&mut self) {
        match self.open.pop() {
            Some((name, Open::Element(element))) => match name.as_str() {
                "node" => self.found.nodes.push(element),
                "edge" => self.found.edges.push(element),
                _ => drop(self.found.graph.get_or_insert(element)),
            },
            Some((_, Open::Datum(key, text))) => {
                if let Some((_, Open::Element(around))) = self.open.last_mut() {
                    around.data.push((key, text.trim().to_string()));
                }
            }
            _ => {}
        }
    }

    fn say(&mut self, more: &str) {
        if let Some((_, Open::Datum(_, text))) = self.open.last_mut() {
            text.push_str(more);
        }
    }
}

/// What a reference such as `&lt;` or `&#10;` stands for.
fn resolved(reference: &BytesRef<'_>) -> quick_xml::Result<String> {
    if let Some(character) = reference.resolve_char_ref()? {
        return Ok(character.to_string());
    }
    match resolve_predefined_entity(reference) {
        Some(text) => Ok(text.to_string()),
        None => Err(quick_xml::escape::EscapeError::UnrecognizedEntity(0..reference.len(), reference.to_string()).into()),
    }
}

/// Line and column of an offset, counted from 1.
fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_belong_to_the_element_around_them() {
        let text = "<?xml version=\"1.0\"?><!DOCTYPE graphml><g:graphml xmlns:g=\"x\"><g:graph><data key=\"k\"> a &lt;&#32;<![CDATA[<b>]]></data>\n\
                    <node id=\"n&amp;1\"><data key=\"k\">1</data><data key=\"k\">2</data></node><edge source=\"n\"/></g:graph></g:graphml>";
        let found = Elements::read(text).unwrap();
        assert_eq!(found.graph.unwrap().datum("k"), Some("a < <b>"));
        assert_eq!((found.nodes[0].attribute("id"), found.nodes[0].datum("k")), (Some("n&1"), Some("1")));
        assert_eq!((found.nodes.len(), found.edges.len(), found.edges[0].attribute("source")), (1, 1, Some("n")));
    }

    #[test]
    fn what_is_wrong_has_a_place() {
        let place = |text: &str| Elements::read(text).map(|_| ()).unwrap_err().place;
        assert_eq!(place("<graph>\n <node></edge></graph>").0, 2);
        assert_eq!(place("<graph>\n<data>&unknown;</data></graph>").0, 2);
        assert_eq!(place("<graph>\n\n").0, 3);
    }
}
