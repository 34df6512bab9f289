//! `fathom plan`, `fathom run` and `fathom merge`: every kind of input, the promises about results, and everything that may be wrong with
//! a plan, its files or its results.

mod common;

use common::{Bench, Run, files_in};
use serde_json::{Value, json};
use std::path::PathBuf;

const PROVED: &str = "extern int __VERIFIER_nondet_int(void);\nvoid reach_error(void) {}\n\
    int main(void) { int x = __VERIFIER_nondet_int(); if (x > LIMIT && x < LIMIT) reach_error(); return 0; }\n";
const VIOLATED: &str = "extern int __VERIFIER_nondet_int(void);\nvoid reach_error(void) {}\n\
    int main(void) { if (__VERIFIER_nondet_int() == 7) reach_error(); return 0; }\n";
const BOOGIE: &str = "procedure main() { var x: int; assume x > 0; assert x >= 1; }\n";

/// A bench with a header that the first program needs.
fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("limit.h", "#define LIMIT 10\n");
    bench.write("proved.c", format!("#include \"limit.h\"\n{PROVED}"));
    bench.write("violated.c", VIOLATED);
    bench
}

fn run(bench: &Bench, arguments: &str, code: i32) -> Run {
    let run = bench.run(&arguments.split(' ').collect::<Vec<_>>());
    assert_eq!(run.code, code, "fathom {arguments}\n{}\n{}", run.stdout, run.stderr);
    run
}

fn last(run: &Run) -> &str {
    run.stdout.lines().last().unwrap_or_default()
}

