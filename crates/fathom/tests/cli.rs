//! What a user sees of a run that goes well, or that a limit or Ctrl-C ends.

mod common;

use common::{Bench, Run, files_in};
use std::process::Child;
use std::time::{Duration, Instant};

const BUG: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
    int main(void) {\n  int amount = __VERIFIER_nondet_int();\n  if (amount == 4711)\n    reach_error();\n  return 0;\n}\n";
/// Every iteration forks, and every state is new.
const ENDLESS: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
    int main(void) {\n  unsigned x = 0, y = 0;\n  while (__VERIFIER_nondet_int()) { x += 2; y += x * x + __VERIFIER_nondet_int();\n    \
    if (x == 1) reach_error(); }\n  return 0;\n}\n";

#[test]
fn a_trace_that_a_c_programmer_can_read() {
    let bench = Bench::new();
    bench.write("bug.c", BUG);
    let run = bench.verify(&["bug.c"]);
    assert_eq!((run.code, run.verdict()), (10, "false(unreach-call)"), "{}", run.stderr);
    for word in ["bug.c:6", "reach_error();", "__VERIFIER_nondet_int() = 4711", "amount = 4711", "confirmed natively", "bug.c:4"] {
        assert!(run.stdout.contains(word), "`{word}` is missing in\n{}", run.stdout);
    }
}

#[test]
fn phases_are_told_on_standard_error_if_asked_for() {
    let bench = Bench::new();
    bench.write("bug.c", BUG);
    let run = bench.verify(&["bug.c", "--engine", "bmc", "-v"]);
    assert_eq!(run.verdict(), "false(unreach-call)");
    for phase in ["read{", "prepare: ", "engine{name=\"bmc\"}: ", "certify", "replay{", "native replay{", "time.busy="] {
        assert!(run.stderr.contains(phase), "`{phase}` is missing in\n{}", run.stderr);
    }
    let run = bench.verify(&["bug.c", "--engine", "bmc"]);
    assert_eq!(run.stderr, "");
}

#[test]
fn without_the_native_replay_the_report_says_so() {
    let bench = Bench::new();
    bench.write("bug.c", BUG);
    let run = bench.verify(&["bug.c", "--no-native"]);
    assert_eq!(run.verdict(), "false(unreach-call)");
    assert!(run.stdout.contains("not replayed natively: switched off"), "{}", run.stdout);
}

