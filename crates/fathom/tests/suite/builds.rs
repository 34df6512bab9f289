//! `--compile-commands`: programs that a build describes.

use crate::common::Bench;
use crate::{contains, last_line};

fn two_programs(bench: &Bench) {
    for directory in ["src", "inc", "build"] {
        std::fs::create_dir(bench.path().join(directory)).unwrap();
    }
    bench.write("inc/limit.h", "#define LIMIT 10\nint check(int x);\n");
    bench.write(
        "src/check.c",
        "#include \"limit.h\"\nextern void reach_error(void);\n\
        int check(int x) { if (x == LIMIT + STEP) reach_error(); return x; }\n",
    );
    bench.write(
        "src/main.c",
        "#include \"limit.h\"\nextern int __VERIFIER_nondet_int(void);\nint main(void) { return check(__VERIFIER_nondet_int()); }\n",
    );
    bench.write("src/other.c", "int main(void) { return 0; }\n");
}

fn database(bench: &Bench, extra: &str) {
    let build = bench.path().join("build");
    let entry = |file: &str| {
        format!(
            "{{ \"directory\": {build:?}, \"file\": \"../src/{file}\", \"command\": \"cc -I../inc -DSTEP=5 '-DTEXT=a b' -O2 -Wall -MD -MF x.d -o {file}.o -c ../src/{file}\" }}"
        )
    };
    let arguments = format!(
        "{{ \"directory\": {build:?}, \"file\": \"../src/main.c\", \"arguments\": [\"cc\", \"-I\", \"../inc\", \"-c\", \"../src/main.c\"] }}"
    );
    bench.write("build/compile_commands.json", format!("[ {},\n {arguments}{extra} ]\n", entry("check.c")));
}

#[test]
fn a_target_of_a_build() {
    let bench = Bench::new();
    two_programs(&bench);
    database(&bench, "");
    let run = bench.verify(&["--compile-commands", "build"]);
    assert_eq!(run.verdict(), "false(unreach-call)", "{}", run.stderr);
    contains(&run, &["= 15", "confirmed natively"]);
    let run = bench.suite(&["--compile-commands", "build", "--out", "suite"]);
    assert_eq!(run.code, 10, "{}{}", run.stdout, run.stderr);
    assert!(last_line(&run).ends_with("lines 100.0%, branches 100.0%"), "{}", run.stdout);
    assert!(bench.text("suite/CMakeLists.txt").contains("-DSTEP=5"));
    // A harness of one's own instead of the program's main.
    bench.write("harness.c", "extern int check(int);\nint main(void) { return check(15); }\n");
    let run = bench.verify(&["harness.c", "--compile-commands", "build", "--target-files", "check.c"]);
    assert_eq!(run.verdict(), "false(unreach-call)", "{}", run.stderr);
}

#[test]
fn builds_that_are_not_one_program() {
    let bench = Bench::new();
    two_programs(&bench);
    let build = bench.path().join("build");
    database(&bench, &format!(",\n {{ \"directory\": {build:?}, \"file\": \"../src/other.c\", \"command\": \"cc -c ../src/other.c\" }}"));
    let run = bench.verify(&["--compile-commands", "build"]);
    assert_eq!(run.code, 3);
    contains(&run, &["`main` is defined in", "src/main.c and again in", "src/other.c", "--target-files"]);
    let run = bench.verify(&["--compile-commands", "build", "--target-files", "other.c"]);
    assert_eq!(run.verdict(), "true", "{}", run.stderr);
    let run = bench.verify(&["--compile-commands", "build", "--target-files", "nothing*.c"]);
    assert_eq!(run.code, 3);
    contains(&run, &["no entry matches --target-files"]);
}

/// Two targets of CMake that share a file, with flags of their own.
#[test]
fn one_of_several_targets() {
    let bench = Bench::new();
    two_programs(&bench);
    let build = bench.path().join("build");
    let entry = |target: &str, file: &str| {
        let object = format!("CMakeFiles/{target}.dir/{file}.o");
        let step = if target == "late" { 7 } else { 5 };
        format!(
            "{{ \"directory\": {build:?}, \"file\": \"../src/{file}\", \"command\": \"cc -I../inc -DSTEP={step} -o {object} -c ../src/{file}\" }}"
        )
    };
    let entries =
        [entry("tool", "check.c"), entry("tool", "main.c"), entry("late", "check.c"), entry("late", "main.c"), entry("other", "other.c")];
    bench.write("build/compile_commands.json", format!("[ {} ]\n", entries.join(",\n")));
    for (target, value) in [("tool", "= 15"), ("late", "= 17")] {
        let run = bench.verify(&["--compile-commands", "build", "--target", target]);
        assert_eq!(run.verdict(), "false(unreach-call)", "{}", run.stderr);
        contains(&run, &[value]);
    }
    let run = bench.verify(&["--compile-commands", "build", "--target", "another"]);
    assert_eq!(run.code, 3);
    contains(&run, &["no entry belongs to the target another, but to late, other, tool"]);
}

#[test]
fn databases_that_are_wrong() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path().join("build")).unwrap();
    let bad = |content: &str, words: &[&str]| {
        bench.write("build/compile_commands.json", content);
        let run = bench.verify(&["--compile-commands", "build"]);
        assert_eq!(run.code, 3, "{content}: {}", run.stderr);
        assert!(run.verdict().starts_with("unknown(input error: "), "{}", run.verdict());
        contains(&run, words);
    };
    bad("[ { \"directory\": \"/\",\n \"file\": }", &["compile_commands.json:2:", "not a compilation database"]);
    bad("[]", &["it has no entries"]);
    bad("{}", &["compile_commands.json:1:"]);
    bad(
        "[ { \"directory\": \"/\", \"file\": \"/nowhere/x.c\", \"command\": \"cc -c x.c\" } ]",
        &["entry 1 names /nowhere/x.c, which does not exist"],
    );
    bench.write("x.c", "int main(void) { return 0; }\n");
    let file = bench.path().join("x.c");
    bad(&format!("[ {{ \"directory\": \"/\", \"file\": {file:?} }} ]"), &["neither `command` nor `arguments`"]);
    bad(&format!("[ {{ \"directory\": \"/\", \"file\": {file:?}, \"command\": \"cc 'x\" }} ]"), &["can't be split"]);
    let run = bench.verify(&["--compile-commands", "nowhere"]);
    assert_eq!(run.code, 3);
    contains(&run, &["nowhere/compile_commands.json: no such file", "CMAKE_EXPORT_COMPILE_COMMANDS"]);
}
