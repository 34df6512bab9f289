//! Finds a precondition that excludes a violation: tries conditions on an entry's numeric arguments, the weakest first.
//! If the entry is completely explored under a condition without the violation, the condition excludes it, within the
//! bounds on memory behind pointers. If the violation was merely not found again, that is no proof, but shows that the
//! caller matters.

use crate::prepare::Prepared;
use fathom_base::Loc;
use fathom_ir::{Callee, Program, Statement, StatementKind, Watch};
use fathom_machine::Violation;
use fathom_term::{Sort, Term};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// How long one candidate may take, at most.
const EACH: Duration = Duration::from_secs(2);
/// And so much it may always take.
const LEAST: Duration = Duration::from_millis(300);
/// How many elements the objects have that pointers to numbers lead to.
const ELEMENTS: i64 = fathom_frontend_llvm::ENTRY_ELEMENTS as i64;

/// A violation that a precondition of its entry may exclude.
pub(crate) struct Asked<'a, 'p> {
    pub prepared: &'a Prepared<'p>,
    pub violation: &'a Violation,
    /// That the exploration had.
    pub time: Duration,
}

/// A number that the entry is given.
struct Number {
    name: String,
    term: Term,
    is_signed: bool,
    bits: u32,
}

/// Where the entry is called, and with what.
fn call(program: &Program) -> Option<(usize, usize, Vec<Term>, usize)> {
    let body = program.procedure(program.entry).body.as_ref()?;
    body.blocks.iter().enumerate().find_map(|(block, code)| {
        code.statements.iter().enumerate().find_map(|(index, statement)| match &statement.kind {
            StatementKind::Call { callee: Callee::Direct(callee), args, .. } => {
                let name = &program.procedure(*callee).name;
                let is_entry = program.procedure(program.entry).name == format!("{name}.caller");
                is_entry.then(|| (block, index, args.clone(), callee.0 as usize))
            }
            _ => None,
        })
    })
}

/// The source's view of parameters, in their order.
fn watches(program: &Program, procedure: usize) -> Vec<Option<Watch>> {
    let procedure = &program.procedures[procedure];
    let mut known: BTreeMap<Term, Watch> = BTreeMap::new();
    let blocks = procedure.body.iter().flat_map(|body| &body.blocks);
    for statement in blocks.flat_map(|block| &block.statements) {
        if let StatementKind::Watch(watch) = &statement.kind {
            known.entry(watch.value).or_insert_with(|| watch.clone());
        }
    }
    procedure.params.iter().map(|param| known.get(&program.terms.var_term(*param)).cloned()).collect()
}

fn numbers(program: &Program, args: &[Term], procedure: usize) -> Vec<Number> {
    let watches = watches(program, procedure);
    let number = |(arg, watch): (&Term, Option<Watch>)| {
        let watch = watch?;
        let Sort::Bv(bits) = program.terms.sort(*arg) else { return None };
        let is_number = !watch.type_name.contains('*') && !watch.type_name.contains('(') && (8..=64).contains(&bits);
        is_number.then_some(Number { name: watch.variable, term: *arg, is_signed: watch.signed, bits })
    };
    args.iter().zip(watches).filter_map(number).collect()
}

