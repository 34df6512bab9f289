//! Running clang: one C file in, bitcode and diagnostics out. The bitcode comes over a pipe, so there is no file to
//! remove. `-O0` keeps every read, write and check of the source; `-disable-O0-optnone` lets `mem2reg` run afterwards;
//! `-disable-llvm-passes` leaves functions that must be inlined as they are, because inlining forgets where their locals end;
//! `-fno-builtin` keeps a program's own `round` or `memcpy` from being taken for the library's.

use crate::error::FrontendError;
use crate::sanitizer;
use crate::{DataModel, Options};
use fathom_clang::{ARRAYS, HEADER, HEADER_NAME, MULTIARCH, REDUCED_CPP, TOLERANT, is_cpp, standard};
use fathom_ir::Property;
use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use tempfile::TempDir;

/// What clang made of a source file.
pub struct Compiled {
    pub bitcode: Vec<u8>,
    pub warnings: String,
}

/// As for coverage, with the counters still in their abstract form, and with locals that start with zero.
const FOR_TESTS: [&str; 3] = ["-fprofile-instr-generate", "-fcoverage-mapping", "-ftrivial-auto-var-init=zero"];

/// Gives the words of `fathom.h` a meaning, which the front end's `dialect` reads.
const SPOKEN: &str = "-D__FATHOM__";

/// Compiles a file. `extra` flags come on top of the usual ones.
pub fn compile(path: &Path, options: &Options, extra: &[&str]) -> Result<Compiled, FrontendError> {
    let without_builtins: Vec<&str> = extra.iter().copied().chain(["-fno-builtin"]).collect();
    match run_clang(path, options, &without_builtins) {
        // `memcpy` used before it is declared is fine for a compiler that knows it.
        Err(FrontendError::CompileError { diagnostics, .. }) if diagnostics.contains("conflicting types for") => {
            run_clang(path, options, extra)
        }
        other => other,
    }
}

fn run_clang(path: &Path, options: &Options, extra: &[&str]) -> Result<Compiled, FrontendError> {
    let headers = headers(options);
    let mut arguments = arguments(path, options, extra, headers.as_ref());
    arguments.extend(["-c", "-emit-llvm", "-o", "-", "--"].map(OsString::from));
    arguments.push(path.into());
    let output = run(&arguments, options.units.get(path).map(|unit| unit.directory.as_path()))?;
    let mut diagnostics = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        if output.status.code().is_none() {
            diagnostics.push_str(&format!("clang itself crashed ({})", output.status));
        }
        return Err(FrontendError::refused(path.to_path_buf(), diagnostics));
    }
    Ok(Compiled { bitcode: output.stdout, warnings: diagnostics })
}

/// The functions of the library that a file uses without a declaration, as far as clang knows them, with the types that it
/// gives them: from its warnings.
pub fn types_of_undeclared(path: &Path, options: &Options) -> Vec<(String, String)> {
    const ASK: [&str; 3] = ["-fsyntax-only", "-Wimplicit-function-declaration", "-Wno-error=implicit-function-declaration"];
    let headers = headers(options);
    let mut arguments = arguments(path, options, &ASK, headers.as_ref());
    arguments.extend(["--".into(), path.into()]);
    let Ok(output) = run(&arguments, options.units.get(path).map(|unit| unit.directory.as_path())) else { return Vec::new() };
    let type_in = |line: &str| {
        let (name, rest) = line.split_once("library function '")?.1.split_once('\'')?;
        let (ty, _) = rest.strip_prefix(" with type '")?.split_once('\'')?;
        Some((name.to_string(), ty.to_string()))
    };
    String::from_utf8_lossy(&output.stderr).lines().filter_map(type_in).collect()
}

/// How clang understands a file: everything but what it shall make of it.
pub fn arguments(path: &Path, options: &Options, extra: &[&str], headers: Option<&TempDir>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = [
        "-g",
        "-O0",
        "-Xclang",
        "-disable-O0-optnone",
        "-Xclang",
        "-disable-llvm-passes",
        // Marks where scopes of local variables begin and end, which plain -O0 doesn't.
        "-Xclang",
        "-fsanitize-address-use-after-scope",
        "-fno-discard-value-names",
        "-fno-stack-protector",
        "-fno-color-diagnostics",
        "-ferror-limit=20",
        "-Wno-error",
        // Preprocessed files do without directories of headers.
        "-Wno-unused-command-line-argument",
        "-fbracket-depth=1024",
    ]
    .iter()
    .chain(&TOLERANT)
    .chain(extra)
    .map(OsString::from)
    .collect();
    // Otherwise what old code does behind the end of such an array is no reason to give up.
    if options.checks.contains(&Property::Bounds) {
        arguments.push(ARRAYS.into());
    }
    if options.for_tests {
        arguments.extend(FOR_TESTS.map(OsString::from));
    }
    let unit = options.units.get(path);
    let own_args: Vec<&String> = unit.iter().flat_map(|unit| &unit.args).chain(&options.clang_args).collect();
    let is_cpp = is_cpp(path);
    if is_cpp {
        arguments.extend(REDUCED_CPP.map(OsString::from));
        arguments.push("-fno-threadsafe-statics".into());
    }
    arguments.extend(standard(path, own_args.iter().copied()).map(OsString::from));
    arguments.push(options.model_flag().into());
    arguments.extend(header_flags(options, headers));
    let wraps = own_args.iter().any(|arg| *arg == "-fwrapv" || *arg == "-fno-strict-overflow");
    let language = language(path, &own_args);
    arguments.extend(own_args.into_iter().map(OsString::from));
    arguments.extend(sanitizer::flags(&options.checks, wraps).map(OsString::from));
    arguments.extend(["-x", language].map(OsString::from));
    arguments
}

