//! Native replays of small programs: each failure is seen by the detector of its property, a run without the failure
//! contradicts only when it had everything it needed, and nothing is left behind.

use fathom_base::{Budget, Loc};
use fathom_ir::{Block, BlockId, Body, InputKind, Ledger, Procedure, Program, Property, StopKind, Terminator, TerminatorKind};
use fathom_machine::{InputRecord, ReplayEnd, ReplayLog, Trace, Violation};
use fathom_native::{self as native, Claim, NativeResult, NativeSetup};
use fathom_term::TermStore;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

fn program() -> Program {
    let terminator = Terminator { kind: TerminatorKind::Stop(StopKind::Exit), loc: Loc::UNKNOWN };
    let block = Block { label: "entry".into(), statements: Vec::new(), terminator };
    let main = Procedure {
        name: "main".into(),
        params: Vec::new(),
        results: Vec::new(),
        variadic: None,
        locals: Vec::new(),
        body: Some(Body { entry: BlockId(0), blocks: vec![block] }),
        loc: Loc::UNKNOWN,
        address: None,
        align: 1,
    };
    Program { procedures: vec![main], ..Program::empty(Rc::new(TermStore::new())) }
}

fn input(source: &str, bytes: &[u8]) -> InputRecord {
    let kind = InputKind { source: source.into(), type_name: "int".into(), signed: true };
    InputRecord { kind, bytes: bytes.to_vec(), width: bytes.len() as u32 * 8, loc: Loc::UNKNOWN }
}

fn int(value: i32) -> InputRecord {
    input("__VERIFIER_nondet_int", &value.to_le_bytes())
}

struct Case<'a> {
    source: &'a str,
    property: Property,
    inputs: Vec<InputRecord>,
    bits: u32,
}

fn replay_in(directory: &Path, case: Case<'_>) -> NativeResult {
    let file = directory.join("program.c");
    std::fs::write(&file, case.source).unwrap();
    let setup = NativeSetup::new(PathBuf::from("clang-19"), vec![file], Vec::new(), case.bits, "main".into());
    let log = ReplayLog {
        inputs: case.inputs,
        steps: Vec::new(),
        functions: Vec::new(),
        largest_object: 0,
        used_layout: false,
        read_unwritten: false,
        scene: Default::default(),
        influences: Vec::new(),
        end: ReplayEnd::Ended,
    };
    run(&setup, case.property, &log)
}

fn run(setup: &NativeSetup, property: Property, log: &ReplayLog) -> NativeResult {
    let violation = Violation { property, message: String::new(), loc: Loc::UNKNOWN, stack: Vec::new() };
    let trace = Trace {
        symbols: BTreeMap::new(),
        functions: Vec::new(),
        choices: Vec::new(),
        schedule: Vec::new(),
        cycle: None,
        layout: Vec::new(),
        branches: 0,
        violation,
    };
    let claim = Claim { program: &program(), property, trace: &trace, log, ledger: &Ledger::default() };
    native::replay(setup, &claim, &Budget::unlimited())
}

fn replay(source: &str, property: Property, inputs: Vec<InputRecord>) -> NativeResult {
    let directory = tempfile::tempdir().unwrap();
    replay_in(directory.path(), Case { source, property, inputs, bits: 64 })
}

fn confirmed(result: NativeResult) -> String {
    match result {
        NativeResult::Confirmed(what) => what,
        other => panic!("not confirmed: {other:?}"),
    }
}

const NONDET: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n";

fn with_nondet(body: &str) -> String {
    format!("{NONDET}#include <stdlib.h>\nint main(void) {{ int x = __VERIFIER_nondet_int(); {body} return 0; }}\n")
}

#[test]
fn an_error_function_that_is_only_declared() {
    let source = with_nondet("if (x == 42) reach_error();");
    confirmed(replay(&source, Property::UnreachCall, vec![int(42)]));
    let other = replay(&source, Property::UnreachCall, vec![int(41)]);
    assert!(matches!(other, NativeResult::NotSeen { contradicts: true, .. }), "{other:?}");
}

#[test]
fn an_error_function_of_the_users_own() {
    for body in ["{ }", "{ abort(); }", "{ __assert_fail(\"0\", \"f.c\", 3, \"reach_error\"); }"] {
        let source = format!(
            "extern void abort(void); extern void __assert_fail(const char*, const char*, unsigned, const char*);\n\
             int __VERIFIER_nondet_int(void); void reach_error() {body}\n\
             int main() {{ if (__VERIFIER_nondet_int() < 0) reach_error(); return 0; }}"
        );
        confirmed(replay(&source, Property::UnreachCall, vec![int(-1)]));
    }
}

#[test]
fn a_failed_assertion() {
    let source = "#include <assert.h>\nint __VERIFIER_nondet_int(void);\nint main(void) { assert(__VERIFIER_nondet_int()); }";
    confirmed(replay(source, Property::Assertion, vec![int(0)]));
}

#[test]
fn failures_of_memory() {
    let overrun = with_nondet("char *p = malloc(4); p[x] = 1; free(p);");
    assert!(confirmed(replay(&overrun, Property::ValidDeref, vec![int(4)])).contains("heap-buffer-overflow"));
    let twice = with_nondet("char *p = malloc(4); free(p); if (x) free(p);");
    assert!(confirmed(replay(&twice, Property::ValidFree, vec![int(1)])).contains("double-free"));
    let lost = with_nondet("if (x) malloc(4);");
    confirmed(replay(&lost, Property::ValidMemtrack, vec![int(1)]));
    let null = with_nondet("int *p = x ? 0 : &x; *p = 3;");
    confirmed(replay(&null, Property::Null, vec![int(1)]));
    confirmed(replay(&null, Property::ValidDeref, vec![int(1)]));
    let inside = with_nondet("struct { int a[2], b[2]; } s; s.a[x] = 3;");
    assert!(confirmed(replay(&inside, Property::Bounds, vec![int(2)])).contains("index 2 out of bounds"));
}

