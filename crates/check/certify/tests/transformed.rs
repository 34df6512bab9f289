//! A proof about a transformed program stands only if the transformation is justified: what the passes make is accepted,
//! and each fault that is planted into it is refused.

use fathom_base::{Budget, Loc};
use fathom_certify::{Interpreter, NativeMode, check_with};
use fathom_engine::{Assurance, Books, Explored, Outcome, Proof, Reason, Statistics, Verdict};
use fathom_ir::{
    Assumption, Block, BlockId, Ledger, Procedure, Program, Property, Statement, StatementKind, StopKind, TerminatorKind, Transformed,
    parse_program,
};
use fathom_machine::{ReplayLog, Trace};
use fathom_passes::{CutProgram, coarsen, cut_loops};
use fathom_term::{Term, TermStore};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

const DRIVER: &str = include_str!("programs/driver.ir");
const COUNTING: &str = include_str!("programs/counting.ir");

fn read(text: &str) -> Rc<Program> {
    Rc::new(parse_program(text).unwrap_or_else(|error| panic!("{error}")))
}

fn coarser(program: &Program) -> Transformed {
    coarsen(program)
}

fn cut(program: &Program) -> Transformed {
    let CutProgram { program, added, .. } = cut_loops(program).expect("loops that can be cut");
    Transformed { program: Rc::new(program), added }
}

/// What becomes of a proof that this property holds, with what is assumed.
fn judged(program: &Rc<Program>, explored: Explored, property: Property, assumed: &[Assumption]) -> Result<Assurance, String> {
    let proof =
        Proof::AllPathsEnded { explored, books: Books { started: 1, ended: 1, ..Books::default() }, refutations: Default::default() };
    let mut ledger = Ledger::default();
    assumed.iter().for_each(|assumption| ledger.note(assumption.clone()));
    let verdicts = BTreeMap::from([(property, Verdict::Holds(Rc::new(proof)))]);
    let outcome = Outcome { verdicts, ledger, statistics: Statistics::default() };
    let replay = |_: &Trace| -> ReplayLog { unreachable!("a proof has no trace") };
    let interpreter = Interpreter { replay: &replay, minimise: &|_| None };
    let skip = NativeMode::Skip("not here".into());
    let certified = check_with(outcome, program, &BTreeSet::from([property]), &interpreter, &skip, None, &Budget::unlimited());
    match &certified.outcome.verdicts[&property] {
        Verdict::Holds(_) => Ok(certified.certificates[&property].assurance),
        Verdict::Unknown(Reason::NotConfirmed(why)) => Err(why.clone()),
        _ => panic!("neither accepted nor refused"),
    }
}

/// What a proof by `coarse` about this program rests on.
fn assumed() -> [Assumption; 3] {
    [Assumption::ValidMemory, Assumption::MatchingCalls, Assumption::FunctionWithoutBody { name: "outside".into() }]
}

fn coarse_after(plant: impl FnOnce(&mut Program)) -> Result<Assurance, String> {
    let program = read(DRIVER);
    let Transformed { program: other, added } = coarser(&program);
    let mut other = Program::clone(&other);
    plant(&mut other);
    let explored = Explored::Coarser(Rc::new(Transformed { program: Rc::new(other), added }));
    judged(&program, explored, Property::UnreachCall, &assumed())
}

fn cut_after(plant: impl FnOnce(&mut Program)) -> Result<Assurance, String> {
    let program = read(COUNTING);
    let Transformed { program: other, added } = cut(&program);
    let mut other = Program::clone(&other);
    plant(&mut other);
    let explored = Explored::CutLoops(Rc::new(Transformed { program: Rc::new(other), added }));
    judged(&program, explored, Property::BoogieAssert, &[])
}

fn refused(result: Result<Assurance, String>, why: &str) {
    match result {
        Ok(_) => panic!("accepted, but {why}"),
        Err(said) => assert!(said.contains(why), "{said:?} does not say {why:?}"),
    }
}

fn procedure<'a>(program: &'a mut Program, name: &str) -> &'a mut Procedure {
    program.procedures.iter_mut().find(|procedure| procedure.name == name).unwrap()
}

fn blocks<'a>(program: &'a mut Program, name: &str) -> &'a mut Vec<Block> {
    &mut procedure(program, name).body.as_mut().unwrap().blocks
}

