//! Float arithmetic over few inputs, decided by intervals before a solver blasts it into bits. A box gives every input a
//! range; the query is evaluated on ranges; a box in which a condition certainly fails is done with, one in which
//! all certainly hold, or whose middle satisfies them, has a model, and any other is cut in two. Bit-blasting is hopeless for
//! a handful of multiplications and divisions of doubles in a row, which this settles in a few thousand boxes; on the
//! other hand it knows nothing about bits, so it gives up after a number of steps that doesn't depend on the machine.
//!
//! Sound because the boxes cover all values of the inputs, NaN included, because ranges contain every value a term has in
//! the box (what isn't understood may be anything), and because models are evaluated by the oracle as any other.
//! After D'Silva, Haller, Kroening, Tautschnig: Numeric Bounds Analysis with Conflict-Driven Learning (2012), without the learning.

mod narrow;
mod program;
#[cfg(test)]
mod tests;

use fathom_base::{Budget, FxMap};
use fathom_domains::float_interval::{FloatInterval, Truth, at, position};
use fathom_term::{Assignment, Model, Term, TermStore, Value, float};
use program::{AbstractValue, Leaf, Program};
use std::collections::VecDeque;

/// The result of the search.
pub(crate) enum SearchResult {
    Unsat,
    /// Values of the inputs that may satisfy everything; the oracle evaluates them.
    Candidate(Model),
    Nothing,
}

/// Searches for values of the inputs that satisfy all conditions, for at most this many evaluated operations.
/// `accepts` decides whether a candidate is a model.
pub(crate) fn search(
    store: &TermStore,
    conditions: &[Term],
    effort: u64,
    budget: &Budget,
    accepts: impl Fn(&Model) -> bool,
) -> SearchResult {
    let Some(program) = Program::new(store, conditions) else { return SearchResult::Nothing };
    let mut known = Vec::with_capacity(program.len());
    let everything: Vec<FloatInterval> = program.leaves.iter().map(|leaf| FloatInterval::everything(leaf.format)).collect();
    program.evaluate(&everything, &mut known);
    let mut boxes = VecDeque::from([everything]);
    // Whether something was left out.
    let mut incomplete = false;
    let mut rest = effort / (program.len() as u64 + 1);
    let (mut seen, mut refuted, mut sampled, mut random) = (0u64, 0u64, 0, fastrand::Rng::with_seed(1));
    // Breadth first finds models everywhere; with many open boxes, depth first keeps them few.
    while let Some(mut leaves) = if boxes.len() < MANY { boxes.pop_front() } else { boxes.pop_back() } {
        if rest == 0 || (rest.is_multiple_of(256) && budget.exhausted().is_some()) {
            return SearchResult::Nothing;
        }
        rest -= 1;
        seen += 1;
        if !narrow::narrow(&program, &mut leaves, &mut known) || !conjunction(&program, &known).may_hold {
            refuted += 1;
            continue;
        }
        if seen >= PATIENCE && refuted * SUCCESS < seen {
            return SearchResult::Nothing;
        }
        let truth = conjunction(&program, &known);
        let undecided = truth.may_fail && !leaves.iter().all(FloatInterval::is_point);
        if !undecided || worth_sampling(sampled) {
            let mut points = vec![point(&program, &leaves, None)];
            if undecided {
                // The middle of a box has few bits set; a random point shows what depends on the others.
                points.push(point(&program, &leaves, Some(&mut random)));
            }
            for point in points {
                program.evaluate(&point, &mut known);
                if conjunction(&program, &known).may_hold {
                    let model = model(&program, &point);
                    if accepts(&model) {
                        return SearchResult::Candidate(model);
                    }
                }
            }
        }
        sampled += 1;
        // A single point, and the conditions are still undecided: they depend on something else than the inputs.
        incomplete |= !split(&program, &leaves, &mut boxes);
    }
    if incomplete { SearchResult::Nothing } else { SearchResult::Unsat }
}

/// After this many boxes one in so many must have been refuted; otherwise interval arithmetic is too coarse here.
const PATIENCE: u64 = 1024;
const SUCCESS: u64 = 50;

/// With more open boxes than this the search continues depth first.
const MANY: usize = 4096;

