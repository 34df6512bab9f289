//! Builds Bitwuzla and CaDiCaL from the sources that two crates.io packages carry, plus our own small C++ layer.
//!
//! Why not the packages' own build scripts: bitwuzla-sys downloads GMP, CaDiCaL and SymFPU from GitHub while building,
//! which fails behind a registry mirror. Here GMP and SymFPU come from the system (see `scripts/setup`), CaDiCaL from
//! a package that carries exactly the release Bitwuzla 0.8 wants (2.1.2), and nothing is downloaded but packages that
//! Cargo.lock names.
//!
//! Compiling takes about four CPU minutes, so the two libraries go to a directory that outlives this build:
//! `$FATHOM_NATIVE_CACHE` if set, else `native` in the target directory. The directory's name holds every version; a
//! finished build is moved into place by one rename, so concurrent builds cannot see half of it.

use std::env;
use std::error::Error;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const BITWUZLA_VERSION: &str = "0.8.0";
const CADICAL_VERSION: &str = "2.1.2";
/// Raised whenever the way of compiling changes.
const RECIPE: u32 = 2;

fn main() {
    if let Err(error) = run() {
        println!("cargo::error=building Bitwuzla: {error}");
        std::process::exit(1);
    }
}

fn run() -> Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=native");
    println!("cargo::rerun-if-env-changed=FATHOM_NATIVE_CACHE");
    let target = env::var("TARGET")?;
    let built = cache_directory()?.join(format!("bitwuzla-{BITWUZLA_VERSION}-cadical-{CADICAL_VERSION}-r{RECIPE}-{target}"));
    if !built.join("complete").exists() {
        build_into(&built)?;
    }
    // Our layer links first: it needs Bitwuzla, which needs CaDiCaL and GMP.
    cpp_build().include(built.join("include")).file("native/layer.cpp").try_compile("fathom_bitwuzla_layer")?;
    println!("cargo::rustc-link-search=native={}", built.display());
    println!("cargo::rustc-link-lib=static=fathom_bitwuzla");
    println!("cargo::rustc-link-lib=static=fathom_cadical");
    link_gmp();
    println!("cargo::rustc-link-lib=dylib=stdc++");
    Ok(())
}

/// Where finished native libraries live between builds.
fn cache_directory() -> Result<PathBuf> {
    if let Some(directory) = env::var_os("FATHOM_NATIVE_CACHE").filter(|value| !value.is_empty()) {
        return Ok(PathBuf::from(directory));
    }
    // OUT_DIR is <target>/<profile>/build/<package>-<hash>/out.
    let out = out_directory()?;
    let target = out.ancestors().nth(4).ok_or("OUT_DIR has an unexpected shape")?;
    Ok(target.join("native"))
}

fn out_directory() -> Result<PathBuf> {
    Ok(PathBuf::from(env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?))
}

fn build_into(built: &Path) -> Result<()> {
    require_header("gmp.h", "libgmp-dev")?;
    require_header("symfpu/core/add.h", "libsymfpu-dev")?;
    let (bitwuzla, cadical) = source_directories()?;
    let mut scratch = built.as_os_str().to_owned();
    scratch.push(format!(".building-{}", std::process::id()));
    let scratch = PathBuf::from(scratch);
    fs::create_dir_all(&scratch)?;
    compile_cadical(&cadical, &scratch)?;
    compile_bitwuzla(&bitwuzla, &cadical, &scratch)?;
    copy_tree(&bitwuzla.join("include"), &scratch.join("include"))?;
    fs::write(scratch.join("complete"), "")?;
    remove_objects(&scratch)?;
    if fs::rename(&scratch, built).is_err() {
        // Another build finished first; its result is as good as ours.
        fs::remove_dir_all(&scratch)?;
        if !built.join("complete").exists() {
            return Err(format!("{} is in the way; remove it", built.display()).into());
        }
    }
    Ok(())
}

