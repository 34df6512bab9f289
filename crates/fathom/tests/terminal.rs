//! What somebody sees at a terminal, which `script` stands in for: the line that says how far a run is, and colours.

mod common;

use common::Bench;
use std::process::Command;

const HARD: &str = "extern unsigned __VERIFIER_nondet_uint(void);\nextern void reach_error(void);\nint main(void) {\n  \
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint(), h = 7;\n  for (unsigned i = 0; i < b; i++) {\n    \
    h = h * 31 + (a ^ i); h ^= h >> 13;\n    if (h == 0xdeadbeef && i > 5000) reach_error();\n  }\n  return 0;\n}\n";

/// What a terminal shows of Fathom with these arguments; nothing where there is no `script`.
fn at_terminal(bench: &Bench, arguments: &str, environment: &[(&str, &str)]) -> Option<String> {
    let mut command = Command::new("script");
    command.args(["-qec", &format!("{} {arguments}", env!("CARGO_BIN_EXE_fathom")), "/dev/null"]);
    command.current_dir(bench.path()).env("TMPDIR", bench.temporary()).env("TERM", "xterm").env_remove("NO_COLOR");
    command.envs(environment.iter().copied());
    match command.output() {
        Ok(output) => Some(String::from_utf8_lossy(&output.stdout).into_owned()),
        Err(_) => {
            eprintln!("skipped: there is no `script`");
            None
        }
    }
}

const CLEARED: &str = "\r\u{1b}[2K";

#[test]
fn a_line_says_how_far_the_run_is_and_is_taken_away() {
    let bench = Bench::new();
    bench.write("hard.c", HARD);
    for (engine, words) in [("auto", "engines  "), ("bmc", "bmc: bound ")] {
        let Some(seen) = at_terminal(&bench, &format!("verify hard.c --timeout 2s --engine {engine}"), &[("NO_COLOR", "1")]) else {
            return;
        };
        let (line, report) = seen.rsplit_once(CLEARED).unwrap_or_else(|| panic!("nothing is taken away in\n{seen}"));
        assert!(line.contains("1 of 2 s  ") && line.contains(words), "{line}");
        assert!(report.contains("unreach-call: unknown: timeout") && report.trim_end().ends_with("VERDICT unknown(timeout)"), "{report}");
        assert!(!seen.contains("\u{1b}[1m"), "NO_COLOR is set: {seen}");
    }
    let Some(seen) = at_terminal(&bench, "verify hard.c --timeout 1s --ci --engine bmc", &[]) else { return };
    assert!(!seen.contains(" of 1 s"), "{seen}");
}

#[test]
fn colours_are_where_they_are_wanted() {
    let bench = Bench::new();
    bench.write("broken.c", "int main(void) { return }\n");
    let Some(seen) = at_terminal(&bench, "verify broken.c", &[]) else { return };
    assert!(seen.contains("\u{1b}[91merror\u{1b}[0m"), "{seen}");
    let Some(seen) = at_terminal(&bench, "verify broken.c --color never", &[]) else { return };
    assert!(!seen.contains('\u{1b}'), "{seen}");
    let plain = bench.verify(&["broken.c"]);
    assert!(!plain.stdout.contains('\u{1b}') && !plain.stderr.contains('\u{1b}'), "{}", plain.stderr);
    let forced = bench.command(&["verify", "broken.c"]).env("CLICOLOR_FORCE", "1").output().unwrap();
    let always = bench.run(&["--color", "always", "verify", "broken.c"]);
    assert_eq!(String::from_utf8_lossy(&forced.stderr), always.stderr);
    // Apart from the colours it is the same text.
    let stripped = anstream::adapter::strip_str(&format!("{}{}", always.stdout, always.stderr)).to_string();
    assert_eq!(stripped, format!("{}{}", plain.stdout, plain.stderr));
    let help = bench.run(&["verify", "--help", "--color=always"]);
    assert!(help.stdout.contains("\u{1b}["), "{}", help.stdout);
    // Documents and files have none.
    let json = bench.run(&["verify", "broken.c", "--json", "--color", "always"]);
    assert!(serde_json::from_str::<serde_json::Value>(&json.stdout).is_ok() && !json.stdout.contains('\u{1b}'), "{}", json.stdout);
}

#[test]
fn reports_have_the_same_text_in_colours() {
    let bench = Bench::new();
    bench.write("bug.c", "#include <limits.h>\nextern int input(void);\nint main(void) { int x = input(); return x + 1; }\n");
    let verify = |colour: &str| bench.run(&["verify", "bug.c", "--engine", "bmc", "--no-native", "--out", "out", "--color", colour]);
    let (plain, coloured) = (verify("never"), verify("always"));
    assert!(coloured.stdout.contains("\u{1b}[91mviolated\u{1b}[0m"), "{}", coloured.stdout);
    assert_eq!(anstream::adapter::strip_str(&coloured.stdout).to_string(), plain.stdout);
    assert!(!std::fs::read_to_string(bench.path().join("out/report.txt")).unwrap().contains('\u{1b}'));
}
