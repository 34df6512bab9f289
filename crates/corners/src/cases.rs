//! Templates that are tables: a body over one number `k`, and what each value of `k` does.
//!
//! `k` is an input that takes a few of the case's values, or a constant. `$T` stands for an element type. The table says
//! which values of `k` are undefined; sanitizers cross-check it as far as they can see.

use crate::corner::Corner;
use crate::property::{Event, Property};
use crate::values::{INT, Input};
use fathom_randprog::Rng;

pub struct Case {
    pub name: &'static str,
    pub file_scope: &'static str,
    pub body: &'static str,
    pub values: &'static [i128],
    /// What some values do.
    pub bad: &'static [(i128, &'static [Event])],
    pub ask: &'static [Property],
    /// Not empty: why the table is right where a sanitizer stays silent.
    pub because: &'static str,
    /// What the program observes is not determined by the standard.
    pub values_open: bool,
}

/// A case without file scope, without undefined values and with values that can be observed: the start of most tables.
pub const PLAIN: Case = Case { name: "", file_scope: "", body: "", values: &[0, 1, 2], bad: &[], ask: &[], because: "by the standard", values_open: false };

const ELEMENTS: [&str; 7] = ["char", "unsigned char", "short", "int", "long", "long long", "unsigned"];

pub fn draw(rng: &mut Rng, wide: bool, class: &'static str, cases: &[Case]) -> Corner {
    let case = rng.pick(cases);
    let element = *rng.pick(&ELEMENTS);
    let mut corner = Corner::new(class, format!("{} ({element})", case.name), wide);
    corner.file_scope = case.file_scope.replace("$T", element);
    let wanted = 1 + rng.below(case.values.len().min(3));
    let mut values: Vec<i128> = (0..wanted).map(|_| *rng.pick(case.values)).collect();
    values.sort_unstable();
    values.dedup();
    if values.len() == 1 && rng.chance(60) {
        let form = *rng.pick(&["int k = ", "const int k = ", "static int k = ", "enum { k = "]);
        corner.line(&format!("{form}{}{};", values[0], if form.starts_with("enum") { " }" } else { "" }));
    } else {
        corner.inputs.push(Input::of_int("k", INT, &values));
    }
    corner.line(&case.body.replace("$T", element));
    let mut events: Vec<Event> = case.bad.iter().filter(|(k, _)| values.contains(k)).flat_map(|(_, events)| events.iter().copied()).collect();
    events.sort();
    events.dedup();
    corner.state(&events, case.because);
    corner.values_open = case.values_open;
    corner.ask(case.ask);
    corner
}
