//! The programs of `tests/verdicts`: what the front end makes of them is well formed, and its text form reads back.

use fathom_frontend_llvm::{DataModel, Options, load};
use fathom_ir::{parse_program, print_program, validate};
use fathom_term::TermStore;
use std::path::Path;
use std::rc::Rc;

#[test]
fn real_programs_survive_the_text_form() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/verdicts");
    let mut files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    assert!(!files.is_empty());
    let mut translated = 0;
    for (index, file) in files.iter().enumerate() {
        let model = if index % 2 == 0 { DataModel::Lp64 } else { DataModel::Ilp32 };
        let options = Options { model, ..Options::default() };
        let Ok(loaded) = load(std::slice::from_ref(file), &options, Rc::new(TermStore::new())) else { continue };
        translated += 1;
        let name = file.display();
        validate(&loaded.program).unwrap_or_else(|error| panic!("{name}: {error}"));
        let printed = print_program(&loaded.program);
        let again = parse_program(&printed).unwrap_or_else(|error| panic!("{name}: {error}\n{printed}"));
        validate(&again).unwrap_or_else(|error| panic!("{name}, read back: {error}"));
        assert!(print_program(&again) == printed, "{name} changed on the way");
    }
    assert!(translated * 10 > files.len() * 8, "only {translated} of {} could be translated", files.len());
}
