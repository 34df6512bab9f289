//! The forms of reports, each against its standard: JSON against our own schema, SARIF against the published one, JUnit XML and
//! GitHub annotations by what their readers need. Standard output is the document alone, whatever happens.

mod common;

use common::standards::{complaints, json_of, repository, sarif_schema};
use common::{Bench, Run};
use quick_xml::events::Event;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

const BUG: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
    static void check(int a) {\n    if (a == 4711)\n        reach_error();\n}\n\
    int main(void) {\n    int amount = __VERIFIER_nondet_int();\n    check(amount);\n    return 0;\n}\n";
const SAFE: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
    int main(void) {\n    int a = __VERIFIER_nondet_int();\n    if (a > 5 && a < 5)\n        reach_error();\n    return 0;\n}\n";
const ENDLESS: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
    int main(void) {\n    int x = 0;\n    while (__VERIFIER_nondet_int()) x += 3;\n    if (x == 2000000) reach_error();\n    return 0;\n}\n";
const LOOP: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
    int main(void) {\n    int i = 0, n = __VERIFIER_nondet_int();\n    while (i < n && i < 9)\n        i++;\n\
    \x20   if (i > 9) reach_error();\n    return 0;\n}\n";
const BOOGIE: &str = "procedure main(x: int) {\n  assert x < 10;\n}\n";

/// `fathom verify` with a document on standard output.
fn document(bench: &Bench, arguments: &[&str]) -> Run {
    let run = bench.run(&[&["verify"], arguments].concat());
    assert!(!run.stdout.contains("VERDICT"), "{}", run.stdout);
    assert!(run.stderr.lines().last().is_some_and(|line| line.starts_with("VERDICT ")), "{}", run.stderr);
    run
}

fn report(bench: &Bench, arguments: &[&str]) -> (Value, Run) {
    let run = document(bench, &[arguments, &["--json"]].concat());
    let report = serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}:\n{}", run.stdout));
    (report, run)
}

#[test]
fn a_data_race_has_two_places() {
    let bench = Bench::new();
    let source = std::fs::read_to_string(repository().join("tests/verdicts/race_not_joined_bug.c")).unwrap();
    bench.write("race.c", &source);
    let (report, _) = report(&bench, &["race.c", "--no-native"]);
    let schema = json_of(&repository().join("docs/schema/report-1.json"));
    assert_eq!(complaints(&schema, &report), Vec::<String>::new());
    let property = report["properties"].as_array().unwrap().iter().find(|property| property["property"] == "no-data-race").unwrap();
    let accesses = property["violation"]["accesses"].as_array().unwrap();
    let kinds: Vec<(&Value, &Value)> = accesses.iter().map(|access| (&access["kind"], &access["place"]["line"])).collect();
    assert!(kinds.contains(&(&"read".into(), &15.into())), "{kinds:?}");
    assert_eq!(accesses.len(), 2);
    let sarif = document(&bench, &["race.c", "--no-native", "--format", "sarif"]).stdout;
    let sarif: Value = serde_json::from_str(&sarif).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let race = results.iter().find(|result| result["ruleId"] == "no-data-race").unwrap();
    assert_eq!(race["relatedLocations"].as_array().unwrap().len(), 2);
}

#[test]
fn json_reports_fit_their_schema() {
    let bench = Bench::new();
    bench.write("bug.c", BUG);
    bench.write("safe.c", SAFE);
    bench.write("endless.c", ENDLESS);
    bench.write("loop.c", LOOP);
    bench.write("broken.c", "int main(void) { return }\n");
    bench.write("program.bpl", BOOGIE);
    let schema = json_of(&repository().join("docs/schema/report-1.json"));
    let cases: &[(&[&str], i32, &str)] = &[
        (&["bug.c"], 10, "false(unreach-call)"),
        (&["safe.c"], 0, "true"),
        (&["endless.c", "--engine", "explore", "--max-loop", "3"], 20, "unknown(bound reached"),
        (&["loop.c", "--property", "unreach-call", "--explain"], 0, "true"),
        (&["loop.c", "--property", "unreach-call", "--engine", "explore", "--explain"], 0, "true"),
        (&["program.bpl"], 10, "false(boogie-assert)"),
        (&["broken.c"], 3, "unknown(input error"),
        (&["missing.c"], 3, "unknown(input error"),
        (&["bug.c", "--no-such-flag"], 2, "unknown(usage error"),
        (&["bug.c", "--property", "no-such-property"], 2, "unknown(usage error"),
        (&["bug.c", "--sym-args", "3", "1", "1"], 2, "unknown(usage error"),
        (&[], 2, "unknown(usage error"),
    ];
    for (arguments, code, verdict) in cases {
        let (report, run) = report(&bench, arguments);
        assert_eq!(complaints(&schema, &report), Vec::<String>::new(), "{arguments:?}");
        assert_eq!(run.code, *code, "{arguments:?}: {}", run.stderr);
        assert!(report["verdict"].as_str().unwrap().starts_with(verdict), "{arguments:?}: {}", report["verdict"]);
        assert_eq!(run.stderr.lines().last(), Some(format!("VERDICT {}", report["verdict"].as_str().unwrap()).as_str()));
        let has_answer = !matches!(*code, 2 | 3);
        assert_eq!(report.get("error").is_none(), has_answer, "{arguments:?}");
        assert_eq!(report["properties"].as_array().unwrap().is_empty(), !has_answer, "{arguments:?}");
    }
    // The schema is one that can refuse.
    let (mut wrong, _) = report(&bench, &["bug.c"]);
    wrong["properties"][0]["verdict"] = "perhaps".into();
    wrong["run"].as_object_mut().unwrap().remove("files");
    assert!(complaints(&schema, &wrong).len() >= 2);
}

