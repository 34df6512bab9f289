//! Sees to it that libz3 is on this machine and tells the crate where.
//!
//! The library is opened at run time (see `src/library.rs`), not linked: a binary that never needs Z3 does not pay for
//! loading 29 MB, needs no run path, and starts even where Z3 is missing. So this script only looks in the places
//! where `scripts/setup` and earlier builds put Z3, and fetches it if it is in none of them.

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The version in `scripts/z3-requirements.txt`.
const DIRECTORY: &str = "z3-5.4.0.0";

fn main() {
    if let Err(error) = run() {
        println!("cargo::error=finding Z3: {error}");
        std::process::exit(1);
    }
}

fn run() -> Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=FATHOM_NATIVE_CACHE");
    let repository = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../..");
    let requirements = repository.join("scripts/z3-requirements.txt");
    println!("cargo::rerun-if-changed={}", requirements.display());
    if !fs::read_to_string(&requirements)?.contains(&DIRECTORY.replace("z3-", "z3-solver==")) {
        return Err("build.rs and scripts/z3-requirements.txt name different versions".into());
    }
    // OUT_DIR is <target>/<profile>/build/<package>-<hash>/out.
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?);
    let target = out.ancestors().nth(4).ok_or("OUT_DIR has an unexpected shape")?.join("native");
    let set_up = repository.join("third_party");
    let cache = env::var_os("FATHOM_NATIVE_CACHE").filter(|value| !value.is_empty()).map(PathBuf::from);
    let preferred = cache.clone().unwrap_or_else(|| target.clone());
    let places = [cache, Some(set_up), Some(target)];
    let found = places.into_iter().flatten().map(|place| place.join(DIRECTORY)).find(|z3| z3.join("complete").exists());
    let z3 = match found {
        Some(z3) => z3,
        None => fetch(&repository.join("scripts/fetch-z3"), preferred.join(DIRECTORY))?,
    };
    let library = z3.join("lib").join(if cfg!(target_os = "macos") { "libz3.dylib" } else { "libz3.so" }).canonicalize()?;
    println!("cargo::rustc-env=FATHOM_Z3_LIBRARY={}", library.display());
    // If the directory was cleared, look again.
    println!("cargo::rerun-if-changed={}", library.display());
    put_beside_binaries(&library, &out);
    Ok(())
}

fn fetch(script: &Path, destination: PathBuf) -> Result<PathBuf> {
    let output = Command::new(script).arg(&destination).output()?;
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{} failed ({}); run scripts/setup", script.display(), why.trim()).into());
    }
    Ok(destination)
}

/// The finished program looks beside itself first, so target/<profile> can be packed up and moved. Not being able to
/// do this is no error: the place above stays known to the program.
fn put_beside_binaries(library: &Path, out: &Path) {
    let (Some(profile), Some(name)) = (out.ancestors().nth(3), library.file_name()) else { return };
    let beside = profile.join(name);
    let same_size = |a: &Path, b: &Path| Some(fs::metadata(a).ok()?.len() == fs::metadata(b).ok()?.len());
    if same_size(library, &beside) != Some(true) {
        let _ = fs::remove_file(&beside);
        if fs::hard_link(library, &beside).is_err() {
            let _ = fs::copy(library, &beside);
        }
    }
}
