//! What the analysis says must be true of every run: C programs (those with known verdicts, and random ones) run on the
//! concrete interpreter with random inputs, and at every visit of a loop head every invariant is evaluated.

use fathom_base::Budget;
use fathom_frontend_llvm::{DataModel, Options, load};
use fathom_ir::{BlockId, Invariant, Invariants, LoopHead, ProcId, Program, Property};
use fathom_machine::{Advance, Machine, MachineConfig, Mode, Origin, Recorder, State};
use fathom_randprog::generate;
use fathom_term::sample::{Sampler, Theories};
use fathom_term::{Evaluator, FloatFormat, Model, Sort, TermStore, Value, VarId};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

const STEPS: u64 = 8_000;
const INPUTS: u32 = 300;

fn program_of(path: &Path, model: DataModel, properties: &BTreeSet<Property>) -> Option<Rc<Program>> {
    let options = Options { model, clang_args: vec!["-w".into()], entry: "main".into(), ..Options::default() };
    let loaded = load(&[path.to_path_buf()], &options, Rc::new(TermStore::new())).ok()?;
    Some(Rc::new(fathom_passes::prepare(loaded.program, properties, Default::default())))
}

/// Values for every input that a run may ask for, small ones often.
fn inputs(store: &TermStore, seed: u64) -> BTreeMap<String, Value> {
    let mut sampler = Sampler::new(store, seed, Theories { arrays: false, floats: true, numbers: false }, 64);
    let mut symbols = BTreeMap::new();
    for number in 0..INPUTS {
        for width in [8, 16, 32, 64] {
            let small = Value::Bits((sampler.random.below(24) as i64 - 4) as u64 & fathom_term::mask(width));
            let value = if sampler.random.chance(70) { small } else { sampler.value(Sort::Bv(width)) };
            symbols.insert(format!("in{number}.bv{width}"), value);
        }
        for (tag, format) in [("fp24e8", FloatFormat::SINGLE), ("fp53e11", FloatFormat::DOUBLE)] {
            symbols.insert(format!("in{number}.{tag}"), sampler.value(Sort::Float(format)));
        }
    }
    symbols
}

/// Values of the variables that conditions may speak of, in a concrete state.
fn model_of(machine: &mut Machine, state: &State) -> Model {
    let program = machine.program.clone();
    let mut model = Model::default();
    let frame = state.frame();
    for (local, value) in program.procedures[frame.proc as usize].locals.iter().zip(frame.locals.iter()) {
        if let (true, Some(bits)) = (local.sort.is_small(), value.flat(&machine.book)) {
            model.values.insert(local.id, Value::Bits(bits));
        }
    }
    for (site, object) in program.objects.iter().enumerate() {
        let origin = Origin { site: site as u32, occurrence: 0 };
        if let (Some(var), Ok(key)) = (program.terms.as_var(object.address), machine.book.object(origin, Some(object.size), object.align)) {
            model.values.insert(var, Value::Bits(machine.book.base(key)));
        }
    }
    model
}

/// The bytes of a cell, if they are known.
fn cell_value(machine: &mut Machine, state: &State, address: u64, bytes: u64) -> Option<Value> {
    let object = machine.book.object_at(address)?;
    let found = state.memory.get(object)?;
    let offset = address - machine.book.base(object);
    let bits = found
        .contents
        .read_concrete(offset, bytes)
        .or_else(|| found.contents.read_cell(offset, bytes).and_then(|value| value.flat(&machine.book)))?;
    Some(Value::Bits(bits))
}

/// Whether an invariant holds; None if a cell that it speaks of has no concrete value.
fn holds(machine: &mut Machine, state: &State, model: &Model, invariant: &Invariant) -> Option<bool> {
    let store = machine.store.clone();
    let mut model = model.clone();
    for cell in &invariant.cells {
        let address = Evaluator::new(model.clone()).eval(&store, cell.pointer)?.to_u64()?;
        let value = cell_value(machine, state, address, cell.bytes)?;
        model.values.insert(cell.var, value);
    }
    let mentioned: Vec<VarId> = fathom_term::smtlib::Symbols::of(&store, &[invariant.condition]).vars.into_iter().collect();
    if mentioned.iter().any(|var| !model.values.contains_key(var)) {
        return None;
    }
    Evaluator::new(model).holds(&store, invariant.condition)
}

