//! `fathom scan` on two small code bases of our own (tests/scan): every class of verdict, the store, baselines, reports against
//! their standards, and bad input.

mod common;

use common::standards::{complaints, repository, sarif_schema};
use common::{Bench, Run};
use serde_json::{Value, json};

/// A copy of a code base, with a compilation database.
fn code_base(name: &str) -> Bench {
    let bench = Bench::new();
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(repository().join("tests/scan").join(name)).unwrap() {
        let path = entry.unwrap().path();
        let file = path.file_name().unwrap().to_string_lossy().into_owned();
        bench.write(&file, std::fs::read_to_string(&path).unwrap());
        if file.ends_with(".c") {
            entries.push(json!({ "directory": bench.path(), "file": file, "arguments": ["cc", "-std=c11", "-Wall", "-O2", "-c", file] }));
        }
    }
    entries.sort_by_key(|entry| entry["file"].to_string());
    bench.write("compile_commands.json", json!(entries).to_string());
    bench
}

fn scan(bench: &Bench, arguments: &[&str]) -> Run {
    let run = bench.run(&[&["scan"], arguments].concat());
    let told = run.stdout.lines().last().into_iter().chain(run.stderr.lines().last());
    assert!(told.into_iter().any(|line| line.starts_with("SCAN ")), "{}\n{}", run.stdout, run.stderr);
    run
}

fn report(bench: &Bench, arguments: &[&str]) -> (Value, Run) {
    let run = scan(bench, &[&["--format", "json"], arguments].concat());
    (serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}", run.stdout)), run)
}

/// SARIF as another tool would write it: alarms with rule, file, line and message.
fn sarif(alarms: &[(&str, &str, u32)]) -> String {
    let result = |(rule, file, line): &(&str, &str, u32)| {
        let region = json!({ "startLine": line, "startColumn": 1 });
        let place = json!({ "artifactLocation": { "uri": file }, "region": region });
        json!({ "ruleId": rule, "message": { "text": "may go wrong" }, "locations": [{ "physicalLocation": place }] })
    };
    let results: Vec<Value> = alarms.iter().map(result).collect();
    json!({ "version": "2.1.0", "runs": [{ "tool": { "driver": { "name": "other" } }, "results": results }] }).to_string()
}

/// The line of a file that has this text.
fn line_of(bench: &Bench, file: &str, text: &str) -> u32 {
    let source = std::fs::read_to_string(bench.path().join(file)).unwrap();
    source.lines().position(|line| line.contains(text)).unwrap() as u32 + 1
}

/// The verdicts in a function, with their tools and classes.
fn verdicts<'a>(report: &'a Value, function: &str) -> Vec<(&'a str, &'a str, &'a str)> {
    let of_function = report["findings"].as_array().unwrap().iter().filter(|finding| finding["alarm"]["function"] == function);
    let text = |value: &'a Value| value.as_str().unwrap_or_default();
    of_function.map(|f| (text(&f["alarm"]["tool"]), text(&f["alarm"]["class"]), text(&f["verdict"]["kind"]))).collect()
}

fn finding<'a>(report: &'a Value, function: &str, tool: &str) -> &'a Value {
    let is_it = |finding: &&Value| finding["alarm"]["function"] == function && finding["alarm"]["tool"] == tool;
    report["findings"].as_array().unwrap().iter().find(is_it).unwrap_or_else(|| panic!("{function}: {report:#}"))
}

#[test]
fn planted_bugs_are_confirmed_by_runs() {
    let bench = code_base("library");
    let (report, run) = report(&bench, &["--out", "out", "--no-store"]);
    assert_eq!(run.code, 10);
    assert!(verdicts(&report, "reuse").contains(&("clang-analyzer", "use-after-free", "confirmed")), "{report:#}");
    assert!(verdicts(&report, "lost").contains(&("clang-analyzer", "leak", "confirmed")), "{report:#}");
    assert!(verdicts(&report, "unset").contains(&("clang-analyzer", "uninitialised", "confirmed")), "{report:#}");
    // Nobody but Fathom raised these.
    assert_eq!(verdicts(&report, "pick"), [("fathom", "bounds", "confirmed")]);
    assert!(verdicts(&report, "scribble").contains(&("fathom", "bounds", "confirmed")), "{report:#}");
    // What is confirmed can be built and run without Fathom.
    let evidence = &finding(&report, "pick", "fathom")["verdict"]["evidence"];
    assert!(bench.path().join(evidence["file"].as_str().unwrap()).is_file(), "{evidence:#}");
    assert_eq!(evidence["inputs"], json!(["argument i = 4"]));
    let confirmed = report["findings"].as_array().unwrap().iter().filter(|finding| finding["verdict"]["kind"] == "confirmed");
    assert!(confirmed.into_iter().all(|finding| finding["verdict"]["evidence"]["native"] != ""));
    for name in ["scan.txt", "scan.json", "scan.sarif", "scan.html"] {
        assert!(bench.path().join("out").join(name).is_file(), "{name}");
    }
}

