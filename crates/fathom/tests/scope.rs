//! What a run checks: everything by default, less where it is told so; and every property gets its answer.

mod common;

use common::{Bench, Run};

const ASSERTS: &str = "#include <assert.h>\nint main(void) { int x = 1; assert(x == 1); return 0; }\n";
const RACE: &str = "#include <pthread.h>
int x;
void *add(void *unused) { x++; return 0; }
int main(void) {
    pthread_t other;
    pthread_create(&other, 0, add, 0);
    x++;
    pthread_join(other, 0);
    return 0;
}
";

const FREED: &str = "#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int *p = malloc(sizeof *p);
    int n = __VERIFIER_nondet_int();
    *p = n;
    free(p);
    if (n == 7) return *p;
    return 10 / n;
}\n";

fn line<'a>(run: &'a Run, start: &str) -> &'a str {
    run.stdout.lines().find(|line| line.starts_with(start)).unwrap_or_else(|| panic!("no line {start}:\n{}{}", run.stdout, run.stderr))
}

#[test]
fn everything_is_checked_by_default() {
    let bench = Bench::new();
    for (name, text, verdict) in [
        ("overflow.c", "int main(int argc, char **argv) { return argc + 2147483647; }", "false(no-overflow)"),
        ("leak.c", "#include <stdlib.h>\nint main(void) { char *p = malloc(3); p[0] = 1; p = 0; return 0; }", "false(valid-memtrack)"),
        ("shift.c", "int main(int argc, char **argv) { return 1u << argc; }", "false(shift)"),
        ("division.c", "int main(int argc, char **argv) { return 1 / argc; }", "false(div-by-zero)"),
        ("wrong_free.c", "#include <stdlib.h>\nint x; int main(void) { free(&x); return 0; }", "false(valid-free)"),
        ("null.c", "int *p; int main(void) { return *p; }", "false(valid-deref)"),
        (
            "inner.c",
            "struct s { int a[2]; int b; } s; int main(int argc, char **argv) { return argc < 3 ? s.a[argc] : 0; }",
            "false(bounds)",
        ),
    ] {
        bench.write(name, text);
        let run = bench.verify(&[name]);
        assert_eq!(run.verdict(), verdict, "{name}\n{}", run.stdout);
    }
    bench.write("asserts.c", ASSERTS);
    let run = bench.verify(&["asserts.c"]);
    assert_eq!(run.verdict(), "true");
    assert_eq!(line(&run, "Checked:"), "Checked: assertion.");
    assert!(line(&run, "Nothing in the program can violate:").contains("valid-free"));
    assert!(line(&run, "Not checked").contains("termination"));
}

#[test]
fn every_property_gets_its_answer() {
    let bench = Bench::new();
    bench.write("freed.c", FREED);
    for engine in ["auto", "explore", "bmc", "kind"] {
        let run = bench.verify(&["freed.c", "--engine", engine, "--no-native"]);
        assert_eq!(run.verdict(), "false(valid-deref)", "{engine}");
        assert!(
            run.stdout.contains("\nvalid-deref: violated") || run.stdout.starts_with("valid-deref: violated"),
            "{engine}\n{}",
            run.stdout
        );
        assert!(run.stdout.contains("\ndiv-by-zero: violated"), "{engine}\n{}", run.stdout);
        assert!(run.stdout.contains("a run ends where it violates valid-deref"), "{engine}\n{}", run.stdout);
        let holds = run.stdout.lines().find(|line| line.contains(": hold")).unwrap_or_default();
        assert!(holds.contains("valid-free") && holds.contains("valid-memtrack"), "{engine}\n{}", run.stdout);
    }
    // Answers of engines that decide one by one and of those that go on mean the same.
    bench
        .write("wraps.c", "#include <assert.h>\nint __VERIFIER_nondet_int(void);\nint main(void) { int n = __VERIFIER_nondet_int(), more = n + 1; assert(more > n); return 0; }\n");
    for engine in ["auto", "explore", "bmc", "kind", "dash"] {
        let run = bench.verify(&["wraps.c", "--engine", engine, "--no-native"]);
        assert_eq!(run.verdict(), "false(no-overflow)", "{engine}");
        assert!(
            run.stdout.contains("assertion: holds") && run.stdout.contains("a run ends where it violates no-overflow"),
            "{}",
            run.stdout
        );
    }
    assert_eq!(bench.verify(&["wraps.c", "--property", "assertion", "--no-native"]).verdict(), "false(assertion)");
    let first = bench.verify(&["freed.c", "--first", "--no-native"]);
    assert_eq!(first.stdout.matches(": violated").count(), 1, "{}", first.stdout);
    assert!(!first.stdout.contains("stopped at another violation"));
}

