//! Templates that are tables (`cases/*.txt`): a body over one number `k`, and what each value of `k` does.
//!
//! A case begins with `== NAME`. `values` are those that `k` can have; `bad 3 -1: bounds deref` says which events these
//! values lead to; `ask` names the properties to ask about, besides what is observed; `because` says why the table is
//! right where a sanitizer stays silent; `scope` is a line outside of `main`; lines that are indented are the body.
//! `$T` stands for an element type. `k` is an input that takes a few of its values, or a constant. Sanitizers cross-check
//! the tables as far as they can see.

use crate::corner::Corner;
use crate::property::{Event, Property};
use crate::values::{INT, Input};
use fathom_randprog::Rng;
use std::sync::OnceLock;

#[derive(Default)]
struct Case {
    name: &'static str,
    file_scope: String,
    body: String,
    values: Vec<i128>,
    bad: Vec<(i128, Vec<Event>)>,
    ask: Vec<Property>,
    because: &'static str,
}

/// A table and the class of its corners.
struct Table {
    class: &'static str,
    text: &'static str,
    cases: OnceLock<Vec<Case>>,
}

const fn table(class: &'static str, text: &'static str) -> Table {
    Table { class, text, cases: OnceLock::new() }
}

static OBJECTS: Table = table("object", include_str!("../cases/objects.txt"));
static HEAP: Table = table("heap", include_str!("../cases/heap.txt"));
static LIFETIMES: Table = table("lifetime", include_str!("../cases/lifetimes.txt"));
static LAYOUT: Table = table("layout", include_str!("../cases/layout.txt"));
static LIBRARY: Table = table("library", include_str!("../cases/library.txt"));
static BUILTINS: Table = table("builtin", include_str!("../cases/builtins.txt"));
static SURROUNDINGS: Table = table("surroundings", include_str!("../cases/surroundings.txt"));
static UNINITIALISED: Table = table("uninitialised", include_str!("../cases/uninitialised.txt"));

const ELEMENTS: [&str; 7] = ["char", "unsigned char", "short", "int", "long", "long long", "unsigned"];

pub fn objects(rng: &mut Rng, wide: bool) -> Corner {
    OBJECTS.draw(rng, wide)
}

pub fn surroundings(rng: &mut Rng, wide: bool) -> Corner {
    SURROUNDINGS.draw(rng, wide)
}

pub fn heap(rng: &mut Rng, wide: bool) -> Corner {
    HEAP.draw(rng, wide)
}

pub fn lifetimes(rng: &mut Rng, wide: bool) -> Corner {
    let mut corner = LIFETIMES.draw(rng, wide);
    // What a run reads from a dead object means nothing.
    corner.values_open = corner.stated.as_ref().is_some_and(|events| !events.is_empty());
    corner
}

pub fn uninitialised(rng: &mut Rng, wide: bool) -> Corner {
    let mut corner = UNINITIALISED.draw(rng, wide);
    // What a run reads that was never written means nothing.
    corner.values_open = corner.stated.as_ref().is_some_and(|events| !events.is_empty());
    corner
}

pub fn layout(rng: &mut Rng, wide: bool) -> Corner {
    LAYOUT.draw(rng, wide)
}

pub fn library(rng: &mut Rng, wide: bool) -> Corner {
    LIBRARY.draw(rng, wide)
}

pub fn builtins(rng: &mut Rng, wide: bool) -> Corner {
    BUILTINS.draw(rng, wide)
}

impl Table {
    fn draw(&'static self, rng: &mut Rng, wide: bool) -> Corner {
        let case = rng.pick(self.cases.get_or_init(|| read(self.text)));
        let element = *rng.pick(&ELEMENTS);
        let mut corner = Corner::new(self.class, format!("{} ({element})", case.name), wide);
        corner.file_scope = case.file_scope.replace("$T", element);
        let wanted = 1 + rng.below(case.values.len().min(3));
        let mut values: Vec<i128> = (0..wanted).map(|_| *rng.pick(&case.values)).collect();
        values.sort_unstable();
        values.dedup();
        if values.len() == 1 && rng.chance(60) {
            let form = *rng.pick(&["int k = ", "const int k = ", "static int k = ", "enum { k = "]);
            corner.line(&format!("{form}{}{};", INT.literal(values[0]), if form.starts_with("enum") { " }" } else { "" }));
        } else {
            corner.inputs.push(Input::of_int("k", INT, &values));
        }
        corner.body += &case.body.replace("$T", element);
        let mut events: Vec<Event> = case.bad.iter().filter(|(k, _)| values.contains(k)).flat_map(|(_, events)| events.clone()).collect();
        events.sort();
        events.dedup();
        corner.state(&events, case.because);
        corner.ask(&case.ask);
        corner
    }
}

/// Reads a table. It is part of the program, so what is wrong in it is a fault of ours.
fn read(text: &'static str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        if let Some(name) = line.strip_prefix("== ") {
            cases.push(Case { name, because: "by the standard", ..Case::default() });
            continue;
        }
        let case = cases.last_mut().expect("a case begins with its name");
        if let Some(code) = line.strip_prefix("    ") {
            case.body += code;
            case.body.push('\n');
            continue;
        }
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let number = |word: &str| word.parse::<i128>().unwrap_or_else(|error| panic!("{line}: {error}"));
        match word {
            "values" => case.values = rest.split(' ').map(number).collect(),
            "ask" => case.ask = rest.split(' ').map(|name| Property::by_name(name).unwrap_or_else(|| panic!("{line}: {name}"))).collect(),
            "because" => case.because = rest,
            "scope" => case.file_scope += &format!("{rest}\n"),
            "bad" => {
                let (values, names) = rest.split_once(": ").unwrap_or_else(|| panic!("{line}: values, a colon, events"));
                let events: Vec<Event> =
                    names.split(' ').map(|name| Event::by_name(name).unwrap_or_else(|| panic!("{line}: {name}"))).collect();
                case.bad.extend(values.split(' ').map(|value| (number(value), events.clone())));
            }
            _ => panic!("{line}: what is {word}?"),
        }
    }
    cases
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_has_a_body_and_values_and_every_bad_value_is_one_of_them() {
        for table in [&OBJECTS, &HEAP, &LIFETIMES, &LAYOUT, &LIBRARY, &BUILTINS, &SURROUNDINGS, &UNINITIALISED] {
            for case in read(table.text) {
                assert!(!case.body.is_empty() && !case.values.is_empty(), "{}", case.name);
                assert!(case.bad.iter().all(|(value, _)| case.values.contains(value)), "{}", case.name);
                assert!(case.body.contains("OBSERVE(") || !case.ask.is_empty(), "{}", case.name);
                // A case that is drawn twice for one translation unit declares its names twice.
                assert!(case.file_scope.lines().all(|line| line.starts_with('#') || line.contains('@')), "{}", case.name);
            }
        }
    }
}