#[test]
fn a_path_that_cannot_be_taken_is_refuted() {
    let bench = code_base("library");
    let (report, _) = report(&bench, &["prices.c", "--no-store", "--alarms-only"]);
    let found = finding(&report, "safe_null", "clang-analyzer");
    assert_eq!(found["verdict"]["kind"], "refuted");
    assert!(found["verdict"]["reason"].as_str().unwrap().contains("the reported path"), "{found:#}");
}

#[test]
fn a_path_that_can_be_taken_is_not_refuted() {
    let bench = Bench::new();
    // The same shape as `safe_null`, but a square may leave 1 modulo 4.
    bench.write(
        "a.c",
        "#include <stddef.h>\nint f(int flag) {\n    int x = 5, *p = NULL;\n    unsigned u = (unsigned)flag;\n    if (u * u % 4 == 1)\n\
         \x20       return *p;\n    return x;\n}\n",
    );
    let (report, _) = report(&bench, &["a.c", "--no-store"]);
    assert!(verdicts(&report, "f").contains(&("clang-analyzer", "null", "confirmed")), "{report:#}");
}

#[test]
fn callers_are_told_what_to_promise() {
    let bench = code_base("library");
    let line = line_of(&bench, "prices.c", "return *value;");
    bench.write("other.sarif", sarif(&[("nullPointer", "prices.c", line)]));
    let (report, _) = report(&bench, &["prices.c", "--import", "other.sarif", "--no-store"]);
    let rest = finding(&report, "rest", "fathom");
    assert_eq!((&rest["verdict"]["kind"], &rest["verdict"]["precondition"]), (&json!("confirmed-for-caller"), &json!("parts != 0")));
    let first = finding(&report, "first", "other");
    assert_eq!((&first["verdict"]["kind"], &first["verdict"]["precondition"]), (&json!("confirmed-for-caller"), &json!("value != NULL")));
}

#[test]
fn refutations_say_what_they_rest_on() {
    let bench = code_base("library");
    let line = |text: &str| line_of(&bench, "prices.c", text);
    let alarms = [
        ("zerodiv", "prices.c", line("return 100u /")),
        ("arrayIndexOutOfBounds", "prices.c", line("return text[0]")),
        ("unusedFunction", "prices.c", line("return 100u /")),
        ("nullPointer", "gone.c", 3),
    ];
    bench.write("other.sarif", sarif(&alarms));
    let (report, run) = report(&bench, &["prices.c", "--import", "other.sarif", "--no-store", "--alarms-only"]);
    assert_eq!(run.code, 20, "nothing is confirmed, something is open");
    assert!(verdicts(&report, "share").contains(&("other", "division", "refuted")), "{report:#}");
    assert!(verdicts(&report, "share").contains(&("other", "other", "open")), "{report:#}");
    let bounded = finding(&report, "is_empty", "other");
    assert_eq!(bounded["verdict"]["kind"], "refuted-within-bounds");
    assert!(bounded["verdict"]["assumptions"].to_string().contains("is_empty"), "{bounded:#}");
    let stranger = report["findings"].as_array().unwrap().iter().find(|finding| finding["alarm"]["function"].is_null()).unwrap();
    assert!(stranger["verdict"]["reason"].as_str().unwrap().contains("there is no file"), "{stranger:#}");
}

