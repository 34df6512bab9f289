//! Runs the built binary as a user would, in a directory of its own, and checks what every run promises: the last line
//! is a verdict, the exit code is a documented one, there is no backtrace, and nothing temporary stays behind.

#![allow(dead_code, reason = "each test file uses a part of this")]

pub mod standards;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub struct Run {
    pub stdout: String,
    pub stderr: String,
    pub code: i32,
}

impl Run {
    pub fn verdict(&self) -> &str {
        let last = self.stdout.lines().last().unwrap_or_default();
        last.strip_prefix("VERDICT ").unwrap_or_else(|| panic!("no verdict line:\n{}\n{}", self.stdout, self.stderr))
    }
}

pub const CODES: [i32; 12] = [0, 2, 3, 10, 19, 20, 21, 22, 23, 24, 25, 70];

pub struct Bench {
    directory: tempfile::TempDir,
}

impl Bench {
    pub fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        std::fs::create_dir(directory.path().join("tmp")).unwrap();
        std::fs::create_dir(directory.path().join("work")).unwrap();
        Self { directory }
    }

    /// Where the user's files are.
    pub fn path(&self) -> PathBuf {
        self.directory.path().join("work")
    }

    pub fn temporary(&self) -> PathBuf {
        self.directory.path().join("tmp")
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    pub fn command(&self, arguments: &[impl AsRef<OsStr>]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
        command.args(arguments).current_dir(self.path()).env("TMPDIR", self.temporary());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// `fathom verify ...`, with the promises checked.
    pub fn verify(&self, arguments: &[impl AsRef<OsStr>]) -> Run {
        let mut all: Vec<&OsStr> = vec![OsStr::new("verify")];
        all.extend(arguments.iter().map(AsRef::as_ref));
        let run = self.run(&all);
        let verdict = run.verdict();
        assert!(
            matches!(verdict, "true" | "true within bounds") || verdict.starts_with("false(") || verdict.starts_with("unknown("),
            "{verdict}"
        );
        assert!(CODES.contains(&run.code), "exit code {}\n{}", run.code, run.stderr);
        run
    }

    pub fn run(&self, arguments: &[impl AsRef<OsStr>]) -> Run {
        let output = self.command(arguments).output().unwrap();
        let run = Run {
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            code: output.status.code().unwrap_or(-1),
        };
        self.check_promises(&run);
        run
    }

    pub fn check_promises(&self, run: &Run) {
        for word in ["panicked at", "RUST_BACKTRACE", "stack backtrace"] {
            assert!(!run.stderr.contains(word) && !run.stdout.contains(word), "{}", run.stderr);
        }
        assert_eq!(files_in(&self.temporary()), Vec::<String>::new(), "temporary files were left behind");
    }
}

pub fn files_in(directory: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}
