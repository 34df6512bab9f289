//! The solvers that the command line knows: two that are linked in, and every installed one that speaks SMT-LIB.

use crate::args::VerifyArgs;
use crate::output::OutDir;
use fathom_smt::{Backend, CrossCheck, Logged, QueryLog, Solver, SolverError};
use fathom_smt_bitwuzla::BitwuzlaBackend;
use fathom_smt_z3::Z3Backend;
use fathom_term::TermStore;
use std::rc::Rc;

/// In front of a name: the installed program rather than the library.
const BY_PIPE: &str = "pipe:";

const LINKED: [&str; 2] = ["bitwuzla", "z3"];

/// Makes back ends as the flags ask for them.
pub struct Solvers {
    name: String,
    second: Option<&'static str>,
    log: Option<Rc<QueryLog>>,
    store: Rc<TermStore>,
}

impl Solvers {
    /// `suitable` is taken if nobody asked for another. Tries the solvers once, so that a wrong name or a missing library is said before the run.
    pub fn new(arguments: &VerifyArgs, suitable: &str, store: Rc<TermStore>) -> Result<Self, String> {
        let name = arguments.solver.as_deref().unwrap_or(suitable).to_lowercase();
        let second = arguments.cross_check.then_some(other_linked(&name).unwrap_or("z3"));
        let log = match &arguments.dump_queries {
            Some(directory) => {
                OutDir::prepare("--dump-queries", directory)?;
                let log = QueryLog::new(directory, store.clone());
                Some(log.map_err(|error| format!("--dump-queries {}: {error}", directory.display()))?)
            }
            None => None,
        };
        for wanted in [Some(name.as_str()), second].into_iter().flatten() {
            one(wanted, &store)?;
        }
        Ok(Self { name, second, log, store })
    }

    /// A name for people.
    pub fn describe(&self) -> String {
        match self.second {
            Some(second) => format!("{} checked by {second}", self.name),
            None => self.name.clone(),
        }
    }

    pub fn make(&self) -> Box<dyn Backend> {
        let mut backend = one(&self.name, &self.store).unwrap_or_else(|why| Box::new(Absent(why)));
        if let Some(second) = self.second {
            let second = one(second, &self.store).unwrap_or_else(|why| Box::new(Absent(why)));
            backend = Box::new(CrossCheck::new(backend, second));
        }
        match &self.log {
            Some(log) => Box::new(Logged::new(backend, log.clone())),
            None => backend,
        }
    }

    /// A linked solver that `make` doesn't use, to check its answers again.
    pub fn another(&self) -> Option<Box<dyn Backend>> {
        let used = [Some(self.name.as_str()), self.second];
        LINKED.iter().filter(|name| !used.contains(&Some(**name))).find_map(|name| one(name, &self.store).ok())
    }

    /// What became of the query log, for people.
    pub fn log_note(&self) -> Option<String> {
        let log = self.log.as_ref()?;
        log.failure().map(|why| format!("the query log ended early: {why}"))
    }
}

fn one(name: &str, store: &Rc<TermStore>) -> Result<Box<dyn Backend>, String> {
    let failed = |error: SolverError| format!("the solver {name} can't be used: {error}");
    match name {
        "bitwuzla" => Ok(Box::new(BitwuzlaBackend::new(store.clone()).map_err(failed)?)),
        "z3" => Ok(Box::new(Z3Backend::new(store.clone()).map_err(failed)?)),
        _ => {
            let program = name.strip_prefix(BY_PIPE).unwrap_or(name);
            let found = fathom_smt_pipe::find(program, store);
            Ok(Box::new(found.map_err(|error| format!("--solver {name}: {error}; `fathom solvers` lists what there is"))?))
        }
    }
}

/// A solver that worked at the start and no longer does: every query is unknown.
struct Absent(String);

impl Backend for Absent {
    fn name(&self) -> String {
        "none".into()
    }

    fn new_solver(&self) -> Result<Box<dyn Solver>, SolverError> {
        Err(SolverError::Failed(self.0.clone()))
    }
}

/// The other solver library, for a name of one of the two.
pub fn other_linked(name: &str) -> Option<&'static str> {
    match name.to_lowercase().as_str() {
        "bitwuzla" => Some("z3"),
        "z3" => Some("bitwuzla"),
        _ => None,
    }
}

/// One line per solver: name, version, how it is reached.
pub fn list() -> String {
    let store = Rc::new(TermStore::new());
    let mut text = String::new();
    for name in LINKED {
        match one(name, &store) {
            Ok(backend) => text += &format!("{name:10} linked in: {}\n", backend.name()),
            Err(why) => text += &format!("{name:10} {why}\n"),
        }
    }
    for (name, version) in fathom_smt_pipe::available() {
        let flag = if LINKED.contains(&name) { format!("{BY_PIPE}{name}") } else { name.to_string() };
        text += &format!("{flag:10} installed: {version}\n");
    }
    text
}
