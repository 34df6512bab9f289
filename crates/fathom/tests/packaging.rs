//! A package runs where there are no sources. The one that is made here is not compressed, and holds the program as it was built for
//! the tests; `scripts/test-package` tries the real one in a bare system.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const BUG: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
    int main(void) { if (__VERIFIER_nondet_int() == 4711) reach_error(); return 0; }\n";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// A command in a namespace where everything that the build knows of is hidden: the sources, what was built, Z3's library.
fn hidden(words: &str) -> Option<Command> {
    let built = Path::new(env!("CARGO_BIN_EXE_fathom")).parent().and_then(Path::parent).unwrap().to_path_buf();
    let cache = std::env::var_os("FATHOM_NATIVE_CACHE").map(PathBuf::from).filter(|cache| cache.is_dir());
    let hide = |place: PathBuf| format!("mount -t tmpfs tmpfs '{}' && ", place.display());
    // What lies in the sources is gone with them.
    let places = [Some(built), cache, Some(root())].into_iter().flatten();
    let mounts: String = places.map(hide).collect();
    let flags: &[&str] = &["--user", "--map-root-user", "--mount", "--"];
    let probe = Command::new("unshare").args(flags).args(["mount", "-t", "tmpfs", "tmpfs", "/mnt"]).output();
    if !probe.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: namespaces are switched off here");
        return None;
    }
    let mut command = Command::new("unshare");
    command.args(flags).args(["sh", "-c", &format!("{mounts}test ! -e '{}/Cargo.toml' && {words}", root().display())]);
    Some(command)
}

#[test]
fn a_package_runs_without_the_sources() {
    if Command::new("dpkg-deb").arg("--version").output().is_err() {
        eprintln!("skipped: there is no dpkg-deb");
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let made = Command::new(root().join("scripts/package"))
        .args(["--fast", "--binary", env!("CARGO_BIN_EXE_fathom"), "--out"])
        .arg(place.path())
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", text(&made));
    let files: Vec<PathBuf> = std::fs::read_dir(place.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    let package = files.iter().find(|file| file.extension().is_some_and(|extension| extension == "deb")).unwrap();
    let unpacked = Command::new("dpkg-deb").arg("-x").arg(package).arg(place.path().join("tree")).output().unwrap();
    assert!(unpacked.status.success(), "{}", text(&unpacked));
    let usr = place.path().join("tree/usr");
    for file in ["share/man/man1/fathom-verify.1.gz", "share/bash-completion/completions/fathom", "share/doc/fathom/copyright"] {
        assert!(usr.join(file).is_file(), "{file} is missing");
    }
    std::fs::write(place.path().join("bug.c"), BUG).unwrap();
    std::fs::write(place.path().join("proof.bpl"), "procedure main(n: int) { assert n * n >= 0; }\n").unwrap();
    let cases = [
        ("verify bug.c", Some(10), "confirmed natively"),
        ("verify proof.bpl", Some(0), "VERDICT true"),
        ("solvers", Some(0), "linked in: Z3"),
    ];
    for (words, code, expected) in cases {
        let Some(mut command) = hidden(&format!("exec {}/bin/fathom {words}", usr.display())) else { return };
        let output = command.current_dir(place.path()).env("TMPDIR", place.path()).output().unwrap();
        assert_eq!(output.status.code(), code, "{words}: {}", text(&output));
        assert!(text(&output).contains(expected), "{words}: {}", text(&output));
    }
}
