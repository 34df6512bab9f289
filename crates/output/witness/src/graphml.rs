//! The GraphML format 1.0. A violation is a chain of nodes from the entry to the violation whose edges carry the results of
//! input functions; invariants are data of nodes that edges into loop heads lead to.

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
            let about = [("attr.name", name), ("attr.type", "string"), ("for", of), ("id", name)];
            xml.create_element("key").with_attributes(about).write_empty()?;
        }
        xml.create_element("graph").with_attributes([("edgedefault", "directed")]).write_inner_content(|xml| {
            data(xml, &about(witness))?;
            node(xml, "N0", &[("entry", "true".into())])?;
            match &witness.claims {
                Claims::Violation(segments) => violation(xml, segments),
                Claims::Correctness(invariants) => correctness(xml, invariants),
            }
        })?;
        Ok(())
    })?;
    Ok(())
}

fn about(witness: &Witness) -> Data {
    let Task { files, specification, data_model } = &witness.task;
    let (file, hash) = files.first().cloned().unwrap_or_default();
    let kind = if matches!(witness.claims, Claims::Violation(_)) { "violation_witness" } else { "correctness_witness" };
    vec![
        ("witness-type", kind.into()),
        ("sourcecodelang", "C".into()),
        ("producer", format!("Fathom {}", env!("CARGO_PKG_VERSION"))),
        ("specification", specification.clone()),
        ("programfile", file),
        ("programhash", hash),
        ("architecture", if data_model == "ILP32" { "32bit" } else { "64bit" }.into()),
        ("creationtime", creation_time()),
    ]
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

fn violation(xml: &mut Xml<'_>, segments: &[Vec<Waypoint>]) -> io::Result<()> {
    let followed: Vec<&Waypoint> = segments.iter().flatten().filter(|waypoint| waypoint.action == Action::Follow).collect();
    for (number, waypoint) in followed.iter().enumerate() {
        let (from, to) = (format!("N{number}"), format!("N{}", number + 1));
        let mut entries = at(&waypoint.location);
        if number == 0 {
            entries.push(("enterFunction", "main".into()));
        }
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

pub(crate) fn read(text: &str) -> Result<Witness, String> {
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let document = roxmltree::Document::parse_with_options(text, options).map_err(|error| format!("not a GraphML witness: {error}"))?;
    let all = |name: &'static str| document.descendants().filter(move |node| node.tag_name().name() == name);
    let graph = all("graph").next().ok_or("not a GraphML witness: there is no graph in it")?;
    let about = |key: &str| datum(graph, key).unwrap_or_default().to_string();
    let data_model = if about("architecture") == "32bit" { "ILP32" } else { "LP64" };
    let task = Task {
        files: vec![(about("programfile"), about("programhash"))],
        specification: about("specification"),
        data_model: data_model.into(),
    };
    let place = |edge: roxmltree::Node<'_, '_>, function: Option<&str>| Location {
        file_name: datum(edge, "originfile").map_or_else(|| about("programfile"), str::to_string),
        line: datum(edge, "startline").and_then(|line| line.parse().ok()).unwrap_or(0),
        column: None,
        function: function.map(str::to_string),
    };
    let claims = match about("witness-type").as_str() {
        "correctness_witness" => {
            let mut invariants = Vec::new();
            for node in all("node") {
                let Some(value) = datum(node, "invariant") else { continue };
                let into = all("edge")
                    .find(|edge| edge.attribute("target") == node.attribute("id") && datum(*edge, "enterLoopHead") == Some("true"));
                let Some(edge) = into else { continue };
                let location = place(edge, datum(node, "invariant.scope"));
                invariants.push(Invariant {
                    kind: InvariantKind::LoopInvariant,
                    location,
                    value: value.into(),
                    format: "c_expression".into(),
                });
            }
            Claims::Correctness(invariants)
        }
        "violation_witness" => Claims::Violation(chain(&document, &place)?),
        other => return Err(format!("not a GraphML witness: its witness-type is `{other}`")),
    };
    Ok(Witness { task, claims })
}

fn datum<'a>(node: roxmltree::Node<'a, '_>, key: &str) -> Option<&'a str> {
    node.children().find(|child| child.attribute("key") == Some(key)).and_then(|child| child.text()).map(str::trim)
}

/// The results of input functions along the edges from the entry, each a segment.
fn chain(
    document: &roxmltree::Document<'_>,
    place: &dyn Fn(roxmltree::Node<'_, '_>, Option<&str>) -> Location,
) -> Result<Vec<Vec<Waypoint>>, String> {
    let nodes = |name: &'static str| document.descendants().filter(move |node| node.tag_name().name() == name);
    let entry = nodes("node").find(|node| datum(*node, "entry") == Some("true")).and_then(|node| node.attribute("id"));
    let mut at = entry.ok_or("no node of it is marked as entry")?;
    let mut edges: Vec<_> = nodes("edge").collect();
    let mut segments = Vec::new();
    // Every edge is used once, so that a loop ends.
    while let Some(next) = edges.iter().position(|edge| edge.attribute("source") == Some(at)) {
        let edge = edges.remove(next);
        at = edge.attribute("target").unwrap_or_default();
        if let (Some(assumption), Some(function)) = (datum(edge, "assumption"), datum(edge, "assumption.resultfunction")) {
            let constraint = Constraint { value: assumption.trim_end_matches(';').into(), format: Some("acsl_expression".into()) };
            segments.push(vec![Waypoint {
                kind: WaypointKind::FunctionReturn,
                action: Action::Follow,
                constraint: Some(constraint),
                location: place(edge, datum(edge, "assumption.scope")),
                result_of: Some(function.into()),
            }]);
        }
    }
    Ok(segments)
}
