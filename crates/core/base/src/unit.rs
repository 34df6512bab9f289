//! How one file of a program is compiled, where files differ: taken from a build's compile_commands.json.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// Flags of the compiler for one file, and the directory that they are relative to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnitFlags {
    /// Arguments for clang, without the name of the file.
    pub args: Vec<String>,
    /// Relative paths in `args` start here.
    pub directory: PathBuf,
}

/// By file, as the file is named everywhere else.
pub type Units = BTreeMap<PathBuf, UnitFlags>;
