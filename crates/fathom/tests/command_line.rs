//! Where arguments and settings come from: the words of compilers, files of arguments, standard input, fathom.toml; and what
//! is made of them: completions and man pages.

mod common;

use common::Bench;
use std::io::Write;
use std::process::Stdio;

const ASSERTS: &str = "#include <assert.h>\nint main(void) { int x = 1; assert(x == LIMIT); return 0; }\n";

#[test]
fn flags_of_compilers_are_taken_as_they_are() {
    let bench = Bench::new();
    bench.write("a.c", ASSERTS);
    let usual =
        "-O2 -g -lm -Wall -fPIC -pthread -c -o x -march=native -pedantic -ansi -MMD -pipe -static -shared -L lib -l m -Wl,-z,now -x c";
    let words: Vec<&str> = ["a.c", "-DLIMIT=1"].into_iter().chain(usual.split(' ')).collect();
    assert_eq!(bench.verify(&words).verdict(), "true");
    assert_eq!(bench.verify(&["a.c", "-DLIMIT=2", "-O2", "--no-native"]).verdict(), "false(assertion)");
    bench.write("words", "-DLIMIT=1\n'a.c'");
    assert_eq!(bench.verify(&["@words"]).verdict(), "true");
    let missing = bench.verify(&["@missing"]);
    assert!(missing.code == 2 && missing.stderr.contains("@missing"), "{}", missing.stderr);
}

fn piped(bench: &Bench, words: &[&str], text: &str) -> (String, i32) {
    let words: Vec<&str> = ["verify", "-"].into_iter().chain(words.iter().copied()).collect();
    let mut child = bench.command(&words).stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(common::files_in(&bench.temporary()), Vec::<String>::new());
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code().unwrap())
}

#[test]
fn programs_come_from_standard_input() {
    let bench = Bench::new();
    let (text, code) = piped(&bench, &["-DLIMIT=2"], ASSERTS);
    assert!(code == 10 && text.contains("stdin.c:2") && text.ends_with("VERDICT false(assertion)\n"), "{text}");
    let (text, code) = piped(&bench, &["-x", "boogie"], "procedure main() { assert 1 == 1; }\n");
    assert!(code == 0 && text.ends_with("VERDICT true\n"), "{text}");
    let (text, code) = piped(&bench, &["-x", "cobol"], "");
    assert!(code == 2 && text.contains("cobol"), "{text}");
}

#[test]
fn settings_are_found_above_the_files() {
    let bench = Bench::new();
    std::fs::create_dir_all(bench.path().join("src/deep")).unwrap();
    bench.write("src/deep/a.c", "#include \"limit.h\"\nint stub(void);\nint main(void) { return stub() + LIMIT; }\n");
    bench.write("limit.h", "#define LIMIT 2147483647\n");
    bench.write("stub.c", "int stub(void) { return 1; }\n");
    bench.write("fathom.toml", "properties = [\"no-overflow\"]\nclang-flags = [\"-I.\"]\nstubs = [\"stub.c\"]\nnative = false\n");
    let run = bench.verify(&["src/deep/a.c"]);
    assert_eq!(run.verdict(), "false(no-overflow)", "{}", run.stderr);
    assert!(run.stdout.contains("Settings: fathom.toml.") && run.stdout.contains("--no-native"), "{}", run.stdout);
    // The command line wins.
    assert_eq!(bench.verify(&["src/deep/a.c", "--property", "div-by-zero"]).verdict(), "true");
    assert_eq!(bench.verify(&["src/deep/a.c", "--no-config"]).code, 3);
    bench.write("src/fathom.toml", "\ntimeout = \"soon\"\n");
    let run = bench.verify(&["src/deep/a.c"]);
    assert!(run.code == 2 && run.stderr.contains("src/fathom.toml:2:11: error: timeout: "), "{}", run.stderr);
}

#[test]
fn init_writes_settings_once() {
    let bench = Bench::new();
    bench.write("a.c", "int main(void) { return 0; }\n");
    assert_eq!(bench.run(&["init"]).code, 0);
    assert!(bench.verify(&["a.c"]).stdout.contains("Settings: fathom.toml."));
    let again = bench.run(&["init"]);
    assert!(again.code == 2 && again.stderr.contains("exists already"), "{}", again.stderr);
}

#[test]
fn completions_and_man_pages_are_made() {
    let bench = Bench::new();
    for (shell, word) in [("bash", "complete -F _fathom"), ("zsh", "#compdef fathom"), ("fish", "complete -c fathom")] {
        let run = bench.run(&["completions", shell]);
        assert!(run.code == 0 && run.stdout.contains(word) && run.stdout.contains("property"), "{shell}");
    }
    assert_eq!(bench.run(&["man", "pages"]).code, 0);
    let pages = common::files_in(&bench.path().join("pages"));
    assert!(["fathom.1", "fathom-verify.1", "fathom-doctor.1"].iter().all(|page| pages.iter().any(|known| known == page)), "{pages:?}");
    let page = std::fs::read_to_string(bench.path().join("pages/fathom-verify.1")).unwrap();
    assert!(page.contains("property") && page.contains("Exit codes"), "{page}");
}

#[test]
fn the_doctor_finds_what_the_tests_need() {
    let bench = Bench::new();
    let run = bench.run(&["doctor"]);
    assert_eq!(run.code, 0, "{}", run.stdout);
    assert!(run.stdout.contains("ok       clang 19: clang") && run.stdout.contains("bitwuzla"), "{}", run.stdout);
    // Without a compiler nothing works.
    let output = bench.command(&["doctor"]).env("PATH", "").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.code() == Some(3) && text.contains("MISSING  clang 19") && text.contains("apt install clang-19"), "{text}");
}
