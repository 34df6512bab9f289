//! Explorations that are split: the parts together say what the whole says, and nothing less than all of them does. Whatever is lost,
//! damaged, exchanged or forged, the answer is never `true`.

mod common;

use common::{Bench, Run, files_in};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// A program with 2^branches paths; one of them violates the property if `fails`.
fn program(branches: u32, fails: bool) -> String {
    let mut text = String::from(
        "extern unsigned char __VERIFIER_nondet_uchar(void);\nvoid reach_error(void) {}\nint main(void) {\n  unsigned sum = 0, high = 0;\n",
    );
    for at in 0..branches {
        let limit = at + 3;
        _ = writeln!(text, "  unsigned char x{at} = __VERIFIER_nondet_uchar();");
        _ = writeln!(text, "  if (x{at} > {limit}) {{ sum = sum * 3u + {at}u; high++; }} else sum = sum + x{at};");
    }
    if fails {
        _ = writeln!(text, "  if (high == {branches} && x1 == 200) reach_error();");
    }
    text + "  return 0;\n}\n"
}

fn run(bench: &Bench, arguments: &str, code: i32) -> Run {
    let run = bench.run(&arguments.split(' ').collect::<Vec<_>>());
    assert_eq!(run.code, code, "fathom {arguments}\n{}\n{}", run.stdout, run.stderr);
    run
}

fn last(run: &Run) -> &str {
    run.stdout.lines().last().unwrap_or_default()
}

fn id(bench: &Bench, plan: &str) -> String {
    let text = std::fs::read_to_string(bench.path().join(plan).join("plan.jsonl")).unwrap();
    let task: Value = serde_json::from_str(text.lines().nth(1).unwrap()).unwrap();
    task["id"].as_str().unwrap().into()
}

/// A plan about a program of the name, split into so many parts and one: the ids of the parts.
fn split(bench: &Bench, name: &str, parts: usize) -> Vec<String> {
    run(bench, &format!("plan {name}.c --out {name} --property unreach-call --engine explore --timeout 100s"), 0);
    // The question is there before the task begins, so that it does not matter how fast this machine is.
    let place = bench.path().join(name).join("running").join(id(bench, name));
    std::fs::create_dir_all(&place).unwrap();
    std::fs::write(place.join("wanted"), parts.to_string()).unwrap();
    assert_eq!(last(&run(bench, &format!("run {name} 1"), 31)), format!("RUN split: {parts} parts handed on"));
    assert!(!bench.path().join(name).join("running").exists(), "a task that is done leaves nothing behind");
    let ids = files_in(&bench.path().join(name).join("parts"));
    ids.iter().map(|name| name.trim_end_matches(".json").to_string()).collect()
}

fn result(bench: &Bench, plan: &str, id: &str) -> PathBuf {
    bench.path().join(plan).join("results").join(format!("{id}.jsonl"))
}

/// What `fathom merge` says of the only program.
fn merged(bench: &Bench, plan: &str, code: i32) -> Value {
    let run = run(bench, &format!("merge {plan} --json"), code);
    serde_json::from_str::<Value>(&run.stdout).unwrap()["programs"][0].clone()
}

