//! The registry of solvers: the two that are linked in, and all installed ones that speak SMT-LIB.

use crate::config::{FloatEncoding, VerifyConfig};
use crate::output::OutDir;
use crate::query_time::Hurried;
use fathom_base::{FxSet, Loc};
use fathom_ir::{Assumption, Program};
use fathom_smt::{Backend, CrossCheck, FloatsAsBits, HornSolver, Logged, QueryLog, Solver, SolverError};
use fathom_smt_bitwuzla::BitwuzlaBackend;
use fathom_smt_pipe::Listed;
use fathom_smt_z3::{Parameter, Spacer, Z3Backend, Z3Options};
use fathom_term::{Term, TermStore};
use std::rc::Rc;
use std::time::Duration;

/// In front of a name: the installed program rather than the library.
const BY_PIPE: &str = "pipe:";

/// The linked solver that takes everything, and an installed one.
const UNBOUNDED: &str = "z3";
const INSTALLED: &str = "cvc5";
/// Another procedure for arithmetic, other choices.
const OTHER_SETTINGS: [(&str, u32); 3] = [("smt.arith.solver", 2), ("smt.random_seed", 7), ("smt.case_split", 0)];

const LINKED: [&str; 2] = ["bitwuzla", "z3"];

/// Makes back ends as the configuration asks for them.
pub(crate) struct Solvers {
    name: String,
    second: Option<&'static str>,
    /// The program has numbers or quantifiers that not every linked solver takes.
    unbounded: bool,
    log: Option<Rc<QueryLog>>,
    query_time: Option<Duration>,
    floats: FloatEncoding,
    store: Rc<TermStore>,
}

impl Solvers {
    /// `suitable` is taken if no other was asked for. Tries the solvers once, so that a wrong name or a missing library is said before the run.
    pub fn new(config: &VerifyConfig, suitable: &str, store: Rc<TermStore>) -> Result<Self, String> {
        let name = config.solver.as_deref().unwrap_or(suitable).to_lowercase();
        let second = config.cross_check.then_some(other_linked(&name).unwrap_or("z3"));
        let log = match &config.dump_queries {
            Some(directory) => {
                OutDir::prepare("--dump-queries", directory)?;
                let log = QueryLog::new(directory, store.clone());
                Some(log.map_err(|error| format!("--dump-queries {}: {error}", directory.display()))?)
            }
            None => None,
        };
        for wanted in [Some(name.as_str()), second].into_iter().flatten() {
            one(wanted, config.fp, &store)?;
        }
        Ok(Self { name, second, unbounded: suitable == UNBOUNDED, log, query_time: config.query_time, floats: config.fp, store })
    }

    /// A name for people.
    pub fn describe(&self) -> String {
        let floats = match self.floats {
            FloatEncoding::Native => String::new(),
            FloatEncoding::Bv => " (floats as bit-vectors)".into(),
            FloatEncoding::Fixed(fixed) => format!(" (floats as fixed point {fixed})"),
        };
        match self.second {
            Some(second) => format!("{} checked by {second}{floats}", self.name),
            None => format!("{}{floats}", self.name),
        }
    }

    /// What the verdict has to say about approximated floats.
    pub fn approximation(&self) -> Option<Assumption> {
        match self.floats {
            FloatEncoding::Fixed(fixed) => Some(Assumption::FixedPoint { integer: fixed.integer, fraction: fixed.fraction }),
            _ => None,
        }
    }

    /// With fixed point all inputs are numbers that it has.
    pub fn restricted(&self, program: Program) -> Program {
        match self.floats {
            FloatEncoding::Fixed(fixed) => crate::fixed_inputs::restrict(&program, fixed),
            FloatEncoding::Native | FloatEncoding::Bv => program,
        }
    }

    /// With fixed point every literal of the user's must have an image: whether a query with it ever reaches the solver is
    /// chance, and the answer must not depend on it.
    pub fn literals_fit(&self, program: &Program) -> Result<(), String> {
        let FloatEncoding::Fixed(fixed) = self.floats else { return Ok(()) };
        let mut places: Vec<(Loc, Term)> = Vec::new();
        for block in program.procedures.iter().filter_map(|procedure| procedure.body.as_ref()).flat_map(|body| &body.blocks) {
            for statement in &block.statements {
                statement.kind.for_each_term(&mut |term| places.push((statement.loc, term)));
            }
            block.terminator.kind.for_each_term(&mut |term| places.push((block.terminator.loc, term)));
        }
        // What has no place is the C library's.
        places.retain(|(loc, _)| loc.is_known());
        places.reverse();
        let mut seen = FxSet::default();
        while let Some((loc, term)) = places.pop() {
            if let Some(why) = fixed.rejects(&self.store, term) {
                return Err(format!("--fp fixed:{fixed}: {why} ({})", program.files.show(loc)));
            }
            if seen.insert(term) {
                places.extend(self.store.args(term).iter().map(|&part| (loc, part)));
            }
        }
        Ok(())
    }

