//! The inductive step on small programs in text form, decided by brute force: what it proves and with how large a k, what
//! it must not prove, and where it says that it is off.

use fathom_base::Budget;
use fathom_engine::{Cx, Engine, Known, Outcome, Progress, ProgressSink, Proof, Task, Verdict};
use fathom_engine_kind::{Kind, KindConfig};
use fathom_ir::{BlockId, Invariant, LoopHead, Property, parse_program, validate};
use fathom_smt::{Backend, Brute};
use fathom_term::smtlib::read_term;
use std::collections::BTreeSet;
use std::rc::Rc;

struct Silent;

impl ProgressSink for Silent {
    fn report(&self, _: &Progress) {}
}

fn run(program: &str, config: KindConfig) -> Outcome {
    knowing(program, config, &[])
}

/// With what others proved of the loop at `b1`.
fn knowing(program: &str, config: KindConfig, said: &[&str]) -> Outcome {
    let program = Rc::new(parse_program(program).unwrap_or_else(|error| panic!("{error}\n{program}")));
    validate(&program).unwrap_or_else(|error| panic!("{error}"));
    let store = program.terms.clone();
    let mut known = Known::default();
    for says in said {
        let condition = read_term(&store, says).unwrap_or_else(|error| panic!("{error}"));
        known.loops.add(LoopHead { procedure: program.entry, block: BlockId(1) }, Invariant { condition, cells: Vec::new() });
    }
    let backend = move || -> Box<dyn Backend> { Box::new(Brute::new(store.clone(), 20)) };
    let task = Task { program, by_contracts: None, properties: BTreeSet::from([Property::UnreachCall]) };
    let cx = Cx { budget: Budget::unlimited(), backend: &backend, horn: &|| None, progress: &Silent, seed: 0, known: &known };
    Kind { config }.run(&task, &cx)
}

fn few_steps() -> KindConfig {
    KindConfig { max_k: Some(4), ..KindConfig::default() }
}

fn plain() -> KindConfig {
    KindConfig { guess_invariants: false, targets: false, ..few_steps() }
}

/// The verdict in a word: `k=2`, `unwound`, `false` or `unknown`.
fn word(outcome: &Outcome) -> String {
    match &outcome.verdicts[&Property::UnreachCall] {
        Verdict::Holds(proof) => match &**proof {
            Proof::Inductive { k, .. } => format!("k={k}"),
            _ => "unwound".into(),
        },
        Verdict::Violated(_) => "false".into(),
        Verdict::Unknown(_) => "unknown".into(),
    }
}

fn notes(outcome: &Outcome) -> String {
    outcome.statistics.notes.join("\n")
}

/// `main` with 4-bit variables a, b, i, n, a Boolean c, and these blocks.
fn program(blocks: &str) -> String {
    let locals: String = ["a", "b", "i", "n"].iter().map(|name| format!("  local {name} (_ BitVec 4) \"{name}\"\n")).collect();
    format!("program pointer 32 entry main\nprocedure main ()\n{locals}  local c Bool \"c\"\n  begin b0\n{blocks}")
}

/// A loop with this body, entered with zeros, that an input leaves; then the assertion.
fn looping(body: &str, assertion: &str) -> String {
    program(&format!(
        "  b0 \"\":\n    a, b, i := #b0000, #b0000, #b0000\n    havoc n\n    goto b1\n  b1 \"head\":\n    havoc c\n    branch c b2 b3\n\
         \x20 b2 \"body\":\n    {body}\n    goto b1\n  b3 \"end\":\n    assert unreach-call {assertion} \"\"\n    return\n"
    ))
}

#[test]
fn sums_of_several_variables_are_related() {
    let body =
        "havoc c\n    a, b, i := (ite c (bvadd a #b0001) (bvadd a #b0010)), (ite c (bvadd b #b0010) (bvadd b #b0001)), (bvadd i #b0001)";
    let right = looping(body, "(= (bvadd a b) (bvadd i (bvadd i i)))");
    assert_eq!(word(&run(&right, few_steps())), "k=1");
    assert_eq!(word(&run(&right, plain())), "unknown");
    let wrong = looping(body, "(not (= (bvadd a b) #b1100))");
    assert_eq!(word(&run(&wrong, few_steps())), "false");
}

#[test]
fn relations_hold_from_any_entry() {
    // n is arbitrary on entry: a counts up while b counts down from it.
    let body = "a, b := (bvadd a #b0001), (bvsub b #b0001)";
    let text = looping(body, "(= (bvadd a b) n)").replace("havoc n\n", "havoc n\n    b := n\n");
    assert_eq!(word(&run(&text, few_steps())), "k=1");
}

#[test]
fn what_others_proved_is_proved_again() {
    // b is always twice a; i says when the loop may end, so that only the relation proves it.
    let body = "a, b, i := (bvadd a #b0001), (bvadd b #b0010), (bvadd i #b0011)";
    let right = looping(body, "(= b (bvadd a a))");
    assert_eq!(word(&run(&right, plain())), "unknown");
    let helped = knowing(&right, plain(), &["(= b (bvadd a a))", "(= a i)", "(bvule a n)"]);
    assert_eq!(word(&helped), "k=1");
    // What does not hold helps nobody, whether it fails on entry, after a while, or says that nothing gets there.
    let wrong = looping(body, "(not (= a #b0101))");
    for says in ["false", "(= a #b0001)", "(bvult a #b0101)", "(= a #b0000)"] {
        assert_eq!(word(&knowing(&wrong, KindConfig { max_k: Some(8), ..plain() }, &[says])), "false", "{says}");
        assert!(notes(&knowing(&wrong, plain(), &[says])).contains("no proof up to k"), "{says}");
    }
}

