//! docs/library.md names every function of the C library for analysed programs.

use std::fs;
use std::path::Path;

/// The function that a line of the library's C starts to define for programs.
fn defined(line: &str) -> Option<&str> {
    let head = line.strip_suffix(" {")?;
    let (before, _) = head.split_once('(')?;
    let name = before.rsplit([' ', '*']).next()?;
    let is_plain = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') && before.len() > name.len();
    let is_private = line.starts_with("static") || line.starts_with(' ') || name.starts_with("fathom_");
    (is_plain && !is_private && !line.starts_with("T F(")).then_some(name)
}

#[test]
fn every_function_is_documented() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("../../../docs/library.md")).expect("docs/library.md");
    let mut missing = Vec::new();
    for entry in fs::read_dir(root.join("runtime")).expect("runtime/") {
        let path = entry.expect("an entry of runtime/").path();
        if path.extension().is_some_and(|extension| extension == "c") {
            let source = fs::read_to_string(&path).expect("a source file");
            let names = source.lines().filter_map(defined).filter(|name| !text.contains(&format!("`{name}`")));
            missing.extend(names.map(str::to_string));
        }
    }
    assert!(missing.is_empty(), "docs/library.md says nothing of {missing:?}");
}
