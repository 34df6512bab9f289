//! Compiles the run-time library (`runtime/*.c`) to bitcode for both data models, and lists the functions in it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=runtime");
    println!("cargo::rerun-if-changed=build.rs");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let mut sources: Vec<PathBuf> = fs::read_dir("runtime")
        .expect("the folder runtime/")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .collect();
    sources.sort();
    // One translation unit, so that one file of bitcode holds everything.
    let unit = out.join("runtime.c");
    fs::write(&unit, sources.iter().map(|path| format!("#include \"{}\"\n", file_name(path))).collect::<String>())
        .expect("a writable build folder");
    for bits in ["32", "64"] {
        compile(&unit, bits, "-c", &out.join(format!("runtime{bits}.bc")));
    }
    let assembly = out.join("runtime.ll");
    compile(&unit, "64", "-S", &assembly);
    let assembly = fs::read_to_string(assembly).expect("what clang wrote");
    let names: Vec<String> = assembly.lines().filter_map(defined_name).map(|name| format!("{name:?}")).collect();
    fs::write(out.join("runtime_names.rs"), format!("[{}]", names.join(", "))).expect("a writable build folder");
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn compile(unit: &Path, bits: &str, kind: &str, to: &Path) {
    let here = env::current_dir().expect("a current folder");
    let out = unit.parent().expect("a folder");
    let flags = [
        kind,
        "-emit-llvm",
        "-gline-tables-only",
        "-O0",
        "-Xclang",
        "-disable-O0-optnone",
        "-fno-builtin",
        "-ffreestanding",
        "-fno-stack-protector",
        "-fno-discard-value-names",
        "-Wall",
        "-Wno-parentheses",
        "-Wno-incompatible-library-redeclaration",
        "-Wno-unused-const-variable",
    ];
    let status = ["clang-19", "clang"]
        .iter()
        .find_map(|clang| {
            Command::new(clang)
                .args(flags)
                .arg(format!("-m{bits}"))
                .arg("-I")
                .arg(here.join("runtime"))
                .arg(format!("-ffile-prefix-map={}=fathom-runtime", here.join("runtime").display()))
                .arg(format!("-ffile-prefix-map={}=fathom-runtime", out.display()))
                .arg("-fdebug-compilation-dir=fathom-runtime")
                .arg(unit)
                .arg("-o")
                .arg(to)
                .status()
                .ok()
        })
        .expect("clang 19 is needed to build Fathom (Debian and Ubuntu: apt install clang-19)");
    assert!(status.success(), "the run-time library does not compile");
}

/// The function or variable that a line of assembly defines for others.
fn defined_name(line: &str) -> Option<&str> {
    let is_private = |text: &str| text.contains(" internal ") || text.contains(" private ");
    if let Some(rest) = line.strip_prefix("define ") {
        let (before, after) = rest.split_once('@')?;
        return after.split('(').next().filter(|_| !is_private(&format!(" {before}")));
    }
    let (name, rest) = line.strip_prefix('@')?.split_once(" = ")?;
    (!is_private(&format!(" {rest}")) && !name.starts_with("llvm.")).then_some(name)
}
