//! The coarser program keeps what assertions depend on and nothing else.

use fathom_ir::{Program, StatementKind, TerminatorKind};
use fathom_passes::coarsen;

const NOISE: &str = include_str!("noise.ir");

fn read(text: &str) -> Program {
    fathom_ir::parse_program(text).unwrap_or_else(|error| panic!("{error}"))
}

/// How many statements, and terminators with a choice, the procedure has that control can come to.
fn size(program: &Program, name: &str) -> (usize, usize) {
    let procedure = program.procedure(program.find_procedure(name).unwrap());
    let body = procedure.body.as_ref().unwrap();
    let (mut seen, mut open) = (vec![body.entry], vec![body.entry]);
    let (mut statements, mut choices) = (0, 0);
    while let Some(block) = open.pop() {
        let block = body.block(block);
        statements += block.statements.iter().filter(|s| !matches!(s.kind, StatementKind::Watch(_))).count();
        choices += (block.terminator.kind.successors().len() > 1) as usize;
        for target in block.terminator.kind.successors() {
            if !seen.contains(&target) {
                seen.push(target);
                open.push(target);
            }
        }
    }
    (statements, choices)
}

#[test]
fn branches_and_loops_that_decide_nothing_are_gone() {
    let program = read(NOISE);
    assert_eq!(size(&program, "main").1, 3);
    let coarse = coarsen(&program).program;
    // The input, the branch on it, and the assertion behind it.
    assert_eq!(size(&coarse, "main"), (2, 1));
}

#[test]
fn what_ends_a_path_stays() {
    let coarse = coarsen(&read(NOISE)).program;
    let ends = coarse.procedure(coarse.find_procedure("guard").unwrap());
    let body = ends.body.as_ref().unwrap();
    let stops = |block: &fathom_ir::Block| matches!(block.terminator.kind, TerminatorKind::Stop(_));
    assert!(body.blocks.iter().any(stops));
    assert_eq!(size(&coarse, "guard").1, 1);
}