/// Removes the statements like this from a procedure; there is at least one.
fn remove(program: &mut Program, name: &str, is_it: impl Fn(&StatementKind) -> bool) {
    let mut removed = 0;
    for block in blocks(program, name) {
        let before = block.statements.len();
        block.statements.retain(|statement| !is_it(&statement.kind));
        removed += before - block.statements.len();
    }
    assert!(removed > 0, "nothing to remove in {name}");
}

fn insert(block: &mut Block, at: usize, kind: StatementKind) {
    block.statements.insert(at, Statement { kind, loc: Loc::UNKNOWN });
}

fn block<'a>(program: &'a mut Program, label: &str) -> &'a mut Block {
    let bodies = program.procedures.iter_mut().filter_map(|procedure| procedure.body.as_mut());
    bodies.flat_map(|body| &mut body.blocks).find(|block| block.label == label).unwrap()
}

fn outline(program: &mut Program) -> &mut Block {
    blocks(program, "main").iter_mut().find(|block| block.label.starts_with("outline")).unwrap()
}

fn variable(store: &TermStore, name: &str) -> Term {
    store.var_term(store.find_var(name).unwrap())
}

#[test]
fn what_the_passes_make_is_accepted() {
    assert_eq!(coarse_after(|_| {}), Ok(Assurance::Checked));
    assert_eq!(cut_after(|_| {}), Ok(Assurance::Checked));
}

#[test]
fn a_store_that_matters_is_missing() {
    let is_store = |kind: &StatementKind| matches!(kind, StatementKind::Store { .. });
    refused(coarse_after(|program| remove(program, "set", is_store)), "`store &state <- set.x` is missing");
    refused(coarse_after(|program| remove(program, "main", is_store)), "`store");
}

#[test]
fn something_arbitrary_keeps_its_value() {
    let is_input = |kind: &StatementKind| matches!(kind, StatementKind::Havoc { input: Some(_), .. });
    refused(coarse_after(|program| remove(program, "main", is_input)), "`havoc n");
    // The load of a pointer to a function became an arbitrary value.
    let is_havoc = |kind: &StatementKind| matches!(kind, StatementKind::Havoc { input: None, vars } if vars.len() == 1);
    refused(coarse_after(|program| remove(program, "main", is_havoc)), "`");
    let is_load = |kind: &StatementKind| matches!(kind, StatementKind::Load { .. });
    refused(coarse_after(|program| remove(program, "main", is_load)), "`load");
}

#[test]
fn an_assertion_is_missing() {
    let is_assert = |kind: &StatementKind| matches!(kind, StatementKind::Assert { .. });
    refused(coarse_after(|program| remove(program, "main", is_assert)), "`assert unreach-call false");
    refused(cut_after(|program| remove(program, "main", is_assert)), "`assert boogie-assert");
    let weaker = |program: &mut Program| {
        let truth = program.terms.bool(true);
        for statement in &mut block(program, "bad").statements {
            if let StatementKind::Assert { condition, .. } = &mut statement.kind {
                *condition = truth;
            }
        }
    };
    refused(coarse_after(weaker), "`assert unreach-call true");
}

#[test]
fn an_assumption_is_added_or_stronger() {
    let never = |program: &mut Program| StatementKind::Assume(program.terms.bool(false));
    refused(
        coarse_after(|program| {
            let never = never(program);
            insert(block(program, "call"), 0, never);
        }),
        "`assume false`",
    );
    let stronger = |program: &mut Program| {
        let store = program.terms.clone();
        let block = block(program, "entry");
        let mut conditions = block.statements.iter_mut().filter_map(|statement| match &mut statement.kind {
            StatementKind::Assume(condition) => Some(condition),
            _ => None,
        });
        // The address of a large object may be null.
        let condition = conditions.next().unwrap();
        *condition = store.ne(variable(&store, "block"), store.bv(0, 64));
    };
    refused(coarse_after(stronger), "`assume (not (= block");
    let dropped = |program: &mut Program| remove(program, "main", |kind| matches!(kind, StatementKind::Assume(_)));
    // Case conditions and what is known of an address are assumptions, too: without them there are more runs.
    assert_eq!(coarse_after(dropped), Ok(Assurance::Checked));
}

#[test]
fn an_outlined_loop_forgets_too_little() {
    let remember = |program: &mut Program| {
        let k = program.terms.find_var("k").unwrap();
        for statement in &mut outline(program).statements {
            if let StatementKind::Havoc { vars, .. } = &mut statement.kind {
                assert!(vars.contains(&k));
                vars.retain(|&var| var != k);
            }
        }
    };
    refused(coarse_after(remember), "is missing");
    let elsewhere = |program: &mut Program| outline(program).terminator.kind = TerminatorKind::Goto(Vec::new());
    refused(coarse_after(elsewhere), "`");
}

