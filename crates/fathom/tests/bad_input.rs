//! Bad input of every kind gives one clear message, the exit code for it and a verdict line; nothing is written over.

mod common;

use common::{Bench, Run, files_in};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::process::Command;
use std::time::{Duration, Instant};

const INPUT_ERROR: i32 = 3;
const MAIN: &str = "int main(void) { return 0; }\n";

fn input_error(run: &Run, words: &[&str]) {
    assert_eq!(run.code, INPUT_ERROR, "{}\n{}", run.stdout, run.stderr);
    assert!(run.verdict().starts_with("unknown(input error: "), "{}", run.verdict());
    assert_eq!(run.stdout.lines().count(), 1, "only the verdict goes to standard output:\n{}", run.stdout);
    for word in words {
        assert!(run.stderr.contains(word), "`{word}` is missing in:\n{}", run.stderr);
    }
    assert!(run.stderr.starts_with("error: "), "{}", run.stderr);
}

#[test]
fn a_missing_file() {
    input_error(&Bench::new().verify(&["nowhere.c"]), &["nowhere.c", "no such file"]);
}

#[test]
fn an_empty_file() {
    let bench = Bench::new();
    bench.write("empty.c", "");
    input_error(&bench.verify(&["empty.c"]), &["empty.c is empty"]);
}