#[test]
fn properties_narrow() {
    let bench = Bench::new();
    bench.write("freed.c", FREED);
    let verdict = |words: &[&str]| {
        let words: Vec<&str> = ["freed.c", "--no-native"].into_iter().chain(words.iter().copied()).collect();
        bench.verify(&words).verdict().to_string()
    };
    assert_eq!(verdict(&["--property", "valid-free,valid-memtrack,div-by-zero"]), "false(div-by-zero)");
    assert_eq!(verdict(&["--property", "none", "--check", "div-by-zero"]), "false(div-by-zero)");
    assert!(verdict(&["--property", "none"]).starts_with("unknown(usage error"));
    bench.write("free.prp", "CHECK( init(main()), LTL(G valid-deref) )\nCHECK( init(main()), LTL(G valid-free) )\n");
    assert_eq!(verdict(&["--property", "free.prp"]), "false(valid-deref)");
    bench.write("race.prp", "CHECK( init(main()), LTL(G ! data-race) )\n");
    bench.write("race.c", RACE);
    assert_eq!(bench.verify(&["race.c", "--property", "race.prp", "--no-native"]).verdict(), "false(no-data-race)");
    bench.write("cover.prp", "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )\n");
    assert!(verdict(&["--property", "cover.prp"]).contains("fathom test --coverage"));
}

#[test]
fn a_property_file_means_what_it_says_alone() {
    let bench = Bench::new();
    bench.write("cleanup.c", "#include <stdlib.h>\nchar *kept; int main(void) { kept = malloc(3); return 0; }\n");
    for (name, line, verdict) in [
        ("cleanup.prp", "CHECK( init(main()), LTL(G valid-memcleanup) )", "false(valid-memcleanup)"),
        ("track.prp", "CHECK( init(main()), LTL(G valid-memtrack) )", "true"),
        ("end.prp", "CHECK( init(main()), LTL(F end) )", "true"),
    ] {
        bench.write(name, line);
        assert_eq!(bench.verify(&["cleanup.c", "--property", name]).verdict(), verdict, "{name}");
    }
    bench.write("unreachable.c", "int main(int argc, char **argv) { if (argc == 3) __builtin_unreachable(); return 0; }\n");
    bench.write("overflow.prp", "CHECK( init(main()), LTL(G ! overflow) )");
    assert_eq!(bench.verify(&["unreachable.c", "--property", "overflow.prp"]).verdict(), "true");
    assert_eq!(bench.verify(&["unreachable.c"]).verdict(), "false(unreachable)");
}

#[test]
fn nothing_to_check_is_said() {
    let bench = Bench::new();
    bench.write("idle.c", "int main(void) { return 0; }\n");
    let run = bench.verify(&["idle.c", "--property", "assertion"]);
    assert_eq!(run.verdict(), "true");
    assert_eq!(line(&run, "warning:"), "warning: there is nothing to check: the program has no assertion");
    bench.write("idle.bpl", "procedure main() { var x: int; x := 1; }\n");
    let run = bench.verify(&["idle.bpl"]);
    assert_eq!((run.verdict(), line(&run, "warning:")), ("true", "warning: there is nothing to check: the program has no assertion"));
    bench.write("asserts.c", ASSERTS);
    assert!(!bench.verify(&["asserts.c", "--property", "assertion"]).stdout.contains("nothing to check"));
}

#[test]
fn flags_in_vain_are_told() {
    let bench = Bench::new();
    bench.write("asserts.c", ASSERTS);
    let run = bench.verify(&["asserts.c", "--engine", "explore", "--unwind", "3"]);
    assert_eq!(run.verdict(), "true");
    assert!(line(&run, "warning:").contains("--unwind has no effect with --engine explore"), "{}", run.stdout);
    assert!(!bench.verify(&["asserts.c", "--engine", "bmc", "--unwind", "3"]).stdout.contains("no effect"));
}

#[test]
fn data_races_are_part_of_the_default_where_there_are_threads() {
    let bench = Bench::new();
    bench.write("race.c", RACE);
    let racy = bench.verify(&["race.c", "--no-native"]);
    assert_eq!(racy.verdict(), "false(no-data-race)");
    // A race ends no run: what else there is to say of it is said.
    assert!(line(&racy, "everything else that was checked").contains(": holds"), "{}", racy.stdout);
    bench.write("joined.c", RACE.replace("    x++;\n    pthread_join(other, 0);\n", "    pthread_join(other, 0);\n    x++;\n"));
    assert_eq!(bench.verify(&["joined.c"]).verdict(), "true");
    // Relaxed operations order nothing, which the search does not know: it finds what races even so, and proves nothing.
    let relaxed = RACE.replace("x++;", "__atomic_fetch_add(&x, 1, __ATOMIC_RELAXED);");
    bench.write("relaxed.c", &relaxed);
    let told = bench.verify(&["relaxed.c", "--property", "no-data-race"]);
    assert!(told.verdict().contains("atomic operations that are relaxed"), "{}", told.verdict());
}
