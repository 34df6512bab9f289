//! What other systems run: the GitHub action, the hook of pre-commit and the examples for GitLab. They are read as those systems
//! read them, and what they call is called with the built binary, so that no flag in them can go stale.

mod common;

use common::{Bench, files_in};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn yaml(name: &str) -> Value {
    serde_saphyr::from_str(&std::fs::read_to_string(root().join(name)).unwrap()).unwrap()
}

struct Ended {
    code: i32,
    told: String,
}

/// Runs a script of the repository where the user's files are.
fn run(bench: &Bench, script: &str, words: &[&str], variables: &[(&str, &str)]) -> Ended {
    let mut command = Command::new(root().join(script));
    command.args(words).current_dir(bench.path()).env("TMPDIR", bench.temporary()).env("FATHOM", env!("CARGO_BIN_EXE_fathom"));
    command.env_remove("GITHUB_ACTIONS").env_remove("GITHUB_OUTPUT").envs(variables.iter().copied());
    let output = command.output().unwrap();
    let told = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert_eq!(files_in(&bench.temporary()), Vec::<String>::new(), "temporary files were left behind");
    Ended { code: output.status.code().unwrap(), told }
}

fn programs() -> Bench {
    let bench = Bench::new();
    std::fs::create_dir(bench.path().join("src")).unwrap();
    bench.write("src/good.c", "int main(void) { return 0; }\n");
    bench.write("src/bad.c", "int nondet_int(void);\nint main(void) { return 8 / nondet_int(); }\n");
    bench.write("src/lib.c", "int twice(int x) { return 2 * x; }\n");
    bench.write("src/open.c", "int nondet_int(void);\nint main(void) {\n  int n = 0;\n  while (nondet_int()) n++;\n  return n;\n}\n");
    bench
}

const QUICK: [(&str, &str); 2] = [("PROPERTIES", "div-by-zero"), ("FLAGS", "--no-native --engine explore")];

