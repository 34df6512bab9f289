//! Writes files completely or not at all, under unique temporary names, so that two workers may write the same file at
//! the same time.

use crate::error::PlanError;
pub use fathom_base::sha256;
use std::io::Write;
use std::path::Path;

/// What names of files that are being written begin with.
pub const PART: &str = ".fathom-part-";

/// Reads a file.
pub fn read(path: &Path) -> Result<Vec<u8>, PlanError> {
    std::fs::read(path).map_err(|error| PlanError::Unreadable { path: path.to_path_buf(), why: error.to_string() })
}

/// Writes a file. It reaches the disk before it gets its name, so a name stands for the whole content after a power cut as well.
pub fn write_whole(path: &Path, content: &[u8]) -> Result<(), PlanError> {
    let problem = |error: std::io::Error| PlanError::Unwritable { path: path.to_path_buf(), why: error.to_string() };
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(directory).map_err(problem)?;
    let mut file = tempfile::Builder::new().prefix(PART).tempfile_in(directory).map_err(problem)?;
    file.write_all(content).and_then(|()| file.as_file().sync_all()).map_err(problem)?;
    file.persist(path).map_err(|error| problem(error.error))?;
    // Temporary files are readable for their owner alone; a plan is to be copied by anybody who may read its directory.
    readable(path).map_err(problem)
}

fn readable(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o644))
}
