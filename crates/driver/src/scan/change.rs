//! What changed since a revision, as git says it: files with changes, committed or not, and every unit that reads one of them.

use crate::scan::analyzer::Call;
use crate::scan::code_base::CodeBase;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

/// The numbers of units that changed, or that include something that did.
pub(crate) fn changed_units(code: &CodeBase, revision: &str) -> Result<BTreeSet<usize>, String> {
    let changed = changed_files(revision)?;
    let is_changed = |(index, unit): (usize, &crate::scan::code_base::Unit)| {
        let flags = unit.flags.as_ref().ok()?;
        let includes = (Call { file: &unit.file, flags, model: "-m64" }).included();
        // A file whose includes can't be found out counts as changed.
        let depends = includes.is_none_or(|files| files.iter().any(|file| changed.contains(file)));
        depends.then_some(index)
    };
    Ok(code.units.iter().enumerate().filter_map(is_changed).collect())
}

fn changed_files(revision: &str) -> Result<BTreeSet<PathBuf>, String> {
    if revision.starts_with('-') {
        return Err(format!("--since {revision}: not a revision"));
    }
    let top = PathBuf::from(git(revision, &["rev-parse", "--show-toplevel"])?.trim_end());
    let differ = git(revision, &["diff", "--name-only", "--no-renames", "-z", revision, "--"])?;
    let fresh = git(revision, &["ls-files", "--others", "--exclude-standard", "--full-name", "-z"])?;
    let names = differ.split('\0').chain(fresh.split('\0')).filter(|name| !name.is_empty());
    Ok(names.map(|name| top.join(name)).map(|path| path.canonicalize().unwrap_or(path)).collect())
}

fn git(revision: &str, arguments: &[&str]) -> Result<String, String> {
    let output = Command::new("git").args(arguments).output().map_err(|error| format!("--since {revision}: git can't be run: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).lines().next().unwrap_or_default().to_string();
        return Err(format!("--since {revision}: {said}"));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