#[test]
fn json_tells_of_a_child_that_is_gone() {
    let bench = Bench::new();
    bench.write("endless.c", ENDLESS);
    let schema = json_of(&repository().join("docs/schema/report-1.json"));
    let child = bench.command(&["verify", "endless.c", "--json", "--engine", "explore"]).spawn().unwrap();
    kill_worker(child.id());
    let output = child.wait_with_output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(complaints(&schema, &report), Vec::<String>::new());
    assert_eq!((report["verdict"].as_str(), report["error"]["kind"].as_str()), (Some("unknown(killed)"), Some("killed")));
    assert_eq!(output.status.code(), Some(25));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("killed from outside") && !said.contains("out of memory"), "{said}");
}

/// Sends SIGKILL to the process that works for this one, once it is there and at work.
fn kill_worker(parent: u32) {
    for _ in 0..500 {
        std::thread::sleep(std::time::Duration::from_millis(20));
        if let Some(&worker) = fathom_base::process::children(parent).first() {
            std::thread::sleep(std::time::Duration::from_millis(300));
            let done = std::process::Command::new("kill").args(["-KILL", &worker.to_string()]).status().unwrap();
            assert!(done.success());
            return;
        }
    }
    panic!("no worker");
}

#[test]
fn sarif_fits_the_standard() {
    let bench = Bench::new();
    bench.write("a bug.c", BUG);
    bench.write("safe.c", SAFE);
    let schema = sarif_schema();
    for (arguments, successful) in
        [(&["a bug.c"][..], true), (&["safe.c"][..], true), (&["missing.c"][..], false), (&["--oops"][..], false)]
    {
        let run = document(&bench, &[arguments, &["--format", "sarif"]].concat());
        let log: Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!(complaints(&schema, &log), Vec::<String>::new(), "{arguments:?}");
        assert_eq!(log["runs"][0]["invocations"][0]["executionSuccessful"], successful, "{arguments:?}");
    }
    let run = document(&bench, &["a bug.c", "--format", "sarif"]);
    let log: Value = serde_json::from_str(&run.stdout).unwrap();
    let result = &log["runs"][0]["results"][0];
    let rule = &log["runs"][0]["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().unwrap() as usize];
    assert_eq!((result["ruleId"].as_str(), rule["id"].as_str()), (Some("unreach-call"), Some("unreach-call")));
    assert!(rule["help"]["text"].as_str().unwrap().contains("reach_error"));
    let at = &result["locations"][0]["physicalLocation"];
    assert_eq!((at["artifactLocation"]["uri"].as_str(), at["region"]["startLine"].as_u64()), (Some("a%20bug.c"), Some(5)));
    assert_eq!(result["properties"]["inputs"][0]["value"], "4711");
    let flow = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().unwrap();
    let lines: Vec<u64> = flow.iter().map(|step| step["location"]["physicalLocation"]["region"]["startLine"].as_u64().unwrap()).collect();
    assert_eq!((lines[0], lines[lines.len() - 1]), (8, 5), "{lines:?}");
    let order: Vec<u64> = flow.iter().map(|step| step["executionOrder"].as_u64().unwrap()).collect();
    assert!(order.is_sorted(), "{order:?}");
    let run = document(&bench, &["safe.c", "--format", "sarif"]);
    let log: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(log["runs"][0]["results"].as_array().map(Vec::len), Some(0));
    assert_eq!(log["runs"][0]["properties"]["verdicts"]["unreach-call"], "true");
}

#[test]
fn junit_has_a_test_case_per_property() {
    let bench = Bench::new();
    bench.write("bug.c", BUG.replace("a == 4711", "a == 4711 && \"<&\\\"\"[0]"));
    let run = document(&bench, &["bug.c", "--format", "junit", "--property", "unreach-call", "--property", "no-overflow"]);
    let elements = elements(&run.stdout);
    let suite = &elements.iter().find(|element| element.name == "testsuite").unwrap().attributes;
    let cases: Vec<_> = elements.iter().filter(|element| element.name == "testcase").collect();
    assert_eq!(suite["tests"], cases.len().to_string());
    assert_eq!((suite["failures"].as_str(), suite["errors"].as_str()), ("1", "0"));
    let failed = elements.iter().position(|element| element.attributes.get("name").is_some_and(|name| name == "unreach-call")).unwrap();
    let failure = elements[failed..].iter().find(|element| element.name == "failure").unwrap();
    assert!(failure.text.contains("bug.c:5:9") && failure.text.contains("4711"));
    let run = document(&bench, &["missing.c", "--format", "junit"]);
    let error = self::elements(&run.stdout).into_iter().find(|element| element.name == "error").unwrap();
    assert!(error.text.contains("missing.c"));
}

/// An element of a document in XML, with the text directly behind its tag.
struct Element {
    name: String,
    attributes: BTreeMap<String, String>,
    text: String,
}

/// All elements of a document, in the order in which they begin.
fn elements(xml: &str) -> Vec<Element> {
    let mut reader = quick_xml::Reader::from_str(xml);
    let mut found: Vec<Element> = Vec::new();
    loop {
        match reader.read_event().unwrap() {
            Event::Start(tag) | Event::Empty(tag) => {
                let attributes = tag.attributes().map(|attribute| {
                    let attribute = attribute.unwrap();
                    (
                        attribute.key.into_inner().to_string(),
                        attribute.normalized_value(quick_xml::XmlVersion::Implicit1_0).unwrap().into_owned(),
                    )
                });
                found.push(Element { name: tag.name().into_inner().to_string(), attributes: attributes.collect(), text: String::new() });
            }
            Event::Text(text) => found.iter_mut().last().into_iter().for_each(|element| element.text.push_str(&text)),
            Event::Eof => return found,
            _ => {}
        }
    }
}

#[test]
fn annotations_for_github() {
    let bench = Bench::new();
    bench.write("bug.c", BUG);
    let run = bench.verify(&["bug.c", "--format", "github"]);
    let line = run.stdout.lines().find(|line| line.starts_with("::error ")).unwrap();
    assert!(line.starts_with("::error file=bug.c,line=5,col=9,title=fathom%3A unreach-call::") && line.contains("%0A"), "{line}");
    // --ci annotates where GitHub reads along, and only there.
    for (value, annotated) in [("true", true), ("", false)] {
        let output = bench.command(&["verify", "bug.c", "--ci", "--out", "out"]).env("GITHUB_ACTIONS", value).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(text.contains("::error "), annotated, "{text}");
        assert!(text.contains("unreach-call: violated") && text.ends_with("VERDICT false(unreach-call)\n"), "{text}");
    }
    for name in ["junit.xml", "report.sarif", "report.json", "report.txt"] {
        assert!(bench.path().join("out").join(name).exists(), "{name}");
    }
}

#[test]
fn several_forms_at_once() {
    let bench = Bench::new();
    bench.write("bug.c", BUG);
    let run = bench.verify(&["bug.c", "--format", "sarif=a.sarif", "--format", "json=a.json", "--format", "junit=a.xml"]);
    assert!(run.stdout.contains("unreach-call: violated"), "{}", run.stdout);
    assert_eq!(json_of(&bench.path().join("a.json"))["verdict"], "false(unreach-call)");
    assert_eq!(json_of(&bench.path().join("a.sarif"))["version"], "2.1.0");
    assert!(std::fs::read_to_string(bench.path().join("a.xml")).unwrap().contains("<failure"));
    let run = bench.run(&["verify", "bug.c", "--format", "sarif", "--json"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("standard output"), "{}", run.stderr);
    // A run without an answer is told in the files, too.
    assert_eq!(bench.verify(&["missing.c", "--format", "json=a.json"]).code, 3);
    assert_eq!(json_of(&bench.path().join("a.json"))["error"]["kind"], "input");
}

#[test]
fn what_cannot_be_written_does_not_cost_the_answer() {
    let bench = Bench::new();
    bench.write("bug.c", BUG);
    let run = bench.verify(&["bug.c", "--format", "json=no/such/place.json", "--format", "sarif=/dev/full"]);
    assert_eq!((run.code, run.verdict()), (10, "false(unreach-call)"));
    assert!(run.stderr.contains("no/such/place.json can't be written"), "{}", run.stderr);
    assert!(run.stderr.contains("/dev/full can't be written: No space left"), "{}", run.stderr);
    assert!(run.stdout.contains("The report could not be written."), "{}", run.stdout);
    // Standard output on a full disk: the verdict is told on standard error.
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = bench.command(&["verify", "bug.c"]).stdout(full).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("No space left") && said.ends_with("VERDICT false(unreach-call)\n"), "{said}");
    assert_eq!(output.status.code(), Some(10));
}

#[test]
fn parts_of_files_do_not_stay() {
    let bench = Bench::new();
    bench.write("endless.c", ENDLESS);
    bench.write(".a.json.fathom-part", "{ half");
    std::fs::create_dir(bench.path().join("out")).unwrap();
    bench.write("out/.fathom-out", "Fathom's\n");
    bench.write("out/.fathom-part", "half");
    let arguments = ["verify", "endless.c", "--format", "json=a.json", "--engine", "explore", "--out", "out"];
    let child = bench.command(&arguments).spawn().unwrap();
    kill_worker(child.id());
    let output = child.wait_with_output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).ends_with("VERDICT unknown(killed)\n"));
    assert_eq!(common::files_in(&bench.path()), ["a.json", "endless.c", "out"]);
    assert_eq!(common::files_in(&bench.path().join("out")), [".fathom-out"]);
    assert_eq!(json_of(&bench.path().join("a.json"))["error"]["kind"], "killed");
}