    /// The one linked solver of Horn clauses.
    pub fn horn(&self) -> Option<Box<dyn HornSolver>> {
        Some(Box::new(Spacer::new(self.store.clone()).ok()?))
    }

    /// A back end of the chosen kind.
    pub fn make(&self) -> Box<dyn Backend> {
        let mut backend = one(&self.name, self.floats, &self.store).unwrap_or_else(|why| Box::new(Absent(why)));
        if let Some(second) = self.second {
            let second = one(second, self.floats, &self.store).unwrap_or_else(|why| Box::new(Absent(why)));
            backend = Box::new(CrossCheck::new(backend, second));
        }
        if let Some(time) = self.query_time {
            backend = Box::new(Hurried::new(backend, time));
        }
        match &self.log {
            Some(log) => Box::new(Logged::new(backend, log.clone())),
            None => backend,
        }
    }

    /// Whether only some solvers know what the program speaks of.
    pub fn is_unbounded(&self) -> bool {
        self.unbounded
    }

    /// A solver that `make` doesn't use, to check its answers again: a linked one, or where that doesn't know what the
    /// program speaks of, an installed one. If there is none, the same one with other settings: its name says so.
    pub fn another(&self) -> Option<Box<dyn Backend>> {
        let used = [Some(self.name.as_str()), self.second];
        if self.unbounded {
            let mut others = [INSTALLED, UNBOUNDED].into_iter().filter(|name| !used.contains(&Some(*name)));
            return others.find_map(|name| one(name, self.floats, &self.store).ok()).or_else(|| self.with_other_settings());
        }
        // Our translation of floats is checked by a theory of floats; an approximation can only be checked as such.
        let floats = if self.floats == FloatEncoding::Bv { FloatEncoding::Native } else { self.floats };
        LINKED.iter().filter(|name| !used.contains(&Some(**name))).find_map(|name| one(name, floats, &self.store).ok())
    }

    fn with_other_settings(&self) -> Option<Box<dyn Backend>> {
        let parameters = OTHER_SETTINGS.map(|(name, value)| (name.to_string(), Parameter::Number(value))).to_vec();
        let options = Z3Options { parameters, ..Z3Options::default() };
        Some(Box::new(Z3Backend::with_options(self.store.clone(), options).ok()?))
    }

    /// What became of the query log, for people.
    pub fn log_note(&self) -> Option<String> {
        let log = self.log.as_ref()?;
        log.failure().map(|why| format!("the query log ended early: {why}"))
    }
}

/// The solver of a name. One that knows no floats never gets to see any.
fn one(name: &str, floats: FloatEncoding, store: &Rc<TermStore>) -> Result<Box<dyn Backend>, String> {
    let failed = |error: SolverError| format!("the solver {name} can't be used: {error}");
    let (backend, knows_floats): (Box<dyn Backend>, bool) = match name {
        "bitwuzla" => (Box::new(BitwuzlaBackend::new(store.clone()).map_err(failed)?), true),
        "z3" => (Box::new(Z3Backend::new(store.clone()).map_err(failed)?), true),
        _ => {
            let program = name.strip_prefix(BY_PIPE).unwrap_or(name);
            let found = fathom_smt_pipe::find(program, store);
            let found = found.map_err(|error| format!("--solver {name}: {error}; `fathom solvers` lists what there is"))?;
            let knows_floats = found.dialect().floats;
            (Box::new(found), knows_floats)
        }
    };
    Ok(match floats {
        FloatEncoding::Fixed(fixed) => Box::new(FloatsAsBits::fixed(backend, store.clone(), fixed)),
        FloatEncoding::Native if knows_floats => backend,
        _ => Box::new(FloatsAsBits::new(backend, store.clone())),
    })
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
pub(crate) fn other_linked(name: &str) -> Option<&'static str> {
    match name.to_lowercase().as_str() {
        "bitwuzla" => Some("z3"),
        "z3" => Some("bitwuzla"),
        _ => None,
    }
}

/// One line per solver: name, version, how it is reached.
pub fn solver_list() -> String {
    let store = Rc::new(TermStore::new());
    let mut text = String::new();
    for name in LINKED {
        match one(name, FloatEncoding::Native, &store) {
            Ok(backend) => text += &format!("{name:10} linked in: {}\n", backend.name()),
            Err(why) => text += &format!("{name:10} {why}\n"),
        }
    }
    for Listed { name, executable, version } in fathom_smt_pipe::known() {
        let linked = LINKED.contains(&name);
        let flag = if linked { format!("{BY_PIPE}{name}") } else { name.to_string() };
        match version {
            Some(version) => text += &format!("{flag:10} installed: {version}\n"),
            None if linked => {}
            None => text += &format!("{flag:10} not found: no `{executable}` on the PATH\n"),
        }
    }
    text
}