/// Changes a result in the way that somebody would who knows how its hash is made.
fn forge(path: &Path, change: impl Fn(&mut Value, &mut Value)) {
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let (mut header, mut report) = (lines.next().unwrap(), lines.next().unwrap());
    change(&mut header, &mut report);
    let body = report.to_string();
    header["sha256"] = Sha256::digest(body.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect::<String>().into();
    std::fs::write(path, format!("{header}\n{body}\n")).unwrap();
}

#[test]
fn parts_are_as_good_as_the_whole() {
    let bench = Bench::new();
    bench.write("whole.c", program(15, false));
    std::fs::copy(bench.path().join("whole.c"), bench.path().join("split.c")).unwrap();
    run(&bench, "plan whole.c --out whole --property unreach-call --engine explore --timeout 100s", 0);
    assert_eq!(last(&run(&bench, "run whole 1", 0)), "RUN finished: true");
    let text = std::fs::read_to_string(result(&bench, "whole", &id(&bench, "whole"))).unwrap();
    let whole: Value = serde_json::from_str(text.lines().nth(1).unwrap()).unwrap();
    let closed = whole["part"]["tree"][0]["closed"].clone();
    assert_eq!(closed["paths"], 32768);

    let parts = split(&bench, "split", 3);
    assert_eq!(parts.len(), 3);
    let open = merged(&bench, "split", 25);
    assert!(open["verdict"].as_str().unwrap().starts_with("unknown(part missing: split.c unreach-call part "), "{open}");
    for part in &parts {
        let ran = run(&bench, &format!("run split {part}"), 0);
        assert!(last(&ran).starts_with("RUN finished: unknown(a part of an exploration"), "no part says true: {}", ran.stdout);
    }
    let all = merged(&bench, "split", 0);
    assert_eq!(all["verdict"], "true");
    assert_eq!(all["parts"][0], format!("4 parts cover all 32768 paths (hash {})", closed["hash"].as_str().unwrap()));
    assert_eq!(last(&run(&bench, "merge split", 0)), "MERGE 1 proved, 0 violated, 0 unknown; 4 of 4 tasks done");
    // Delivered twice under another name: nothing changes.
    std::fs::copy(result(&bench, "split", &parts[0]), bench.path().join("split/results/twice.jsonl")).unwrap();
    assert_eq!(merged(&bench, "split", 0), all);
}

#[test]
fn nothing_less_than_all_parts_is_true() {
    let bench = Bench::new();
    bench.write("one.c", program(14, false));
    bench.write("two.c", program(15, false));
    let parts = split(&bench, "one", 3);
    parts.iter().for_each(|part| _ = run(&bench, &format!("run one {part}"), 0));
    merged(&bench, "one", 0);
    let victim = result(&bench, "one", &parts[1]);
    let whole = std::fs::read_to_string(&victim).unwrap();
    let unknown = |why: &str| {
        let answer = merged(&bench, "one", 25);
        let verdict = answer["verdict"].as_str().unwrap().to_string();
        assert!(verdict.starts_with("unknown(") && verdict.contains(why), "{why}: {verdict}");
    };
    // Dropped.
    std::fs::remove_file(&victim).unwrap();
    unknown("part missing: one.c unreach-call part ");
    // Another part in its place, by its file, by its header, by its prefix, and by its tree.
    let other = std::fs::read_to_string(result(&bench, "one", &parts[0])).unwrap();
    std::fs::write(&victim, &other).unwrap();
    unknown("part missing");
    let own: Value = serde_json::from_str(whole.lines().next().unwrap()).unwrap();
    forge(&victim, |header, _| *header = own.clone());
    unknown("does not fit");
    let report: Value = serde_json::from_str(whole.lines().nth(1).unwrap()).unwrap();
    forge(&victim, |_, other| other["part"]["prefix"] = report["part"]["prefix"].clone());
    unknown("does not fit");
    std::fs::write(&victim, &other).unwrap();
    forge(&victim, |header, _| header["part"] = own["part"].clone());
    assert!(run(&bench, "merge one", 3).stderr.contains("its plan has no task"));
    // Something is said to be open, to belong to others, or to be one side of something else.
    for node in [json!("open"), json!("elsewhere"), json!({ "fork": { "what": 1, "sides": 2 } })] {
        std::fs::write(&victim, &whole).unwrap();
        forge(&victim, |_, report| {
            let tree = report["part"]["tree"].as_array_mut().unwrap();
            let leaf = tree.iter().position(|node| node.get("closed").is_some()).unwrap();
            tree[leaf] = node.clone();
        });
        unknown("does not fit");
    }
    // A part that was not explored to its end says nothing.
    std::fs::write(&victim, &whole).unwrap();
    forge(&victim, |_, report| _ = report.as_object_mut().unwrap().remove("part"));
    unknown("part");
    // Two results of one part that can't both be right.
    std::fs::write(&victim, &whole).unwrap();
    let second = bench.path().join("one/results/second.jsonl");
    std::fs::write(&second, &whole).unwrap();
    forge(&second, |_, report| {
        report["properties"][0]["verdict"] = "false".into();
        report.as_object_mut().unwrap().remove("part");
    });
    assert_eq!(merged(&bench, "one", 70)["verdict"], "contradiction(unreach-call)");
    std::fs::remove_file(&second).unwrap();
    // Torn.
    std::fs::write(&victim, &whole[..whole.len() / 2]).unwrap();
    assert!(run(&bench, "merge one", 3).stderr.contains("damaged"));
    // Of another plan, and of another program under this plan's name.
    let strangers = split(&bench, "two", 2);
    run(&bench, &format!("run two {}", strangers[0]), 0);
    std::fs::copy(result(&bench, "two", &strangers[0]), &victim).unwrap();
    assert!(run(&bench, "merge one", 3).stderr.contains("a result of the plan"));
    forge(&victim, |header, _| *header = own.clone());
    unknown("does not fit");
    std::fs::write(&victim, &whole).unwrap();
    assert_eq!(merged(&bench, "one", 0)["verdict"], "true");
    // The first part says that it handed on nothing: then it is no part of anything, and proves nothing.
    forge(&result(&bench, "one", &id(&bench, "one")), |_, report| {
        let tree = report["part"]["tree"].as_array_mut().unwrap();
        tree.iter_mut().filter(|node| **node == "handed-on").for_each(|node| *node = json!({ "closed": { "paths": 0, "hash": "0" } }));
    });
    unknown("a part of an exploration");
}

#[test]
fn tasks_of_parts_that_are_not_what_they_say() {
    let bench = Bench::new();
    bench.write("one.c", program(14, false));
    let parts = split(&bench, "one", 1);
    let file = bench.path().join("one/parts").join(format!("{}.json", parts[0]));
    let whole = std::fs::read_to_string(&file).unwrap();
    let refused = |change: &dyn Fn(&mut Value)| {
        let mut task: Value = serde_json::from_str(&whole).unwrap();
        change(&mut task);
        std::fs::write(&file, task.to_string()).unwrap();
        run(&bench, &format!("run one {}", parts[0]), 3);
    };
    refused(&|file| file["task"]["question"]["part"][0][0] = 7.into());
    refused(&|file| file["task"]["question"]["part"] = json!([]));
    refused(&|file| file["task"]["question"]["engine"] = "bmc".into());
    refused(&|file| file["plan"] = "other".into());
    std::fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    run(&bench, &format!("run one {}", parts[0]), 3);
}

#[test]
fn a_way_that_leads_nowhere_proves_nothing() {
    let bench = Bench::new();
    bench.write("one.c", program(14, false));
    let parts = split(&bench, "one", 1);
    // A genuine id for a beginning that the program does not have.
    let file = bench.path().join("one/parts").join(format!("{}.json", parts[0]));
    let mut part: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    part["task"]["question"]["part"][0][0] = 7.into();
    let place = bench.path().join("share");
    std::fs::create_dir_all(&place).unwrap();
    let prefix = part["task"]["question"]["part"].as_array().unwrap().clone();
    let fork = |decision: &Value| json!({ "fork": { "what": decision[0], "sides": decision[1] } });
    let mut tree: Vec<Value> = Vec::new();
    for decision in &prefix {
        tree.push(fork(decision));
        tree.extend((0..decision[2].as_u64().unwrap()).map(|_| json!("elsewhere")));
    }
    tree.push(json!("open"));
    for decision in prefix.iter().rev() {
        tree.extend((decision[2].as_u64().unwrap() + 1..decision[1].as_u64().unwrap()).map(|_| json!("elsewhere")));
    }
    let standing = json!({ "prefix": prefix, "tree": tree, "ended": 0, "repeated": 0, "refuted": 0, "ledger": { "entries": [] } });
    let body = standing.to_string();
    let hash: String = Sha256::digest(body.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    std::fs::write(place.join("standing.json"), format!("{}\n{body}\n", json!({ "task": "x", "sha256": hash }))).unwrap();
    let run = bench.run(&["verify", "one.c", "--property", "unreach-call", "--engine", "explore", "--share", "share", "--json"]);
    assert!(run.stdout.contains("the way to a part can't be followed"), "{}", run.stdout);
    assert!(!run.stdout.contains("\"part\""), "{}", run.stdout);
}

#[test]
fn a_violation_in_a_part_is_one_of_the_program() {
    let bench = Bench::new();
    bench.write("bad.c", program(15, true));
    run(&bench, "plan bad.c --out bad --property unreach-call --engine explore --timeout 100s -- --searcher dfs", 0);
    let place = bench.path().join("bad/running").join(id(&bench, "bad"));
    std::fs::create_dir_all(&place).unwrap();
    std::fs::write(place.join("wanted"), "4").unwrap();
    run(&bench, "run bad 1", 31);
    for part in files_in(&bench.path().join("bad/parts")) {
        let ran = run(&bench, &format!("run bad {}", part.trim_end_matches(".json")), 0);
        if last(&ran) == "RUN finished: false(unreach-call)" {
            // The other parts are missing, and it does not matter.
            assert_eq!(merged(&bench, "bad", 10)["verdict"], "false(unreach-call)");
            return;
        }
    }
    panic!("no part has the violation");
}

#[test]
fn a_killed_task_goes_on_from_where_it_was() {
    let bench = Bench::new();
    bench.write("long.c", program(17, false));
    run(&bench, "plan long.c --out long --property unreach-call --engine explore --timeout 100s", 0);
    let place = bench.path().join("long/running").join(id(&bench, "long"));
    let standing = || std::fs::read_to_string(place.join("standing.json")).unwrap_or_default();
    let ended = |text: &str| text.lines().nth(1).and_then(|line| serde_json::from_str::<Value>(line).ok()?["ended"].as_u64()).unwrap_or(0);
    // Runs the task until it explores, and interrupts it; what was noted when it began.
    let interrupted = |after: u64| {
        std::fs::create_dir_all(&place).unwrap();
        std::fs::write(place.join("wanted"), "0").unwrap();
        let mut child = bench.command(&["run", "long", "1"]).spawn().unwrap();
        while place.join("wanted").exists() {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        let begun = standing();
        std::thread::sleep(std::time::Duration::from_millis(after));
        // SAFETY: a signal to a child that was not waited for.
        unsafe { libc::kill(child.id().cast_signed(), libc::SIGTERM) };
        assert_eq!(child.wait().unwrap().code(), Some(23));
        begun
    };
    assert_eq!(ended(&interrupted(200)), 0);
    let kept = standing();
    assert!(ended(&kept) > 0, "{kept}");
    // From what was torn, changed, or belongs to another task nobody goes on.
    for wrong in
        [&kept[..kept.len() / 2], &kept.replacen(&id(&bench, "long"), "another", 1), &kept.replacen("\"ended\":", "\"ended\":1", 1)]
    {
        std::fs::write(place.join("standing.json"), wrong).unwrap();
        assert_eq!(ended(&interrupted(0)), 0);
    }
    std::fs::write(place.join("standing.json"), &kept).unwrap();
    assert_eq!(ended(&interrupted(0)), ended(&kept));
    assert_eq!(last(&run(&bench, "run long 1", 0)), "RUN finished: true");
    let answer = merged(&bench, "long", 0);
    let text = std::fs::read_to_string(result(&bench, "long", &id(&bench, "long"))).unwrap();
    let report: Value = serde_json::from_str(text.lines().nth(1).unwrap()).unwrap();
    assert_eq!(report["part"]["tree"][0]["closed"]["paths"], 131_072, "{answer}");
}

#[test]
fn what_was_given_up_before_is_not_forgotten() {
    let bench = Bench::new();
    // Behind the null pointer anything may happen, which is no violation of what is asked for, and no proof either.
    let fails = "  if (x0 == 77) { volatile int *p = 0; *p = 1; }\n  unsigned char x1 ";
    bench.write("cut.c", program(17, false).replacen("  unsigned char x1 ", fails, 1));
    run(&bench, "plan cut.c --out cut --property unreach-call --engine explore --timeout 100s", 0);
    let place = bench.path().join("cut/running").join(id(&bench, "cut"));
    std::fs::create_dir_all(&place).unwrap();
    std::fs::write(place.join("wanted"), "0").unwrap();
    let mut child = bench.command(&["run", "cut", "1"]).spawn().unwrap();
    while place.join("wanted").exists() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    std::thread::sleep(std::time::Duration::from_millis(200));
    // SAFETY: a signal to a child that was not waited for.
    unsafe { libc::kill(child.id().cast_signed(), libc::SIGTERM) };
    assert_eq!(child.wait().unwrap().code(), Some(23));
    let again = run(&bench, "run cut 1", 0);
    assert!(last(&again).starts_with("RUN finished: unknown(undefined behaviour"), "{}", again.stdout);
}

#[test]
fn what_can_not_be_split() {
    let bench = Bench::new();
    bench.write("one.c", program(2, false));
    run(&bench, "plan one.c --out one --property unreach-call --engine bmc --engine explore", 0);
    assert!(run(&bench, "split one 1", 2).stderr.contains("only tasks of the engine explore"));
    assert_eq!(last(&run(&bench, "split one", 25)), "SPLIT 0 tasks were asked for 1 parts each");
    run(&bench, "split one 2", 25);
    run(&bench, "split one 7", 3);
}
