//! The GraphML format 1.0. A violation is a chain of nodes from the entry to the violation whose edges carry the results of
//! input functions; invariants are data of nodes that edges into loop heads lead to.

use crate::Malformed;
use crate::elements::{Element, Elements};
use crate::model::{Action, Claims, Constraint, Invariant, InvariantKind, Location, Task, Waypoint, WaypointKind, Witness};
use crate::yaml::creation_time;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use std::collections::BTreeMap;
use std::io;

type Xml<'a> = Writer<&'a mut Vec<u8>>;
type Data = Vec<(&'static str, String)>;

/// The attributes that are used, and what they belong to.
const KEYS: [(&str, &str); 22] = [
    ("witness-type", "graph"),
    ("sourcecodelang", "graph"),
    ("producer", "graph"),
    ("specification", "graph"),
    ("programfile", "graph"),
    ("programhash", "graph"),
    ("architecture", "graph"),
    ("creationtime", "graph"),
    ("entry", "node"),
    ("violation", "node"),
    ("invariant", "node"),
    ("invariant.scope", "node"),
    ("originfile", "edge"),
    ("startline", "edge"),
    ("endline", "edge"),
    ("assumption", "edge"),
    ("assumption.scope", "edge"),
    ("assumption.resultfunction", "edge"),
    ("enterFunction", "edge"),
    ("returnFromFunction", "edge"),
    ("enterLoopHead", "edge"),
    ("control", "edge"),
];

pub(crate) fn write(witness: &Witness) -> Result<String, String> {
    let mut bytes = Vec::new();
    document(&mut Writer::new_with_indent(&mut bytes, b' ', 2), witness)
        .map_err(|error| format!("the witness can't be written as GraphML: {error}"))?;
    bytes.push(b'\n');
    String::from_utf8(bytes).map_err(|error| error.to_string())
}

fn document(xml: &mut Xml<'_>, witness: &Witness) -> io::Result<()> {
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), Some("no"))))?;
    let namespaces = [("xmlns", "http://graphml.graphdrawing.org/xmlns"), ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance")];
    xml.create_element("graphml").with_attributes(namespaces).write_inner_content(|xml| {
        for (name, of) in KEYS {
            let about = [("attr.name", name), ("attr.type", type_of(name)), ("for", of), ("id", name)];
            xml.create_element("key").with_attributes(about).write_empty()?;
        }
        xml.create_element("graph").with_attributes([("edgedefault", "directed")]).write_inner_content(|xml| {
            data(xml, &about(witness))?;
            node(xml, "N0", &[("entry", "true".into())])?;
            match &witness.claims {
                Claims::Violation(segments) => violation(xml, entry_of(&witness.task), segments),
                Claims::Correctness(invariants) => correctness(xml, invariants),
            }
        })?;
        Ok(())
    })?;
    Ok(())
}

/// The type of an attribute, as the format has it.
fn type_of(key: &str) -> &'static str {
    match key {
        "entry" | "violation" | "enterLoopHead" => "boolean",
        "startline" | "endline" => "int",
        _ => "string",
    }
}

fn about(witness: &Witness) -> Data {
    let Task { files, specification, data_model } = &witness.task;
    let (file, hash) = files.first().cloned().unwrap_or_default();
    let kind = if matches!(witness.claims, Claims::Violation(_)) { "violation_witness" } else { "correctness_witness" };
    let producer = format!("Fathom {}", env!("CARGO_PKG_VERSION"));
    let mut entries = vec![("witness-type", kind.into()), ("sourcecodelang", "C".into()), ("producer", producer)];
    // Of several properties each has an entry of its own.
    entries.extend(specification.lines().map(|line| ("specification", line.to_string())));
    entries.extend([
        ("programfile", file),
        ("programhash", hash),
        ("architecture", if data_model == "ILP32" { "32bit" } else { "64bit" }.into()),
        ("creationtime", creation_time()),
    ]);
    entries
}

fn data(xml: &mut Xml<'_>, entries: &[(&'static str, String)]) -> io::Result<()> {
    for (key, value) in entries {
        xml.create_element("data").with_attributes([("key", *key)]).write_text_content(BytesText::new(value))?;
    }
    Ok(())
}

fn node(xml: &mut Xml<'_>, id: &str, entries: &[(&'static str, String)]) -> io::Result<()> {
    xml.create_element("node").with_attributes([("id", id)]).write_inner_content(|xml| data(xml, entries))?;
    Ok(())
}

fn edge(xml: &mut Xml<'_>, from: &str, to: &str, entries: &[(&'static str, String)]) -> io::Result<()> {
    xml.create_element("edge").with_attributes([("source", from), ("target", to)]).write_inner_content(|xml| data(xml, entries))?;
    Ok(())
}

fn at(location: &Location) -> Data {
    vec![("originfile", location.file_name.clone()), ("startline", location.line.to_string()), ("endline", location.line.to_string())]
}

/// The function that the specification begins with: `CHECK( init(main()), ...`.
fn entry_of(task: &Task) -> &str {
    let named = task.specification.split_once("init(").and_then(|(_, rest)| rest.split_once("()"));
    named.map_or("main", |(name, _)| name)
}

