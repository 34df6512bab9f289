//! `--contracts`: programs of `tests/contracts` with their verdicts, and contracts with errors, which are told at their place.

mod common;

use common::Bench;
use std::path::{Path, PathBuf};

fn programs() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/contracts");
    let mut found: Vec<PathBuf> = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    found.sort();
    found
}

#[test]
fn programs_have_their_verdicts() {
    let programs = programs();
    assert!(programs.len() > 10, "only {} programs", programs.len());
    let bench = Bench::new();
    for path in programs {
        let text = std::fs::read_to_string(&path).unwrap();
        let header = |name: &str| text.lines().find_map(|line| line.strip_prefix("//! ")?.strip_prefix(name)).map(str::trim);
        let expected = header("verdict:").unwrap_or_else(|| panic!("{} says no verdict", path.display()));
        let file = path.display().to_string();
        let run = bench.verify(&[&file, "--contracts", "--engine", "explore", "--property", "assertion,valid-memsafety,no-overflow"]);
        let told = format!("{file}:\n{}{}", run.stdout, run.stderr);
        assert!(run.verdict() == expected || (expected == "unknown" && run.verdict().starts_with("unknown(")), "{told}");
        assert!(header("says:").is_none_or(|text| run.stdout.contains(text)), "{told}");
    }
}

#[test]
fn the_default_engine_proves_the_example() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/contracts.c").display().to_string();
    let run = Bench::new().verify(&[&example, "--contracts"]);
    assert_eq!(run.verdict(), "true", "{}{}", run.stdout, run.stderr);
}

#[test]
fn without_the_flag_contracts_say_nothing() {
    let bench = Bench::new();
    let text = "#include <fathom.h>\nint f(int x)\nfathom_ensures(fathom_result > x)\n{ return x; }\nint main(void) { return f(0); }\n";
    bench.write("f.c", text);
    assert_eq!(bench.verify(&["f.c", "--property", "assertion"]).verdict(), "true");
    assert_eq!(bench.verify(&["f.c", "--property", "assertion", "--contracts"]).verdict(), "false(assertion)");
}

#[test]
fn contracts_of_others_are_assumed() {
    let bench = Bench::new();
    let text = "int g(int x)\n__CPROVER_ensures(__CPROVER_return_value == 1);\n\
        int f(int x)\n__CPROVER_ensures(__CPROVER_return_value == 2)\n{ return g(x) + 1; }\n";
    bench.write("f.c", text);
    let run = bench.verify(&["f.c", "--contracts", "--entry", "f", "--property", "assertion"]);
    assert_eq!(run.verdict(), "true", "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("`g` keeps its contract, which this run does not check"), "{}", run.stdout);
}

#[test]
fn errors_are_told_at_their_place() {
    for (text, place, what) in [
        ("int f(int)\n__CPROVER_requires(1)\n{ return 1; }\n", "f.c:1", "the parameters of a contract need names"),
        ("int f(int x)\n\n__CPROVER_assigns(h(x))\n{ return 1; }\n", "f.c:3", "`h(x)` names no place that can be written"),
        ("int x;\n//@ behavior b: ensures 1;\nint f(int x) { return 1; }\n", "f.c:2", "ACSL's `behavior` is not supported"),
        ("int f(int x)\n__CPROVER_ensures(__CPROVER_return_value == y)\n{ return 1; }\n", "f.c:2", "undeclared identifier 'y'"),
        ("int f(int x)\n__CPROVER_frees(x)\n{ return 1; }\n", "f.c:2", "__CPROVER_frees is not supported"),
        ("int f(int x)\n__CPROVER_loop_invariant(x)\n{ return 1; }\n", "f.c:2", "belongs to a loop"),
        ("int f(int x)\n{\n//@ loop invariant x;\nreturn 1; }\n", "f.c:3", "no loop follows"),
    ] {
        let bench = Bench::new();
        bench.write("f.c", text);
        let run = bench.verify(&["f.c", "--contracts"]);
        assert_eq!(run.code, 3, "{text}\n{}{}", run.stdout, run.stderr);
        assert!(run.stderr.contains(place) && run.stderr.contains(what), "{text}\n{}", run.stderr);
    }
    let bench = Bench::new();
    bench.write("f.c", "int main(void) { return 0; }\n");
    assert_eq!(bench.verify(&["f.c", "--contracts", "--property", "termination"]).code, 2);
}

#[test]
fn contracts_in_a_header_of_several_files() {
    let bench = Bench::new();
    bench.write(
        "api.h",
        "#include <fathom.h>\nint next(int *p, int most)\nfathom_requires(fathom_writable(p, sizeof *p) && *p < most)\n\
        fathom_assigns(*p)\nfathom_ensures(*p == fathom_old(*p) + 1 && fathom_result == *p);\n",
    );
    bench.write("api.c", "#include \"api.h\"\nint next(int *p, int most) { return ++*p; }\n");
    bench.write("main.c", "#include \"api.h\"\nint main(void) { int x = 1; return next(&x, 2) - 2; }\n");
    let arguments = ["main.c", "api.c", "--contracts", "--engine", "explore", "--property", "assertion,no-overflow"];
    let run = bench.verify(&arguments);
    assert_eq!(run.verdict(), "true", "{}{}", run.stdout, run.stderr);
    bench.write("main.c", "#include \"api.h\"\nint main(void) { int x = 2; return next(&x, 2) - 3; }\n");
    assert_eq!(bench.verify(&arguments).verdict(), "false(assertion)");
}