#[test]
fn a_directory_that_is_read_only_is_an_error_before_the_run() {
    let bench = Bench::new();
    bench.write("bug.c", BUG);
    // No user can make a directory there, not even root.
    let run = bench.verify(&["bug.c", "--out", "/proc/fathom-report"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("--out /proc/fathom-report: can't be made"), "{}", run.stderr);
}

#[test]
fn a_member_of_the_portfolio_that_is_killed_costs_only_its_answer() {
    let bench = Bench::new();
    bench.write("endless.c", ENDLESS);
    let mut child = bench.command(&["verify", "endless.c", "--timeout", "10s"]).spawn().unwrap();
    let children = |pid: u32| fathom_base::process::children(pid);
    // The first member starts when the program has been read; it may be a compiler that is seen before.
    let mut killed = false;
    while child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(10));
        let Some(&worker) = children(child.id()).first() else { continue };
        let members = threads(worker).into_iter().flat_map(|thread| children_of_thread(worker, thread)).collect::<Vec<_>>();
        let member = members.into_iter().find(|&member| is_fathom(member));
        if let Some(member) = member {
            killed = std::process::Command::new("kill").args(["-KILL", &member.to_string()]).status().unwrap().success();
            break;
        }
    }
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(killed, "no member was seen: {text}");
    assert!(!text.contains("out of memory") && !text.contains("internal error") && text.contains("VERDICT "), "{text}");
}

fn threads(pid: i32) -> Vec<String> {
    common::files_in(Path::new(&format!("/proc/{pid}/task")))
}

fn children_of_thread(pid: i32, thread: String) -> Vec<i32> {
    let listed = std::fs::read_to_string(format!("/proc/{pid}/task/{thread}/children")).unwrap_or_default();
    listed.split_whitespace().filter_map(|child| child.parse().ok()).collect()
}

fn is_fathom(pid: i32) -> bool {
    std::fs::read_link(format!("/proc/{pid}/exe")).is_ok_and(|path| path.file_name().is_some_and(|name| name == "fathom"))
}

#[test]
fn lines_that_only_change_variables_are_covered() {
    let bench = Bench::new();
    bench.write("p.c", "int main(void) {\n    int sum = 0;\n    for (int i = 0; i < 3; i++)\n        sum += i;\n    return sum == 9;\n}\n");
    bench.verify(&["p.c", "--property", "unreach-call", "--engine", "explore", "--out", "out"]);
    let coverage = std::fs::read_to_string(bench.path().join("out/coverage.info")).unwrap();
    assert!(coverage.contains("DA:4,1\n"), "{coverage}");
}
