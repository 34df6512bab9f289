//! The page of a report in a real browser (headless Chromium, without a driver): that keys and addresses lead from step to step,
//! that proofs are shown in the source, that no text of a program gets out of its place, and that no script fails.

mod common;

use common::Bench;
use std::path::{Path, PathBuf};
use std::process::Command;

const BUG: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint seen;\n\
    static void check(int a) {\n    seen = a;\n    if (a == 4711)\n        reach_error();\n}\n\
    int main(void) {\n    int amount = __VERIFIER_nondet_int();\n    int twice = amount - 1;\n    check(twice);\n    return 0;\n}\n";
const LOOP: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
    int main(void) {\n    int i = 0, n = __VERIFIER_nondet_int();\n    if (n < 0 || n > 1000)\n        return 0;\n\
    \x20   while (i < n)\n        i++;\n    if (i > 1000)\n        reach_error();\n    return 0;\n}\n";
/// Comments, names and texts that would do harm as markup.
const HOSTILE: &str = "/* </script><script>document.body.dataset.harm = 1</script> <img src=x onerror='document.body.dataset.harm = 2'> \
    gr\u{f6}\u{df}e \u{2028} */\nextern void reach_error(void);\nint main(void) {\n    \
    char *text = \"</script><img src=x onerror=document.body.dataset.harm=3>\";\n    if (text[0] == '<')\n        reach_error();\n    \
    return 0;\n}\n";

/// Chromium, by one of its names.
fn chromium() -> PathBuf {
    let directories: Vec<PathBuf> =
        std::env::var_os("PATH").iter().flat_map(|path| std::env::split_paths(path).collect::<Vec<_>>()).collect();
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let found = names.iter().flat_map(|name| directories.iter().map(move |directory| directory.join(name))).find(|path| path.is_file());
    found.expect("this test looks at pages with Chromium, which is missing: `scripts/setup` or `apt-get install chromium` installs it")
}

/// What the browser makes of a page, at this address in it. A script that fails, or that the page's policy stops, is a failure.
fn look_at(page: &Path, fragment: &str) -> String {
    let profile = tempfile::tempdir().unwrap();
    let output = Command::new(chromium())
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("file://{}#{fragment}", page.display()))
        .output()
        .unwrap();
    let log = String::from_utf8_lossy(&output.stderr).into_owned();
    let complaints: Vec<&str> = log.lines().filter(|line| line.contains("CONSOLE")).collect();
    assert_eq!(complaints, Vec::<&str>::new(), "{fragment}");
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(dom.contains("data-ready=\"true\""), "the page was not drawn: {log}\n{}", &dom[..dom.len().min(2000)]);
    dom
}

/// The line that is highlighted.
fn highlighted(dom: &str) -> u32 {
    let found: Vec<&str> =
        dom.split("<div ").filter(|tag| tag.split('>').next().is_some_and(|tag| tag.contains("aria-current=\"location\""))).collect();
    let [tag] = found[..] else { panic!("{} lines are highlighted", found.len()) };
    let id = tag.split("id=\"L0-").nth(1).unwrap_or_else(|| panic!("{tag}"));
    id.split('"').next().and_then(|line| line.parse().ok()).unwrap_or_else(|| panic!("{tag}"))
}

/// The text of an element, by its id, up to the next element with one.
fn part<'a>(dom: &'a str, id: &str) -> &'a str {
    let (_, rest) = dom.split_once(&format!("id=\"{id}\"")).unwrap_or_else(|| panic!("{id} is missing"));
    rest.split(" id=\"").next().unwrap_or_default()
}

fn page_of(bench: &Bench, arguments: &[&str], code: i32) -> PathBuf {
    let run = bench.run(&[&["verify", "--format", "html=page.html", "--no-native"], arguments].concat());
    assert_eq!(run.code, code, "{}\n{}", run.stdout, run.stderr);
    bench.path().join("page.html")
}