#[test]
fn failures_of_arithmetic() {
    confirmed(replay(&with_nondet("x = x + 1;"), Property::NoOverflow, vec![int(i32::MAX)]));
    confirmed(replay(&with_nondet("x = -x;"), Property::NoOverflow, vec![int(i32::MIN)]));
    confirmed(replay(&with_nondet("x = 5 / x;"), Property::DivByZero, vec![int(0)]));
    confirmed(replay(&with_nondet("x = 1 << x;"), Property::Shift, vec![int(32)]));
}

#[test]
fn every_kind_of_input_comes_in_order() {
    let source = "extern char __VERIFIER_nondet_char(void); extern double __VERIFIER_nondet_double(void);\n\
        extern unsigned long nondet_ulong(void); extern void klee_make_symbolic(void *, unsigned long, const char *);\n\
        extern void __VERIFIER_assume(int); extern void __VERIFIER_error(void);\n\
        int main(void) { char c = __VERIFIER_nondet_char(); double d = __VERIFIER_nondet_double();\n\
        unsigned long u = nondet_ulong(); unsigned char b[3]; klee_make_symbolic(b, 3, \"b\"); __VERIFIER_assume(c == 'q');\n\
        if (d == 0.5 && u == ~0ul && b[0] == 1 && b[2] == 3) __VERIFIER_error(); return 0; }";
    let inputs = vec![
        input("__VERIFIER_nondet_char", b"q"),
        input("__VERIFIER_nondet_double", &0.5f64.to_le_bytes()),
        input("nondet_ulong", &[0xff; 8]),
        input("klee_make_symbolic", &[1, 2, 3]),
    ];
    confirmed(replay(source, Property::UnreachCall, inputs));
}

#[test]
fn missing_functions_matter_only_when_called() {
    let source = with_nondet("extern int elsewhere(int); if (x == 1) elsewhere(1); if (x == 2) reach_error();");
    confirmed(replay(&source, Property::UnreachCall, vec![int(2)]));
    let called = replay(&source, Property::UnreachCall, vec![int(1)]);
    assert!(matches!(&called, NativeResult::NotPossible(why) if why.contains("elsewhere")), "{called:?}");
}

#[test]
fn uninitialised_memory_excuses() {
    let source = "extern void reach_error(void); int main(void) { volatile int x; if (x == 12345) reach_error(); return 0; }";
    let result = replay(source, Property::UnreachCall, vec![input("", &12345i32.to_le_bytes())]);
    assert!(!matches!(result, NativeResult::NotSeen { contradicts: true, .. }), "{result:?}");
}

#[test]
fn thirty_two_bits_where_the_machine_can() {
    let source = with_nondet("if (sizeof(long) == 4 && x == 7) reach_error(); char *p = malloc(4); p[x] = 1; x = x + 2147483647;");
    let directory = tempfile::tempdir().unwrap();
    for property in [Property::UnreachCall, Property::ValidDeref, Property::NoOverflow] {
        let body = if property == Property::UnreachCall { source.clone() } else { source.replace("reach_error()", "(void)0") };
        match replay_in(directory.path(), Case { source: &body, property, inputs: vec![int(7)], bits: 32 }) {
            NativeResult::Confirmed(_) => {}
            NativeResult::NotPossible(why) => eprintln!("not possible here: {why}"),
            other => panic!("{property}: {other:?}"),
        }
    }
}

#[test]
fn a_run_that_hangs_is_ended() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("program.c");
    std::fs::write(&file, "int main(void) { for (;;) ; }").unwrap();
    let mut setup = NativeSetup::new(PathBuf::from("clang-19"), vec![file], Vec::new(), 64, "main".into());
    setup.run_time = Duration::from_millis(300);
    let log = ReplayLog {
        inputs: Vec::new(),
        steps: Vec::new(),
        functions: Vec::new(),
        largest_object: 0,
        used_layout: false,
        read_unwritten: false,
        scene: Default::default(),
        influences: Vec::new(),
        end: ReplayEnd::Ended,
    };
    let start = Instant::now();
    let result = run(&setup, Property::UnreachCall, &log);
    assert!(matches!(result, NativeResult::NotPossible(_)), "{result:?}");
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn what_cannot_be_built_is_said() {
    let result = replay("this is not C", Property::UnreachCall, Vec::new());
    assert!(matches!(&result, NativeResult::NotPossible(why) if why.contains("does not compile")), "{result:?}");
    let directory = tempfile::tempdir().unwrap();
    let setup = NativeSetup::new(directory.path().join("no-such-clang"), Vec::new(), Vec::new(), 64, "main".into());
    let log = ReplayLog {
        inputs: Vec::new(),
        steps: Vec::new(),
        functions: Vec::new(),
        largest_object: 0,
        used_layout: false,
        read_unwritten: false,
        scene: Default::default(),
        influences: Vec::new(),
        end: ReplayEnd::Ended,
    };
    let result = run(&setup, Property::UnreachCall, &log);
    assert!(matches!(&result, NativeResult::NotPossible(why) if why.contains("could not be started")), "{result:?}");
}