#[test]
fn a_file_that_is_not_c() {
    let bench = Bench::new();
    bench.write("poem.c", "Roses are red,\nviolets are blue;\n");
    input_error(&bench.verify(&["poem.c"]), &["poem.c does not compile", "poem.c:1:1: error:"]);
    bench.write("image.png", b"\x89PNG\r\n\x1a\n\0\0");
    input_error(&bench.verify(&["image.png"]), &["image.png", "not supported", ".bc"]);
    bench.write("noise.c", (0..20_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect::<Vec<_>>());
    input_error(&bench.verify(&["noise.c"]), &["noise.c does not compile"]);
}

#[test]
fn a_file_that_does_not_compile() {
    let bench = Bench::new();
    bench.write("typo.c", "int main(void) {\n  int x = 1\n  return x;\n}\n");
    let run = bench.verify(&["typo.c"]);
    input_error(&run, &["typo.c:2:12: error: expected ';'"]);
    assert_eq!(run.verdict(), "unknown(input error: typo.c does not compile)");
}

#[test]
fn no_entry_function() {
    let bench = Bench::new();
    bench.write("library.c", "int helper(int x) { return x; }\n");
    input_error(&bench.verify(&["library.c"]), &["no function `main`", "helper", "tip: --entry NAME"]);
    input_error(&bench.verify(&["library.c", "--entry", "helpr"]), &["did you mean `helper`"]);
    let run = bench.verify(&["library.c", "--entry", "helper"]);
    assert_eq!((run.code, run.verdict()), (0, "true"), "{}", run.stderr);
}

#[test]
fn a_file_without_a_command() {
    let bench = Bench::new();
    bench.write("a.c", MAIN);
    let run = bench.run(&["a.c"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(run.stderr.ends_with("tip: to verify this file: fathom verify a.c\n"), "{}", run.stderr);
    assert!(!bench.run(&["verifi", "a.c"]).stderr.contains("to verify this file"));
}

#[test]
fn the_verdict_on_a_wrong_flag_is_short() {
    let bench = Bench::new();
    bench.write("a.c", MAIN);
    let run = bench.verify(&["a.c", "--property", "no-overflw"]);
    assert_eq!(run.verdict(), "unknown(usage error: unknown property `no-overflw` (did you mean `no-overflow`?))");
    assert!(run.stderr.contains("known are: unreach-call"), "{}", run.stderr);
}

#[test]
fn a_directory() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path().join("sources.c")).unwrap();
    input_error(&bench.verify(&["sources.c"]), &["sources.c is a directory"]);
}

fn bitcode(bench: &Bench) -> Vec<u8> {
    bench.write("whole.c", MAIN);
    let mut clang = Command::new("clang-19");
    clang.args(["-c", "-emit-llvm", "whole.c", "-o", "whole.bc"]).current_dir(bench.path());
    assert!(clang.status().unwrap().success());
    std::fs::read(bench.path().join("whole.bc")).unwrap()
}

#[test]
fn truncated_bitcode() {
    let bench = Bench::new();
    let whole = bitcode(&bench);
    assert_eq!(bench.verify(&["whole.bc"]).verdict(), "true");
    for length in [3, 4, 20, 100, whole.len() / 2, whole.len() - 4] {
        bench.write("part.bc", &whole[..length]);
        input_error(&bench.verify(&["part.bc"]), &["part.bc", "bitcode"]);
    }
    bench.write("not.bc", "these are not the bits\n");
    input_error(&bench.verify(&["not.bc"]), &["not.bc"]);
    bench.write("not.ll", "these are not the lines\n");
    input_error(&bench.verify(&["not.ll"]), &["not.ll"]);
}

#[test]
fn damaged_bitcode_never_brings_fathom_down() {
    let bench = Bench::new();
    let whole = bitcode(&bench);
    for step in 0..12 {
        let mut damaged = whole.clone();
        let place = 40 + step * (whole.len() - 60) / 12;
        damaged[place] ^= 0x5a;
        bench.write("damaged.bc", &damaged);
        bench.verify(&["damaged.bc", "--timeout", "20s"]);
    }
}

/// The bitcode with another epoch number, which is how LLVM marks formats that are not compatible: the number follows
/// the producer's name, six bits a character, at a place that is not aligned to bytes.
fn another_epoch(mut bitcode: Vec<u8>) -> Vec<u8> {
    const CHARACTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";
    let bits = |data: &[u8], at: usize, count: usize| {
        (0..count).fold(0usize, |value, i| value | usize::from(data[(at + i) / 8] >> ((at + i) % 8) & 1) << i)
    };
    let spells = |at: usize, text: &[u8]| text.iter().enumerate().all(|(i, c)| CHARACTERS[bits(&bitcode, at + 6 * i, 6)] == *c);
    let start = (32..2000).find(|at| spells(*at, b"LLVM")).expect("a producer's name");
    let length = bits(&bitcode, start - 6, 6);
    // The array is followed by the definition of an abbreviation (28 bits), its use (5 bits) and the epoch.
    let epoch = start + 6 * length + 33;
    bitcode[epoch / 8] ^= 1 << (epoch % 8);
    bitcode
}

#[test]
fn bitcode_of_another_llvm() {
    let bench = Bench::new();
    let other = another_epoch(bitcode(&bench));
    bench.write("other.bc", other);
    input_error(&bench.verify(&["other.bc"]), &["other.bc", "another version of LLVM", "clang 19"]);
}

#[test]
fn a_file_of_50_megabytes() {
    let bench = Bench::new();
    bench.write("large.c", "x y z ".repeat(50 << 20 >> 3).into_bytes());
    input_error(&bench.verify(&["large.c", "--timeout", "60s"]), &["large.c does not compile"]);
    let mut comment = format!("/*{}*/\n", "all work and no play ".repeat((50 << 20) / 21));
    comment += MAIN;
    bench.write("comment.c", &comment);
    assert_eq!(bench.verify(&["comment.c", "--timeout", "60s"]).verdict(), "true");
}

#[test]
fn a_compiler_that_takes_too_long_is_ended() {
    let bench = Bench::new();
    let mut text: String = (0..1_500_000).map(|i| format!("int variable_{i} = {i};\n")).collect();
    text += MAIN;
    bench.write("globals.c", &text);
    let start = Instant::now();
    let run = bench.verify(&["globals.c", "--timeout", "1500ms"]);
    assert_eq!((run.code, run.verdict()), (21, "unknown(timeout)"), "{}", run.stderr);
    assert!(start.elapsed() < Duration::from_secs(8), "{:?}", start.elapsed());
}

#[test]
fn sources_and_names_that_are_not_utf8() {
    let bench = Bench::new();
    bench.write("latin.c", b"/* caf\xe9 */ char c[] = \"\xe9\";\nint main(void) { return c[0] == 0; }\n");
    assert_eq!(bench.verify(&["latin.c"]).verdict(), "true");
    let odd = OsStr::from_bytes(b"odd\xff name.c");
    std::fs::write(bench.path().join(odd), MAIN).unwrap();
    assert_eq!(bench.verify(&[odd]).verdict(), "true");
    input_error(&bench.verify(&[OsStr::from_bytes(b"lost\xff.c")]), &["no such file"]);
}

#[test]
fn an_unreadable_place_for_reports_costs_no_file() {
    let bench = Bench::new();
    bench.write("fine.c", MAIN);
    std::fs::create_dir(bench.path().join("mine")).unwrap();
    std::fs::write(bench.path().join("mine/report.txt"), "precious").unwrap();
    for place in ["mine", "mine/report.txt", "/proc/nowhere"] {
        let run = bench.verify(&["fine.c", "--out", place]);
        assert_eq!(run.code, 2, "{}", run.stderr);
        assert!(run.stderr.contains(place), "{}", run.stderr);
    }
    assert_eq!(std::fs::read_to_string(bench.path().join("mine/report.txt")).unwrap(), "precious");
    assert_eq!(files_in(&bench.path().join("mine")), ["report.txt"]);
}

/// Messages about files have one form, clang's: the place, what is wrong, the line and a mark.
#[test]
fn mistakes_in_files_are_shown_in_their_place() {
    let bench = Bench::new();
    bench.write("fine.c", MAIN);
    bench.write("bad.bpl", "procedure p() {\n  var x: int;\n  x := true;\n}\n");
    bench.write("bad.toml", "first = true\nenigne = \"bmc\"\n");
    bench.write("bad.prp", "// all\n  CHECK( init(main()), LTL(G luck) )\n");
    bench.write("bad.yml", "- entry_type: violation_sequence\n  metadata: 7\n");
    bench.write("bad.graphml", "<graphml>\n  <graph>\n</graphml>\n");
    let cases: [(&[&str], i32, &str); 5] = [
        (
            &["bad.bpl"],
            3,
            "bad.bpl:3:3: error: mismatched types in assignment command (cannot assign bool to int)\n      x := true;\n      ^~~~~~~~~\n",
        ),
        (&["fine.c", "--config", "bad.toml"], 2, "bad.toml:2:1: error: unknown field `enigne` (did you mean `engine`?), expected"),
        (
            &["fine.c", "--property", "bad.prp"],
            2,
            "bad.prp:2:3: error: a property that Fathom does not know\n      CHECK( init(main()), LTL(G luck) )\n      ^~~~~~~",
        ),
        (&["fine.c", "--witness", "bad.yml"], 3, "bad.yml:2:13: error: not a witness of the YAML format 2.0: "),
        (
            &["fine.c", "--witness", "bad.graphml"],
            3,
            "bad.graphml:3:1: error: not a GraphML witness: ill-formed document: expected `</graph>`, but",
        ),
    ];
    for (arguments, code, message) in cases {
        let run = bench.verify(arguments);
        assert_eq!(run.code, code, "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.starts_with(message), "{arguments:?}: {}", run.stderr);
        let lines: Vec<&str> = run.stderr.lines().collect();
        assert_eq!(lines.len(), 3, "{}", run.stderr);
        assert!(lines[1].starts_with("    ") && lines[2].trim_start().starts_with('^'), "{}", run.stderr);
    }
}

#[test]
fn names_that_are_nearly_right() {
    let bench = Bench::new();
    bench.write("fine.c", MAIN);
    let cases: [(&[&str], &str); 8] = [
        (&["--engine", "bcm"], "`bmc`"),
        (&["--property", "no-overfow"], "`no-overflow`"),
        (&["--property", "valid-memsaftey"], "`valid-memsafety`"),
        (&["--solver", "ycies"], "`yices`"),
        (&["--searcher", "fds"], "`dfs`"),
        (&["--format", "jsno"], "`json`"),
        (&["--check", "shfit"], "'shift'"),
        (&["--timeot", "3s"], "'--timeout'"),
    ];
    for (arguments, name) in cases {
        let run = bench.verify(&[&["fine.c"], arguments].concat());
        assert_eq!(run.code, 2, "{arguments:?}: {}", run.stderr);
        let is_suggested = run.stderr.contains(&format!("did you mean {name}?")) || run.stderr.contains(&format!("exists: {name}"));
        assert!(is_suggested, "{arguments:?}: {}", run.stderr);
    }
}

#[test]
fn wrong_flags() {
    let bench = Bench::new();
    bench.write("fine.c", MAIN);
    let cases: &[(&[&str], &str)] = &[
        (&["fine.c", "--engine", "magic"], "explore"),
        (&["fine.c", "--property", "no-bugs"], "unreach-call"),
        (&["fine.c", "--property", "lost.prp"], "lost.prp"),
        (&["fine.c", "--solver", "oracle"], "oracle"),
        (&["fine.c", "--timeout", "soon"], "60s"),
        (&["fine.c", "--memory", "much"], "4G"),
        (&["fine.c", "--searcher", "luck"], "dfs"),
        (&["fine.c", "--32", "--64"], "--32"),
        (&["fine.c", "--frobnicate"], "--frobnicate"),
        (&[], "FILE"),
    ];
    for (arguments, word) in cases {
        let run = bench.verify(arguments);
        assert_eq!(run.code, 2, "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains(word), "{arguments:?}: {}", run.stderr);
    }
}
