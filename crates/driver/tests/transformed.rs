//! What `coarse` and `invariants` make of the programs in tests/verdicts is justified by certify's rules, whatever the verdict
//! is: a rule that is too narrow would cost right proofs.

use fathom_base::Budget;
use fathom_certify::NativeMode;
use fathom_driver::{DataModel, InputConfig, Program, Property, Undefined, load};
use fathom_engine::{Books, Explored, Ledger, Outcome, Proof, Statistics, Verdict};
use fathom_ir::{Assumption, Transformed};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Why a proof about the transformed program would not stand for the original.
fn refusal(program: &Rc<Program>, explored: Explored, properties: &[Property]) -> Option<String> {
    let proof =
        Proof::AllPathsEnded { explored, books: Books { started: 1, ended: 1, ..Books::default() }, refutations: Default::default() };
    let proof = Rc::new(proof);
    let verdicts: BTreeMap<_, _> = properties.iter().map(|&property| (property, Verdict::Holds(proof.clone()))).collect();
    let mut ledger = Ledger::default();
    let without_body = program.procedures.iter().filter(|procedure| procedure.body.is_none());
    let functions = without_body.map(|procedure| Assumption::FunctionWithoutBody { name: procedure.name.clone() });
    functions.chain([Assumption::ValidMemory, Assumption::MatchingCalls]).for_each(|assumption| ledger.note(assumption));
    let outcome = Outcome { verdicts, ledger, statistics: Statistics::default() };
    let properties = properties.iter().copied().collect::<BTreeSet<_>>();
    let skip = NativeMode::Skip(String::new());
    let certified = fathom_certify::check(outcome, program, &properties, &skip, None, &Budget::unlimited());
    certified.outcome.verdicts.into_values().find_map(|verdict| match verdict {
        Verdict::Unknown(why) => Some(why.to_string()),
        _ => None,
    })
}

fn programs(folder: &str, extension: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/verdicts").join(folder);
    let files = folder.read_dir().unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|found| found == extension)).collect();
    files.sort();
    assert!(files.len() > 10, "{}", folder.display());
    files
}

/// Every third, for it is clang that takes the time.
#[test]
fn coarser_programs() {
    let mut compared = 0;
    for file in ["", "unbounded", "corners"].into_iter().flat_map(|folder| programs(folder, "c")).step_by(3) {
        let mut input = InputConfig::new([file.clone()]);
        if std::fs::read_to_string(&file).unwrap().contains("//! flags: --32") {
            input.model = DataModel::Ilp32;
        }
        let Ok(program) = load(&input) else { continue };
        if program.uses_threads() {
            continue;
        }
        for properties in [&[Property::UnreachCall][..], &[Property::UnreachCall, Property::NoOverflow, Property::DivByZero]] {
            let wanted = properties.iter().copied().collect();
            let prepared = Rc::new(fathom_passes::prepare(program.clone(), &wanted, Undefined::Havoc));
            let explored = Explored::Coarser(Rc::new(fathom_passes::coarsen(&prepared)));
            assert_eq!(refusal(&prepared, explored, properties), None, "{}", file.display());
            compared += 1;
        }
    }
    assert!(compared > 300, "{compared} programs");
}

#[test]
fn programs_with_cut_loops() {
    let mut compared = 0;
    for file in programs("", "bpl") {
        let Ok(program) = load(&InputConfig::new([file.clone()])) else { continue };
        let program = Rc::new(program);
        let Some(cut) = fathom_passes::cut_loops(&program) else { continue };
        let explored = Explored::CutLoops(Rc::new(Transformed { program: Rc::new(cut.program), added: cut.added }));
        assert_eq!(refusal(&program, explored, &[Property::BoogieAssert]), None, "{}", file.display());
        compared += 1;
    }
    assert!(compared > 20, "{compared} programs");
}