/// Points are tried often at first, then now and then.
fn worth_sampling(boxes: u64) -> bool {
    boxes < 2000 || boxes.is_multiple_of(8)
}

fn conjunction(program: &Program, known: &[AbstractValue]) -> Truth {
    let mut all = Truth::of(true);
    for &root in &program.roots {
        all = all.and(match &known[root] {
            AbstractValue::Truth(truth) => *truth,
            _ => Truth::UNKNOWN,
        });
    }
    all
}

/// One value out of each range: its middle, or any.
fn point(program: &Program, leaves: &[FloatInterval], mut random: Option<&mut fastrand::Rng>) -> Vec<FloatInterval> {
    let pairs = leaves.iter().zip(&program.leaves);
    let choose = |(range, leaf): (&FloatInterval, &Leaf)| {
        if !range.has_numbers() {
            return *range;
        }
        let here = match &mut random {
            Some(random) => any_of(range, random),
            None => cut(range, leaf),
        };
        FloatInterval { low: here, high: here, nan: false }
    };
    pairs.map(choose).collect()
}

/// A position in a range.
fn any_of(range: &FloatInterval, random: &mut fastrand::Rng) -> i128 {
    random.i128(range.low..=range.high)
}

fn model(program: &Program, point: &[FloatInterval]) -> Model {
    let mut values = Assignment::default();
    for (leaf, range) in program.leaves.iter().zip(point) {
        let bits = if range.has_numbers() { at(leaf.format, range.low) } else { float::nan(leaf.format) };
        values.insert(leaf.var, Value::bits(bits.into(), leaf.format.width()));
    }
    Model { values, functions: FxMap::default() }
}

/// Where a range of numbers is cut: in the middle of the numbers if they are of like magnitudes or around zero, else in
/// the middle of the floats between its ends, which is as far from one as from the other by a factor.
fn cut(range: &FloatInterval, leaf: &Leaf) -> i128 {
    let half = range.low + (range.high - range.low) / 2;
    let (low, high) = (number(leaf, range.low), number(leaf, range.high));
    let (small, large) = (low.abs().min(high.abs()), low.abs().max(high.abs()));
    let apart = low * high > 0.0 && large > 4.0 * small;
    if apart || !(large < MODERATE && large > 1.0 / MODERATE) {
        return half;
    }
    let double = fathom_term::FloatFormat::DOUBLE;
    let bits = (low + (high - low) / 2.0).to_bits().into();
    let here = float::convert(double, leaf.format, fathom_term::RoundingMode::TowardNegative, bits);
    let here = position(leaf.format, here);
    if here < range.low || here >= range.high { half } else { here }
}

const MODERATE: f64 = 1e12;

fn number(leaf: &Leaf, position: i128) -> f64 {
    let double = fathom_term::FloatFormat::DOUBLE;
    let mode = fathom_term::RoundingMode::NearestEven;
    f64::from_bits(float::convert(leaf.format, double, mode, at(leaf.format, position)) as u64)
}

/// Cuts the widest range in two; false if there is nothing to cut.
fn split(program: &Program, leaves: &[FloatInterval], boxes: &mut VecDeque<Vec<FloatInterval>>) -> bool {
    let with = |index: usize, range: FloatInterval| {
        let mut part = leaves.to_vec();
        part[index] = range;
        part
    };
    if let Some(index) = leaves.iter().position(|range| range.nan && range.has_numbers()) {
        boxes.push_back(with(index, FloatInterval { nan: true, ..FloatInterval::NOTHING }));
        boxes.push_back(with(index, FloatInterval { nan: false, ..leaves[index] }));
        return true;
    }
    let width = |index: usize| {
        let (leaf, range) = (&program.leaves[index], &leaves[index]);
        number(leaf, range.high) - number(leaf, range.low)
    };
    let wide = (0..leaves.len()).filter(|&index| leaves[index].low < leaves[index].high);
    let Some(index) = wide.max_by(|&a, &b| width(a).total_cmp(&width(b))) else { return false };
    let range = leaves[index];
    let here = cut(&range, &program.leaves[index]);
    boxes.push_back(with(index, FloatInterval { low: range.low, high: here, nan: false }));
    boxes.push_back(with(index, FloatInterval { low: here + 1, high: range.high, nan: false }));
    true
}
