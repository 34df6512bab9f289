//! Printed forms and messages, against files. `INSTA_UPDATE=always cargo test -p fathom-frontend-boogie` accepts what is
//! printed. Each program of `tests/programs` is printed and read back, checked, instantiated and validated; each of
//! `tests/rejected` must be rejected with exactly the messages of its golden file.

use fathom_frontend_boogie::*;
use insta::assert_snapshot;
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

fn programs(name: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder(name)).expect("the folder exists");
    let mut all: Vec<PathBuf> =
        entries.map(|entry| entry.expect("readable").path()).filter(|path| path.extension().is_some_and(|e| e == "bpl")).collect();
    all.sort();
    assert!(!all.is_empty());
    all
}

/// The name of a golden file of a program.
fn name(path: &Path, extension: &str) -> String {
    path.with_extension(extension).file_name().expect("a file").display().to_string()
}

fn read(path: &Path) -> ParsedProgram {
    parse(&[path.to_path_buf()]).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn printed_programs_read_back_as_the_same() {
    for path in programs("programs") {
        let program = read(&path);
        let text = print(&program);
        assert_snapshot!(name(&path, "bpl"), text);
        let again = parse_texts([(Path::new("printed.bpl"), text.clone())])
            .unwrap_or_else(|r| panic!("{}\n{text}", show_all(&r.diagnostics, &r.sources)));
        assert!(same(&program, &again), "{} reads back as another program:\n{text}", path.display());
        assert_eq!(print(&again), text);
    }
}

#[test]
fn typed_programs_keep_their_promises_with_and_without_polymorphism() {
    for path in programs("programs") {
        let typed = check(read(&path), false).unwrap_or_else(|r| panic!("{}", show_all(&r.diagnostics, &r.sources)));
        validate(&typed, false).unwrap_or_else(|what| panic!("{}: {what}", path.display()));
        let mono = monomorphise(typed).unwrap_or_else(|what| panic!("{}: {what}", path.display()));
        validate(&mono, true).unwrap_or_else(|what| panic!("{}: {what}", path.display()));
        assert_snapshot!(name(&path, "typed.txt"), print_typed(&mono));
    }
}

#[test]
fn bad_programs_are_rejected_with_their_messages() {
    for path in programs("rejected") {
        let bytes = std::fs::read(&path).expect("readable");
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let file = path.file_name().expect("a file");
        let answer = parse_texts([(Path::new(file), text)]).and_then(|program| check(program, true));
        let Err(rejected) = answer else { panic!("{} was accepted", path.display()) };
        assert_snapshot!(
            format!("rejected_{}", path.file_stem().expect("a file").display()),
            show_all(&rejected.diagnostics, &rejected.sources)
        );
    }
}