/// Runs once; how many invariants were evaluated, or the first that was wrong.
fn run(program: &Rc<Program>, invariants: &Invariants, properties: &BTreeSet<Property>, seed: u64) -> Result<u64, String> {
    let choices: Vec<u32> = (0..4096).map(|n| (seed as u32 + n).wrapping_mul(2_654_435_761) >> 20 & 1).collect();
    let mode = Mode::Replay {
        schedule: Default::default(),
        symbols: inputs(&program.terms, seed),
        values: Rc::new(Evaluator::new(Model::default())),
        choices: choices.into_iter(),
        layout: Vec::new(),
        recorder: Recorder::default(),
        chosen: None,
    };
    let mut machine = Machine::new(program.clone(), properties.clone(), mode, Budget::unlimited(), MachineConfig::default());
    let Ok(mut state) = machine.initial_state() else { return Ok(0) };
    let mut checked = 0;
    loop {
        let frame = state.frame();
        let (procedure, block) = (frame.proc, frame.block);
        let is_head = machine.code.procs[procedure as usize].blocks[block as usize].is_loop_head;
        if frame.index == 0 && is_head {
            let model = model_of(&mut machine, &state);
            for invariant in invariants.of(LoopHead { procedure: ProcId(procedure), block: BlockId(block) }) {
                match holds(&mut machine, &state, &model, invariant) {
                    Some(true) => checked += 1,
                    Some(false) => {
                        let text = fathom_term::smtlib::print_term(&machine.store, invariant.condition);
                        let name = &program.procedures[procedure as usize].name;
                        return Err(format!("{text} at {name} b{block} with seed {seed}"));
                    }
                    None => {}
                }
            }
        }
        match machine.advance(&mut state, 1) {
            Advance::Running | Advance::LoopHead if state.search.steps < STEPS && machine.found.violations.is_empty() => {}
            _ => return Ok(checked),
        }
    }
}

fn check(path: &Path, model: DataModel, seeds: std::ops::Range<u64>) -> Result<u64, String> {
    let properties = BTreeSet::from([Property::UnreachCall, Property::Assertion]);
    let Some(program) = program_of(path, model, &properties) else { return Ok(0) };
    let Ok(invariants) = fathom_absint::invariants(&program, &Budget::unlimited()) else { return Ok(0) };
    if invariants.is_empty() {
        return Ok(0);
    }
    let mut checked = 0;
    for seed in seeds {
        checked += run(&program, &invariants, &properties, seed).map_err(|wrong| format!("{}: {wrong}", path.display()))?;
    }
    Ok(checked)
}

fn c_files(directory: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(directory) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    files
}

#[test]
fn programs_with_known_verdicts() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/verdicts");
    let files: Vec<PathBuf> = c_files(&root).into_iter().chain(c_files(&root.join("unbounded"))).collect();
    assert!(files.len() > 100, "the programs are missing");
    let (mut wrong, mut checked) = (Vec::new(), 0);
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        if !text.contains("for (") && !text.contains("while (") && !text.contains("goto") {
            continue;
        }
        let model = if text.contains("//! flags: --32") { DataModel::Ilp32 } else { DataModel::Lp64 };
        match check(&path, model, 0..5) {
            Ok(count) => checked += count,
            Err(why) => wrong.push(why),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(checked > 10_000, "only {checked} evaluations");
}

#[test]
fn random_programs() {
    let directory = tempfile::tempdir().expect("a directory");
    let (mut wrong, mut checked) = (Vec::new(), 0);
    for seed in 0..25 {
        let program = generate(seed, &Default::default());
        // With any inputs; where they lead to undefined behaviour the run ends.
        let free = program.safe_source(0).replace("__VERIFIER_assume(x", "(void)(x");
        for (variant, source, runs) in [("free", free, 4), ("native", program.native_source(), 1)] {
            let path = directory.path().join(format!("{seed}-{variant}.c"));
            std::fs::write(&path, source).expect("a file");
            match check(&path, DataModel::Lp64, 0..runs) {
                Ok(count) => checked += count,
                Err(why) => wrong.push(why),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(checked > 1_000, "only {checked} evaluations");
}
