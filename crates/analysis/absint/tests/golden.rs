//! The invariants of small programs, as `fathom ir --invariants` prints them. `INSTA_UPDATE=always` accepts new output.

use fathom_base::Budget;
use fathom_frontend_llvm::{DataModel, Options, load};
use fathom_ir::{Program, Property};
use fathom_term::TermStore;
use std::collections::BTreeSet;
use std::path::Path;
use std::rc::Rc;

/// A program of mathematical integers, as Boogie has them.
fn read_text(path: &Path) -> Program {
    let text = std::fs::read_to_string(path).expect("the program is there");
    fathom_ir::parse_program(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn compile(path: &Path) -> Program {
    let options = Options { model: DataModel::Lp64, entry: "main".into(), ..Options::default() };
    let loaded = load(&[path.to_path_buf()], &options, Rc::new(TermStore::new())).expect("the program compiles");
    let properties = BTreeSet::from([Property::UnreachCall, Property::Assertion]);
    fathom_passes::prepare(loaded.program, &properties, Default::default())
}

fn invariants_of(path: &Path) -> String {
    let is_text = path.extension().is_some_and(|extension| extension == "ir");
    let program = Rc::new(if is_text { read_text(path) } else { compile(path) });
    let found = fathom_absint::invariants(&program, &Budget::unlimited()).expect("time is not limited");
    let directory = format!("{}/", path.parent().unwrap_or(path).display());
    fathom_absint::show(&program, &found).replace(&directory, "")
}

#[test]
fn printed_invariants() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let mut names: Vec<_> = std::fs::read_dir(&directory).expect("programs").map(|e| e.expect("an entry").path()).collect();
    names.retain(|path| path.extension().is_some_and(|extension| extension == "c" || extension == "ir"));
    names.sort();
    assert!(!names.is_empty());
    for path in names {
        insta::assert_snapshot!(path.file_stem().expect("a file").to_string_lossy().as_ref(), invariants_of(&path));
    }
}
