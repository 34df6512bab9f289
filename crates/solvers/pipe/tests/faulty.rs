//! Solvers that hang, die or talk rubbish: an answer that says so, in time, and no process left behind.

use fathom_base::Budget;
use fathom_smt::{Answer, Backend, Solver, Why};
use fathom_smt_pipe::{Dialect, NotFound, PipeBackend, find};
use fathom_term::{Sort, TermStore};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A shell script that plays a solver. `loop` answers markers itself, so that scripts only say what they do on checks.
fn fake(on_check: &str) -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let script = folder.path().join("solver");
    let text = format!(
        "#!/bin/sh\necho $$ > {folder}/pid\n[ \"$1\" = --version ] && exit 0\nwhile read -r line; do case \"$line\" in\n\
         '(check-sat'*) {on_check};;\n\
         '(echo \"'*) m=${{line#*\\\"}}; echo \"${{m%%\\\"*}}\";;\nesac; done\n",
        folder = folder.path().display()
    );
    std::fs::write(&script, text).unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    (folder, script)
}

fn solver(script: &std::path::Path) -> (Rc<TermStore>, Box<dyn Solver>) {
    let store = Rc::new(TermStore::new());
    let dialect = Dialect { time_option: None, ..Dialect::by_name("z3").unwrap() };
    let backend = PipeBackend::new(&store, script, dialect);
    let mut solver = backend.new_solver().unwrap();
    solver.assert(store.var("p", Sort::Bool)).unwrap();
    (store, solver)
}

fn seconds(seconds: u64) -> Budget {
    Budget::new(Some(Duration::from_secs(seconds)), None, Default::default())
}

fn is_gone(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
    stat.map_or(true, |stat| stat.contains(") Z "))
}

#[test]
fn one_that_works() {
    let (folder, script) = fake("echo sat");
    let (_, mut solver) = solver(&script);
    assert_eq!(solver.check(&[], &seconds(10)), Answer::Sat);
    let pid = std::fs::read_to_string(folder.path().join("pid")).unwrap();
    assert!(!is_gone(&pid));
    drop(solver);
    assert!(is_gone(&pid));
    assert!(!std::path::Path::new(&format!("/proc/{}", pid.trim())).exists(), "a zombie is left");
}

#[test]
fn one_that_hangs() {
    // The grandchild holds the pipes, too.
    let (folder, script) = fake("sleep 1000 & echo $! > $(dirname $0)/child; wait");
    let (_, mut solver) = solver(&script);
    let began = Instant::now();
    assert_eq!(solver.check(&[], &Budget::new(Some(Duration::from_millis(500)), None, Default::default())), Answer::Unknown(Why::Budget));
    assert!(began.elapsed() < Duration::from_secs(5));
    for file in ["pid", "child"] {
        let pid = std::fs::read_to_string(folder.path().join(file)).unwrap();
        let deadline = Instant::now() + Duration::from_secs(5);
        while !is_gone(&pid) && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(is_gone(&pid), "{file} is left");
    }
    // It is started again, and may be cancelled.
    let budget = seconds(100);
    let flag = budget.cancel_flag();
    let canceller = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        flag.store(true, Ordering::Relaxed);
    });
    assert_eq!(solver.check(&[], &budget), Answer::Unknown(Why::Budget));
    canceller.join().unwrap();
    assert!(began.elapsed() < Duration::from_secs(20));
}

#[test]
fn one_that_never_reads() {
    let (_folder, script) = fake("true");
    std::fs::write(&script, "#!/bin/sh\n[ \"$1\" = --version ] && exit 0\nsleep 1000\n").unwrap();
    let (store, mut solver) = solver(&script);
    for i in 0..20_000 {
        solver.assert(store.var(&format!("p{i}"), Sort::Bool)).unwrap();
    }
    assert_eq!(solver.check(&[], &seconds(1)), Answer::Unknown(Why::Budget));
}

#[test]
fn one_that_dies() {
    let (_folder, script) = fake("echo out of cheese >&2; exit 3");
    let (_, mut solver) = solver(&script);
    for round in 0..5 {
        match solver.check(&[], &seconds(10)) {
            Answer::Unknown(Why::Failed(text)) if round < 3 => assert!(text.contains("out of cheese"), "{text}"),
            Answer::Unknown(Why::Failed(text)) => assert!(text.contains("died 3 times"), "{text}"),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn ones_that_talk_rubbish() {
    for (name, says) in [
        ("rubbish", "echo maybe"),
        ("error", "echo '(error \"no such logic\")'; echo sat"),
        ("open", "echo '(((('; exit 0"),
        ("binary", "printf '\\377\\376\\000 sat\\n'"),
        ("nothing", "true"),
        ("twice", "echo sat; echo unsat"),
    ] {
        let (_folder, script) = fake(says);
        let (_, mut solver) = solver(&script);
        match solver.check(&[], &seconds(10)) {
            Answer::Unknown(Why::Failed(_)) => {}
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn one_with_strange_values() {
    let (_folder, script) = fake("echo sat;; '(get-value'*) echo '((v0 (lambda x y)))'");
    let (store, mut solver) = solver(&script);
    assert_eq!(solver.check(&[], &seconds(10)), Answer::Sat);
    let error = solver.model(&[store.find_var("p").unwrap()]).unwrap_err();
    assert!(error.to_string().contains("unreadable value"), "{error}");
}

#[test]
fn ones_that_are_not_there() {
    let store = Rc::new(TermStore::new());
    assert_eq!(find("z4", &store).err(), Some(NotFound::Unknown("z4".into())));
    let backend = PipeBackend::new(&store, std::path::Path::new("/nonexistent/z3"), Dialect::by_name("z3").unwrap());
    let mut solver = backend.new_solver().unwrap();
    assert!(solver.assert(store.bool(true)).is_err());
    assert!(matches!(solver.check(&[], &seconds(1)), Answer::Unknown(Why::Failed(_))));
}
