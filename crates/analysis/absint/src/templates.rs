//! What is worth watching in a procedure, read off its text: the constants that it compares with (where widening may
//! stop), and linear forms of two variables per loop (differences that it compares, and combinations of variables that
//! change by constants in the loop, which stay the same).

use crate::context::Context;
use crate::linear::Form;
use crate::live::Live;
use crate::moving;
use crate::value::AllThresholds;
use fathom_base::FxSet;
use fathom_domains::floats;
use fathom_flow::Loops;
use fathom_ir::{Body, ControlEffect, ProcId, StatementKind, TerminatorKind};
use fathom_term::{FloatFormat, Op, RoundingMode, Sort, Term, Value};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::collections::BTreeMap;

const MAX_FORMS: usize = 24;
const MAX_THRESHOLDS: usize = 128;
const MAX_STEPS: usize = 4;
const MAX_CALLEES: usize = 12;
/// Floats often converge without being compared with anything: somewhere below one of these.
const ROUND_FLOATS: [i64; 7] = [1, 2, 4, 16, 128, 1_000, 1_000_000];

/// Every comparison under these terms.
fn comparisons(context: &Context, roots: impl Iterator<Item = Term>) -> Vec<Term> {
    let mut seen: FxSet<Term> = FxSet::default();
    let mut open: Vec<Term> = roots.collect();
    let mut found = Vec::new();
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        match context.store.op(term) {
            Op::Var(_) | Op::Const(_) | Op::BigConst(_) | Op::Forall(_) | Op::Exists(_) => continue,
            Op::Eq | Op::BvUlt | Op::BvSlt | Op::IntLt | Op::IntLe | Op::RealLt | Op::RealLe | Op::FpLt | Op::FpLe | Op::FpEq => {
                found.push(term);
            }
            _ => {}
        }
        open.extend(context.store.args(term));
    }
    found.sort();
    found
}

fn all_terms(body: &Body) -> Vec<Term> {
    let mut terms = Vec::new();
    for block in &body.blocks {
        for statement in &block.statements {
            if statement.kind.control() != ControlEffect::Watches {
                statement.kind.for_each_term(&mut |term| terms.push(term));
            }
        }
        block.terminator.kind.for_each_term(&mut |term| terms.push(term));
    }
    terms
}

/// The constants that a procedure compares with, switches on or passes on.
fn compared_constants(context: &Context, body: &Body) -> Vec<Term> {
    let store = &context.store;
    let mut constants: Vec<Term> = Vec::new();
    for comparison in comparisons(context, all_terms(body).into_iter()) {
        constants.extend(store.args(comparison).into_iter().filter(|&arg| store.op(arg).is_const()));
    }
    for block in &body.blocks {
        if let TerminatorKind::Switch(switch) = &block.terminator.kind {
            constants.extend(switch.cases.iter().map(|(case, _)| *case));
        }
        for statement in &block.statements {
            if let StatementKind::Call { args, .. } = &statement.kind {
                constants.extend(args.iter().filter(|&&arg| store.op(arg).is_const()));
            }
        }
    }
    constants.sort();
    constants.dedup();
    constants
}

/// Small numbers that a procedure adds: a variable goes past a bound by so much.
fn added_constants(context: &Context, bodies: &[&Body]) -> Vec<i128> {
    let store = &context.store;
    let mut found = std::collections::BTreeSet::new();
    let mut note = |term: Term| {
        if let (Op::BvAdd, (Some(_), bits), Sort::Bv(width)) = (store.op(term), store.split_offset(term), store.sort(term)) {
            found.insert(fathom_domains::num::signed(bits as u128, width));
        }
    };
    for statement in bodies.iter().flat_map(|body| &body.blocks).flat_map(|block| &block.statements) {
        match &statement.kind {
            StatementKind::Assign(pairs) => pairs.iter().for_each(|&(_, term)| note(term)),
            StatementKind::Store { value, .. } => note(*value),
            _ => {}
        }
    }
    found.into_iter().filter(|step| step.unsigned_abs() > 1 && step.unsigned_abs() <= 4096).take(MAX_STEPS).collect()
}