#[test]
fn a_violation_is_stepped_through() {
    let bench = Bench::new();
    bench.write("bug.c", BUG);
    let page = page_of(&bench, &["bug.c", "--property", "unreach-call"], 10);
    let last = look_at(&page, "");
    assert_eq!(highlighted(&last), 7, "it begins at the violation");
    assert!(part(&last, "now").contains("reach_error() is reached"), "{}", part(&last, "now"));
    assert!(
        part(&last, "calls").contains("<code>check</code>")
            && part(&last, "calls").contains("<code>main</code>")
            && part(&last, "calls").contains("from bug.c:12"),
        "{}",
        part(&last, "calls")
    );
    assert!(part(&last, "inputs").contains("4712"), "{}", part(&last, "inputs"));
    let first = look_at(&page, "step=1");
    assert_eq!(highlighted(&first), 10);
    assert!(part(&first, "variables").contains("amount") && !part(&first, "variables").contains("twice"), "{}", part(&first, "variables"));
    assert!(!part(&first, "variables").contains("seen"), "it is not written yet");
    assert!(part(&last, "variables").contains("seen") && part(&last, "variables").contains("4711"), "{}", part(&last, "variables"));
}

#[test]
fn keys_lead_from_step_to_step() {
    let bench = Bench::new();
    bench.write("bug.c", BUG);
    let page = page_of(&bench, &["bug.c", "--property", "unreach-call"], 10);
    let text = std::fs::read_to_string(&page).unwrap();
    // A reader whose keys are pressed by a script; the policy would not let it run.
    let (before, rest) = text.split_once("script-src '").unwrap();
    let (_, after) = rest.split_once('\'').unwrap();
    let walk = "<script>const seen = [];\
        for (const key of ['Home', 'j', 'ArrowDown', 'ArrowRight', 'k', 'ArrowUp', 'End', 'j', 'x']) {\
          document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));\
          seen.push(document.querySelector('.line.here').id.slice(3) + '@' + document.querySelector('#steps [aria-current=step]').id.slice(5));\
        }\
        document.getElementById('back').click();\
        seen.push('back@' + document.querySelector('#steps [aria-current=step]').id.slice(5));\
        document.body.dataset.walk = seen.join(' ');</script></body>";
    let pressed = format!("{before}script-src 'unsafe-inline'{after}").replace("</body>", walk);
    let dom = look_at(&bench.write("pressed.html", pressed), "");
    let walked = dom.split_once("data-walk=\"").and_then(|(_, rest)| rest.split('"').next()).expect("the keys were pressed");
    let steps: Vec<(&str, u32)> =
        walked.split(' ').map(|pair| pair.split_once('@').map(|(line, step)| (line, step.parse().unwrap())).unwrap()).collect();
    let numbers: Vec<u32> = steps.iter().map(|(_, step)| *step).collect();
    let count = numbers[6];
    assert_eq!(numbers, [1, 2, 3, 4, 3, 2, count, count, count, count - 1], "{walked}");
    assert!(steps[0].0 == "10" && steps[6].0 == "7" && steps[0].0 != steps[1].0, "the highlighted line moves: {walked}");
}

#[test]
fn a_proof_is_shown_in_the_source() {
    let bench = Bench::new();
    bench.write("loop.c", LOOP);
    let page = page_of(&bench, &["loop.c", "--property", "unreach-call", "--engine", "kind"], 0);
    let dom = look_at(&page, "view=proof");
    let proof = part(&dom, "view-proof");
    assert!(proof.contains("i &lt;= 1000") && proof.contains("loop.c:7"), "{proof}");
    assert!(dom.contains("note known") && highlighted(&dom) == 7, "the condition stands below the loop");
    let numbers = look_at(&page, "view=numbers");
    assert!(part(&numbers, "view-numbers").contains("<svg") && numbers.contains("queries"));
    let text = std::fs::read_to_string(&page).unwrap();
    assert!(text.contains("default-src 'none'"), "nothing may be loaded");
    for load in ["src=\"http", "href=\"http", "url(http", "@import", "<link", "<iframe"] {
        assert!(!text.contains(load), "{load}");
    }
}

#[test]
fn hostile_programs_stay_text() {
    let bench = Bench::new();
    bench.write("hostile.c", HOSTILE);
    let dom = look_at(&page_of(&bench, &["hostile.c", "--property", "unreach-call"], 10), "");
    assert!(!dom.contains("data-harm") && !dom.contains("<img"), "markup of the program became part of the page");
    assert!(dom.contains("gr\u{f6}\u{df}e") && dom.contains("&lt;/script&gt;&lt;img"), "and is shown as it is written");
    assert_eq!(highlighted(&dom), 6);
    // The report of a run without an answer is a page as well.
    bench.write("broken.c", "int main(void) { return <b>; }\n");
    let dom = look_at(&page_of(&bench, &["broken.c"], 3), "");
    assert!(part(&dom, "view-answer").contains("No answer") && !dom.contains("<b>"), "{}", part(&dom, "view-answer"));
}
