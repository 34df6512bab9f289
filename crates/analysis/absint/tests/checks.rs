//! What intervals can't exclude, in a program whose lines say where that is so.

use fathom_base::{Budget, Loc};
use fathom_frontend_llvm::{DataModel, Options, load};
use fathom_ir::Property;
use fathom_term::TermStore;
use std::collections::BTreeSet;
use std::path::Path;
use std::rc::Rc;

const MARK: &str = "may fail";

#[test]
fn checks_that_may_fail() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/checks/checks.c");
    let properties =
        BTreeSet::from([Property::ValidDeref, Property::ValidFree, Property::NoOverflow, Property::DivByZero, Property::Assertion]);
    let options =
        Options { model: DataModel::Lp64, entry: "main".into(), malloc_may_fail: true, checks: properties.clone(), ..Options::default() };
    let loaded = load(std::slice::from_ref(&path), &options, Rc::new(TermStore::new())).expect("the program compiles");
    let program = Rc::new(fathom_passes::prepare(loaded.program, &properties, Default::default()));
    let is_own = |loc: Loc| loc.is_known() && program.files.path(loc.file).is_some_and(|file| file.ends_with("checks.c"));
    let checks = fathom_absint::checks(&program, &is_own, &Budget::unlimited()).expect("time is not limited");
    let found: BTreeSet<u32> = checks.iter().filter(|check| check.may_fail).map(|check| check.loc.line).collect();
    let source = std::fs::read_to_string(&path).expect("the program is there");
    let expected: BTreeSet<u32> = (1..).zip(source.lines()).filter(|(_, line)| line.contains(MARK)).map(|(number, _)| number).collect();
    assert_eq!(found, expected, "{checks:?}");
    assert!(checks.iter().any(|check| !check.may_fail));
}
