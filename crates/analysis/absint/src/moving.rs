//! Linear forms that a loop may keep constant. Every path through the body of a loop is followed symbolically; a variable
//! that each path leaves at its value plus a constant *moves*, and a combination of moving variables whose steps cancel
//! on every path stays what it was: `3*i - a - b` where one path adds (1, 1, 2) and the other (1, 2, 1) to (i, a, b).
//! These are only suggestions of what to watch: the analysis finds out what their values are.

use crate::context::Context;
use crate::linear::{Form, Linear};
use crate::live::Live;
use fathom_base::FxMap;
use fathom_flow::Loops;
use fathom_ir::{Block, Body, StatementKind};
use fathom_term::{Sort, VarId};
use num_integer::Integer;
use std::collections::{BTreeMap, BTreeSet};

/// Paths through one body, and variables, that are looked at.
const MAX_PATHS: usize = 48;
const MAX_VARS: usize = 8;
/// Parts of a form with what its variables were on entry.
const MAX_PARTS: usize = 4;

/// Values of variables over those at the head; `None` for one that is not linear.
type Images = FxMap<VarId, Option<Linear>>;

/// Forms that the loop with this head may keep constant.
pub fn forms(context: &Context, body: &Body, loops: &Loops, live: &Live, head: u32) -> Vec<Form> {
    let Some(rows) = steps(context, body, loops, live, head) else { return Vec::new() };
    let Some(first) = rows.first() else { return Vec::new() };
    let entries = entries(context, body, loops, head);
    let mut by_sort: BTreeMap<Sort, Vec<VarId>> = BTreeMap::new();
    for &var in first.keys() {
        if rows.iter().all(|row| row.contains_key(&var)) && rows.iter().any(|row| row[&var] != 0) {
            by_sort.entry(context.store.var_sort(var)).or_default().push(var);
        }
    }
    let mut found = Vec::new();
    for (sort, mut vars) in by_sort {
        vars.truncate(MAX_VARS);
        for combination in combinations(&rows, &vars) {
            let linear = Linear { sort, coefficients: combination.into_iter().collect(), constant: 0 };
            found.extend(since_entry(&linear, &entries));
            found.extend(linear.form().map(|(form, _)| form));
        }
    }
    found
}

/// What each path from the head back to it adds to the variables that move on it.
fn steps(context: &Context, body: &Body, loops: &Loops, live: &Live, head: u32) -> Option<Vec<BTreeMap<VarId, i128>>> {
    let inside = |block: u32| loops.around[block as usize].contains(&head);
    let changed: BTreeSet<VarId> = (0..body.blocks.len() as u32)
        .filter(|&block| inside(block))
        .flat_map(|block| &body.blocks[block as usize].statements)
        .flat_map(|statement| statement.kind.targets())
        .filter(|&var| live.at_start(head, var))
        .collect();
    let mut rows = BTreeSet::new();
    let mut open: Vec<(u32, Images)> = vec![(head, Images::default())];
    let mut paths = 0;
    while let Some((block, mut images)) = open.pop() {
        paths += 1;
        if paths > MAX_PATHS * 4 || rows.len() > MAX_PATHS {
            return None;
        }
        let inner = block != head && loops.is_head[block as usize];
        let next: Vec<u32> = if inner {
            skip_loop(body, loops, block, &mut images)
        } else {
            run(context, &body.blocks[block as usize], &mut images);
            body.blocks[block as usize].terminator.kind.successors().iter().map(|next| next.0).collect()
        };
        for next in next.into_iter().filter(|&next| inside(next)) {
            if next == head {
                rows.insert(row(context, &changed, &images));
            } else {
                open.push((next, images.clone()));
            }
        }
    }
    Some(rows.into_iter().collect())
}

/// Whatever an inner loop changes is lost; control goes on behind it.
fn skip_loop(body: &Body, loops: &Loops, head: u32, images: &mut Images) -> Vec<u32> {
    let inside = |block: u32| loops.around[block as usize].contains(&head);
    let mut exits = BTreeSet::new();
    for (_, block) in body.blocks.iter().enumerate().filter(|(number, _)| inside(*number as u32)) {
        block.statements.iter().flat_map(|statement| statement.kind.targets()).for_each(|var| drop(images.insert(var, None)));
        exits.extend(block.terminator.kind.successors().iter().map(|next| next.0).filter(|&next| !inside(next)));
    }
    exits.into_iter().collect()
}

fn run(context: &Context, block: &Block, images: &mut Images) {
    for statement in &block.statements {
        match &statement.kind {
            StatementKind::Assign(pairs) => {
                let values: Vec<Option<Linear>> =
                    pairs.iter().map(|&(_, term)| Linear::of(&context.store, term).and_then(|linear| image(&linear, images))).collect();
                images.extend(pairs.iter().map(|&(target, _)| target).zip(values));
            }
            other => {
                images.extend(other.targets().into_iter().map(|var| (var, None)));
                if matches!(other, StatementKind::Call { .. }) {
                    images.extend(context.global_vars.iter().map(|&var| (var, None)));
                }
            }
        }
    }
}

