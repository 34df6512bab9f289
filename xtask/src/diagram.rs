//! The crate diagram in ARCHITECTURE.md: a mermaid flowchart with a box per folder. An arrow leads to a crate that is
//! used. Arrows that follow from others (a uses b, b uses c, a uses c) are omitted, so that the diagram stays readable.

use crate::workspace::Workspace;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

const BEGIN: &str = "<!-- crate diagram, drawn by `cargo xtask diagram` -->\n";
const END: &str = "<!-- end of the crate diagram -->\n";

/// Draws the diagram into the page.
pub fn write(workspace: &Workspace) -> Result<(), String> {
    let page = page(workspace);
    let text = drawn_into(&read(&page)?, workspace)?;
    std::fs::write(&page, text).map_err(|error| format!("{}: {error}", page.display()))
}

/// Whether the page has the diagram as it would be drawn.
pub fn check(workspace: &Workspace) -> Result<(), String> {
    let text = read(&page(workspace))?;
    match drawn_into(&text, workspace)? == text {
        true => Ok(()),
        false => Err("the crate diagram in ARCHITECTURE.md is out of date; `cargo xtask diagram` draws it anew".into()),
    }
}

/// The page without the diagram.
pub fn prose(workspace: &Workspace) -> Result<String, String> {
    let text = read(&page(workspace))?;
    let (before, after) = around(&text)?;
    Ok(format!("{before}{after}"))
}

fn page(workspace: &Workspace) -> PathBuf {
    workspace.root.join("ARCHITECTURE.md")
}

fn read(page: &PathBuf) -> Result<String, String> {
    std::fs::read_to_string(page).map_err(|error| format!("{}: {error}", page.display()))
}

fn around(text: &str) -> Result<(&str, &str), String> {
    let missing = || format!("ARCHITECTURE.md has no place for the diagram: a line {BEGIN}and a line {END}");
    let (before, rest) = text.split_once(BEGIN).ok_or_else(missing)?;
    let (_, after) = rest.split_once(END).ok_or_else(missing)?;
    Ok((before, after))
}

fn drawn_into(text: &str, workspace: &Workspace) -> Result<String, String> {
    let (before, after) = around(text)?;
    Ok(format!("{before}{BEGIN}{}{END}{after}", mermaid(workspace)))
}

fn mermaid(workspace: &Workspace) -> String {
    let mut out = String::from("```mermaid\nflowchart TD\n");
    let mut folders: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for member in workspace.members.values() {
        folders.entry(&member.folder).or_default().push(&member.name);
    }
    for (folder, names) in &folders {
        match names.as_slice() {
            [only] if only == folder => _ = writeln!(out, "  {only}"),
            _ => _ = writeln!(out, "  subgraph {folder}_[{folder}]\n    {}\n  end", names.join(" & ")),
        }
    }
    for member in workspace.members.values() {
        let shown = member.uses.iter().filter(|used| !member.uses.iter().any(|other| workspace.needs(other).contains(used.as_str())));
        let shown: Vec<&str> = shown.map(String::as_str).collect();
        if !shown.is_empty() {
            let _ = writeln!(out, "  {} --> {}", member.name, shown.join(" & "));
        }
    }
    out + "```\n"
}