/// Conditions with their texts, the weakest of each kind first.
fn candidates(program: &Program, numbers: &[Number]) -> Vec<(String, Term)> {
    let t = &program.terms;
    let mut found = Vec::new();
    for number in numbers {
        let constant = |value: i64| t.bv(value as u64 & (u64::MAX >> (64 - number.bits)), number.bits);
        let at_most = |a: Term, b: Term| if number.is_signed { t.bv_sle(a, b) } else { t.bv_ule(a, b) };
        let (name, n) = (&number.name, number.term);
        let within = at_most(n, constant(ELEMENTS));
        found.push((format!("{name} != 0"), t.not(t.eq(n, constant(0)))));
        if number.is_signed {
            let nonnegative = t.bv_sle(constant(0), n);
            found.push((format!("{name} >= 0"), nonnegative));
            found.push((format!("{name} > 0"), t.bv_slt(constant(0), n)));
            if number.bits >= 32 {
                let moderate = t.and(nonnegative, t.bv_sle(n, constant(10_000)));
                found.push((format!("0 <= {name} && {name} <= 10000"), moderate));
            }
            found.push((format!("0 <= {name} && {name} <= {ELEMENTS}"), t.and(nonnegative, within)));
            found.push((format!("0 <= {name} && {name} < {ELEMENTS}"), t.and(nonnegative, t.bv_slt(n, constant(ELEMENTS)))));
            found.push((format!("0 < {name} && {name} <= {ELEMENTS}"), t.and(t.bv_slt(constant(0), n), within)));
        } else {
            found.push((format!("{name} <= {ELEMENTS}"), within));
            found.push((format!("{name} < {ELEMENTS}"), t.bv_ult(n, constant(ELEMENTS))));
        }
    }
    for (index, a) in numbers.iter().enumerate() {
        for b in numbers[index + 1..].iter().filter(|b| b.bits == a.bits && b.is_signed == a.is_signed) {
            let ordered = |a: &Number, b: &Number| if a.is_signed { t.bv_sle(a.term, b.term) } else { t.bv_ule(a.term, b.term) };
            found.push((format!("{} <= {}", a.name, b.name), ordered(a, b)));
            found.push((format!("{} <= {}", b.name, a.name), ordered(b, a)));
        }
    }
    found
}

/// All numbers are small: if not even that keeps the violation away, no condition on numbers does.
fn all_small(program: &Program, numbers: &[Number]) -> (String, Term) {
    let t = &program.terms;
    let small = numbers.iter().map(|n| {
        let most = t.bv(ELEMENTS as u64, n.bits);
        if n.is_signed { t.and(t.bv_slt(t.bv(0, n.bits), n.term), t.bv_sle(n.term, most)) } else { t.bv_ule(n.term, most) }
    });
    let condition = small.fold(t.bool(true), |all, one| t.and(all, one));
    let names: Vec<&str> = numbers.iter().map(|n| n.name.as_str()).collect();
    (format!("small {} (up to {ELEMENTS})", names.join(" and ")), condition)
}

/// The program with an assumption at its entry.
fn assuming(program: &Program, (block, index): (usize, usize), condition: Term) -> Program {
    let mut restricted = program.clone();
    let entry = restricted.entry.0 as usize;
    if let Some(body) = &mut restricted.procedures[entry].body {
        body.blocks[block].statements.insert(index, Statement { kind: StatementKind::Assume(condition), loc: Loc::UNKNOWN });
    }
    restricted
}

/// A condition under which the violation is not found any more, with whether that is proved; the weakest that is proved, if one is.
pub(crate) fn find(asked: &Asked<'_, '_>) -> Option<(String, bool)> {
    let prepared = asked.prepared;
    let program = &prepared.program;
    let (block, index, args, procedure) = call(program)?;
    let numbers = numbers(program, &args, procedure);
    if numbers.is_empty() {
        return None;
    }
    let each = EACH.min(asked.time).max(LEAST);
    // None where it is found all the same; otherwise whether every path was followed.
    let attempt = |condition: Term, time: Duration| {
        let restricted = Rc::new(assuming(program, (block, index), condition));
        let explored = prepared.explore_all(&restricted, time);
        let is_same = |found: &Violation| found.property == asked.violation.property && found.loc == asked.violation.loc;
        let is_found = explored.found.iter().any(|trace| is_same(&trace.violation));
        (!is_found).then_some(explored.is_complete)
    };
    // What took long to be found the first time may take as long again.
    let (text, condition) = all_small(program, &numbers);
    let strongest = (text, attempt(condition, asked.time.max(each))?);
    let begun = Instant::now();
    for (text, condition) in candidates(program, &numbers) {
        if begun.elapsed() > asked.time.max(each) || prepared.session.is_cancelled() {
            break;
        }
        if attempt(condition, each) == Some(true) {
            return Some((text, true));
        }
    }
    Some(strongest)
}
