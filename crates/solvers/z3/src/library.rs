//! Finds libz3 and opens it: beside the running program, in `lib/fathom` next to the program's directory (where a
//! package would install it), and last where the build found it. Opening at run time instead of linking lets a program
//! start, and answer questions that need no Z3, where Z3 is missing.
//!
//! The library is opened once per process and never closed. `RTLD_DEEPBIND` keeps its own symbols in front of those of
//! another Z3 that something else (a dynamically linked LLVM, for one) may have loaded.

use crate::api::Api;
use libloading::Library;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Z3's functions, or why the library cannot be loaded.
pub(crate) fn api() -> Result<&'static Api, String> {
    static API: OnceLock<Result<Api, String>> = OnceLock::new();
    API.get_or_init(load).as_ref().map_err(Clone::clone)
}

fn load() -> Result<Api, String> {
    let path = candidates().into_iter().find(|path| path.exists()).ok_or_else(|| {
        let tried: Vec<String> = candidates().iter().map(|path| path.display().to_string()).collect();
        format!("libz3 was not found; looked for {}", tried.join(", "))
    })?;
    let library = open(&path).map_err(|error| format!("cannot open {}: {error}", path.display()))?;
    // SAFETY: the names and signatures in `api.rs` are those of Z3's public C interface.
    unsafe { Api::load(library) }.map_err(|error| format!("{} is not the Z3 expected: {error}", path.display()))
}

fn candidates() -> Vec<PathBuf> {
    let built_with = PathBuf::from(env!("FATHOM_Z3_LIBRARY"));
    let name = built_with.file_name().unwrap_or_default().to_owned();
    let mut places = Vec::new();
    if let Some(directory) = std::env::current_exe().ok().as_deref().and_then(Path::parent) {
        places.push(directory.join(&name));
        places.push(directory.join("../lib/fathom").join(&name));
    }
    places.push(built_with);
    places
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn open(path: &Path) -> Result<Library, libloading::Error> {
    const RTLD_NOW: i32 = 0x2;
    const RTLD_DEEPBIND: i32 = 0x8;
    // SAFETY: Z3's initialisers do nothing beyond setting up its own state.
    unsafe { libloading::os::unix::Library::open(Some(path), RTLD_NOW | RTLD_DEEPBIND) }.map(Library::from)
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn open(path: &Path) -> Result<Library, libloading::Error> {
    // SAFETY: as above.
    unsafe { Library::new(path) }
}
