//! The meaning of functions without a body with `--undefined`, if it is not an arbitrary result: a call is
//! `unsupported`, or returns zero and changes nothing. This pass runs after library functions without a model have
//! become `unsupported`.

use fathom_ir::{Assumption, Block, BlockId, Body, Program, Statement, StatementKind, Terminator, TerminatorKind};
use fathom_term::{Op, Sort, Term, TermStore};

/// What a call of a function without a body does.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Undefined {
    /// Arbitrary results and arbitrary writes through pointer arguments.
    #[default]
    Havoc,
    /// Reaching such a call is `unknown`.
    Error,
    /// Zero, and nothing is written.
    Zero,
}

/// Gives functions without a body the behaviour that was asked for.
pub fn apply(program: &mut Program, undefined: Undefined) {
    if undefined == Undefined::Havoc {
        return;
    }
    let store = program.terms.clone();
    for procedure in &mut program.procedures {
        if procedure.body.is_some() {
            continue;
        }
        let kind = if undefined == Undefined::Error {
            StatementKind::Unsupported(format!("the function {}, which has no body", procedure.name))
        } else {
            program.assumptions.push(Assumption::FunctionGivesZero { name: procedure.name.clone() });
            let zeros = procedure.results.iter().map(|&result| (result, zero(&store, store.var_sort(result))));
            StatementKind::Assign(zeros.collect())
        };
        let statement = Statement { kind, loc: procedure.loc };
        let terminator = Terminator { kind: TerminatorKind::Return, loc: procedure.loc };
        let block = Block { label: "entry".to_string(), statements: vec![statement], terminator };
        procedure.body = Some(Body { entry: BlockId(0), blocks: vec![block] });
    }
}

fn zero(store: &TermStore, sort: Sort) -> Term {
    match sort {
        Sort::Bool => store.bool(false),
        Sort::Float(format) => store.build(Op::FpFromBits(format), &[store.bv(0, format.width())]),
        other => store.bv(0, other.width()),
    }
}
