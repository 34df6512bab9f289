//! Restricts inputs for `--fp fixed`. The solver then has no NaN and no infinity, but everything that evaluates terms
//! (the layers before it, random runs, replays) does. So that all engines decide the same runs, every float input is
//! assumed to be representable as a fixed-point number; the ledger says so.

use fathom_base::FxMap;
use fathom_ir::{InputKind, Procedure, Program, Statement, StatementKind};
use fathom_smt::FixedPoint;
use fathom_term::{FloatFormat, Op, RoundingMode, Sort, Term, TermStore, VarId};

pub(crate) fn restrict(program: &Program, fixed: FixedPoint) -> Program {
    let mut procedures = program.procedures.clone();
    procedures.iter_mut().for_each(|procedure| restrict_procedure(&program.terms, procedure, fixed));
    program.with_procedures(procedures)
}

fn restrict_procedure(terms: &TermStore, procedure: &mut Procedure, fixed: FixedPoint) {
    let Some(body) = &mut procedure.body else { return };
    let mut decoded = FxMap::default();
    for block in &body.blocks {
        block.statements.iter().for_each(|statement| statement.kind.for_each_term(&mut |term| note_decoded(terms, term, &mut decoded)));
        block.terminator.kind.for_each_term(&mut |term| note_decoded(terms, term, &mut decoded));
    }
    for block in &mut body.blocks {
        let mut restricted = Vec::with_capacity(block.statements.len());
        for statement in std::mem::take(&mut block.statements) {
            let loc = statement.loc;
            let conditions: Vec<Term> = match &statement.kind {
                StatementKind::Havoc { vars, input } => {
                    vars.iter().filter_map(|&var| Some(is_fixed(terms, float_of(terms, var, input.as_ref(), &decoded)?, fixed))).collect()
                }
                _ => Vec::new(),
            };
            restricted.push(statement);
            restricted.extend(conditions.into_iter().map(|condition| Statement { kind: StatementKind::Assume(condition), loc }));
        }
        block.statements = restricted;
    }
}

/// Variables whose bits are taken for those of a float.
fn note_decoded(terms: &TermStore, root: Term, decoded: &mut FxMap<VarId, FloatFormat>) {
    for term in terms.subterms([root]) {
        if let Op::FpFromBits(format) = terms.op(term)
            && let Some(var) = terms.as_var(terms.arg(term, 0))
        {
            decoded.insert(var, format);
        }
    }
}

/// The float that an arbitrary variable is, if it is one.
fn float_of(terms: &TermStore, var: VarId, input: Option<&InputKind>, decoded: &FxMap<VarId, FloatFormat>) -> Option<Term> {
    let term = terms.var_term(var);
    let width = match terms.var_sort(var) {
        Sort::Float(_) => return Some(term),
        Sort::Bv(width) => width,
        _ => return None,
    };
    let named = match input.map(|input| input.type_name.as_str()) {
        Some("float") => Some(FloatFormat::SINGLE),
        Some("double") => Some(FloatFormat::DOUBLE),
        Some("long double") => Some(FloatFormat::X87),
        _ => None,
    };
    let format = decoded.get(&var).copied().or(named).filter(|format| format.width() == width)?;
    Some(terms.build(Op::FpFromBits(format), &[term]))
}

/// Well inside of what the integer bits hold.
fn is_fixed(terms: &TermStore, x: Term, fixed: FixedPoint) -> Term {
    let format = terms.sort(x).format();
    let nearest = terms.rounding_mode(RoundingMode::NearestEven);
    let limit = terms.bv(1 << (fixed.integer - 2), 64);
    let limit = terms.build(Op::FpFromUnsigned(format), &[nearest, limit]);
    let least = terms.build(Op::FpNeg, &[limit]);
    terms.and(terms.build(Op::FpLe, &[least, x]), terms.build(Op::FpLe, &[x, limit]))
}
