//! Errors in the user's input. Each message says what is wrong, where, and what to do about it.

use std::path::PathBuf;
use thiserror::Error;

/// Why there is no program. The messages say what to do.
#[derive(Debug, Error)]
pub enum FrontendError {
    /// No file was named.
    #[error("no input file given")]
    NoInput,
    /// The file does not exist.
    #[error("{0}: no such file")]
    MissingFile(PathBuf),
    /// A directory was named in place of a file.
    #[error("{0} is a directory; name the C files in it")]
    IsDirectory(PathBuf),
    /// The file has no text.
    #[error("{0} is empty")]
    EmptyFile(PathBuf),
    /// The system refuses to read the file.
    #[error("{path} can't be read: {reason}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: std::io::Error,
    },
    /// The ending of the name is none that is known.
    #[error(
        "{0}: this kind of file is not supported; Fathom reads C (.c, .i), C++ (.cc, .cpp, .cxx, .ii), LLVM (.bc, .ll) and Boogie (.bpl)"
    )]
    UnsupportedKind(PathBuf),
    /// clang found errors in the source.
    #[error("{path} does not compile:\n{diagnostics}")]
    CompileError {
        /// The file.
        path: PathBuf,
        /// clang's messages.
        diagnostics: String,
    },
    /// C++ that needs what Fathom does not have, such as exceptions.
    #[error("{what} are not supported, at {location}:\n{diagnostics}")]
    UnsupportedCpp {
        /// The construct, in the plural.
        what: &'static str,
        /// Where it is, as `file:line:column`.
        location: String,
        /// The source around it.
        diagnostics: String,
    },
    /// There is no clang of the right version.
    #[error("clang 19 was not found; install it (Debian and Ubuntu: `apt install clang-19`) or put `clang-19` on the PATH")]
    ClangNotFound,
    /// clang could not be started.
    #[error("clang could not be run: {0}")]
    ClangFailed(std::io::Error),
    /// Something outside killed clang: the number of the signal.
    #[error("clang was ended by signal {0} before it was done; nothing is known of the program")]
    ClangKilled(i32),
    /// libclang is missing or could not parse the file.
    #[error("{path}: clang's syntax tree can't be read (Debian and Ubuntu: `apt install libclang1-19`): {reason}")]
    SyntaxTree {
        /// The file.
        path: PathBuf,
        /// What libclang says.
        reason: String,
    },
    /// The file ends too early.
    #[error("{path}: the bitcode is truncated or damaged: {reason}")]
    TruncatedBitcode {
        /// The file.
        path: PathBuf,
        /// What LLVM says.
        reason: String,
    },
    /// The bitcode has a format that LLVM 19 does not read.
    #[error("{path}: the bitcode was written by another version of LLVM; compile it with clang 19: {reason}")]
    OtherLlvmVersion {
        /// The file.
        path: PathBuf,
        /// What LLVM says.
        reason: String,
    },
    /// The text of a `.ll` file has errors.
    #[error("{path}: not valid LLVM assembly: {reason}")]
    BadAssembly {
        /// The file.
        path: PathBuf,
        /// What LLVM says.
        reason: String,
    },
    /// LLVM's verifier refuses the module.
    #[error("{path}: not a well-formed LLVM module: {reason}")]
    BadModule {
        /// The file.
        path: PathBuf,
        /// What LLVM says.
        reason: String,
    },
    /// Two files contradict each other.
    #[error("{path} can't be linked with the files before it: {reason}")]
    LinkError {
        /// The second file.
        path: PathBuf,
        /// What LLVM's linker says.
        reason: String,
    },
    #[error(
        "`{name}` is defined in {first} and again in {second}; they are not one program: name the files of one only \
        (with --compile-commands: choose them with --target or --target-files)"
    )]
    /// Two files define the same symbol.
    DefinedTwice {
        /// The symbol.
        name: String,
        /// The file that defines it first.
        first: PathBuf,
        /// The file that defines it again.
        second: PathBuf,
    },
    /// The files have different data models.
    #[error("{path} was compiled for {found}-bit pointers, the files before it for {expected}-bit ones")]
    MixedModels {
        /// The file that differs.
        path: PathBuf,
        /// Its pointer width in bits.
        found: u32,
        /// The pointer width of the files before it.
        expected: u32,
    },
    /// The byte order is not supported.
    #[error("{path} was compiled for a big-endian target; Fathom supports little-endian ones")]
    BigEndian {
        /// The file.
        path: PathBuf,
    },
    #[error("there is no function `{entry}` to start from{suggestion}; defined are: {defined}",
        suggestion = suggestion.as_ref().map(|s| format!(" (did you mean `{s}`?)")).unwrap_or_default(),
        defined = show_names(defined))]
    /// The entry is not defined.
    NoEntry {
        /// The name that was asked for.
        entry: String,
        /// The functions that have bodies.
        defined: Vec<String>,
        /// The most similar name, if one is similar.
        suggestion: Option<String>,
    },
    /// One of LLVM's passes gave an error, which is this text.
    #[error("LLVM failed to prepare the program: {0}")]
    PassFailed(String),
}

/// What clang says of parts of C++ that are switched off, and what they are.
const SWITCHED_OFF: [(&str, &str); 3] = [
    ("with exceptions disabled", "C++ exceptions"),
    ("use of typeid requires -frtti", "C++ run-time types (typeid)"),
    ("use of dynamic_cast requires -frtti", "C++ run-time types (dynamic_cast)"),
];

impl FrontendError {
    /// A file that clang refused: because of something that Fathom does not support, or because it is wrong.
    pub(crate) fn refused(path: PathBuf, diagnostics: String) -> Self {
        let mut errors = diagnostics.lines().filter_map(|line| line.split_once(": error: "));
        let unsupported = errors.find_map(|(location, message)| {
            let (_, what) = SWITCHED_OFF.iter().find(|(text, _)| message.contains(text))?;
            Some((*what, location.to_string()))
        });
        match unsupported {
            Some((what, location)) => FrontendError::UnsupportedCpp { what, location, diagnostics },
            None => FrontendError::CompileError { path, diagnostics },
        }
    }
}

fn show_names(names: &[String]) -> String {
    const SHOWN: usize = 20;
    if names.is_empty() {
        return "none".to_string();
    }
    let mut shown = names.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN {
        shown.push_str(&format!(" and {} more", names.len() - SHOWN));
    }
    shown
}
