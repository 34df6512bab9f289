//! The C library for analysed programs (`runtime/*.c`), compiled and run natively under other names against the system's
//! C library on random inputs: a million comparisons in a few seconds. `tests/libc/differential.c` has one part for each
//! group of functions and prints the first disagreements of each function.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn run(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

fn must(command: &mut Command) {
    let output = run(command);
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn clang(model: &str, directory: &Path) -> Command {
    let mut command = Command::new("clang-19");
    command.current_dir(directory).args([model, "-O1", "-w", "-fno-builtin"]);
    command
}

/// All models as one object whose symbols start with `model_`.
fn models(model: &str, directory: &Path) -> PathBuf {
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("runtime");
    let mut sources: Vec<PathBuf> = fs::read_dir(&runtime).expect("runtime/").filter_map(|e| Some(e.ok()?.path())).collect();
    // Threads and atomic sections are Fathom's own operations; natively there is nothing to compare them with.
    sources.retain(|path| !["pthread.c", "threads_c11.c", "atomics.c"].iter().any(|name| path.ends_with(name)));
    sources.retain(|path| path.extension().is_some_and(|e| e == "c"));
    sources.sort();
    let unit: String = sources.iter().map(|path| format!("#include \"{}\"\n", path.display())).collect();
    fs::write(directory.join("unit.c"), unit).expect("a writable folder");
    must(clang(model, directory).args(["-ffreestanding", "-c", "unit.c", "-o", "plain.o", "-I"]).arg(&runtime));
    must(Command::new("objcopy").current_dir(directory).args(["--prefix-symbols=model_", "plain.o", "models.o"]));
    directory.join("models.o")
}

#[test]
fn models_agree_with_the_system() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/libc");
    let object = models("-m64", folder.path());
    must(clang("-m64", folder.path()).args(["-c", "-o", "support.o"]).arg(tests.join("support.c")));
    must(
        clang("-m64", folder.path())
            .args([tests.join("differential.c"), tests.join("streams.c")])
            .args(["support.o", "-lm", "-o", "differential"])
            .arg(object),
    );
    let output = run(Command::new(folder.path().join("differential")).current_dir(folder.path()));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}