#[test]
fn the_action_hands_every_input_on() {
    let action = yaml("action.yml");
    let steps = action["runs"]["steps"].as_array().unwrap();
    let used: BTreeSet<String> = steps.iter().flat_map(|step| inputs_in(&step.to_string())).collect();
    let known: BTreeSet<String> = action["inputs"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(used, known);
    let verify = steps.iter().find(|step| step["id"] == "verify").unwrap();
    let script = std::fs::read_to_string(root().join("scripts/ci-verify")).unwrap();
    for variable in verify["env"].as_object().unwrap().keys().filter(|variable| *variable != "ACTION") {
        assert!(script.contains(&format!("{{{variable}:-")), "scripts/ci-verify does not look at {variable}");
    }
    // What users write must not become a part of a script.
    assert!(steps.iter().all(|step| !step["run"].to_string().contains("${{")));
    assert!(steps.iter().all(|step| step.get("uses").is_some() || step["shell"] == "bash"));
}

fn inputs_in(text: &str) -> Vec<String> {
    let named = text.split("inputs.").skip(1);
    named.map(|rest| rest.chars().take_while(|c| c.is_ascii_lowercase() || *c == '-').collect()).collect()
}

#[test]
fn the_action_verifies_files_one_by_one() {
    let bench = programs();
    let output = bench.path().join("output");
    let mut variables = vec![("FILES", "src/go*.c\nsrc/lib.c src/bad.c"), ("GITHUB_ACTIONS", "true"), ("REPORTS", "reports")];
    variables.extend(QUICK);
    variables.push(("GITHUB_OUTPUT", output.to_str().unwrap()));
    let ended = run(&bench, "scripts/ci-verify", &[], &variables);
    assert_eq!(ended.code, 10, "{}", ended.told);
    assert!(ended.told.contains("src/good.c: VERDICT true"), "{}", ended.told);
    assert!(ended.told.contains("src/lib.c: not a program"), "{}", ended.told);
    assert!(ended.told.contains("::error file=src/bad.c,line=2"), "{}", ended.told);
    assert_eq!(std::fs::read_to_string(&output).unwrap(), "exit-code=10\n");
    let names = ["src_bad.c.json", "src_bad.c.sarif", "src_bad.c.xml", "src_good.c.json", "src_good.c.sarif", "src_good.c.xml"];
    assert_eq!(files_in(&bench.path().join("reports")), names);
    let read = |name: &str| {
        let text = std::fs::read_to_string(bench.path().join("reports").join(name)).unwrap();
        serde_json::from_str::<Value>(&text).unwrap()
    };
    // Code scanning takes several logs only if it can tell them apart.
    let category = |name: &str| read(name)["runs"][0]["automationDetails"]["id"].as_str().unwrap().to_string();
    assert_eq!((category("src_bad.c.sarif"), category("src_good.c.sarif")), ("fathom/src/bad.c/".into(), "fathom/src/good.c/".into()));
    let quality = read("src_bad.c.json");
    assert_eq!((&quality[0]["check_name"], &quality[0]["location"]["path"]), (&"div-by-zero".into(), &"src/bad.c".into()));
    assert_eq!(run(&bench, "scripts/ci-verify", &[], &[("FILES", "no/such/*.c")]).code, 2);
    assert_eq!(run(&bench, "scripts/ci-verify", &[], &[]).code, 2);
}

#[test]
fn what_is_not_decided_fails_only_if_it_should() {
    let bench = programs();
    let strict = |value| {
        let variables =
            [("FILES", "src/open.c"), ("PROPERTIES", "no-overflow"), ("FLAGS", "--engine bmc --unwind 1"), ("FAIL_ON_UNKNOWN", value)];
        run(&bench, "scripts/ci-verify", &[], &variables)
    };
    let (lenient, strict) = (strict("false"), strict("true"));
    assert_eq!((lenient.code, strict.code), (0, 20), "{}", strict.told);
    assert!(lenient.told.contains("VERDICT unknown("), "{}", lenient.told);
}

#[test]
fn the_action_verifies_a_build() {
    let bench = programs();
    let directory = bench.path();
    let entry = |file: &str, target: &str| {
        let directory = directory.display();
        format!(r#"{{"directory":"{directory}","file":"src/{file}","command":"cc -c src/{file} -o CMakeFiles/{target}.dir/{file}.o"}}"#)
    };
    bench.write("compile_commands.json", format!("[{}, {}]", entry("good.c", "fine"), entry("bad.c", "wrong")));
    for (target, code) in [("fine", 0), ("wrong", 10)] {
        let mut variables = vec![("COMPILE_COMMANDS", "."), ("TARGET", target), ("TIMEOUT", "60s")];
        variables.extend(QUICK);
        let ended = run(&bench, "scripts/ci-verify", &[], &variables);
        assert_eq!(ended.code, code, "{}", ended.told);
    }
    assert_eq!(files_in(&bench.path().join("fathom-reports")), ["program.sarif", "program.xml"]);
}

#[test]
fn the_hook_verifies_what_is_committed() {
    let hooks = yaml(".pre-commit-hooks.yaml");
    let hook = &hooks[0];
    assert_eq!((&hook["id"], &hook["language"]), (&"fathom".into(), &"script".into()));
    let words: Vec<&str> = hook["args"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
    assert_eq!(words.last(), Some(&"--"));
    let bench = programs();
    let entry = hook["entry"].as_str().unwrap();
    let with = |files: &[&str]| run(&bench, entry, &[&words[..], files].concat(), &[]);
    let good = with(&["src/good.c", "src/lib.c"]);
    assert_eq!(good.code, 0, "{}", good.told);
    let bad = with(&["src/good.c", "src/bad.c"]);
    assert_eq!(bad.code, 10, "{}", bad.told);
    assert!(bad.told.contains("division by zero"), "{}", bad.told);
    let late = run(&bench, entry, &["--budget", "0", "--", "src/bad.c"], &[]);
    assert!(late.code == 0 && late.told.contains("not looked at"), "{}", late.told);
    assert_eq!(run(&bench, entry, &["src/bad.c"], &[]).code, 2, "files come behind --");
}

#[test]
fn the_examples_are_yaml() {
    let page = std::fs::read_to_string(root().join("docs/ci.md")).unwrap();
    let blocks: Vec<&str> = page.split("```yaml\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(blocks.len() > 4);
    for block in blocks {
        let read: Result<Value, _> = serde_saphyr::from_str(block);
        assert!(read.is_ok_and(|value| value.is_object() || value.is_array()), "{block}");
    }
}

/// Rows of dashes rule tables.
fn is_flag(word: &str) -> bool {
    word.strip_prefix("--").is_some_and(|rest| rest.starts_with(char::is_alphabetic))
}

/// Flags in the documents' examples that call Fathom.
#[test]
fn flags_in_the_examples_exist() {
    let bench = Bench::new();
    let help = bench.run(&["verify", "--help"]).stdout + &std::fs::read_to_string(root().join("scripts/verify-each")).unwrap();
    let mut seen = 0;
    for page in ["docs/ci.md", "docs/editors.md"] {
        let text = std::fs::read_to_string(root().join(page)).unwrap();
        for line in text.lines().filter(|line| ["fathom verify", "verify-each", "args:", "| "].iter().any(|word| line.contains(word))) {
            for flag in line.split([' ', '`', '[', ']', ',', '"']).filter(|word| is_flag(word)) {
                let flag = flag.split(['=', ')']).next().unwrap();
                assert!(help.contains(flag), "{page}: {flag}: {line}");
                seen += 1;
            }
        }
    }
    assert!(seen > 10, "only {seen} flags were seen");
}
