//! Clang as a program: under which name it is found, and what the front end and native runs tell it alike, so that what is
//! analysed and what is run are the same program.

use rustix::process::{Resource, Rlimit, Signal, getrlimit, set_parent_process_death_signal, setrlimit};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// `fathom.h`, with which programs write contracts. It is found without flags wherever Fathom calls clang.
pub const HEADER: &str = include_str!("../include/fathom.h");
/// Its name.
pub const HEADER_NAME: &str = "fathom.h";

/// What clang 19 is called, the most certain name first.
const NAMES: [&str; 2] = ["clang-19", "clang"];

/// Old C must compile: what C99 made an error is a warning here.
pub const TOLERANT: [&str; 5] = [
    "-Wno-int-conversion",
    "-Wno-incompatible-function-pointer-types",
    "-Wno-implicit-function-declaration",
    "-Wno-implicit-int",
    "-Wno-return-type",
];

/// For the property `bounds`: an array at the end of a structure has as many elements as it says, unless that is one or none, as it was written before C99. Without
/// this clang takes every such array for one of any length, also inside of other structures, and checks none.
pub const ARRAYS: &str = "-fstrict-flex-arrays=1";

/// What is not supported of C++ is not compiled; a program that needs it is refused by the name of that.
pub const REDUCED_CPP: [&str; 2] = ["-fno-exceptions", "-fno-rtti"];

/// Where 64-bit Debian-like systems keep the headers that a 32-bit compilation also needs.
pub const MULTIARCH: &str = "/usr/include/x86_64-linux-gnu";

/// The name under which clang can be started, if it can.
pub fn found() -> Option<&'static str> {
    NAMES.into_iter().find(|name| which::which(name).is_ok())
}

/// The name under which clang can be started, or else the one under which it should be: for messages and commands that say so.
pub fn name() -> &'static str {
    found().unwrap_or(NAMES[0])
}

/// The line of a compiler's messages that says what is wrong: the first error, or else the first line.
pub fn first_error(messages: &str) -> Option<&str> {
    let mut lines = messages.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.clone().find(|line| line.contains("error:")).or_else(|| lines.next())
}

/// The directory of the clang that is found where libclang lies, if it lies there.
pub fn library_directory() -> Option<PathBuf> {
    let program = which::which(found()?).ok()?.canonicalize().ok()?;
    let directory = program.parent()?.parent()?.join("lib");
    let is_libclang = |entry: std::fs::DirEntry| entry.file_name().to_str().is_some_and(|name| name.starts_with("libclang-19.so"));
    std::fs::read_dir(&directory).ok()?.flatten().any(is_libclang).then_some(directory)
}

/// Clang without input, with a stack that deeply nested expressions don't overflow; it ends when whoever started it does.
pub fn command(name: &str) -> Command {
    let mut command = Command::new(name);
    command.stdin(Stdio::null());
    // SAFETY: between fork and exec only prctl, setrlimit and getrlimit are called.
    unsafe { command.pre_exec(prepare) };
    command
}

fn prepare() -> std::io::Result<()> {
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
    raise_stack_limit();
    Ok(())
}

fn raise_stack_limit() {
    const WANTED: u64 = 1 << 30;
    let limit = getrlimit(Resource::Stack);
    if limit.current.is_some_and(|current| current < WANTED) {
        let current = Some(limit.maximum.map_or(WANTED, |most| most.min(WANTED)));
        // A failure leaves the limit as it was, which is enough for most programs.
        let _ = setrlimit(Resource::Stack, Rlimit { current, ..limit });
    }
}

/// Whether a file is C++ by its name.
pub fn is_cpp(path: &Path) -> bool {
    path.extension().and_then(|e| e.to_str()).is_some_and(|e| matches!(e, "cc" | "cpp" | "cxx" | "ii"))
}

/// Whether flags say which version of the language is meant.
pub fn say_standard<'a>(flags: impl IntoIterator<Item = &'a String>) -> bool {
    flags.into_iter().any(|flag| flag.starts_with("-std=") || flag == "-ansi")
}

/// The flag for the version of the language, unless the user's flags say it.
pub fn standard<'a>(path: &Path, own: impl IntoIterator<Item = &'a String>) -> Option<&'static str> {
    match say_standard(own) {
        true => None,
        false => Some(if is_cpp(path) { "-std=gnu++17" } else { "-std=gnu17" }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_users_standard_wins() {
        let c99 = ["-DX".to_string(), "-std=c99".to_string()];
        assert_eq!(standard(Path::new("a.c"), &c99), None);
        assert_eq!(standard(Path::new("a.c"), &c99[..1]), Some("-std=gnu17"));
        assert_eq!(standard(Path::new("a.cpp"), []), Some("-std=gnu++17"));
    }
}
