//! Alarms of clang's static analyzer for one file: every checker that is on by default, with their paths as SARIF.
//! Paths are complete (`prune-paths=false`), because they are to be followed.

use fathom_base::UnitFlags;
use fathom_clang::{TOLERANT, is_cpp, standard};
use fathom_scan::{Alarm, read_sarif};
use std::path::{Path, PathBuf};

/// What clang's analyzer is called where we ran it.
pub(crate) const ANALYZER: &str = "clang-analyzer";

const CONFIG: [&str; 1] = ["prune-paths=false"];

/// How clang is called for a file of the code base.
pub(crate) struct Call<'a> {
    /// The file.
    pub file: &'a Path,
    /// Its flags.
    pub flags: &'a UnitFlags,
    /// The flag for the data model.
    pub model: &'a str,
}

impl Call<'_> {
    /// Clang with the file's own flags and these.
    pub fn command(&self, flags: &[&str]) -> Result<std::process::Command, String> {
        let name = fathom_clang::found().ok_or("clang 19 was not found; `fathom doctor` says how to install it")?;
        let mut command = fathom_clang::command(name);
        command.args(flags).args(TOLERANT).args(standard(self.file, &self.flags.args)).arg(self.model).args(&self.flags.args);
        command.args(["-x", if is_cpp(self.file) { "c++" } else { "c" }, "--"]).arg(self.file);
        if self.flags.directory.is_dir() {
            command.current_dir(&self.flags.directory);
        }
        Ok(command)
    }

    /// The file as the compiler sees it.
    pub fn preprocessed(&self) -> Result<String, String> {
        let output = self.command(&["-E", "-w"])?.output().map_err(|error| error.to_string())?;
        match output.status.success() {
            true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
            false => Err(first_error(&output.stderr)),
        }
    }

    /// The file and everything that it includes, if clang can tell.
    pub fn included(&self) -> Option<Vec<PathBuf>> {
        let output = self.command(&["-M", "-w"]).ok()?.output().ok().filter(|output| output.status.success())?;
        let text = String::from_utf8_lossy(&output.stdout).replace("\\\n", " ");
        let (_, files) = text.split_once(": ")?;
        let whole = |name: &str| self.flags.directory.join(name);
        let files = files.replace("\\ ", "\u{1}");
        let files = files.split_whitespace().map(|name| whole(&name.replace('\u{1}', " ")));
        Some(files.map(|path| path.canonicalize().unwrap_or(path)).collect())
    }

    /// The analyzer's alarms.
    pub fn alarms(&self) -> Result<Vec<Alarm>, String> {
        let directory = tempfile::tempdir().map_err(|error| format!("no temporary directory: {error}"))?;
        let log = directory.path().join("alarms.sarif");
        let mut flags = vec!["--analyze", "-w", "-Wno-unused-command-line-argument", "--analyzer-output", "sarif"];
        CONFIG.iter().for_each(|config| flags.extend(["-Xclang", "-analyzer-config", "-Xclang", config]));
        let path = log.display().to_string();
        flags.extend(["-o", &path]);
        let output = self.command(&flags)?.output().map_err(|error| error.to_string())?;
        if !output.status.success() {
            return Err(first_error(&output.stderr));
        }
        // Clang writes no log where it has nothing to analyse.
        let Ok(text) = std::fs::read_to_string(&log) else { return Ok(Vec::new()) };
        let mut alarms =
            read_sarif(&text, &self.flags.directory).map_err(|why| format!("clang's analyzer wrote a log that can't be read: {why}"))?;
        alarms.iter_mut().for_each(|alarm| alarm.tool = ANALYZER.into());
        Ok(alarms)
    }
}

/// The first error that clang printed.
fn first_error(diagnostics: &[u8]) -> String {
    let text = String::from_utf8_lossy(diagnostics);
    fathom_clang::first_error(&text).unwrap_or("clang failed without a message").to_string()
}
