//! Files with the same name in several directories. In profiles, clang names a static function by its file's name,
//! without the directory, and its own; if two have the same name, the linker keeps only one of them, and the coverage
//! of the other is lost. So such files are compiled under their full paths, both for the exploration and for the
//! coverage build.

use fathom_base::{UnitFlags, Units};
use std::path::PathBuf;

/// Adds flags that keep apart files with equal names.
pub(crate) fn told_apart(files: &[PathBuf], units: &Units) -> Units {
    let mut units = units.clone();
    for file in files {
        if files.iter().filter(|other| other.file_name() == file.file_name()).count() < 2 {
            continue;
        }
        let whole = std::path::absolute(file).unwrap_or_else(|_| file.clone()).display().to_string();
        let here = || UnitFlags { directory: std::env::current_dir().unwrap_or_default(), ..UnitFlags::default() };
        let unit = units.entry(file.clone()).or_insert_with(here);
        unit.args.extend(["-Xclang", "-main-file-name", "-Xclang", &whole].map(String::from));
    }
    units
}
