//! What the documents point to exists: relative links, their headings, and in backticks paths of the repository and names of
//! Rust files. No compiler reads a document, so one that names a file goes stale with the first move.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Folders of the repository that a path in backticks may begin with.
const FOLDERS: [&str; 7] = ["crates/", "docs/", "examples/", "scripts/", "tests/verdicts", "bench/", "xtask/"];
/// Stands for a name that the reader chooses.
const PLACEHOLDER: &str = "NAME";
/// Folders whose documents are not ours.
const FOREIGN: [&str; 4] = ["target", "third_party", "node_modules", ".git"];

#[test]
fn links_and_paths_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let mut documents = Vec::new();
    collect(&root, &mut documents);
    assert!(documents.len() > 10, "only {} documents below {}", documents.len(), root.display());
    let mut names = BTreeSet::new();
    rust_files(&root.join("crates"), &mut names);
    let mut missing = BTreeSet::new();
    for document in &documents {
        let text = without_code_blocks(&fs::read_to_string(document).unwrap());
        let folder = document.parent().unwrap();
        let mut check = |what: &str, exists: bool| {
            if !exists {
                missing.insert(format!("{}: {what}", document.strip_prefix(&root).unwrap().display()));
            }
        };
        for target in links(&text) {
            let (path, heading) = target.split_once('#').unwrap_or((target, ""));
            let file = if path.is_empty() { document.clone() } else { folder.join(path) };
            check(target, file.exists() && (heading.is_empty() || has_heading(&file, heading)));
        }
        paths(&text).for_each(|path| check(path, matches(&root, path)));
        rust_names(&text).for_each(|path| check(path, names.iter().any(|known| known.ends_with(&format!("/{path}")))));
    }
    let missing: Vec<String> = missing.into_iter().collect();
    assert!(missing.is_empty(), "these are named in documents and do not exist:\n{}", missing.join("\n"));
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && !FOREIGN.contains(&name.as_str()) {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
}

/// Paths of all Rust files below a folder.
fn rust_files(folder: &Path, found: &mut BTreeSet<String>) {
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.insert(path.to_string_lossy().into_owned());
        }
    }
}

/// Commands and output may name anything.
fn without_code_blocks(text: &str) -> String {
    let mut inside = false;
    let mut kept = String::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            inside = !inside;
        } else if !inside {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// Targets of links that stay in the repository.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split_once(')').map(|(target, _)| target));
    targets.filter(|target| !target.contains("://") && !target.starts_with("mailto:"))
}

/// Paths in backticks that begin like one of the repository's.
fn paths(text: &str) -> impl Iterator<Item = &str> {
    let quoted = text.split('`').skip(1).step_by(2);
    quoted.filter(|word| {
        FOLDERS.iter().any(|folder| word.starts_with(folder)) && !word.contains([' ', '<', '{']) && !word.contains(PLACEHOLDER)
    })
}

/// Rust files in backticks that are named without their folder, or only with the last part of it.
fn rust_names(text: &str) -> impl Iterator<Item = &str> {
    let quoted = text.split('`').skip(1).step_by(2);
    quoted.filter(|word| {
        word.ends_with(".rs") && !word.contains([' ', '<', '{', '*']) && !word.contains(PLACEHOLDER) && !word.starts_with("crates/")
    })
}

/// Whether a path exists; a name with a star needs one file that fits.
fn matches(root: &Path, path: &str) -> bool {
    let Some((before, after)) = path.split_once('*') else { return root.join(path).exists() };
    let (folder, start) = before.rsplit_once('/').unwrap_or(("", before));
    let end = after.split('/').next().unwrap_or_default();
    let entries = fs::read_dir(root.join(folder)).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).any(|name| name.starts_with(start) && name.ends_with(end))
}

/// Whether a document has a heading with this anchor, which GitHub makes of its words.
fn has_heading(file: &Path, anchor: &str) -> bool {
    let text = fs::read_to_string(file).unwrap_or_default();
    without_code_blocks(&text).lines().filter(|line| line.starts_with('#')).any(|line| {
        let words = line.trim_start_matches('#').trim().to_lowercase();
        let kept: String = words.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_')).collect();
        kept.replace(' ', "-") == anchor
    })
}
