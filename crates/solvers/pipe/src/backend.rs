//! Finding solvers on the machine.

use crate::dialect::{Dialect, KNOWN};
use crate::solver::PipeSolver;
use fathom_base::did_you_mean;
use fathom_smt::{Backend, Solver, SolverError};
use fathom_term::TermStore;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::rc::Rc;
use std::time::{Duration, Instant};
use thiserror::Error;

/// Why a solver can't be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotFound {
    /// No dialect has this name.
    #[error("unknown solver `{0}`{meant}; known are: {known}", meant = did_you_mean(.0, KNOWN.map(|dialect| dialect.name)),
        known = KNOWN.map(|dialect| dialect.name).join(", "))]
    Unknown(String),
    /// The solver is known, but its program was not found.
    #[error("`{executable}` (for {solver}) is not on the PATH; install it, or say where it is")]
    NotInstalled {
        /// The name that was asked for.
        solver: String,
        /// The program that was looked for.
        executable: String,
    },
}

/// A solver program.
pub struct PipeBackend {
    store: Rc<TermStore>,
    executable: PathBuf,
    dialect: Dialect,
    version: String,
}

/// The solver of this name, from the PATH.
pub fn find(name: &str, store: &Rc<TermStore>) -> Result<PipeBackend, NotFound> {
    let dialect = Dialect::by_name(name).ok_or_else(|| NotFound::Unknown(name.to_string()))?;
    match on_path(dialect.executable) {
        Some(executable) => Ok(PipeBackend::new(store, &executable, dialect)),
        None => Err(NotFound::NotInstalled { solver: name.to_string(), executable: dialect.executable.to_string() }),
    }
}

/// A known solver, and its version if it is on the PATH.
pub struct Listed {
    /// The name people use.
    pub name: &'static str,
    /// The program that is run.
    pub executable: &'static str,
    /// None: it is not on the PATH.
    pub version: Option<String>,
}

/// All known solvers.
pub fn known() -> Vec<Listed> {
    let list = |dialect: Dialect| {
        let version = on_path(dialect.executable).map(|executable| version_of(&executable));
        Listed { name: dialect.name, executable: dialect.executable, version }
    };
    KNOWN.into_iter().map(list).collect()
}

impl PipeBackend {
    /// A solver at this path, with its dialect.
    pub fn new(store: &Rc<TermStore>, executable: &Path, dialect: Dialect) -> Self {
        let version = version_of(executable);
        Self { store: store.clone(), executable: executable.to_path_buf(), dialect, version }
    }

    /// How this solver is driven.
    pub fn dialect(&self) -> &Dialect {
        &self.dialect
    }
}

impl Backend for PipeBackend {
    fn name(&self) -> String {
        format!("{} ({})", self.dialect.name, self.version)
    }

    fn new_solver(&self) -> Result<Box<dyn Solver>, SolverError> {
        Ok(Box::new(PipeSolver::new(self.store.clone(), self.executable.clone(), self.dialect.clone())))
    }
}

fn on_path(executable: &str) -> Option<PathBuf> {
    let paths = std::env::var_os("PATH")?;
    std::env::split_paths(&paths).map(|folder| folder.join(executable)).find(|file| is_executable(file))
}

fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

/// The first line that `--version` says within two seconds.
fn version_of(executable: &Path) -> String {
    let unknown = "version unknown".to_string();
    let started = Command::new(executable).arg("--version").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let Ok(mut child) = started else { return unknown };
    let deadline = Instant::now() + Duration::from_secs(2);
    while matches!(child.try_wait(), Ok(None)) && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(2));
    }
    let ended = matches!(child.try_wait(), Ok(Some(_)));
    let _ = child.kill();
    let _ = child.wait();
    let mut text = String::new();
    if ended && let Some(stdout) = child.stdout.as_mut() {
        let _ = stdout.take(10_000).read_to_string(&mut text);
    }
    match text.lines().map(str::trim).find(|line| !line.is_empty()) {
        Some(line) => line.to_string(),
        None => unknown,
    }
}
