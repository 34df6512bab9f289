//! Checks that the seeded faults of scripts/mutants.toml still fit the code: the text of each occurs exactly once in
//! its file. So a change that breaks one is noticed at once, not in the next campaign.

use crate::workspace::Workspace;
use serde::Deserialize;

#[derive(Deserialize)]
struct Table {
    mutant: Vec<Mutant>,
}

#[derive(Deserialize)]
struct Mutant {
    name: String,
    file: String,
    place: String,
}

/// Around what the fault replaces.
const MARKS: [char; 2] = ['⟪', '⟫'];

/// Checks every fault of the table; those that do not fit, one line each.
pub fn check(workspace: &Workspace) -> Result<(), String> {
    let table = workspace.root.join("scripts/mutants.toml");
    let text = std::fs::read_to_string(&table).map_err(|error| format!("{}: {error}", table.display()))?;
    let table: Table = toml::from_str(&text).map_err(|error| format!("{}: {error}", table.display()))?;
    let misfit = |mutant: &Mutant| {
        let code = std::fs::read_to_string(workspace.root.join(&mutant.file)).unwrap_or_default();
        let found = code.matches(&mutant.place.replace(MARKS, "")).count();
        (found != 1).then(|| {
            format!("scripts/mutants.toml, {}: its place stands {found} times in {}, not once: write it anew", mutant.name, mutant.file)
        })
    };
    let wrong: Vec<String> = table.mutant.iter().filter_map(misfit).collect();
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}
