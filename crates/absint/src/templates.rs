//! What is worth watching in a procedure, read off its text: the constants that it compares with (where widening may
//! stop), and linear forms of two variables per loop (differences that it compares, and combinations of variables that
//! change by constants in the loop, which stay the same).

use crate::context::Context;
use crate::fpset;
use crate::linear::{Form, Linear};
use crate::live::Live;
use crate::value::AllThresholds;
use fathom_base::{FxMap, FxSet};
use fathom_ir::{Body, StatementKind, TerminatorKind};
use fathom_semantics::Loops;
use fathom_term::{FloatFormat, Op, RoundingMode, Sort, Term, Value, VarId};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::ToPrimitive;
use std::collections::BTreeMap;

const MAX_FORMS: usize = 16;
const MAX_THRESHOLDS: usize = 128;
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
            if !matches!(statement.kind, StatementKind::Watch(_)) {
                statement.kind.for_each_term(&mut |term| terms.push(term));
            }
        }
        block.terminator.kind.for_each_term(&mut |term| terms.push(term));
    }
    terms
}

pub fn thresholds(context: &Context, body: &Body) -> AllThresholds {
    let store = &context.store;
    let mut result = AllThresholds::default();
    let mut constants: Vec<Term> = Vec::new();
    for comparison in comparisons(context, all_terms(body).into_iter()) {
        constants.extend(store.args(comparison).into_iter().filter(|&arg| store.op(arg).is_const()));
    }
    for block in &body.blocks {
        if let TerminatorKind::Switch(switch) = &block.terminator.kind {
            constants.extend(switch.cases.iter().map(|(case, _)| *case));
        }
    }
    constants.sort();
    constants.dedup();
    constants.truncate(MAX_THRESHOLDS);
    for constant in constants {
        let sort = store.sort(constant);
        match (store.const_value(constant), sort) {
            (Some(value), Sort::Bv(width)) if width <= crate::num::MAX_WIDTH => {
                let Some(bits) = value.to_biguint().to_u128() else { continue };
                let stops = result.bits.entry(width).or_default();
                let number = crate::num::signed(bits, width);
                stops.signed.extend([number - 1, number, number + 1]);
                stops.unsigned.extend([bits.saturating_sub(1), bits, bits + 1]);
            }
            (Some(Value::Int(int)), _) => {
                result.ints.extend([&*int - BigInt::from(1), (*int).clone(), &*int + BigInt::from(1)]);
            }
            (Some(Value::Real(real)), _) => result.reals.push((*real).clone()),
            (Some(value), Sort::Float(format)) => {
                let Some(bits) = value.to_biguint().to_u128() else { continue };
                if !fathom_term::float::is_nan(format, bits) {
                    let key = fpset::key(format, bits);
                    result.floats.entry(format).or_default().extend([key, -1 - key]);
                }
            }
            _ => {}
        }
    }
    for width in [8, 16, 32, 64, context.pointer_bits] {
        let stops = result.bits.entry(width).or_default();
        stops.signed.extend([-1, 0, 1]);
        stops.unsigned.extend([0, 1, crate::num::mask(width) / 2]);
    }
    result.ints.extend([BigInt::from(-1), BigInt::ZERO, BigInt::from(1)]);
    for stops in result.bits.values_mut() {
        stops.signed.sort();
        stops.signed.dedup();
        stops.unsigned.sort();
        stops.unsigned.dedup();
    }
    result.ints.sort();
    result.ints.dedup();
    result.reals.sort();
    for format in [FloatFormat::SINGLE, FloatFormat::DOUBLE] {
        let stops = result.floats.entry(format).or_default();
        for stop in ROUND_FLOATS {
            let bits = fathom_term::float::from_int(format, RoundingMode::NearestEven, &BigInt::from(stop));
            let key = fpset::key(format, bits);
            stops.extend([key, -1 - key]);
        }
    }
    for stops in result.floats.values_mut() {
        stops.extend([-1, 0]);
        stops.sort();
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
        let mut wanted = moving_forms(context, body, loops, head);
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

/// Combinations of two variables whose every change in the loop adds a constant.
fn moving_forms(context: &Context, body: &Body, loops: &Loops, head: u32) -> Vec<Form> {
    let mut steps: BTreeMap<VarId, Option<i128>> = BTreeMap::new();
    let mut spoiled: FxMap<VarId, ()> = FxMap::default();
    for (number, block) in body.blocks.iter().enumerate() {
        if !loops.around[number].contains(&head) {
            continue;
        }
        for statement in &block.statements {
            let StatementKind::Assign(pairs) = &statement.kind else {
                spoiled.extend(statement.kind.targets().into_iter().map(|var| (var, ())));
                continue;
            };
            for &(target, term) in pairs {
                match step_of(context, target, term) {
                    Some(step) => {
                        let known = steps.entry(target).or_insert(Some(step));
                        if *known != Some(step) {
                            *known = None;
                        }
                    }
                    None => drop(spoiled.insert(target, ())),
                }
            }
        }
    }
    steps.retain(|var, _| !spoiled.contains_key(var));
    let vars: Vec<(VarId, Option<i128>)> = steps.into_iter().take(8).collect();
    let mut found = Vec::new();
    for (index, &(x, step)) in vars.iter().enumerate() {
        for &(y, other) in &vars[index + 1..] {
            let sort = context.store.var_sort(x);
            if sort != context.store.var_sort(y) {
                continue;
            }
            let (a, b) = match (step, other) {
                (Some(step), Some(other)) if step != 0 && other != 0 => {
                    let common = step.gcd(&other);
                    (other / common, -step / common)
                }
                _ => (1, -1),
            };
            let linear = Linear { sort, coefficients: [(x, a), (y, b)].into(), constant: 0 };
            found.extend(linear.form().map(|(form, _)| form));
        }
    }
    found
}

fn step_of(context: &Context, target: VarId, term: Term) -> Option<i128> {
    let linear = Linear::of(&context.store, term)?;
    let only = linear.coefficients.len() == 1 && linear.coefficients.get(&target) == Some(&1);
    only.then_some(linear.constant)
}
