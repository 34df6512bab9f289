//! Explorations of the programs in tests/verdicts that are divided wherever they can be: every part is explored from a program that
//! is read anew, as another process would, and goes on from a note in the middle. What the parts say together is what the
//! exploration says that nobody divided, with the same paths.

use fathom_base::Budget;
use fathom_certify::{Certified, NativeMode};
use fathom_driver::{InputConfig, Property, Undefined, load};
use fathom_engine::{Cx, Engine, Part, Progress, ProgressSink, Task, Verdict};
use fathom_engine_explore::Explore;
use fathom_paths::{Prefix, Tree, cover};
use fathom_search::{Beginning, Explorer, Limits, SearchConfig, Searcher, Sharing, Standing};
use fathom_smt::Backend;
use fathom_smt_bitwuzla::BitwuzlaBackend;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

struct Silent;

impl ProgressSink for Silent {
    fn report(&self, _: &Progress) {}
}

/// Wants so many parts, as soon as there are any.
struct Divides {
    beginning: Standing,
    wanted: Cell<usize>,
    handed_on: RefCell<Vec<Prefix>>,
    noted: RefCell<Option<Standing>>,
}

impl Sharing for Divides {
    fn begin(&self) -> Beginning {
        Beginning::Shared(Box::new(self.beginning.clone()))
    }

    fn wanted(&self) -> usize {
        self.wanted.get().min(1)
    }

    fn hand_on(&self, prefix: &Prefix) -> bool {
        self.wanted.set(self.wanted.get() - 1);
        self.handed_on.borrow_mut().push(prefix.clone());
        true
    }

    fn keep(&self, standing: &Standing) {
        *self.noted.borrow_mut() = Some(standing.clone());
    }
}

/// Explores what is left, with everything read anew.
fn explore(file: &Path, searcher: Searcher, beginning: Standing, wanted: usize) -> (Certified, Rc<Divides>) {
    let program = load(&InputConfig::new([file])).unwrap();
    let property =
        if file.extension().is_some_and(|extension| extension == "bpl") { Property::BoogieAssert } else { Property::UnreachCall };
    let properties = BTreeSet::from([property]);
    let program = Rc::new(fathom_passes::prepare(program, &properties, Undefined::Havoc));
    let sharing = Rc::new(Divides { beginning, wanted: Cell::new(wanted), handed_on: RefCell::default(), noted: RefCell::default() });
    let limits = Limits { look_every: Duration::ZERO, ask_every: Duration::ZERO, slice: 50, ..Limits::default() };
    let config = SearchConfig { searcher, limits, ..SearchConfig::default() };
    let engine = Explore(Explorer { config, listener: None, sharing: Some(sharing.clone()) });
    let store = program.terms.clone();
    let backend = move || -> Box<dyn Backend> { Box::new(BitwuzlaBackend::new(store.clone()).unwrap()) };
    let task = Task { program: program.clone(), by_contracts: None, properties: properties.clone() };
    let budget = Budget::unlimited().computing_at_most(Duration::from_secs(1));
    let cx = Cx { budget, backend: &backend, horn: &|| None, progress: &Silent, seed: 0, known: &Default::default() };
    let outcome = engine.run(&task, &cx);
    let skip = NativeMode::Skip(String::new());
    let certified = fathom_certify::check(outcome, &program, &properties, &skip, None, &Budget::unlimited());
    (certified, sharing)
}

fn part(certified: &Certified) -> Option<&Part> {
    certified.outcome.statistics.part.as_ref()
}

fn word(certified: &Certified) -> &'static str {
    match certified.outcome.verdicts.values().next() {
        Some(Verdict::Holds(_)) => "true",
        Some(Verdict::Violated(_)) => "false",
        _ => "unknown",
    }
}

/// Explores everything in parts: their trees by their beginnings, how many paths met others, or the violation.
fn divided(file: &Path, searcher: Searcher) -> Result<(BTreeMap<String, Tree>, u64), String> {
    let (mut trees, mut repeated) = (BTreeMap::new(), 0);
    let mut todo = vec![(Prefix::new(), 3)];
    while let Some((prefix, wanted)) = todo.pop() {
        let (certified, sharing) = explore(file, searcher, Standing::at(prefix.clone()), wanted);
        let handed_on = sharing.handed_on.borrow().clone();
        assert!(handed_on.is_empty() && prefix.is_empty() || word(&certified) != "true", "a part is not the whole: {}", file.display());
        if std::env::var_os("FATHOM_SHARED_ALL").is_some() {
            println!("{}: {} decisions, {}", file.display(), prefix.len(), word(&certified));
        }
        // Whoever goes on from the last note comes to the same end.
        if let Some(standing) = sharing.noted.borrow().clone()
            && word(&certified) != "false"
        {
            let (again, _) = explore(file, searcher, standing, 0);
            let told = |certified: &Certified| part(certified).map(|part| part.tree.part(&part.prefix).unwrap());
            assert!(part(&again).is_none_or(|again| again.repeated > 0) || told(&again) == told(&certified), "{}", file.display());
        }
        let Some(part) = part(&certified) else { return Err(word(&certified).into()) };
        repeated += part.repeated;
        trees.insert(format!("{prefix:?}"), part.tree.clone());
        todo.extend(handed_on.into_iter().map(|prefix| (prefix, 1)));
    }
    Ok((trees, repeated))
}

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/verdicts");
    let wanted = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "c" || extension == "bpl");
    let mut files: Vec<PathBuf> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).filter(wanted).collect();
    files.sort();
    assert!(files.len() > 100, "{}", folder.display());
    files
}

#[test]
fn parts_are_the_whole() {
    let (mut proved, mut violated, mut parts, mut lost) = (0, 0, 0, Vec::new());
    let step = if std::env::var_os("FATHOM_SHARED_ALL").is_some() { 1 } else { 23 };
    for (number, file) in programs().into_iter().step_by(step).enumerate() {
        let text = std::fs::read_to_string(&file).unwrap();
        if text.contains("//! flags:") {
            continue;
        }
        let searcher = [Searcher::Mixed, Searcher::Dfs, Searcher::Bfs][number % 3];
        let (whole, _) = explore(&file, searcher, Standing::at(Prefix::new()), 0);
        if word(&whole) == "unknown" {
            continue;
        }
        match (word(&whole), divided(&file, searcher)) {
            ("false", Err(word)) if word == "false" => violated += 1,
            ("true", Ok((trees, repeated))) => {
                let seen = part(&whole).unwrap();
                let own = seen.tree.part(&[]).unwrap();
                let covered = cover(|prefix| trees.get(&format!("{prefix:?}")).ok_or(())).unwrap();
                assert_eq!(covered.parts, trees.len());
                if seen.repeated + repeated == 0 {
                    assert_eq!((covered.paths, covered.hash), (own.paths, own.hash), "{}", file.display());
                }
                (proved, parts) = (proved + 1, parts + covered.parts);
            }
            // Nobody comes to a part: that is a pity, and no wrong answer.
            ("true" | "false", Err(word)) if word == "unknown" => lost.push(file),
            (word, other) => panic!("{}: {word}, but in parts {:?}", file.display(), other.map(|_| "all ended")),
        }
    }
    println!("{proved} proved in {parts} parts, {violated} violated; lost: {lost:?}");
    assert!(proved > 4 && parts > proved + 4 && violated > 2 && lost.len() * 10 <= proved + violated);
}