#[test]
fn a_program_is_started_at_main() {
    let bench = code_base("program");
    let line = line_of(&bench, "util.c", "return *p;");
    bench.write("other.sarif", sarif(&[("nullPointer", "util.c", line)]));
    let (report, run) = report(&bench, &["--import", "other.sarif", "--no-store"]);
    assert_eq!(run.code, 10);
    assert_eq!(verdicts(&report, "divide"), [("fathom", "division", "confirmed")], "{report:#}");
    assert_eq!(finding(&report, "divide", "fathom")["verdict"]["evidence"]["entry"], "main");
    // No call in the program passes null.
    let found = finding(&report, "value_of", "other");
    assert_eq!(found["verdict"]["kind"], "refuted", "{found:#}");
    assert!(found["verdict"]["reason"].as_str().unwrap().contains("no execution from main"), "{found:#}");
}

#[test]
fn a_second_scan_takes_everything_from_the_store() {
    let bench = code_base("program");
    let (first, _) = report(&bench, &[]);
    assert_eq!(first["store"]["taken"], 0);
    let (second, _) = report(&bench, &[]);
    assert_eq!((&second["store"]["made"], &second["findings"]), (&json!(0), &first["findings"]));
    // A function that nothing else depends on: its file and the entries that come to it are new.
    let source = std::fs::read_to_string(bench.path().join("util.c")).unwrap();
    bench.write("util.c", source.replace("return *p;", "return *p + 1;"));
    let (third, _) = report(&bench, &[]);
    assert!(third["store"]["made"].as_u64() > Some(0) && third["store"]["taken"].as_u64() > Some(0), "{}", third["store"]);
}

#[test]
fn shares_of_a_scan_are_the_scan() {
    let bench = code_base("library");
    let kinds = |report: &Value| -> Vec<(Value, Value, Value)> {
        let findings = report["findings"].as_array().unwrap().iter();
        findings.map(|f| (f["alarm"]["rule"].clone(), f["alarm"]["place"].clone(), f["verdict"]["kind"].clone())).collect()
    };
    let (whole, _) = report(&bench, &["--no-store"]);
    let (first, _) = report(&bench, &["--store", "shared", "--share", "1/2"]);
    assert!(kinds(&first) != kinds(&whole), "half of the entries were left to others");
    let (second, _) = report(&bench, &["--store", "shared", "--share", "2/2"]);
    assert!(second["store"]["made"].as_u64() > Some(0));
    let (together, _) = report(&bench, &["--store", "shared"]);
    assert_eq!((&together["store"]["made"], kinds(&together)), (&json!(0), kinds(&whole)));
    assert_eq!(bench.run(&["scan", "--share", "3/2"]).code, 2);
}

#[test]
fn a_baseline_leaves_out_what_is_known() {
    let bench = code_base("library");
    scan(&bench, &["prices.c", "--format", "json=old.json", "--format", "sarif=old.sarif"]);
    for baseline in ["old.json", "old.sarif"] {
        // A line more above them does not make alarms new.
        let source = std::fs::read_to_string(repository().join("tests/scan/library/prices.c")).unwrap();
        bench.write("prices.c", format!("\n{source}"));
        let (report, run) = report(&bench, &["prices.c", "--baseline", baseline]);
        assert_eq!((report["findings"].as_array().map(Vec::len), run.code), (Some(0), 0), "{report:#}");
        assert!(report["known"].as_u64() > Some(0));
    }
    bench.write("wrong.json", "{}");
    let run = scan(&bench, &["prices.c", "--baseline", "wrong.json"]);
    assert!(run.code == 3 && run.stderr.contains("wrong.json"), "{}", run.stderr);
}

