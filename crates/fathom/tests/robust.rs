//! Nothing that happens around a run costs its answer: full disks, files that may not grow, processes that somebody kills. What was
//! found is told, the reason is said, and nothing half-written stays.

mod common;

use common::{Bench, Run, files_in};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const SAFE: &str = "int main(void) { return 0; }\n";
const BUG: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
    int main(void) {\n  int amount = __VERIFIER_nondet_int();\n  if (amount == 4711)\n    reach_error();\n  return 0;\n}\n";
/// Nothing decides this soon.
const ENDLESS: &str = "extern unsigned __VERIFIER_nondet_uint(void);\nextern void reach_error(void);\nint main(void) {\n  \
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint(), h = 7;\n  for (unsigned i = 0; i < b; i++) {\n    \
    h = h * 31 + (a ^ i); h ^= h >> 13;\n    if (h == 0xdeadbeef && i > 5000) reach_error();\n  }\n  return 0;\n}\n";

fn finished(bench: &Bench, output: &std::process::Output) -> Run {
    let run = Run {
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        code: output.status.code().unwrap_or(-1),
    };
    bench.check_promises(&run);
    run
}

/// Fathom where no file may have more than so many bytes, as if the disk were full then.
fn with_room(bench: &Bench, bytes: u64, arguments: &[&str]) -> Run {
    let mut command = bench.command(arguments);
    let limit = libc::rlimit { rlim_cur: bytes, rlim_max: bytes };
    // SAFETY: between fork and exec only setrlimit is called.
    unsafe {
        command.pre_exec(move || match libc::setrlimit(libc::RLIMIT_FSIZE, &limit) {
            0 => Ok(()),
            _ => Err(std::io::Error::last_os_error()),
        });
    }
    finished(bench, &command.output().unwrap())
}

#[test]
fn what_does_not_fit_is_said_and_leaves_no_part() {
    let bench = Bench::new();
    bench.write("bug.c", BUG);
    let written = ["--out", "out", "--format", "text", "--format", "json=r.json", "--witness-out", "w.yml", "--tree", "tree.html"];
    let arguments = [&["verify", "bug.c", "--no-native", "--engine", "interpolate"], &written[..]].concat();
    let run = with_room(&bench, 1500, &arguments);
    assert_eq!((run.code, run.verdict()), (10, "false(unreach-call)"), "{}", run.stderr);
    assert!(run.stderr.contains("r.json can't be written: File too large"), "{}", run.stderr);
    assert!(run.stdout.contains("The report could not be written."), "{}", run.stdout);
    let parts = |files: Vec<String>| files.into_iter().filter(|name| name.contains("part")).count();
    assert_eq!((parts(files_in(&bench.path())), parts(files_in(&bench.path().join("out")))), (0, 0));
    assert!(!bench.path().join("r.json").exists());
    // What is there is whole; and a run with more room takes the directory over.
    for name in files_in(&bench.path().join("out")).iter().filter(|name| name.ends_with(".json")) {
        let text = std::fs::read_to_string(bench.path().join("out").join(name)).unwrap();
        serde_json::from_str::<serde_json::Value>(&text).unwrap();
    }
    let run = bench.verify(&arguments[1..]);
    assert_eq!((run.code, run.stderr.as_str()), (10, ""), "{}", run.stdout);
    assert!(bench.path().join("out/report.json").exists());
}

