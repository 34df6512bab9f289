//! Dependencies that a manifest names and no file of its crate mentions.

use crate::lengths::rust_files;
use crate::workspace::{Member, Workspace};

/// Named for another reason: a feature (positions in files, without which lines can't be counted), and sources that a build script
/// compiles.
const NOT_FOR_CODE: [&str; 3] = ["proc_macro2", "bitwuzla_sys", "cadical_sys"];

/// What is wrong, one line for each such dependency.
pub fn unused_dependencies(workspace: &Workspace) -> Result<Vec<String>, String> {
    let mut wrong = Vec::new();
    for member in workspace.members.values() {
        let text = text_of(member).map_err(|error| format!("{}: {error}", member.path.display()))?;
        let is_unused = |name: &&String| !NOT_FOR_CODE.contains(&name.as_str()) && !mentions(&text, name);
        wrong.extend(
            member.dependencies.iter().filter(is_unused).map(|name| format!("{} depends on {name} and does not use it", member.name)),
        );
    }
    Ok(wrong)
}

fn text_of(member: &Member) -> std::io::Result<String> {
    let mut paths = Vec::new();
    rust_files(&member.path, &mut paths)?;
    paths.iter().map(std::fs::read_to_string).collect()
}

/// Whether the name stands in the text as a word.
fn mentions(text: &str, name: &str) -> bool {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    text.match_indices(name).any(|(at, _)| !text[..at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part))
}

#[cfg(test)]
mod tests {
    use super::mentions;

    #[test]
    fn names_are_words() {
        assert!(mentions("use libc::kill;", "libc"));
        assert!(!mentions("use mylibc::kill; libc_free();", "libc"));
    }
}