/// Where widening may stop in a procedure: at the constants that it and those that it calls compare with.
pub fn thresholds(context: &Context, procedure: ProcId, body: &Body) -> AllThresholds {
    let store = &context.store;
    let mut result = AllThresholds::default();
    let mut callees: Vec<ProcId> = context.effects[procedure.0 as usize].procedures.iter().copied().collect();
    callees.sort();
    callees.retain(|&callee| callee != procedure);
    callees.truncate(MAX_CALLEES);
    let called = callees.iter().filter_map(|&callee| context.program.procedure(callee).body.as_ref());
    let bodies: Vec<&Body> = std::iter::once(body).chain(called).collect();
    let mut constants: Vec<Term> = Vec::new();
    for body in &bodies {
        constants.extend(compared_constants(context, body));
        if constants.len() > MAX_THRESHOLDS {
            break;
        }
    }
    constants.truncate(MAX_THRESHOLDS);
    constants.sort();
    constants.dedup();
    let steps = added_constants(context, &bodies);
    for constant in constants {
        let sort = store.sort(constant);
        match (store.const_value(constant), sort) {
            (Some(value), Sort::Bv(width)) if width <= fathom_domains::num::MAX_WIDTH => {
                let Some(bits) = value.to_biguint().to_u128() else { continue };
                let stops = result.bits.entry(width).or_default();
                let number = fathom_domains::num::signed(bits, width);
                stops.signed.extend([number - 1, number, number + 1]);
                stops.unsigned.extend([bits.saturating_sub(1), bits, bits + 1]);
                for step in &steps {
                    // The values with which a counter leaves a loop that tests `x < c` or `x <= c`.
                    stops.signed.extend([number + step - step.signum(), number + step]);
                }
            }
            (Some(Value::Int(int)), _) => {
                result.ints.extend([&*int - BigInt::from(1), (*int).clone(), &*int + BigInt::from(1)]);
            }
            (Some(Value::Real(real)), _) => result.reals.push((*real).clone()),
            (Some(value), Sort::Float(format)) => {
                let Some(bits) = value.to_biguint().to_u128() else { continue };
                if !fathom_term::float::is_nan(format, bits) {
                    let key = floats::key(format, bits);
                    result.floats.entry(format).or_default().extend([key, -1 - key]);
                }
            }
            _ => {}
        }
    }
    for width in [8, 16, 32, 64, context.pointer_bits] {
        let stops = result.bits.entry(width).or_default();
        stops.signed.extend([-1, 0, 1]);
        stops.unsigned.extend([0, 1, fathom_domains::num::mask(width) / 2]);
    }
    result.ints.extend([BigInt::from(-1), BigInt::ZERO, BigInt::from(1)]);
    for stops in result.bits.values_mut() {
        stops.signed.sort_unstable();
        stops.signed.dedup();
        stops.unsigned.sort_unstable();
        stops.unsigned.dedup();
    }
    result.ints.sort();
    result.ints.dedup();
    result.reals.sort();
    for format in [FloatFormat::SINGLE, FloatFormat::DOUBLE] {
        let stops = result.floats.entry(format).or_default();
        for stop in ROUND_FLOATS {
            let bits = fathom_term::float::from_int(format, RoundingMode::NearestEven, &BigInt::from(stop));
            let key = floats::key(format, bits);
            stops.extend([key, -1 - key]);
        }
    }
    for stops in result.floats.values_mut() {
        stops.extend([-1, 0]);
        stops.sort_unstable();
        stops.dedup();
    }
    result
}

/// The forms that each loop head starts to follow.
pub fn forms(context: &Context, body: &Body, loops: &Loops, live: &Live) -> BTreeMap<u32, Vec<Form>> {
    let heads: Vec<u32> = (0..body.blocks.len() as u32).filter(|&block| loops.is_head[block as usize]).collect();
    if heads.is_empty() {
        return BTreeMap::new();
    }
    let compared = compared_forms(context, body);
    let mut result = BTreeMap::new();
    for head in heads {
        let mut wanted = moving::forms(context, body, loops, live, head);
        wanted.extend(compared.iter().cloned());
        let mut seen = std::collections::BTreeSet::new();
        wanted.retain(|form| form.vars().all(|var| live.at_start(head, var)) && seen.insert(form.clone()));
        wanted.truncate(MAX_FORMS);
        result.insert(head, wanted);
    }
    result
}

/// Differences of two variables that some condition compares.
fn compared_forms(context: &Context, body: &Body) -> Vec<Form> {
    let store = &context.store;
    let mut conditions = Vec::new();
    for block in &body.blocks {
        for statement in &block.statements {
            if let StatementKind::Assume(condition) | StatementKind::Assert { condition, .. } = &statement.kind {
                conditions.push(*condition);
            }
        }
        if let TerminatorKind::Branch { condition, .. } = &block.terminator.kind {
            conditions.push(*condition);
        }
    }
    let mut found = Vec::new();
    for comparison in comparisons(context, conditions.into_iter()) {
        let (a, b) = (store.arg(comparison, 0), store.arg(comparison, 1));
        let Some((form, _)) = context.difference(a, b).and_then(|linear| linear.form()) else { continue };
        let addresses = form.vars().any(|var| context.addresses.contains_key(&var));
        if (2..=3).contains(&form.parts.len()) && !addresses {
            found.push(form);
        }
    }
    found
}