#[test]
fn json_is_one_object() {
    let bench = Bench::new();
    bench.write("bug.c", BUG);
    let run = bench.run(&["verify", "bug.c", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(report["verdict"], "false(unreach-call)");
    let violated = report["properties"].as_array().unwrap().iter().find(|p| p["verdict"] == "false").unwrap();
    assert_eq!(violated["violation"]["inputs"][0]["value"], "4711");
    assert_eq!(violated["violation"]["place"]["line"], 6);
}

#[test]
fn the_directory_of_a_report_can_be_used_again() {
    let bench = Bench::new();
    bench.write("bug.c", BUG);
    for _ in 0..2 {
        assert_eq!(bench.verify(&["bug.c", "--out", "reports/first"]).verdict(), "false(unreach-call)");
    }
    let files = files_in(&bench.path().join("reports/first"));
    for name in ["report.txt", "report.json", "driver-unreach-call.c", "inputs-unreach-call.txt"] {
        assert!(files.iter().any(|file| file == name), "{name} is missing in {files:?}");
    }
    let text = std::fs::read_to_string(bench.path().join("reports/first/report.txt")).unwrap();
    assert!(text.ends_with("VERDICT false(unreach-call)\n"));
}

#[test]
fn proofs_bounds_and_property_files() {
    let bench = Bench::new();
    bench.write("safe.c", BUG.replace("amount == 4711", "amount > 5 && amount < 5"));
    let run = bench.verify(&["safe.c"]);
    assert_eq!((run.code, run.verdict()), (0, "true"));
    assert!(run.stdout.contains("recounted"), "{}", run.stdout);
    bench.write("endless.c", ENDLESS);
    let run = bench.verify(&["endless.c", "--engine", "explore", "--max-loop", "3"]);
    assert_eq!(run.code, 20, "{}", run.stdout);
    assert!(run.verdict().starts_with("unknown(bound reached"), "{}", run.verdict());
    bench.write("reach.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    bench.write("bug.c", BUG);
    assert_eq!(bench.verify(&["bug.c", "--property", "reach.prp"]).verdict(), "false(unreach-call)");
    bench.write("overflow.c", "extern int __VERIFIER_nondet_int(void);\nint main(void) { return __VERIFIER_nondet_int() + 1; }\n");
    let run = bench.verify(&["overflow.c", "--property", "no-overflow"]);
    assert_eq!(run.verdict(), "false(no-overflow)");
    assert!(run.stdout.contains("2147483647"), "{}", run.stdout);
    assert_eq!(bench.verify(&["overflow.c", "--property", "unreach-call"]).verdict(), "true");
}

#[test]
fn constants_and_literals_of_another_file() {
    let bench = Bench::new();
    bench.write("main.c", "extern int t;\nint main(void) { return t; }\n");
    bench.write("other.c", "int t = 2147483647 +\n  1;\nconst char *name(void) { return \"lo\"; }\n");
    let run = bench.verify(&["main.c", "other.c", "--property", "no-overflow"]);
    assert_eq!(run.verdict(), "false(no-overflow)");
    assert!(run.stdout.contains("other.c:1:9"), "{}", run.stdout);
    bench.write(
        "compares.c",
        "extern void reach_error(void);\nextern const char *name(void);\nint main(void) { if (name() == \"lo\") reach_error(); return 0; }\n",
    );
    assert_eq!(bench.verify(&["compares.c", "other.c", "--property", "unreach-call"]).verdict(), "false(unreach-call)");
}

#[test]
fn several_files_and_clang_flags() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path().join("include")).unwrap();
    std::fs::write(bench.path().join("include/limit.h"), "int limit(void);\n").unwrap();
    bench.write(
        "one.c",
        "#include \"limit.h\"\nextern void reach_error(void);\nint main(void) { if (limit() == LIMIT) reach_error(); return 0; }\n",
    );
    bench.write("two.c", "int limit(void) { return 7; }\n");
    let run = bench.verify(&["-I", "include", "-DLIMIT=7", "-std=c11", "one.c", "two.c"]);
    assert_eq!(run.verdict(), "false(unreach-call)", "{}", run.stderr);
    assert!(run.stdout.contains("confirmed natively"), "{}", run.stdout);
    assert_eq!(bench.verify(&["-Iinclude", "--clang-arg", "-DLIMIT=8", "one.c", "two.c"]).verdict(), "true");
    bench.write("words.c", "extern void reach_error(void);\nint main(void) { if (sizeof(long) == 4) reach_error(); return 0; }\n");
    assert_eq!(bench.verify(&["words.c", "--32"]).verdict(), "false(unreach-call)");
    assert_eq!(bench.verify(&["words.c", "--64"]).verdict(), "true");
}

#[test]
fn the_time_limit_holds() {
    let bench = Bench::new();
    bench.write("endless.c", ENDLESS);
    let start = Instant::now();
    let run = bench.verify(&["endless.c", "--engine", "explore", "--timeout", "1s"]);
    assert_eq!((run.code, run.verdict()), (21, "unknown(timeout)"), "{}", run.stdout);
    assert!(start.elapsed() < Duration::from_secs(4), "{:?}", start.elapsed());
}

#[test]
fn the_memory_limit_holds() {
    let bench = Bench::new();
    bench.write("endless.c", ENDLESS);
    let run = bench.verify(&["endless.c", "--engine", "explore", "--timeout", "60s", "--memory", "16M"]);
    assert_eq!((run.code, run.verdict()), (22, "unknown(out of memory)"), "{}", run.stdout);
}

fn interrupt(child: &Child) {
    let status = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

fn finish(bench: &Bench, child: Child) -> Run {
    let output = child.wait_with_output().unwrap();
    let run = Run {
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        code: output.status.code().unwrap_or(-1),
    };
    bench.check_promises(&run);
    run
}

#[test]
fn an_interrupt_ends_with_what_was_found() {
    let bench = Bench::new();
    bench.write("endless.c", ENDLESS);
    for interrupts in [1, 2] {
        let start = Instant::now();
        let child = bench.command(&["verify", "endless.c", "--engine", "explore", "--timeout", "60s"]).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(1500));
        for _ in 0..interrupts {
            interrupt(&child);
            std::thread::sleep(Duration::from_millis(5));
        }
        let run = finish(&bench, child);
        assert_eq!((run.code, run.verdict()), (23, "unknown(interrupted)"), "{}", run.stderr);
        assert!(start.elapsed() < Duration::from_secs(10));
    }
}

/// The process that works for a run, as soon as it has begun to; None if this kernel does not list children.
fn worker(parent: &Child) -> Option<String> {
    std::thread::sleep(Duration::from_millis(1000));
    match fathom_base::process::children(parent.id())[..] {
        [worker] => Some(worker.to_string()),
        _ => None,
    }
}

/// A run on a program without end that gets these signals, one second apart.
fn hit(bench: &Bench, timeout: &str, signals: &[&str]) -> Option<Run> {
    bench.write("endless.c", ENDLESS);
    let parent = bench.command(&["verify", "endless.c", "--engine", "explore", "--timeout", timeout]).spawn().unwrap();
    for signal in signals {
        let Some(worker) = worker(&parent) else {
            eprintln!("skipped: this kernel does not list children");
            interrupt(&parent);
            finish(bench, parent);
            return None;
        };
        assert!(std::process::Command::new("kill").args([signal, worker.as_str()]).status().unwrap().success());
    }
    Some(finish(bench, parent))
}

#[test]
fn a_crash_still_ends_in_a_verdict() {
    let bench = Bench::new();
    let cases: [(&[&str], i32, &str); 2] =
        [(&["-ABRT", "-ABRT"], 70, "unknown(internal error: signal 6)"), (&["-KILL"], 25, "unknown(killed)")];
    for (signals, code, verdict) in cases {
        let Some(run) = hit(&bench, "60s", signals) else { return };
        assert_eq!((run.code, run.verdict()), (code, verdict), "{}", run.stderr);
    }
}

#[test]
fn after_a_crash_the_other_solver_goes_on() {
    let bench = Bench::new();
    let Some(run) = hit(&bench, "4s", &["-ABRT"]) else { return };
    assert_eq!((run.code, run.verdict()), (21, "unknown(timeout)"), "{}", run.stderr);
    let note = "the run with bitwuzla crashed (signal 6) and was started again with z3";
    assert!(run.stdout.contains(note), "{}", run.stdout);
}

#[test]
fn the_other_commands() {
    let bench = Bench::new();
    bench.write("bug.c", BUG);
    let ir = bench.run(&["ir", "bug.c"]);
    assert_eq!(ir.code, 0, "{}", ir.stderr);
    assert!(ir.stdout.contains("main") && ir.stdout.contains("__VERIFIER_nondet_int"), "{}", ir.stdout);
    assert_eq!(bench.run(&["ir", "lost.c"]).code, 3);
    let solvers = bench.run(&["solvers"]);
    assert!(solvers.stdout.contains("Bitwuzla"), "{}", solvers.stdout);
    let help = bench.run(&["verify", "--help"]);
    assert!(help.stdout.contains("Exit codes:") && help.code == 0);
}

/// Which of two variables lies first is the compiler's to choose: neither order may be taken for granted.
const ORDER: &str = "extern void reach_error(void);\nint main(void) {\n  int a, b;\n  \
    if ((unsigned long)&a > (unsigned long)&b) reach_error();\n  return 0;\n}\n";

#[test]
fn no_order_of_objects_is_taken_for_granted() {
    let bench = Bench::new();
    for order in [ORDER.to_string(), ORDER.replace('>', "<")] {
        bench.write("order.c", &order);
        let run = bench.verify(&["order.c", "--property", "unreach-call", "--engine", "explore"]);
        assert_eq!(run.verdict(), "false(unreach-call)", "{}", run.stdout);
    }
}

/// The index comes round to the array by way of 2^32 or 2^64 bytes: such a run means nothing, so it shows nothing.
#[test]
fn a_run_through_a_wrapped_index_shows_nothing() {
    for (model, ty, input) in [("--32", "unsigned", "__VERIFIER_nondet_uint"), ("--64", "unsigned long", "__VERIFIER_nondet_ulong")] {
        let bench = Bench::new();
        let source = format!(
            "extern {ty} {input}(void);
             extern void reach_error(void);
             int a[20];
             int main(void) {{
               {ty} i = {input}();
               if (i < 20) return 0;
               a[i] = 1;
               for (int k = 0; k < 20; k++) if (a[k]) reach_error();
             }}"
        );
        bench.write("far.c", source);
        for engine in ["explore", "interpolate", "bmc", "kind", "dash"] {
            let run = bench.verify(&["far.c", model, "--property", "unreach-call", "--engine", engine]);
            assert!(run.verdict().starts_with("unknown(undefined behaviour"), "{engine} {model}: {}", run.stdout);
        }
    }
}

/// Nor does one that comes from an array in a structure to the next field.
#[test]
fn a_run_through_an_index_outside_its_array_shows_nothing() {
    let bench = Bench::new();
    let source = "extern int __VERIFIER_nondet_int(void);
         extern void reach_error(void);
         struct { int element[4], tail; } q;
         int main(void) { q.element[__VERIFIER_nondet_int()] = 1; if (q.tail) reach_error(); }";
    bench.write("part.c", source);
    for engine in ["explore", "interpolate", "bmc", "kind", "dash"] {
        let run = bench.verify(&["part.c", "--property", "unreach-call", "--engine", engine]);
        assert!(run.verdict().starts_with("unknown(undefined behaviour"), "{engine}: {}", run.stdout);
    }
    let run = bench.verify(&["part.c", "--check", "bounds"]);
    assert!(run.stdout.contains("confirmed natively: index 4 out of bounds for type 'int[4]'"), "{}", run.stdout);
}

/// Random runs look until their time is over, here a minute; who proved the property has ended long before.
#[test]
fn agreement_does_not_wait_for_a_search_that_can_prove_nothing() {
    let bench = Bench::new();
    bench.write("input.c", "int __VERIFIER_nondet_int(void);\nvoid reach_error(void);\nint main(void) { if (__VERIFIER_nondet_int() * 2 == 7) reach_error(); return 0; }\n");
    let run = bench.verify(&["input.c", "--property", "unreach-call", "--agree", "--timeout", "120s"]);
    assert_eq!((run.code, run.verdict()), (0, "true"), "{}", run.stderr);
    assert!(run.stdout.contains("random: ended") && run.stdout.contains("explore: true"), "{}", run.stdout);
}