fn violation(xml: &mut Xml<'_>, entry: &str, segments: &[Vec<Waypoint>]) -> io::Result<()> {
    let followed: Vec<&Waypoint> = segments.iter().flatten().filter(|waypoint| waypoint.action == Action::Follow).collect();
    // What an edge says must hold of one step of the program, so entering the first function is an edge of its own.
    node(xml, "N1", &[])?;
    edge(xml, "N0", "N1", &[("enterFunction", entry.into())])?;
    for (number, waypoint) in followed.iter().enumerate() {
        let (from, to) = (format!("N{}", number + 1), format!("N{}", number + 2));
        let mut entries = at(&waypoint.location);
        let condition = waypoint.constraint.as_ref().map(|constraint| format!("{};", constraint.value));
        match waypoint.kind {
            WaypointKind::Assumption | WaypointKind::FunctionReturn => {
                entries.extend(condition.map(|condition| ("assumption", condition)));
                entries.extend(waypoint.location.function.iter().map(|function| ("assumption.scope", function.clone())));
                entries.extend(waypoint.result_of.iter().map(|function| ("assumption.resultfunction", function.clone())));
            }
            WaypointKind::FunctionEnter => entries.extend(waypoint.result_of.iter().map(|function| ("enterFunction", function.clone()))),
            WaypointKind::Branching => {
                let taken = waypoint.constraint.as_ref().is_some_and(|constraint| constraint.value == "true");
                entries.push(("control", if taken { "condition-true" } else { "condition-false" }.into()));
            }
            WaypointKind::Target => {}
        }
        let end = if number + 1 == followed.len() { vec![("violation", "true".into())] } else { Vec::new() };
        node(xml, &to, &end)?;
        edge(xml, &from, &to, &entries)?;
    }
    Ok(())
}

fn correctness(xml: &mut Xml<'_>, invariants: &[Invariant]) -> io::Result<()> {
    let mut heads: BTreeMap<&Location, Vec<&str>> = BTreeMap::new();
    for invariant in invariants {
        heads.entry(&invariant.location).or_default().push(&invariant.value);
    }
    for (number, (location, values)) in heads.into_iter().enumerate() {
        let (from, to) = (format!("N{number}"), format!("N{}", number + 1));
        let all: Vec<String> = values.iter().map(|value| format!("({value})")).collect();
        let mut entries = vec![("invariant", all.join(" && "))];
        entries.extend(location.function.iter().map(|function| ("invariant.scope", function.clone())));
        node(xml, &to, &entries)?;
        let mut way = at(location);
        way.push(("enterLoopHead", "true".into()));
        edge(xml, &from, &to, &way)?;
    }
    Ok(())
}

pub(crate) fn read(text: &str) -> Result<Witness, Malformed> {
    let elements = Elements::read(text)?;
    let graph = elements.graph.as_ref().ok_or_else(|| Malformed::whole("not a GraphML witness: there is no graph in it"))?;
    let about = |key: &str| graph.datum(key).unwrap_or_default().to_string();
    let data_model = if about("architecture") == "32bit" { "ILP32" } else { "LP64" };
    let task = Task {
        files: vec![(about("programfile"), about("programhash"))],
        specification: graph.data("specification").collect::<Vec<_>>().join("\n"),
        data_model: data_model.into(),
    };
    let location = |edge: &Element, function: Option<&str>| Location {
        file_name: edge.datum("originfile").map_or_else(|| about("programfile"), str::to_string),
        line: edge.datum("startline").and_then(|line| line.parse().ok()).unwrap_or(0),
        column: None,
        function: function.map(str::to_string),
    };
    let is_violation = elements.nodes.iter().any(|node| node.datum("violation") == Some("true"));
    let claims = match about("witness-type").as_str() {
        "correctness_witness" => Claims::Correctness(elements.invariants(&location)),
        "violation_witness" => Claims::Violation(elements.chain(&location)?),
        // Tests in this form that other tools write do not always say so.
        "" if is_violation => Claims::Violation(elements.chain(&location)?),
        other => return Err(Malformed::whole(&format!("not a GraphML witness: its witness-type is `{other}`"))),
    };
    Ok(Witness { task, claims })
}

impl Elements {
    /// What is claimed at the heads of loops.
    fn invariants(&self, location: &dyn Fn(&Element, Option<&str>) -> Location) -> Vec<Invariant> {
        let enters = |edge: &&Element, node: &Element| {
            edge.attribute("target") == node.attribute("id") && edge.datum("enterLoopHead") == Some("true")
        };
        let invariant = |node: &Element| {
            let value = node.datum("invariant")?;
            let edge = self.edges.iter().find(|edge| enters(edge, node))?;
            Some(Invariant {
                kind: InvariantKind::LoopInvariant,
                location: location(edge, node.datum("invariant.scope")),
                value: value.into(),
                format: "c_expression".into(),
            })
        };
        self.nodes.iter().filter_map(invariant).collect()
    }

    /// The results of input functions along the edges from the entry, each a segment.
    fn chain(&self, location: &dyn Fn(&Element, Option<&str>) -> Location) -> Result<Vec<Vec<Waypoint>>, Malformed> {
        let entry = self.nodes.iter().find(|node| node.datum("entry") == Some("true")).and_then(|node| node.attribute("id"));
        let mut at = entry.ok_or_else(|| Malformed::whole("no node of the witness is marked as entry"))?;
        let mut edges: Vec<&Element> = self.edges.iter().collect();
        let mut segments = Vec::new();
        // Every edge is used once, so that a loop ends.
        while let Some(next) = edges.iter().position(|edge| edge.attribute("source") == Some(at)) {
            let edge = edges.remove(next);
            at = edge.attribute("target").unwrap_or_default();
            if let (Some(assumption), Some(function)) = (edge.datum("assumption"), edge.datum("assumption.resultfunction")) {
                let constraint = Constraint { value: assumption.trim_end_matches(';').into(), format: Some("acsl_expression".into()) };
                segments.push(vec![Waypoint {
                    kind: WaypointKind::FunctionReturn,
                    action: Action::Follow,
                    constraint: Some(constraint),
                    location: location(edge, edge.datum("assumption.scope")),
                    result_of: Some(function.into()),
                }]);
            }
        }
        Ok(segments)
    }
}