#[test]
fn the_step_begins_with_any_k() {
    let text = looping("a, b := b, (bvand (bvnot a) (bvand (bvnot b) #b0001))", "(not (= (bvand a b) #b0001))");
    let late = run(&text, KindConfig { first_k: 4, ..plain() });
    assert!(["k=4", "unwound"].contains(&word(&late).as_str()), "{}", word(&late));
    let wrong = looping("i := (bvadd i #b0001)", "(not (= i #b0111))");
    assert_ne!(word(&run(&wrong, KindConfig { first_k: 4, ..plain() })).as_bytes()[0], b'k');
}

#[test]
fn a_violation_in_a_late_iteration_is_no_proof() {
    let text = looping("i := (bvadd i #b0001)", "(not (= i #b0111))");
    for config in [few_steps(), plain()] {
        assert_ne!(word(&run(&text, config)).as_bytes()[0], b'k');
    }
    assert_eq!(word(&run(&text, KindConfig::default())), "false");
}

#[test]
fn what_needs_two_good_iterations() {
    // (a, b) goes round (0,0) (0,1) (1,0): after (1,1) would come (1,1) for ever, but nothing leads there.
    let body = "a, b := b, (bvand (bvnot a) (bvand (bvnot b) #b0001))";
    let text = looping(body, "(not (= (bvand a b) #b0001))");
    let proved = word(&run(&text, plain()));
    assert!(["k=1", "k=2", "k=3", "unwound"].contains(&proved.as_str()), "{proved}");
}

#[test]
fn nested_loops_and_early_exits() {
    // The inner loop counts a up to 3 at most; the outer one starts it again.
    let text = program(
        "  b0 \"\":\n    goto b1\n  b1 \"outer\":\n    a := #b0000\n    goto b2\n  b2 \"inner\":\n    havoc c\n    branch c b3 b4\n\
         \x20 b3 \"\":\n    a := (bvadd a #b0001)\n    branch (= a #b0011) b4 b2\n  b4 \"\":\n    assert unreach-call (bvule a #b0011) \"\"\n\
         \x20   havoc c\n    branch c b1 b5\n  b5 \"\":\n    return\n",
    );
    let proved = word(&run(&text, few_steps()));
    assert!(proved.starts_with("k=") || proved == "unwound", "{proved}");
    let wrong = text.replace("(bvule a #b0011)", "(bvule a #b0010)");
    assert_eq!(word(&run(&wrong, few_steps())), "false");
}

#[test]
fn a_loop_with_a_side_entry_has_no_inductive_step() {
    let text = program(
        "  b0 \"\":\n    a := #b0000\n    havoc c\n    branch c b1 b2\n  b1 \"\":\n    havoc c\n    branch c b2 b3\n\
         \x20 b2 \"\":\n    a := (bvadd a #b0010)\n    havoc c\n    branch c b1 b3\n  b3 \"\":\n    assert unreach-call (not (= a #b0001)) \"\"\n    return\n",
    );
    let outcome = run(&text, few_steps());
    assert!(!word(&outcome).starts_with("k="), "{}", word(&outcome));
    assert!(
        word(&outcome) == "unwound" || notes(&outcome).contains("inductive step off: a loop can be entered beside its head"),
        "{}",
        notes(&outcome)
    );
}

#[test]
fn recursion_has_no_inductive_step() {
    let text = "program pointer 32 entry main\nprocedure main ()\n  local n (_ BitVec 4) \"n\"\n  begin b0\n  b0 \"\":\n    havoc n\n    call down (n)\n    return\n\
                procedure down (x)\n  local x (_ BitVec 4) \"x\"\n  local y (_ BitVec 4) \"y\"\n  local c Bool \"c\"\n  begin b0\n  b0 \"\":\n    havoc c\n    branch c b1 b2\n  b1 \"\":\n    havoc y\n    call down (y)\n    goto b2\n\
                \x20 b2 \"\":\n    assert unreach-call (= x x) \"\"\n    return\n";
    let outcome = run(text, few_steps());
    assert_eq!(word(&outcome), "unknown");
    assert!(notes(&outcome).contains("inductive step off: the program is recursive"), "{}", notes(&outcome));
}

#[test]
fn a_loop_that_leaves_memory_behind_has_no_inductive_step() {
    let text = "program pointer 32 entry main\nprocedure main ()\n  local p (_ BitVec 32) \"p\"\n  local q (_ BitVec 32) \"q\"\n  local c Bool \"c\"\n  begin b0\n  b0 \"\":\n    p := #x00000000\n    goto b1\n\
                \x20 b1 \"\":\n    havoc c\n    branch c b2 b3\n  b2 \"\":\n    alloc q <- heap zeroed align 4 size #x00000004 \"malloc\"\n    store q <- p\n    p := q\n    goto b1\n\
                \x20 b3 \"\":\n    assert unreach-call (= p p) \"\"\n    assert unreach-call (not (= p #x00000001)) \"\"\n    return\n";
    let outcome = run(text, few_steps());
    assert!(!word(&outcome).starts_with("k="), "{}", word(&outcome));
    assert!(notes(&outcome).contains("inductive step off: the loop leaves memory behind that it allocated"), "{}", notes(&outcome));
}