/// The tasks of a plan: its lines without the header.
fn tasks(bench: &Bench, plan: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(bench.path().join(plan).join("plan.jsonl")).unwrap();
    text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn merged(bench: &Bench, plan: &str) -> Value {
    serde_json::from_str(&bench.run(&["merge", plan, "--json"]).stdout).unwrap()
}

fn verdicts(merged: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_string();
    merged["programs"].as_array().unwrap().iter().map(|program| (text(&program["program"]), text(&program["verdict"]))).collect()
}

fn result_files(bench: &Bench, plan: &str) -> Vec<PathBuf> {
    let folder = bench.path().join(plan).join("results");
    files_in(&folder).into_iter().map(|name| folder.join(name)).collect()
}

#[test]
fn a_plan_moves_and_its_parts_are_accounted_for() {
    let bench = bench();
    assert_eq!(last(&run(&bench, "plan proved.c violated.c --out work --property unreach-call --timeout 30s", 0)), "PLAN 2 tasks");
    // Workers see neither the sources nor the header, and the plan may lie anywhere.
    for name in ["limit.h", "proved.c", "violated.c"] {
        std::fs::remove_file(bench.path().join(name)).unwrap();
    }
    std::fs::rename(bench.path().join("work"), bench.path().join("elsewhere")).unwrap();
    let nothing = run(&bench, "merge elsewhere", 25);
    assert_eq!(last(&nothing), "MERGE 0 proved, 0 violated, 2 unknown; 0 of 2 tasks done");
    assert!(nothing.stdout.contains("proved.c: unknown(part missing: proved.c unreach-call ("), "{}", nothing.stdout);

    assert_eq!(last(&run(&bench, "run elsewhere 1", 0)), "RUN finished: true");
    let first = std::fs::read(&result_files(&bench, "elsewhere")[0]).unwrap();
    let again = run(&bench, "run elsewhere 1", 0);
    assert!(again.stdout.contains("(done before)"), "{}", again.stdout);
    assert_eq!(std::fs::read(&result_files(&bench, "elsewhere")[0]).unwrap(), first, "a task that is done is not done again");
    let half = merged(&bench, "elsewhere");
    assert_eq!(verdicts(&half)[0], ("proved.c".into(), "true".into()));
    assert_eq!(half["missing"][0]["name"], "violated.c unreach-call");

    let second = tasks(&bench, "elsewhere")[1]["id"].as_str().unwrap().to_string();
    assert_eq!(last(&run(&bench, &format!("run elsewhere/plan.jsonl {second}"), 0)), "RUN finished: false(unreach-call)");
    let whole = run(&bench, "merge elsewhere", 10);
    assert_eq!(last(&whole), "MERGE 1 proved, 1 violated, 0 unknown; 2 of 2 tasks done");

    // Delivered twice under another name: nothing changes. Dropped: the part is missing again, and only it is done.
    let files = result_files(&bench, "elsewhere");
    std::fs::copy(&files[0], bench.path().join("elsewhere/results/twice.jsonl")).unwrap();
    assert_eq!(last(&run(&bench, "merge elsewhere", 10)), last(&whole));
    std::fs::remove_file(bench.path().join("elsewhere/results/twice.jsonl")).unwrap();
    std::fs::remove_file(bench.path().join("elsewhere/results").join(format!("{second}.jsonl"))).unwrap();
    assert!(last(&run(&bench, "merge elsewhere", 25)).contains("1 of 2 tasks done"));
    run(&bench, "run elsewhere 2", 0);
    assert_eq!(last(&run(&bench, "merge elsewhere", 10)), last(&whole));
}

#[test]
fn answers_are_those_of_verify() {
    let bench = bench();
    bench.write("ok.bpl", BOOGIE);
    bench.write("broken.i", "int main(void) { return }\n");
    run(&bench, "plan proved.c violated.c ok.bpl broken.i --out work --timeout 30s", 0);
    for (number, file) in ["proved.c", "violated.c", "ok.bpl", "broken.i"].iter().enumerate() {
        let ran = run(&bench, &format!("run work {}", number + 1), 0);
        let direct = bench.verify(&[*file, "--timeout", "30s"]);
        let direct = direct.verdict().replace("broken.i", "");
        assert_eq!(last(&ran).replace("broken.i", ""), format!("RUN finished: {direct}"), "{file}");
    }
    let merged = run(&bench, "merge work", 10);
    assert!(merged.stdout.contains("broken.i: unknown(input error: "), "{}", merged.stdout);
}

#[test]
fn one_task_for_each_property_engine_and_function() {
    let bench = bench();
    run(&bench, "plan proved.c --out split --property unreach-call,no-overflow --split-properties --engine bmc --engine kind", 0);
    let names: Vec<Value> = tasks(&bench, "split").iter().map(|task| task["name"].clone()).collect();
    let expected =
        ["unreach-call bmc", "unreach-call kind", "no-overflow bmc", "no-overflow kind"].map(|what| json!(format!("proved.c {what}")));
    assert_eq!(names, expected);
    run(&bench, "run split 1", 0);
    run(&bench, "run split 4", 0);
    let parts = merged(&bench, "split");
    assert_eq!(verdicts(&parts), [("proved.c".to_string(), "true".to_string())], "each property was answered by one engine");
    assert_eq!(parts["missing"].as_array().unwrap().len(), 2);

    bench.write(
        "lib.c",
        "static int one(void) { return 1; }\nint two(int x) { return one() + (x & 1); }\nint main(void) { return two(3); }\n",
    );
    run(&bench, "plan lib.c --out functions --per function", 0);
    let names: Vec<Value> = tasks(&bench, "functions").iter().map(|task| task["name"].clone()).collect();
    assert_eq!(names, [json!("lib.c two"), json!("lib.c main")]);
    assert_eq!(last(&run(&bench, "run functions 1", 0)), "RUN finished: true");
}

#[test]
fn one_task_for_each_bound() {
    let bench = bench();
    bench.write(
        "loop.c",
        "extern unsigned __VERIFIER_nondet_uint(void);\nvoid reach_error(void) {}\nint main(void) { unsigned n = __VERIFIER_nondet_uint();\n\
         for (unsigned i = 0; i < n; i++) if (i == 20) reach_error(); return 0; }\n",
    );
    run(&bench, "plan loop.c --out work --property unreach-call --engine bmc --engine kind --bound 4,32 --bound none --timeout 30s", 0);
    let names: Vec<Value> = tasks(&bench, "work").iter().map(|task| task["name"].clone()).collect();
    let expected = ["bmc bound 4", "bmc bound 32", "bmc", "kind bound 4", "kind bound 32", "kind"];
    assert_eq!(names, expected.map(|what| json!(format!("loop.c unreach-call {what}"))));
    assert_eq!(last(&run(&bench, "run work 1", 0)), "RUN finished: unknown(bound reached: 4 iterations of a loop or nested calls)");
    assert!(last(&run(&bench, "run work 4", 0)).starts_with("RUN finished: unknown("), "k = 4 is no proof, and the bound no violation");
    let half = merged(&bench, "work");
    assert!(verdicts(&half)[0].1.starts_with("unknown(part missing"), "{half}");
    assert_eq!(last(&run(&bench, "run work 2", 0)), "RUN finished: false(unreach-call)");
    assert_eq!(verdicts(&merged(&bench, "work")), [("loop.c".to_string(), "false(unreach-call)".to_string())]);
    // What is no violation of one bound may be one of a larger one: a proof within bounds is no answer to the others.
    let refused = |arguments: &str, what: &str| {
        let run = run(&bench, arguments, 2);
        assert!(run.stderr.contains(what), "fathom {arguments}: {}", run.stderr);
    };
    refused("plan loop.c --out no --engine bmc --bound 4 -- --unwinding assume", "--bound says it");
    refused("plan loop.c --out no --bound 4", "the engine auto has no bounds");
    refused("plan loop.c --out no --engine bmc --bound 0", "at least 1");
    refused("plan loop.c --out no --engine bmc --bound x", "neither a number nor none");
}

/// Two loops and what is in none, each with sums that may overflow or not.
const LOOPS: &str = "extern unsigned char __VERIFIER_nondet_uchar(void);\nint main(void) {\n  int n = __VERIFIER_nondet_uchar(), s = 0, t = FIRST;\n\
    for (int i = 0; i < n; i++) s = s > 1000 ? 0 : s + 3;\n  for (int j = 0; j < n; j++) t = t > 1000 ? 0 : t + STEP;\n  return s + t;\n}\n";

fn result_of(bench: &Bench, plan: &str, task: usize) -> PathBuf {
    let id = tasks(bench, plan)[task]["id"].as_str().unwrap().to_string();
    bench.path().join(plan).join("results").join(format!("{id}.jsonl"))
}

#[test]
fn checks_are_divided_by_loops() {
    let bench = bench();
    bench.write("right.c", LOOPS.replace("FIRST", "0").replace("STEP", "5"));
    let plan = "--property no-overflow --engine kind --split-loops 3 --timeout 60s";
    run(&bench, &format!("plan right.c --out work {plan}"), 0);
    let names: Vec<Value> = tasks(&bench, "work").iter().map(|task| task["name"].clone()).collect();
    assert_eq!(names, ["1/3", "2/3", "3/3"].map(|share| json!(format!("right.c no-overflow share {share}"))));
    for number in ["1", "2"] {
        let told = run(&bench, &format!("run work {number}"), 0);
        assert!(
            last(&told).contains(&format!("it holds of share {number} of 3 of the checks")),
            "a share alone is no proof: {}",
            told.stdout
        );
    }
    let missing = run(&bench, "merge work", 25);
    assert!(missing.stdout.contains("part missing: right.c no-overflow share 3/3"), "{}", missing.stdout);
    run(&bench, "run work 3", 0);
    let whole = run(&bench, "merge work", 0);
    assert!(whole.stdout.contains("no-overflow: true by kind, checked"), "{}", whole.stdout);

    // A share that does not say what it has, or that is another one, does not fill the gap.
    let third = result_of(&bench, "work", 2);
    let text = std::fs::read_to_string(&third).unwrap();
    for change in [
        |share: &mut Value| share["own"] = json!(0),
        |share: &mut Value| share["number"] = json!(1),
        |share: &mut Value| share["all"] = json!(99),
    ] {
        let (header, body) = text.split_once('\n').unwrap();
        let (mut header, mut body): (Value, Value) = (serde_json::from_str(header).unwrap(), serde_json::from_str(body).unwrap());
        change(&mut body["share"]);
        let body = body.to_string();
        header["sha256"] = json!(fathom_base::sha256(&body));
        std::fs::write(&third, format!("{header}\n{body}\n")).unwrap();
        let refused = run(&bench, "merge work", 25);
        assert!(refused.stdout.contains("the shares do not have all checks"), "{}", refused.stdout);
    }
}

#[test]
fn a_violation_in_a_share_is_one_of_the_program() {
    let bench = bench();
    for (name, first, step) in [("early.c", "2147483647 + n", "3"), ("late.c", "1000", "2147483000")] {
        bench.write(name, LOOPS.replace("FIRST", first).replace("STEP", step));
        let plan = name.replace(".c", "");
        run(
            &bench,
            &format!("plan {name} --out {plan} --property no-overflow --engine bmc --engine kind --split-loops 2 --timeout 60s"),
            0,
        );
        for task in 1..=4 {
            run(&bench, &format!("run {plan} {task}"), 0);
        }
        let merged = run(&bench, &format!("merge {plan}"), 10);
        assert!(merged.stdout.starts_with(&format!("{name}: false(no-overflow)")), "{}", merged.stdout);
    }
    let refused = |arguments: &str, what: &str| {
        let run = run(&bench, arguments, 2);
        assert!(run.stderr.contains(what), "fathom {arguments}: {}", run.stderr);
    };
    refused("plan early.c --out no --split-loops 2", "name the properties");
    refused("plan early.c --out no --split-loops 2 --property valid-memsafety", "checks of valid-");
    refused("plan early.c --out no --split-loops 2 --property no-overflow --engine explore", "divided by their paths");
    refused("plan early.c --out no -- --share-of-checks 1/2", "--share-of-checks can't stand behind --");
    bench.write("ok.bpl", BOOGIE);
    refused("verify ok.bpl --share-of-checks 1/2", "Boogie");
    refused("verify early.c --property no-overflow --share-of-checks 3/2", "is not N/M");
}

#[test]
fn builds() {
    let bench = bench();
    bench.write("main.c", "int help(int);\nint main(void) { return help(VALUE) == 2 ? 0 : *(int *)0; }\n");
    bench.write("help.c", "int help(int x) { return x + 1; }\n");
    let entry =
        |file: &str| json!({ "directory": bench.path(), "file": file, "arguments": ["cc", "-DVALUE=1", "-std=c11", "-O2", "-c", file] });
    bench.write("compile_commands.json", json!([entry("main.c"), entry("help.c"), entry("gone.c")]).to_string());
    let planned = run(&bench, "plan --compile-commands . --out units", 0);
    assert_eq!(last(&planned), "PLAN 1 tasks, 2 not planned");
    assert!(planned.stderr.contains("help.c: not planned: it has no main"), "{}", planned.stderr);
    assert!(planned.stderr.contains("gone.c: not planned: no such file"), "{}", planned.stderr);
    run(&bench, "run units 1", 0);
    let found = run(&bench, "merge units", 10);
    assert!(found.stdout.contains("help.c: not planned"), "what was never planned is not forgotten\n{}", found.stdout);

    // Together, `help` does what it does, and nothing is wrong.
    bench.write("compile_commands.json", json!([entry("main.c"), entry("help.c")]).to_string());
    run(&bench, "plan --compile-commands . --per program --out whole", 0);
    for name in ["main.c", "help.c", "compile_commands.json"] {
        std::fs::remove_file(bench.path().join(name)).unwrap();
    }
    assert_eq!(last(&run(&bench, "run whole 1", 0)), "RUN finished: true");
    run(&bench, "merge whole", 0);
}

/// What a scan left open is asked of the functions that it is in; what no task can decide is named.
#[test]
fn alarms_that_a_scan_left_open() {
    let bench = Bench::new();
    bench.write("lib.c", "int look(int n) { int *p = 0; if (n == 12345) return *p; return 0; }\nint other(int n) { return 7 / n; }\n");
    bench.run(&["scan", "lib.c", "--no-store", "--format", "json=scan.json"]);
    let report = bench.path().join("scan.json");
    assert_eq!(last(&run(&bench, "plan lib.c --alarms scan.json --out none", 3)), "PLAN unknown(input error: there is nothing to plan)");
    let mut found: Value = serde_json::from_slice(&std::fs::read(&report).unwrap()).unwrap();
    let findings = found["findings"].as_array_mut().unwrap();
    for finding in findings.iter_mut().filter(|finding| finding["alarm"]["function"] == "look") {
        finding["verdict"]["kind"] = "open".into();
    }
    let mut style = findings.iter().find(|finding| finding["alarm"]["function"] == "look").unwrap().clone();
    style["alarm"]["class"] = "other".into();
    let mut elsewhere = style.clone();
    elsewhere["alarm"]["class"] = "null".into();
    elsewhere["alarm"]["place"]["file"] = "/elsewhere.c".into();
    findings.extend([style, elsewhere]);
    bench.write("scan.json", found.to_string());
    let planned = run(&bench, "plan lib.c --alarms scan.json --out work --timeout 30s", 0);
    assert_eq!(last(&planned), "PLAN 1 tasks, 2 not planned");
    assert!(planned.stderr.contains("no property of Fathom is about its rule"), "{}", planned.stderr);
    assert!(planned.stderr.contains("/elsewhere.c: not planned: it has open alarms, but is not among the files"), "{}", planned.stderr);
    let task = &tasks(&bench, "work")[0];
    assert_eq!(task["name"], "lib.c look nonnull,null,valid-deref");
    assert!(last(&run(&bench, "run work 1", 0)).starts_with("RUN finished: false("));
    run(&bench, "merge work", 10);
    let wrong = run(&bench, "plan lib.c --alarms lib.c --out wrong", 3);
    assert!(wrong.stderr.contains("--alarms lib.c: not a report of `fathom scan --format json`"), "{}", wrong.stderr);
}

#[test]
fn tasks_of_the_competition() {
    let bench = bench();
    bench.write("reach.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    bench.write("overflow.prp", "CHECK( init(main()), LTL(G ! overflow) )\n");
    bench.write(
        "t.yml",
        "format_version: '2.0'\ninput_files: 'violated.c'\nproperties:\n  - property_file: reach.prp\n    expected_verdict: false\n  \
         - property_file: overflow.prp\n    expected_verdict: true\noptions:\n  language: C\n  data_model: ILP32\n",
    );
    bench.write("java.yml", "input_files: 'A.java'\noptions:\n  language: Java\n");
    bench.write("list", "t.yml\njava.yml\n");
    let planned = run(&bench, "plan @list --out work --split-properties --timeout 30s", 0);
    assert_eq!(last(&planned), "PLAN 2 tasks, 1 not planned");
    assert_eq!(tasks(&bench, "work")[0]["question"]["program"], json!(["violated.i", "--32"]));
    assert_eq!(last(&run(&bench, "run work 1", 0)), "RUN finished: false(unreach-call)");
    assert_eq!(last(&run(&bench, "run work 2", 0)), "RUN finished: true");
    assert_eq!(verdicts(&merged(&bench, "work")), [("t.yml".to_string(), "false(unreach-call)".to_string())]);
}

#[test]
fn what_is_damaged_or_belongs_elsewhere_is_refused() {
    let bench = bench();
    run(&bench, "plan proved.c violated.c --out work --property unreach-call", 0);
    run(&bench, "plan proved.c --out other --property unreach-call", 0);
    run(&bench, "run work 1", 0);
    run(&bench, "run other 1", 0);
    let told = |arguments: &str, code: i32, what: &str| {
        let run = run(&bench, arguments, code);
        assert!(run.stderr.contains(what), "fathom {arguments}: {}", run.stderr);
    };
    told("merge work other/results", 3, "a result of the plan");
    let result = result_files(&bench, "work").remove(0);
    let whole = std::fs::read_to_string(&result).unwrap();
    std::fs::write(&result, whole.replace("\"verdict\":\"true\"", "\"verdict\":\"false\"")).unwrap();
    told("merge work", 3, "the hash of its report differs");
    std::fs::write(&result, &whole[..whole.len() / 2]).unwrap();
    told("merge work", 3, "run its task again");
    assert_eq!(last(&run(&bench, "run work 1", 0)), "RUN finished: true", "a damaged result is no result");
    run(&bench, "merge work", 25);

    let plan = bench.path().join("work/plan.jsonl");
    let text = std::fs::read_to_string(&plan).unwrap();
    let with = |text: String, what: &str| {
        std::fs::write(&plan, text).unwrap();
        told("run work 2", 3, what);
        told("merge work", 3, what);
    };
    with(text.replace("\"tool\":\"", "\"tool\":\"9."), "made by Fathom 9.");
    with(text.replace("\"format\":1", "\"format\":7"), "a plan of format 7");
    with(text.replace("unreach-call\"]", "no-overflow\"]"), "was changed after it was planned");
    with(text.lines().take(2).map(|line| format!("{line}\n")).collect(), "1 of 2 tasks");
    std::fs::write(&plan, &text).unwrap();
    told("run work 3", 3, "no task 3");
    told("run nowhere 1", 3, "nowhere can't be read");

    let file = tasks(&bench, "work")[1]["question"]["files"][0]["sha256"].as_str().unwrap().to_string();
    let file = bench.path().join("work/files").join(file);
    std::fs::write(&file, "int main(void) { return 0; }\n").unwrap();
    told("run work 2", 3, "violated.i has changed since it was planned");
    std::fs::remove_file(&file).unwrap();
    told("run work 2", 3, "violated.i is missing");
    assert_eq!(result_files(&bench, "work").len(), 1, "nothing was answered");
}

#[test]
fn what_lies_with_the_machine_is_to_be_tried_again() {
    let bench = bench();
    run(&bench, "plan proved.c --out work --property unreach-call", 0);
    let output = bench.command(&["run", "work", "1"]).env("PATH", bench.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(30), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no clang 19"));
    // A place that can't be written to, as on a full disk.
    let full = run(&bench, "run work 1 --results /proc/none", 30);
    assert!(last(&full).starts_with("RUN retry: /proc/none/"), "{}", full.stdout);
    assert_eq!(last(&run(&bench, "run work 1", 0)), "RUN finished: true");
}

#[test]
fn a_killed_run_leaves_nothing_wrong() {
    let bench = bench();
    bench.write("long.c", "extern unsigned __VERIFIER_nondet_uint(void);\nint main(void) { unsigned a = __VERIFIER_nondet_uint(), b = a;\n\
        for (unsigned i = 0; i < 1000000; i++) { b = b * 48271u + i; if (b == 5u) b ^= a; } if (b == 77u && a > 9u) { int *p = 0; *p = 1; } return 0; }\n");
    run(&bench, "plan long.c --out work --timeout 60s", 0);
    let mut child = bench.command(&["run", "work", "1"]).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_secs(2));
    // SAFETY: a signal to a child that was not waited for.
    unsafe { libc::kill(child.id().cast_signed(), libc::SIGTERM) };
    assert_eq!(child.wait().unwrap().code(), Some(23));
    assert!(!bench.path().join("work/results").exists(), "half a result");
    assert_eq!(files_in(&bench.temporary()), Vec::<String>::new());
    run(&bench, "merge work", 25);
}

#[test]
fn flags_that_do_not_fit() {
    let bench = bench();
    let refused = |arguments: &str, what: &str| {
        let run = run(&bench, arguments, 2);
        assert!(run.stderr.contains(what), "fathom {arguments}: {}", run.stderr);
    };
    refused("plan proved.c", "--out");
    refused("plan proved.c --out work --engine magic", "magic");
    refused("plan proved.c --out work --property magic", "magic");
    refused("plan proved.c --out work -- --json", "--json");
    refused("plan proved.c --out work -- --out x", "--out");
    refused("plan proved.c --out work -- --magic", "--magic");
    refused("plan proved.c --out work --format crontab", "slurm, make and github-matrix");
    refused("plan proved.c --out .", "files that Fathom did not write");
    run(&bench, "plan nothing.c --out work", 3);
    run(&bench, "plan proved.c --out work -- --unwind 3", 0);
    assert_eq!(tasks(&bench, "work")[0]["question"]["program"], json!(["proved.i", "--unwind", "3"]));
}

#[test]
fn jobs_for_others() {
    let bench = bench();
    run(&bench, "plan proved.c violated.c --out work --property unreach-call --format slurm --format make --format github-matrix", 0);
    let text = |name: &str| std::fs::read_to_string(bench.path().join("work").join(name)).unwrap();
    assert!(text("jobs.slurm").contains("#SBATCH --array=1-2\n"));
    let matrix: Value = serde_json::from_str(&text("matrix.json")).unwrap();
    assert_eq!(matrix["include"][1]["name"], "violated.c unreach-call");
    let make = std::process::Command::new("make")
        .args(["-s", "-j2"])
        .arg(format!("FATHOM={}", env!("CARGO_BIN_EXE_fathom")))
        .current_dir(bench.path().join("work"))
        .env("TMPDIR", bench.temporary())
        .output()
        .unwrap();
    assert!(make.status.success(), "{}", String::from_utf8_lossy(&make.stderr));
    assert_eq!(last(&run(&bench, "merge work", 10)), "MERGE 1 proved, 1 violated, 0 unknown; 2 of 2 tasks done");
    let slurm = std::process::Command::new("sh").arg("-n").arg(bench.path().join("work/jobs.slurm")).status().unwrap();
    assert!(slurm.success());
}
