//! Printed forms and messages, against files. `FATHOM_BLESS=1 cargo test -p fathom-frontend-boogie` accepts what is
//! printed. Each program of `tests/programs` is printed and read back, checked, instantiated and validated; each of
//! `tests/rejected` must be rejected with exactly the messages in the file beside it.

use fathom_frontend_boogie::*;
use fathom_golden::compare;
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

fn read(path: &Path) -> ast::Program {
    parse(&[path.to_path_buf()]).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn printed_programs_read_back_as_the_same() {
    for path in programs("programs") {
        let program = read(&path);
        let text = print(&program);
        compare(&folder("golden").join(path.file_name().expect("a file")), &text);
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
        compare(&folder("golden").join(path.with_extension("typed.txt").file_name().expect("a file")), &print_typed(&mono));
    }
}

#[test]
fn bad_programs_are_rejected_with_their_messages() {
    for path in programs("rejected") {
        let bytes = std::fs::read(&path).expect("readable");
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let name = path.file_name().expect("a file").to_owned();
        let answer = parse_texts([(Path::new(&name), text)]).and_then(|program| check(program, true));
        let Err(rejected) = answer else { panic!("{} was accepted", path.display()) };
        compare(&path.with_extension("txt"), &show_all(&rejected.diagnostics, &rejected.sources));
    }
}