/// What clang calls the language of a file. Preprocessed text is C as well, and only C includes something first.
fn language(path: &Path, own_args: &[&String]) -> &'static str {
    let includes = own_args.iter().any(|arg| *arg == "-include");
    match path.extension().and_then(|e| e.to_str()) {
        Some("i") if !includes => "cpp-output",
        Some("ii") => "c++-cpp-output",
        _ if is_cpp(path) => "c++",
        _ => "c",
    }
}

/// The source as the compiler sees it, with line markers.
pub fn preprocess(path: &Path, options: &Options) -> Result<String, FrontendError> {
    preprocessed_bytes(path, options).map(|text| String::from_utf8_lossy(&text).into_owned())
}

/// The same, with the bytes of literals in whatever encoding they are.
pub fn preprocessed_bytes(path: &Path, options: &Options) -> Result<Vec<u8>, FrontendError> {
    let unit = options.units.get(path);
    let own_args: Vec<&String> = unit.iter().flat_map(|unit| &unit.args).chain(&options.clang_args).collect();
    let language = language(path, &own_args);
    // Of such a file clang writes nothing.
    if language.ends_with("cpp-output") {
        return std::fs::read(path).map_err(|reason| FrontendError::Unreadable { path: path.to_path_buf(), reason });
    }
    let headers = headers(options);
    let mut arguments: Vec<OsString> = ["-E", "-w", options.model_flag()].iter().map(OsString::from).collect();
    arguments.extend(header_flags(options, headers.as_ref()));
    if options.contracts {
        // Annotations in comments are contracts as well.
        arguments.extend([SPOKEN, "-C"].map(OsString::from));
    }
    arguments.extend(own_args.into_iter().map(OsString::from));
    arguments.extend(["-x", language].map(OsString::from));
    arguments.push(path.into());
    let output = run(&arguments, unit.map(|unit| unit.directory.as_path()))?;
    if !output.status.success() {
        let diagnostics = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(FrontendError::CompileError { path: path.to_path_buf(), diagnostics });
    }
    Ok(output.stdout)
}

fn run(arguments: &[OsString], directory: Option<&Path>) -> Result<std::process::Output, FrontendError> {
    let mut command = fathom_clang::command(fathom_clang::found().ok_or(FrontendError::ClangNotFound)?);
    command.args(arguments);
    if let Some(directory) = directory {
        command.current_dir(directory);
    }
    let output = command.output().map_err(FrontendError::ClangFailed)?;
    match output.status.signal() {
        Some(signal) => Err(FrontendError::ClangKilled(signal)),
        None => Ok(output),
    }
}

/// Flags that find the headers that come from elsewhere than the user and the system, when nothing else has them.
fn header_flags(options: &Options, headers: Option<&TempDir>) -> Vec<OsString> {
    let multiarch = Some(Path::new(MULTIARCH)).filter(|directory| options.model == DataModel::Ilp32 && directory.is_dir());
    let directories = multiarch.into_iter().chain(headers.map(TempDir::path));
    directories.flat_map(|directory| ["-idirafter".into(), directory.into()]).collect()
}

/// A directory of such headers: `fathom.h`, and where glibc's include `gnu/stubs-32.h`, which only the 32-bit development package
/// brings, an empty one, which will do.
pub fn headers(options: &Options) -> Option<TempDir> {
    let directory = tempfile::tempdir().ok()?;
    std::fs::write(directory.path().join(HEADER_NAME), HEADER).ok()?;
    let known = ["/usr/include", MULTIARCH, "/usr/include/i386-linux-gnu"];
    if options.model == DataModel::Ilp32 && !known.iter().any(|directory| Path::new(directory).join("gnu/stubs-32.h").is_file()) {
        std::fs::create_dir(directory.path().join("gnu")).ok()?;
        std::fs::write(directory.path().join("gnu/stubs-32.h"), "").ok()?;
    }
    Some(directory)
}
impl Options {
    /// The flag for clang that chooses the sizes of types.
    pub fn model_flag(&self) -> &'static str {
        match self.model {
            DataModel::Ilp32 => "-m32",
            DataModel::Lp64 => "-m64",
        }
    }
}