/// The directories of Bitwuzla's and CaDiCaL's sources, as unpacked by cargo.
fn source_directories() -> Result<(PathBuf, PathBuf)> {
    let cargo = env::var_os("CARGO").ok_or("CARGO is not set")?;
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--manifest-path"])
        .arg(Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("Cargo.toml"))
        .output()?;
    if !output.status.success() {
        return Err(format!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    let package = |name: &str| -> Result<PathBuf> {
        let packages = metadata["packages"].as_array().ok_or("cargo metadata lists no packages")?;
        let found = packages.iter().find(|package| package["name"] == name);
        let manifest = found.and_then(|package| package["manifest_path"].as_str());
        let manifest = manifest.ok_or_else(|| format!("cargo metadata does not know {name}"))?;
        Ok(Path::new(manifest).parent().ok_or("a manifest without a directory")?.to_path_buf())
    };
    let bitwuzla = package("bitwuzla-sys")?.join("bitwuzla");
    let cadical = package("cadical-sys")?.join("cadical");
    let carried = fs::read_to_string(cadical.join("VERSION"))?;
    if carried.trim() != CADICAL_VERSION {
        return Err(format!("cadical-sys carries CaDiCaL {carried}, not {CADICAL_VERSION}").into());
    }
    Ok((bitwuzla, cadical))
}

/// Settings common to everything: fast code whatever the profile, no debug information, no warnings from others' code.
fn cpp_build() -> cc::Build {
    let mut build = cc::Build::new();
    build.cpp(true).std("c++17").opt_level(2).debug(false).warnings(false).define("NDEBUG", None);
    build.cargo_metadata(true);
    build
}

fn compile_cadical(cadical: &Path, out: &Path) -> Result<()> {
    let applications = ["cadical.cpp", "mobical.cpp"];
    let mut sources = Vec::new();
    collect_cpp(&cadical.join("src"), &mut sources, &|path| {
        !path.file_name().and_then(OsStr::to_str).is_some_and(|name| applications.contains(&name))
    })?;
    let version = format!("\"{CADICAL_VERSION}\"");
    let mut build = cpp_build();
    build.cargo_metadata(false).out_dir(out).files(sources);
    // Quiet and without its build-time header; closefrom exists only in newer C libraries.
    build.define("NBUILD", None).define("QUIET", None).define("NTRACING", None).define("NCLOSEFROM", None);
    build.define("VERSION", version.as_str());
    Ok(build.try_compile("fathom_cadical")?)
}

fn compile_bitwuzla(bitwuzla: &Path, cadical: &Path, out: &Path) -> Result<()> {
    let src = bitwuzla.join("src");
    // The executable, the file parsers, and the C and Python interfaces are not needed (the printer needs a lexer).
    let skipped = ["main", "parser/btor2", "parser/smt2/parser.cpp", "api/c", "api/python", "api/cpp/parser.cpp"];
    let skipped = skipped.map(|path| src.join(path));
    let mut sources = Vec::new();
    collect_cpp(&src, &mut sources, &|path| !skipped.iter().any(|skip| path.starts_with(skip)))?;
    let configured = out.join("configured");
    fs::create_dir_all(&configured)?;
    fs::write(configured.join("config.h"), config_header())?;
    let mut build = cpp_build();
    build.cargo_metadata(false).out_dir(out).files(sources).define("HAVE_RUSAGE", None);
    // Formats beyond half, single, double and quadruple; x87 long double is one of them.
    build.define("BZLA_USE_FPEXP", None);
    build.include(&configured).include(&src).include(src.join("lib")).include(bitwuzla.join("include"));
    build.include(cadical.join("src"));
    Ok(build.try_compile("fathom_bitwuzla")?)
}

/// What Bitwuzla's build system would generate.
fn config_header() -> String {
    let constant = |name: &str, value: &str| format!("static constexpr const char* {name} = \"{value}\";\n");
    let mut header = String::from("#pragma once\nnamespace bzla::config {\n");
    header += "static constexpr bool is_debug_build = false;\n";
    for name in ["git_id", "license", "os", "cc", "cxx"] {
        header += &constant(name, "");
    }
    header += &constant("version", BITWUZLA_VERSION);
    header + "}\n"
}

fn collect_cpp(directory: &Path, into: &mut Vec<PathBuf>, wanted: &dyn Fn(&Path) -> bool) -> Result<()> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(directory)?.map(|entry| entry.map(|entry| entry.path())).collect::<std::io::Result<_>>()?;
    entries.sort();
    for path in entries.into_iter().filter(|path| wanted(path)) {
        if path.is_dir() {
            collect_cpp(&path, into, wanted)?;
        } else if path.extension() == Some(OsStr::new("cpp")) {
            into.push(path);
        }
    }
    Ok(())
}

fn copy_tree(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_tree(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// The archives hold all that is needed; object files would triple the size of the cache.
fn remove_objects(directory: &Path) -> Result<()> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.extension() == Some(OsStr::new("o")) {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

fn require_header(header: &str, debian_package: &str) -> Result<()> {
    let compiler = cpp_build().try_get_compiler()?;
    let probe = out_directory()?.join("probe.cpp");
    fs::write(&probe, format!("#if !__has_include(<{header}>)\n#error missing\n#endif\n"))?;
    let status = compiler.to_command().args(["-fsyntax-only", "-x", "c++"]).arg(&probe).output()?.status;
    if status.success() {
        return Ok(());
    }
    Err(format!("the C++ compiler does not find {header}; run scripts/setup or install {debian_package}").into())
}

/// Links GMP statically where the archive is at hand, so that the finished program runs where libgmp is missing.
fn link_gmp() {
    let archive = cpp_build().try_get_compiler().ok().and_then(|compiler| {
        let output = compiler.to_command().arg("-print-file-name=libgmp.a").output().ok()?;
        let path = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
        path.is_absolute().then_some(path)
    });
    match archive.as_deref().and_then(Path::parent) {
        Some(directory) => {
            println!("cargo::rustc-link-search=native={}", directory.display());
            println!("cargo::rustc-link-lib=static=gmp");
        }
        None => println!("cargo::rustc-link-lib=dylib=gmp"),
    }
}