#[test]
fn a_directory_without_room_is_not_begun() {
    let bench = Bench::new();
    bench.write("safe.c", SAFE);
    let run = with_room(&bench, 0, &["verify", "safe.c", "--out", "out"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(run.stderr.contains("--out out: ") && run.stderr.contains("File too large"), "{}", run.stderr);
    assert_eq!(files_in(&bench.path()), ["safe.c"]);
    let run = with_room(&bench, 100, &["init"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert_eq!(files_in(&bench.path()), ["safe.c"]);
    // The mark that lists our files survives a disk that is full later on.
    bench.verify(&["safe.c", "--out", "out"]);
    assert_eq!(with_room(&bench, 0, &["verify", "safe.c", "--out", "out"]).code, 2);
    assert_eq!(bench.verify(&["safe.c", "--out", "out"]).stderr, "");
}

fn full() -> Stdio {
    std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap().into()
}

#[test]
fn outputs_that_are_full() {
    let bench = Bench::new();
    bench.write("safe.c", SAFE);
    bench.write("broken.c", "int main(void) { return }\n");
    let run = finished(&bench, &bench.command(&["verify", "safe.c", "--json"]).stdout(full()).output().unwrap());
    assert_eq!((run.code, run.stderr.lines().last()), (0, Some("VERDICT true")), "{}", run.stderr);
    let run = finished(&bench, &bench.command(&["verify", "broken.c"]).stderr(full()).output().unwrap());
    assert_eq!((run.code, run.verdict()), (3, "unknown(input error: broken.c does not compile)"));
    for command in [&["solvers"][..], &["ir", "safe.c"], &["completions", "bash"]] {
        let run = finished(&bench, &bench.command(command).stdout(full()).output().unwrap());
        assert_eq!(run.code, 25, "{command:?}: {}", run.stderr);
        assert!(run.stderr.contains("standard output can't be written to: No space left"), "{}", run.stderr);
    }
}

/// Children of all threads of a process; none if this kernel does not list them.
fn children(pid: u32) -> Vec<u32> {
    let tasks = std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let listed = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
    listed.flat_map(|list| list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<u32>>()).collect()
}

fn kill(pid: u32) {
    assert!(Command::new("kill").args(["-KILL", &pid.to_string()]).status().unwrap().success());
}

/// What this looks for, as soon as it is there.
fn wait_for<T>(what: impl Fn() -> Option<T>) -> Option<T> {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(10) {
        if let Some(found) = what() {
            return Some(found);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    None
}

/// A run of the portfolio, with the process that works and two of its engines.
fn portfolio(bench: &Bench, timeout: &str) -> (Child, u32, Vec<u32>) {
    bench.write("endless.c", ENDLESS);
    let run = bench.command(&["verify", "endless.c", "--timeout", timeout]).spawn().unwrap();
    let worker = wait_for(|| children(run.id()).first().copied()).expect("a process that works");
    let is_engine = |pid: &u32| std::fs::read_link(format!("/proc/{pid}/exe")).is_ok_and(|exe| exe.ends_with("fathom"));
    let engines = wait_for(|| Some(children(worker).into_iter().filter(is_engine).collect::<Vec<_>>()).filter(|all| all.len() > 1));
    (run, worker, engines.expect("engines at work"))
}

#[test]
fn an_engine_that_is_killed_is_missed_and_the_others_go_on() {
    let bench = Bench::new();
    let (run, _, engines) = portfolio(&bench, "3s");
    kill(engines[0]);
    let run = finished(&bench, &run.wait_with_output().unwrap());
    assert_eq!((run.code, run.verdict()), (21, "unknown(timeout)"), "{}", run.stderr);
    assert!(run.stdout.contains(" was killed from outside (SIGKILL)"), "{}", run.stdout);
}

#[test]
fn whoever_kills_the_supervisor_ends_the_run_and_the_next_one_tidies_up() {
    let bench = Bench::new();
    let (mut run, worker, engines) = portfolio(&bench, "60s");
    kill(run.id());
    run.wait().unwrap();
    let is_gone = |pid: &u32| {
        let status = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        status.is_empty() || status.contains(") Z ")
    };
    assert!(wait_for(|| engines.iter().chain([&worker]).all(is_gone).then_some(())).is_some(), "engines outlive their supervisor");
    assert_eq!(files_in(&bench.temporary()).len(), 1, "nobody was there to remove the temporary files");
    bench.write("safe.c", SAFE);
    // That nothing temporary is left is checked after every run.
    assert_eq!(bench.verify(&["safe.c"]).verdict(), "true");
}

/// A clang that somebody kills where its arguments match.
fn fragile_clang(bench: &Bench, pattern: &str) -> String {
    let real = String::from_utf8(Command::new("sh").args(["-c", "command -v clang-19"]).output().unwrap().stdout).unwrap();
    let directory = bench.path().join("bin");
    std::fs::create_dir(&directory).unwrap();
    let script = format!("#!/bin/sh\ncase \"$*\" in {pattern}) kill -KILL $$ ;; esac\nexec {} \"$@\"\n", real.trim());
    std::fs::write(directory.join("clang-19"), script).unwrap();
    std::fs::set_permissions(directory.join("clang-19"), PermissionsExt::from_mode(0o755)).unwrap();
    format!("{}:{}", directory.display(), std::env::var("PATH").unwrap())
}

#[test]
fn a_compiler_that_is_killed_costs_the_native_replay_only() {
    let bench = Bench::new();
    bench.write("bug.c", BUG);
    let path = fragile_clang(&bench, "*user0.o*");
    let run = finished(&bench, &bench.command(&["verify", "bug.c"]).env("PATH", path).output().unwrap());
    assert_eq!((run.code, run.verdict()), (10, "false(unreach-call)"), "{}", run.stderr);
    assert!(run.stdout.contains("native replay was not possible: the compiler was ended by signal 9"), "{}", run.stdout);
}

#[test]
fn a_compiler_that_is_killed_says_nothing_of_the_program() {
    let bench = Bench::new();
    bench.write("safe.c", SAFE);
    let path = fragile_clang(&bench, "*");
    let run = finished(&bench, &bench.command(&["verify", "safe.c"]).env("PATH", path).output().unwrap());
    assert_eq!((run.code, run.verdict()), (25, "unknown(clang was ended by signal 9)"), "{}", run.stderr);
}
