//! The inputs of a violation witness in GraphML: along the edges from the entry node, assumptions of the form
//! `\result == 5` that name the function they are the result of. A witness that gives no such values can't be replayed.

use crate::case::Input;
use crate::values;
use fathom_native as native;
use roxmltree::{Document, Node};
use std::collections::BTreeMap;

/// Whether an XML document is a GraphML witness.
pub fn is_witness(document: &Document<'_>) -> bool {
    document.root_element().has_tag_name("graphml") || document.root_element().tag_name().name() == "graphml"
}

/// The inputs that a witness names, in order.
pub fn inputs(document: &Document<'_>, pointer_bits: u32) -> Result<Vec<Input>, String> {
    let nodes = |name: &'static str| document.descendants().filter(move |node| node.tag_name().name() == name);
    let entry = nodes("node").find(|node| data(*node, "entry") == Some("true")).and_then(|node| node.attribute("id"));
    let entry = entry.ok_or("no node of it is marked as entry")?;
    let mut edges: BTreeMap<&str, Vec<Node<'_, '_>>> = BTreeMap::new();
    for edge in nodes("edge") {
        edges.entry(edge.attribute("source").unwrap_or_default()).or_default().push(edge);
    }
    let mut inputs = Vec::new();
    let mut at = entry;
    // Every edge is used once, so that a loop ends.
    while let Some(edge) = edges.get_mut(at).filter(|open| !open.is_empty()).map(|open| open.remove(0)) {
        if let (Some(assumption), Some(function)) = (data(edge, "assumption"), data(edge, "assumption.resultfunction")) {
            inputs.extend(result(assumption, function, pointer_bits)?);
        }
        at = edge.attribute("target").unwrap_or_default();
    }
    if inputs.is_empty() {
        return Err("it names no result of an input function (assumption.resultfunction), so there is nothing to replay".into());
    }
    Ok(inputs)
}

fn data<'a>(node: Node<'a, '_>, key: &str) -> Option<&'a str> {
    node.children().find(|child| child.attribute("key") == Some(key)).and_then(|child| child.text()).map(str::trim)
}

/// The value that `\result` is assumed to have.
fn result(assumption: &str, function: &str, pointer_bits: u32) -> Result<Option<Input>, String> {
    let Some((_, value)) = assumption.split_once("\\result") else { return Ok(None) };
    let value = value.trim_start().trim_start_matches('=').split([';', '&']).next().unwrap_or_default().trim();
    let value = value.trim_matches(|c| c == '(' || c == ')').trim();
    let type_name = native::c_type_of(function).unwrap_or_default().to_string();
    let bytes = values::parse(value, &type_name, pointer_bits).map_err(|why| format!("{function}: {why}"))?;
    Ok(Some(Input { source: function.to_string(), type_name, variable: String::new(), bytes }))
}
