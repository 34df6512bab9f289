//! A short form of a trace, for the list of related locations: a step per source line, with the calls, inputs and
//! values there. Steps that do not influence the failure are omitted, and so is the middle of a long run.

use fathom_base::name_in_source;
use fathom_report::{PlaceReport, StepReport, ViolationReport};
use std::collections::BTreeSet;

/// Steps at the beginning and at the end of a long run that are shown.
const FIRST: usize = 10;
const LAST: usize = 40;

/// A line that the run came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step<'a> {
    /// Where.
    pub place: &'a PlaceReport,
    /// What happened there.
    pub text: String,
}

/// The steps to a violation, in order.
pub fn steps(violation: &ViolationReport) -> Vec<Step<'_>> {
    let irrelevant: BTreeSet<usize> = violation.irrelevant.iter().copied().collect();
    let mut steps: Vec<Step<'_>> = Vec::new();
    for (index, step) in violation.steps.iter().enumerate() {
        let Some(text) = told(step, violation).filter(|_| !irrelevant.contains(&index)) else { continue };
        let place = step.place();
        // What the compiler gave no line for happened where the run was.
        let same = |at: &PlaceReport| place.file.is_none() || (&at.file, at.line) == (&place.file, place.line);
        match steps.last_mut().filter(|last| same(last.place)) {
            Some(last) if last.text.split("; ").any(|known| known == text) => {}
            Some(last) => last.text = format!("{}; {text}", last.text),
            None if place.file.is_none() => {}
            None => steps.push(Step { place, text }),
        }
    }
    if steps.len() > FIRST + LAST {
        let left_out = steps.len() - FIRST - LAST;
        steps.drain(FIRST..steps.len() - LAST);
        steps[FIRST].text = format!("({left_out} steps later) {}", steps[FIRST].text);
    }
    steps
}

/// What is said of a step. Which way a branch went is seen from the lines that follow.
fn told(step: &StepReport, violation: &ViolationReport) -> Option<String> {
    match step {
        StepReport::Enter { function, .. } => Some(format!("{} starts", name_in_source(function))),
        StepReport::Value { variable, type_name, value, .. } => match type_name.as_str() {
            "sourceloc" => Some(variable.clone()),
            "lifetime" => Some(format!("{variable} {value}")),
            _ => Some(format!("{variable} = {value}")),
        },
        StepReport::Input { number, .. } => {
            let input = violation.inputs.get(number.checked_sub(1)?).filter(|input| !input.source.is_empty())?;
            Some(input.shown())
        }
        StepReport::Thread { number, function, .. } => Some(format!("thread {number} ({}) goes on", name_in_source(function))),
        StepReport::Leave { .. } | StepReport::Branch { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(line: u32, text: &str) -> StepReport {
        let file = (line > 0).then(|| "a.c".to_string());
        let place = PlaceReport { file, line, column: 1, text: None };
        StepReport::Value { variable: "x".into(), type_name: "int".into(), value: text.into(), memory: false, object: None, place }
    }

    fn texts(violation: &ViolationReport) -> Vec<String> {
        steps(violation).iter().map(|step| format!("{}: {}", step.place.line, step.text)).collect()
    }

    #[test]
    fn a_step_for_every_line() {
        let steps = vec![value(0, "?"), value(3, "1"), value(3, "1"), value(3, "2"), value(0, "3"), value(4, "5"), value(3, "6")];
        let mut violation = ViolationReport { steps, ..ViolationReport::default() };
        assert_eq!(texts(&violation), ["3: x = 1; x = 2; x = 3", "4: x = 5", "3: x = 6"]);
        violation.irrelevant = vec![1, 2, 5];
        assert_eq!(texts(&violation), ["3: x = 2; x = 3; x = 6"]);
    }

    #[test]
    fn the_middle_of_a_long_run_is_left_out() {
        let steps = (1..=100).map(|line| value(line, "0")).collect();
        let told = texts(&ViolationReport { steps, ..ViolationReport::default() });
        assert_eq!((told.len(), &*told[9], &*told[10]), (50, "10: x = 0", "61: (50 steps later) x = 0"));
    }
}
