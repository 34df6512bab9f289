//! Minimises the inputs of a violation for human readers. Each input in turn is replaced by zero, by a small number or
//! by a printable character, or halved, and the change is kept if the interpreter then reaches the same violation at
//! the same location. When a loop gets shorter, there are also fewer inputs. Only values that the program asks for are
//! changed, not the results of code that Fathom does not see.

use crate::exec::compute::ARBITRARY;
use crate::replay::interpreter::run_again;
use crate::replay::trace::{ReplayEnd, Trace, Violation};
use fathom_base::{Budget, processor_time};
use fathom_ir::{Program, Property};
use fathom_term::{Value, mask, sign_extend};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Duration;

/// Computing time for all runs together: small beside what finding the violation took, and not what others on the machine do.
const TIME: Duration = Duration::from_millis(600);
/// A run that takes longer is not repeated: too few of them would fit.
const LONGEST_RUN: Duration = Duration::from_millis(20);
/// Runs, and statements of one run: the counts decide as a rule, so that the same inputs come out each time.
const MOST_RUNS: u32 = 400;
const MOST_STATEMENTS: u64 = 2_000_000;
/// Inputs that are looked at: the first ones.
const MOST_INPUTS: usize = 64;

/// A trace to the same violation whose inputs are easier on the reader, if there is one.
pub fn minimise(program: &Rc<Program>, properties: &BTreeSet<Property>, trace: &Trace, budget: &Budget) -> Option<Trace> {
    let told = matches!(trace.violation.property, Property::BoogieAssert | Property::Termination);
    if told || trace.cycle.is_some() || !trace.functions.is_empty() || !trace.schedule.is_empty() {
        return None;
    }
    let since = processor_time();
    let (ReplayEnd::Violated(wanted), _) = run_again(program, properties, trace, MOST_STATEMENTS) else { return None };
    if processor_time() - since > LONGEST_RUN || wanted.property != trace.violation.property || wanted.loc != trace.violation.loc {
        return None;
    }
    let mut search = Search { program, properties, wanted, best: trace.clone(), runs: 0, since, budget };
    let before = search.best.symbols.clone();
    while search.round() && !search.is_over() {}
    (search.best.symbols != before).then_some(search.best)
}

struct Search<'a> {
    program: &'a Rc<Program>,
    properties: &'a BTreeSet<Property>,
    wanted: Violation,
    best: Trace,
    runs: u32,
    since: Duration,
    budget: &'a Budget,
}

impl Search<'_> {
    fn is_over(&self) -> bool {
        self.runs >= MOST_RUNS || processor_time() - self.since > TIME || self.budget.exhausted().is_some()
    }

    /// Keeps the trace if it leads to the same violation.
    fn attempt(&mut self, trace: Trace) -> bool {
        self.runs += 1;
        let (end, branches) = run_again(self.program, self.properties, &trace, MOST_STATEMENTS);
        let is_same = matches!(&end, ReplayEnd::Violated(seen) if *seen == self.wanted);
        if is_same {
            self.best = Trace { branches, ..trace };
        }
        is_same
    }

    /// Looks at every input once; whether anything became better.
    fn round(&mut self) -> bool {
        let names = self.best.symbols.keys().filter(|name| width_of(name).is_some()).take(MOST_INPUTS);
        let mut names: Vec<String> = names.cloned().collect();
        names.sort_by_key(|name| number_of(name));
        let mut better = false;
        for name in names {
            better |= self.improve(&name);
            if self.is_over() {
                break;
            }
        }
        better
    }

    fn improve(&mut self, name: &str) -> bool {
        let (Some(width), Some(Value::Bits(bits))) = (width_of(name), self.best.symbols.get(name)) else { return false };
        let (bits, mut better) = (*bits, false);
        for simpler in simpler(bits, width) {
            if self.try_value(name, simpler) {
                better = true;
                break;
            }
            if self.is_over() {
                return better;
            }
        }
        if width == 8 {
            return better;
        }
        // Down to the smallest that still leads there, if everything above it does.
        while let Some(Value::Bits(now)) = self.best.symbols.get(name).cloned() {
            let value = sign_extend(now, width);
            let (mut distance, mut moved) = (value / 2, false);
            while distance != 0 && !self.is_over() {
                if self.try_value(name, (value - distance) as u64 & mask(width)) {
                    moved = true;
                    break;
                }
                distance /= 2;
            }
            better |= moved;
            if !moved || self.is_over() {
                return better;
            }
        }
        better
    }

    fn try_value(&mut self, name: &str, bits: u64) -> bool {
        let mut trace = self.best.clone();
        trace.symbols.insert(name.to_string(), Value::Bits(bits));
        self.attempt(trace)
    }
}

/// Values that are easier on the reader than this one, the easiest first.
fn simpler(bits: u64, width: u32) -> Vec<u64> {
    const CHARACTERS: &[u8] = b"aA01 ";
    let rank = |bits: u64| match (width, bits) {
        (_, 0) => 0,
        (8, 0x20..=0x7e) => 1,
        (8, _) => 1000,
        // What is negative may be a large number without a sign.
        _ => sign_extend(bits, width).unsigned_abs().saturating_add(if sign_extend(bits, width) < 0 { 1000 } else { 0 }),
    };
    let characters = CHARACTERS.iter().filter(|_| width == 8).map(|&byte| u64::from(byte));
    let numbers = [1, 2, 3, 4, 5, 8, 10, 16, 100, mask(width)].into_iter().filter(|_| width != 8);
    let all = std::iter::once(0).chain(characters).chain(numbers);
    all.map(|value| value & mask(width)).filter(|&value| rank(value) < rank(bits)).collect()
}

/// The width of an input of the program by its symbol; None for other symbols and for what is no number.
pub(crate) fn width_of(name: &str) -> Option<u32> {
    let (number, tag) = name.strip_prefix(ARBITRARY)?.split_once('.')?;
    number.parse::<u32>().ok()?;
    let width = if tag == "bool" { 1 } else { tag.strip_prefix("bv")?.parse().ok()? };
    (1..=64).contains(&width).then_some(width)
}

fn number_of(name: &str) -> Option<u32> {
    name.strip_prefix(ARBITRARY)?.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simpler_values_are_simpler() {
        assert_eq!(simpler(0, 32), Vec::<u64>::new());
        assert_eq!(simpler(5, 32), [0, 1, 2, 3, 4]);
        assert_eq!(simpler(0xffff_fff0, 32), [0, 1, 2, 3, 4, 5, 8, 10, 16, 100, 0xffff_ffff]);
        assert_eq!(simpler(1, 32), [0]);
        assert_eq!(simpler(0xfe, 8), [0, 97, 65, 48, 49, 32]);
        assert_eq!(simpler(98, 8), [0]);
    }
}
