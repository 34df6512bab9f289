//! Checks what Fathom needs on this machine (`fathom doctor`). Everything is tried, not only looked up: a compiler may
//! exist but lack the libraries that a replay needs.

use crate::solvers::solver_list;
use std::fmt::Write;
use std::process::{Command, Output, Stdio};

/// The result of `fathom doctor`.
#[derive(Clone, Debug)]
pub struct Diagnosis {
    /// For people: a line each, with what to install where something is missing.
    pub text: String,
    /// Whether everything is there that Fathom can't do without.
    pub is_healthy: bool,
}

/// How much is lost where something is missing.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Need {
    /// Nothing works without it.
    Always,
    /// One thing does not.
    For(&'static str),
}

/// One thing that was tried.
struct Finding {
    what: &'static str,
    need: Need,
    /// What was seen, or what to do.
    result: Result<String, String>,
}

/// Tries everything that Fathom uses.
pub fn doctor() -> Diagnosis {
    let clang = clang();
    let name = clang.as_ref().ok().map(|(name, _)| *name);
    let mut findings =
        vec![Finding { what: "clang 19", need: Need::Always, result: clang.map(|(name, version)| format!("{name}: {version}")) }];
    if let Some(clang) = name {
        findings.extend(compilers(clang));
    }
    findings.push(Finding { what: "libclang", need: Need::For("constants, and where objects of inlined code end"), result: libclang() });
    findings.push(Finding { what: "llvm-cov", need: Need::For("what tests cover"), result: coverage_tools() });
    findings.push(Finding { what: "temporary files", need: Need::Always, result: temporary() });
    findings.push(Finding { what: "sandbox", need: Need::For("keeping programs that are run off the network"), result: sandbox() });
    let mut text = String::new();
    for Finding { what, need, result } in &findings {
        let _ = match (result, need) {
            (Ok(seen), _) => writeln!(text, "ok       {what}: {seen}"),
            (Err(advice), Need::Always) => writeln!(text, "MISSING  {what}: {advice}"),
            (Err(advice), Need::For(purpose)) => writeln!(text, "missing  {what} (for {purpose}): {advice}"),
        };
    }
    text += "Solvers:\n";
    solver_list().lines().for_each(|line| text += &format!("  {line}\n"));
    let is_healthy = findings.iter().all(|finding| finding.result.is_ok() || finding.need != Need::Always);
    text += if is_healthy { "Fathom has what it needs.\n" } else { "Fathom can't work until what is MISSING is there.\n" };
    Diagnosis { text, is_healthy }
}

/// The compiler that is used, and its version.
fn clang() -> Result<(&'static str, String), String> {
    let version = |name: &str| {
        let output = Command::new(name).arg("--version").stderr(Stdio::null()).output().ok()?;
        Some(String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().to_string())
    };
    if let Some(version) = version("clang-19") {
        return Ok(("clang-19", version));
    }
    let install = "install it with `apt install clang-19` (on older systems from apt.llvm.org)";
    match version("clang") {
        Some(version) if version.contains("version 19.") => Ok(("clang", version)),
        Some(other) => Err(format!("there is only {other}; {install}")),
        None => Err(format!("not found on the PATH; {install}")),
    }
}

fn compilers(clang: &str) -> Vec<Finding> {
    let tried = |flags: &[&str], advice: &str| match compile_and_run(clang, flags) {
        Ok(()) => Ok("a program was compiled and run".to_string()),
        Err(why) => Err(format!("{advice} ({why})")),
    };
    vec![
        Finding { what: "C library", need: Need::Always, result: tried(&[], "install the headers with `apt install libc6-dev`") },
        Finding {
            what: "sanitizers",
            need: Need::For("native replays of memory errors and overflows"),
            result: tried(&["-fsanitize=address,undefined"], "install `libclang-rt-19-dev`"),
        },
        Finding {
            what: "coverage",
            need: Need::For("fathom test"),
            result: tried(&["-fprofile-instr-generate", "-fcoverage-mapping"], "install `libclang-rt-19-dev`"),
        },
        Finding {
            what: "32-bit programs",
            need: Need::For("native replays with --32"),
            result: tried(&["-m32"], "install `gcc-multilib` (libc6-dev-i386)"),
        },
        Finding {
            what: "32-bit sanitizers",
            need: Need::For("native replays of memory errors with --32"),
            result: tried(&["-m32", "-fsanitize=address,undefined"], "install `gcc-multilib` and `libclang-rt-19-dev:i386`"),
        },
    ]
}

const PROGRAM: &str =
    "#include <stdlib.h>\n#include <string.h>\nint main(void) { char *p = malloc(8); memset(p, 0, 8); free(p); return 0; }\n";

fn compile_and_run(clang: &str, flags: &[&str]) -> Result<(), String> {
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (source, binary) = (directory.path().join("try.c"), directory.path().join("try"));
    std::fs::write(&source, PROGRAM).map_err(|error| error.to_string())?;
    let first_line = |output: &Output| {
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        fathom_clang::first_error(&text).unwrap_or("no message").to_string()
    };
    let built = Command::new(clang).args(flags).arg(&source).arg("-o").arg(&binary).output().map_err(|error| error.to_string())?;
    if !built.status.success() {
        return Err(first_line(&built));
    }
    let ran = Command::new(&binary).output().map_err(|error| error.to_string())?;
    if ran.status.success() { Ok(()) } else { Err(format!("it does not run: {}", first_line(&ran))) }
}

fn libclang() -> Result<String, String> {
    let advice = |why: String| format!("install `libclang1-19` ({})", why.lines().next().unwrap_or_default());
    fathom_frontend_llvm::has_libclang().map(|()| "it can be loaded".to_string()).map_err(advice)
}

fn coverage_tools() -> Result<String, String> {
    let runs = |name: &str| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success());
    let is_there = ["llvm-cov", "llvm-profdata"].iter().all(|name| runs(&format!("{name}-19")) || runs(name));
    if is_there { Ok("coverage can be measured".into()) } else { Err("install `llvm-19`".into()) }
}

fn temporary() -> Result<String, String> {
    let place = std::env::temp_dir();
    match tempfile::tempfile() {
        Ok(_) => Ok(format!("{} can be written", place.display())),
        Err(error) => Err(format!("{}: {error}; set TMPDIR to a directory that can be written", place.display())),
    }
}

/// Native replays run without network: in a namespace of their own, as root or as an ordinary user.
fn sandbox() -> Result<String, String> {
    let tried = |words: &[&str]| Command::new("unshare").args(words).arg("true").output().is_ok_and(|output| output.status.success());
    match tried(&["--net"]) || tried(&["--user", "--net"]) {
        true => Ok("programs are run without network".into()),
        false => Err("namespaces are switched off here: try `sysctl kernel.unprivileged_userns_clone=1`, or use --no-native for \
                      programs that you would not run"
            .into()),
    }
}