#[test]
fn what_changed_since_a_revision_is_scanned() {
    let bench = code_base("library");
    let git = |arguments: &[&str]| {
        let identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"];
        let output = std::process::Command::new("git").args(identity).args(arguments).current_dir(bench.path()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    git(&["init", "-q"]);
    git(&["add", "-A"]);
    git(&["commit", "-qm", "first"]);
    let source = std::fs::read_to_string(bench.path().join("memory.c")).unwrap();
    bench.write("memory.c", format!("{source}\n"));
    let (report, _) = report(&bench, &["--since", "HEAD", "--no-store", "--alarms-only"]);
    assert_eq!(verdicts(&report, "safe_null"), []);
    assert!(!verdicts(&report, "reuse").is_empty(), "{report:#}");
    let run = scan(&bench, &["--since", "nowhere", "--no-store"]);
    assert!(run.code == 2 && run.stderr.contains("nowhere"), "{}", run.stderr);
}

#[test]
fn sarif_fits_the_standard() {
    let bench = code_base("library");
    let run = scan(&bench, &["prices.c", "--no-store", "--format", "sarif"]);
    let log: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(complaints(&sarif_schema(), &log), Vec::<String>::new());
    let results = log["runs"][0]["results"].as_array().unwrap();
    let refuted = results.iter().find(|result| result["properties"]["verdict"] == "refuted").unwrap();
    assert_eq!(refuted["suppressions"][0]["status"], "accepted");
    assert!(refuted["codeFlows"][0]["threadFlows"][0]["locations"].as_array().unwrap().len() > 1);
    let confirmed = results.iter().find(|result| result["properties"]["verdict"] == "confirmed").unwrap();
    assert!(confirmed["suppressions"].is_null() && confirmed["level"] == "error", "{confirmed:#}");
    assert!(results.iter().all(|result| result["partialFingerprints"]["fathomAlarm/v1"].is_string()));
    // What we write can be read again: the confirmed and the open ones are alarms of another tool then.
    bench.write("own.sarif", &run.stdout);
    let (report, _) = report(&bench, &["prices.c", "--no-store", "--alarms-only", "--import", "own.sarif"]);
    assert!(report["failed"].as_array().unwrap().is_empty(), "{}", report["failed"]);
}

/// The text without times, which differ.
fn steady(text: &str) -> String {
    let is_steady = |line: &&str| !line.contains(" s; clang's analyzer");
    text.lines().filter(is_steady).map(|line| format!("{line}\n")).collect()
}

#[test]
fn the_text_is_as_expected() {
    let bench = code_base("library");
    let run = scan(&bench, &["memory.c", "--no-store", "--jobs", "1"]);
    insta::assert_snapshot!("scan", steady(&run.stdout));
}

#[test]
fn files_that_cannot_be_scanned_do_not_stop_the_others() {
    let bench = code_base("program");
    let entry = |file: &str, flag: &str| json!({ "directory": bench.path(), "file": file, "arguments": ["cc", flag, "-c", file] });
    bench.write("broken.c", "int f( {\n");
    let entries = [
        entry("main.c", "-DA"),
        entry("util.c", "-DA"),
        entry("gone.c", "-DA"),
        entry("broken.c", "-DA"),
        json!({ "directory": bench.path(), "file": "refused.c", "arguments": ["cc", "-fno-such-flag=1", "-c", "refused.c"] }),
    ];
    bench.write("refused.c", "int g(void) { return 0; }\n");
    bench.write("compile_commands.json", json!(entries).to_string());
    bench.write("bad.sarif", "{ not json");
    let (report, run) = report(&bench, &["--import", "bad.sarif", "--import", "none.sarif"]);
    assert_eq!(run.code, 10, "main.c and util.c are scanned");
    let failed = report["failed"].to_string();
    for (file, why) in [
        ("gone.c", "no such file"),
        ("broken.c", "error:"),
        ("refused.c", "no-such-flag"),
        ("bad.sarif", "not JSON"),
        ("none.sarif", "No such file"),
    ] {
        assert!(failed.contains(file) && failed.contains(why), "{file}: {failed}");
    }
}

#[test]
fn nothing_to_scan_is_an_error() {
    let bench = Bench::new();
    let run = scan(&bench, &[]);
    assert!(run.code == 2 && run.stderr.contains("compile_commands.json"), "{}", run.stderr);
    let run = scan(&bench, &["gone.c", "--no-store"]);
    assert!(run.code == 3 && run.stderr.contains("gone.c"), "{}", run.stderr);
    bench.write("compile_commands.json", "[{]");
    let run = scan(&bench, &["--no-store"]);
    assert!(run.code == 3 && run.stderr.contains("not a compilation database"), "{}", run.stderr);
    bench.write("a.c", "int f(void) { return 0; }\n");
    let run = scan(&bench, &["a.c", "--format", "junit"]);
    assert!(run.code == 2 && run.stderr.contains("junit"), "{}", run.stderr);
}

#[test]
fn a_store_that_cannot_be_used_is_a_warning() {
    let bench = code_base("program");
    bench.write("file", "");
    let (report, run) = report(&bench, &["--store", "file/store"]);
    assert_eq!(run.code, 10);
    assert!(report["warnings"].to_string().contains("can't be used as a store"), "{}", report["warnings"]);
}

#[test]
fn an_interrupted_scan_keeps_what_it_has() {
    let bench = code_base("library");
    let mut child = bench.command(&["scan", "--jobs", "1"]).spawn().unwrap();
    let results = bench.path().join(".fathom/results");
    let begun = std::time::Instant::now();
    let is_whole = |entry: &std::io::Result<std::fs::DirEntry>| {
        entry.as_ref().is_ok_and(|entry| entry.path().extension().is_some_and(|e| e == "json"))
    };
    while std::fs::read_dir(&results).map_or(0, |all| all.filter(is_whole).count()) < 3 && begun.elapsed().as_secs() < 60 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    // SAFETY: a signal to our own child.
    unsafe { libc::kill(child.id() as libc::pid_t, libc::SIGINT) };
    assert_eq!(child.wait().unwrap().code(), Some(23));
    let (report, _) = report(&bench, &[]);
    assert!(report["store"]["taken"].as_u64() >= Some(3), "{}", report["store"]);
}

#[test]
fn entries_are_given_what_callers_would_give() {
    let bench = code_base("entries");
    let source = std::fs::read_to_string(bench.path().join("entries.c")).unwrap();
    let line = |text: &str| 1 + source.lines().position(|line| line.contains(text)).unwrap() as u32;
    let alarms = [("nullPointer", "entries.c", line("return *values")), ("zerodiv", "entries.c", line("return first / n"))];
    bench.write("other.sarif", sarif(&alarms));
    let (report, _) = report(&bench, &["entries.c", "--no-store", "--import", "other.sarif"]);
    let kinds = |function: &str| verdicts(&report, function).into_iter().map(|(_, class, kind)| (class, kind)).collect::<Vec<_>>();
    assert!(kinds("last_positive").contains(&("bounds", "confirmed")), "an array has several elements: {report:#}");
    assert_eq!(kinds("percent"), [], "what it asserts at its start is its callers' promise");
    assert!(kinds("half").iter().any(|(class, _)| *class == "assertion"), "{report:#}");
    assert!(kinds("joined").iter().any(|(class, _)| *class == "leak"), "{report:#}");
    assert_eq!(kinds("kept"), [], "the result is the caller's");
    assert!(kinds("short_copy").contains(&("bounds", "confirmed")), "an object of no bytes has none natively either: {report:#}");
    assert!(kinds("clear").iter().any(|(_, kind)| *kind == "confirmed-for-caller"), "no run calls the hook: {report:#}");
    assert_eq!(kinds("options_of"), [("null", "confirmed-for-caller")], "null shows it");
    assert!(kinds("behind").contains(&("division", "open")), "what is hidden is not refuted: {report:#}");
    assert_eq!(kinds("first_of"), [("null", "refuted-within-bounds")], "null is excluded");
    let promised = report["functions"].as_array().unwrap().iter().find(|function| function["name"] == "percent").unwrap();
    assert_eq!(promised["status"], "proved within bounds");
}

#[test]
fn checks_that_were_not_decided_are_alarms() {
    let bench = code_base("entries");
    let (report, run) = report(&bench, &["slow.c", "--no-store", "--timeout-per-function", "300ms"]);
    assert_eq!(run.code, 20);
    assert_eq!(verdicts(&report, "mixed"), [("fathom-intervals", "division", "open")], "the table is never left: {report:#}");
    let (silent, _) = self::report(&bench, &["slow.c", "--no-store", "--alarms-only"]);
    assert_eq!(verdicts(&silent, "mixed"), []);
}

#[test]
fn what_the_first_thread_does_alone_is_run_natively() {
    let bench = Bench::new();
    let source = "#include <pthread.h>\n#include <stdlib.h>\nstatic void *work(void *p) { return p; }\n\
        int main(void) {\n  int *settings = malloc(4);\n  *settings = 1;\n  pthread_t thread;\n\
          pthread_create(&thread, 0, work, 0);\n  pthread_join(thread, 0);\n  free(settings);\n  return 0;\n}\n";
    bench.write("threads.c", source);
    let (report, run) = report(&bench, &["threads.c", "--no-store"]);
    assert_eq!(run.code, 10, "{report:#}");
    assert!(verdicts(&report, "main").contains(&("fathom", "bounds", "confirmed")), "{report:#}");
}