#[test]
fn control_goes_elsewhere() {
    let swapped = |program: &mut Program| match &mut block(program, "call").terminator.kind {
        TerminatorKind::Goto(cases) => drop(cases.pop()),
        _ => unreachable!(),
    };
    refused(coarse_after(swapped), "a call may lead to code that is not in the program");
    let fewer = |program: &mut Program| match &mut block(program, "call").terminator.kind {
        TerminatorKind::Goto(cases) => drop(cases.remove(0)),
        _ => unreachable!(),
    };
    refused(coarse_after(fewer), "a call may lead to set, too");
    let other_way = |program: &mut Program| {
        for block in blocks(program, "main") {
            if let TerminatorKind::Branch { then, otherwise, .. } = &mut block.terminator.kind
                && block.label == "call.after"
            {
                std::mem::swap(then, otherwise);
            }
        }
    };
    refused(coarse_after(other_way), "a choice leads to block");
    let stops = |program: &mut Program| block(program, "behind").terminator.kind = TerminatorKind::Stop(StopKind::Abort);
    refused(coarse_after(stops), "`");
    let goes_round = |program: &mut Program| block(program, "entry").terminator.kind = TerminatorKind::Goto(vec![BlockId(0)]);
    refused(coarse_after(goes_round), "`");
}

#[test]
fn memory_that_pointers_reach_is_read() {
    let read = |program: &mut Program| {
        let (store, callee) = (program.terms.clone(), program.terms.find_var("callee").unwrap());
        let pointer = variable(&store, "&table");
        for statement in &mut block(program, "call").statements {
            if matches!(&statement.kind, StatementKind::Havoc { vars, .. } if vars[..] == [callee]) {
                statement.kind = StatementKind::Load { target: callee, pointer, volatile: false };
            }
        }
    };
    refused(coarse_after(read), "`load callee <- &table` became `load callee <- &table`");
}

#[test]
fn what_it_rests_on_is_not_said() {
    let program = read(DRIVER);
    let explored = || Explored::Coarser(Rc::new(coarser(&program)));
    let said = ["accesses to memory are valid", "a function is called through a pointer", "`outside` has no body"];
    for (number, missing) in said.into_iter().enumerate() {
        let mut assumed = assumed().to_vec();
        assumed.remove(number);
        refused(judged(&program, explored(), Property::UnreachCall, &assumed), missing);
    }
    refused(judged(&program, explored(), Property::ValidDeref, &assumed()), "nothing is kept of the property valid-deref");
}

#[test]
fn loops_are_cut_in_a_program_with_memory() {
    let program = read(DRIVER);
    let added = vec![Vec::new(); program.procedures.len()];
    let explored = Explored::CutLoops(Rc::new(Transformed { program: program.clone(), added }));
    refused(judged(&program, explored, Property::UnreachCall, &[]), "loops are cut in a program with memory");
}

#[test]
fn a_cut_loop_keeps_what_it_changes() {
    for name in ["i", "g"] {
        let remember = |program: &mut Program| {
            let var = program.terms.find_var(name).unwrap();
            for statement in &mut block(program, "head.enter").statements {
                if let StatementKind::Havoc { vars, .. } = &mut statement.kind {
                    assert!(vars.contains(&var));
                    vars.retain(|&other| other != var);
                }
            }
        };
        refused(cut_after(remember), "changes what stays the same where a loop is cut");
    }
}

#[test]
fn an_invariant_is_assumed_that_nobody_proves() {
    let is_assert = |statement: &Statement| matches!(statement.kind, StatementKind::Assert { .. });
    let not_again = |program: &mut Program| block(program, "head.again").statements.retain(|statement| !is_assert(statement));
    refused(cut_after(not_again), "`assert boogie-assert (<= i bound)");
    let more = |program: &mut Program| {
        let claim = program.terms.eq(variable(&program.terms, "i"), variable(&program.terms, "bound"));
        let enter = block(program, "head.enter");
        let end = enter.statements.len();
        insert(enter, end, StatementKind::Assume(claim));
    };
    refused(cut_after(more), "was not asserted");
}

#[test]
fn a_loop_is_never_entered() {
    let skipped = |program: &mut Program| {
        let again = blocks(program, "main").iter().position(|block| block.label == "head.again").unwrap();
        block(program, "entry").terminator.kind = TerminatorKind::Goto(vec![BlockId(again as u32)]);
    };
    refused(cut_after(skipped), "is entered again before it was entered");
}
