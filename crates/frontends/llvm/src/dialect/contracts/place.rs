//! Where a part of a preprocessed text stands in the user's file: line markers and line breaks, counted.

use super::super::tokens::Node;

/// A file and a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// As the line marker has it, without quotes.
    pub file: String,
    pub line: u32,
}

impl Place {
    pub fn start() -> Place {
        Place { file: "source.c".into(), line: 1 }
    }

    /// The place behind a text.
    pub fn at(text: &str) -> Place {
        let mut place = Place::start();
        for line in text.split_inclusive('\n') {
            if line.starts_with('#') {
                place.pass(&Node::Blank(line.trim_end().to_string()));
            }
            place.line += line.ends_with('\n') as u32;
        }
        place
    }

    /// Goes past a part of the text.
    pub fn pass(&mut self, node: &Node) {
        match node {
            Node::Blank(text) if text.starts_with('#') => {
                let marker = text.strip_prefix("# ").and_then(|rest| rest.split_once(" \""));
                if let Some((number, name)) = marker.and_then(|(number, name)| Some((number.parse::<u32>().ok()?, name))) {
                    // The line break behind the marker counts as well.
                    self.line = number.saturating_sub(1);
                    self.file = name.rsplit_once('"').map_or(name, |(start, _)| start).to_string();
                }
            }
            Node::Blank(text) => self.line += text.matches('\n').count() as u32,
            Node::Group(_, inner) => self.pass_all(inner),
            Node::Word(_) | Node::Other(_) => {}
        }
    }

    pub fn pass_all(&mut self, nodes: &[Node]) {
        nodes.iter().for_each(|node| self.pass(node));
    }

    /// A marker that says that the next line is this one.
    pub fn marker(&self) -> String {
        format!("\n# {} \"{}\"\n", self.line, self.file)
    }
}

/// What is wrong with a contract, and where.
#[derive(Debug)]
pub struct Problem {
    pub place: Place,
    pub what: String,
}