/// A sum over the variables now as one over those at the head.
fn image(linear: &Linear, images: &Images) -> Option<Linear> {
    let mut sum = Linear { sort: linear.sort, coefficients: BTreeMap::new(), constant: linear.constant };
    for (&var, &coefficient) in &linear.coefficients {
        let own = Linear { sort: linear.sort, coefficients: [(var, 1)].into(), constant: 0 };
        let part = match images.get(&var) {
            Some(known) => known.clone()?,
            None => own,
        };
        sum = sum.plus(&part, coefficient)?;
    }
    Some(sum)
}

fn row(context: &Context, changed: &BTreeSet<VarId>, images: &Images) -> BTreeMap<VarId, i128> {
    let moved = changed.iter().filter_map(|&var| match images.get(&var) {
        None => Some((var, 0)),
        Some(image) => {
            let image = image.as_ref()?;
            let same = image.coefficients.len() == 1 && image.coefficients.get(&var) == Some(&1);
            same.then_some((var, image.constant))
        }
    });
    moved.filter(|(var, _)| matches!(context.store.var_sort(*var), Sort::Int | Sort::Bv(_))).collect()
}

/// Coefficients of two or three variables whose steps cancel in every row, and plain differences.
fn combinations(rows: &[BTreeMap<VarId, i128>], vars: &[VarId]) -> Vec<Vec<(VarId, i128)>> {
    let cancels = |parts: &[(VarId, i128)]| {
        rows.iter().all(|row| parts.iter().map(|(var, c)| row[var].saturating_mul(*c)).fold(0i128, i128::saturating_add) == 0)
    };
    let (mut found, mut differences) = (Vec::new(), Vec::new());
    for (index, &x) in vars.iter().enumerate() {
        for (offset, &y) in vars[index + 1..].iter().enumerate() {
            let pair = rows.iter().find(|row| row[&x] != 0 || row[&y] != 0).map(|row| (row[&y], -row[&x]));
            match pair.and_then(|(a, b)| reduced(&[(x, a), (y, b)])).filter(|parts| cancels(parts)) {
                Some(parts) => found.push(parts),
                None => differences.push(vec![(x, 1), (y, -1)]),
            }
            for &z in &vars[index + offset + 2..] {
                let crossed =
                    rows.iter().enumerate().flat_map(|(n, one)| rows[n + 1..].iter().map(move |two| (one, two))).find_map(|(one, two)| {
                        let (a, b) = ([one[&x], one[&y], one[&z]], [two[&x], two[&y], two[&z]]);
                        let minor = |i: usize, j: usize| a[i].checked_mul(b[j])?.checked_sub(a[j].checked_mul(b[i])?);
                        reduced(&[(x, minor(1, 2)?), (y, minor(2, 0)?), (z, minor(0, 1)?)])
                    });
                found.extend(crossed.filter(|parts| parts.len() == 3 && cancels(parts)));
            }
        }
    }
    found.extend(differences);
    found
}

/// Without common factors and zeros; None if nothing is left or numbers are large.
fn reduced(parts: &[(VarId, i128)]) -> Option<Vec<(VarId, i128)>> {
    let common = parts.iter().fold(0i128, |common, (_, c)| common.gcd(c));
    let small = parts.iter().all(|(_, c)| c.unsigned_abs() < 1 << 32);
    (common != 0 && small).then(|| parts.iter().map(|(var, c)| (*var, c / common)).filter(|(_, c)| *c != 0).collect())
}

/// What variables are set to outside of the loop, where that is one linear sum of others.
fn entries(context: &Context, body: &Body, loops: &Loops, head: u32) -> FxMap<VarId, Option<Linear>> {
    let mut entries: FxMap<VarId, Option<Linear>> = FxMap::default();
    for (number, block) in body.blocks.iter().enumerate() {
        if loops.around[number].contains(&head) {
            continue;
        }
        for statement in &block.statements {
            let StatementKind::Assign(pairs) = &statement.kind else { continue };
            for &(target, term) in pairs {
                let linear = Linear::of(&context.store, term);
                let known = entries.entry(target).or_insert_with(|| linear.clone());
                if *known != linear {
                    *known = None;
                }
            }
        }
    }
    entries
}

/// The form less its value on entry, if that is made of other variables.
fn since_entry(linear: &Linear, entries: &FxMap<VarId, Option<Linear>>) -> Option<Form> {
    let mut since = linear.clone();
    for (var, coefficient) in &linear.coefficients {
        let entry = entries.get(var)?.as_ref()?;
        since = since.plus(entry, coefficient.checked_neg()?)?;
    }
    let grown = since.coefficients.len() > linear.coefficients.len() && since.coefficients.len() <= MAX_PARTS;
    grown.then(|| since.form().map(|(form, _)| form)).flatten()
}
