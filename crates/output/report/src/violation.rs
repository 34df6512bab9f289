//! A violation as plain data: what goes wrong and where, the inputs that make it happen, and the steps of the run.

use crate::trace::text_of;
use fathom_ir::sources;
use serde::{Deserialize, Serialize};

/// A run that violates a property.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ViolationReport {
    /// What is wrong.
    pub message: String,
    /// Why: the condition that does not hold with the values of its parts, or the object that was missed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cause: Vec<String>,
    /// Where it happens.
    pub place: PlaceReport,
    /// Of a data race: both accesses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accesses: Vec<AccessReport>,
    /// Active functions, innermost first.
    pub stack: Vec<String>,
    /// In the order in which the program asked.
    pub inputs: Vec<InputReport>,
    /// What uninterpreted functions give where it matters, such as `f(1) = 2`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub functions: Vec<String>,
    /// In the order in which they happened.
    pub steps: Vec<StepReport>,
    /// The objects in memory that steps write to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub objects: Vec<ObjectReport>,
    /// Steps, counted from 0, that do not influence the failure.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub irrelevant: Vec<usize>,
    /// Steps of a long run are missing before this one, counted from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skipped_before: Option<usize>,
    /// The functions that are active there, outermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped_stack: Vec<String>,
}

/// One of the two accesses of a data race.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AccessReport {
    /// Numbered from 1, which is the first thread.
    pub thread: u32,
    /// `read`, `write` or `free`.
    pub kind: String,
    /// In an atomic section, or an atomic operation.
    pub atomic: bool,
    /// Where it is in the program.
    pub place: PlaceReport,
    /// For people.
    pub text: String,
}

/// A position in the source, with the line of text.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PlaceReport {
    /// None if the position is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// From 1; 0 if unknown.
    pub line: u32,
    /// From 1; 0 if unknown.
    pub column: u32,
    /// The line of the source, without its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// One value that the program was given.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct InputReport {
    /// The function that the program called; empty for an uninitialised variable or object.
    pub source: String,
    /// The C type as the user wrote it.
    pub type_name: String,
    /// The value as C writes it.
    pub value: String,
    /// Little-endian, two hexadecimal digits each.
    pub bytes: String,
    /// Where it was asked for.
    pub place: PlaceReport,
}

/// What calls the question whether an allocation fails.
const ALLOCATION: &str = "malloc";

/// What calls a character that was read from standard input, or from a file.
const CHARACTERS: [(&str, &str); 2] = [("stdin", "standard input:"), ("file", "file:")];

impl InputReport {
    /// The input in words: `f() = 3`, `standard input: 97 'a'`, `argument n = 3`.
    pub fn shown(&self) -> String {
        let (what, value) = self.parts();
        format!("{what} {value}")
    }

    /// Of the question whether memory can be had: the answer.
    fn allocation(&self) -> Option<&'static str> {
        (self.source == ALLOCATION).then_some(if self.value == "0" { "succeeds" } else { "fails" })
    }

    /// The value as a step has it, after the number of the input.
    pub(crate) fn numbered(&self, number: usize) -> String {
        match self.allocation() {
            Some(outcome) => format!("input {number}: the allocation {outcome}"),
            None => format!("input {number} = {}", self.parts().1),
        }
    }

    /// The two parts of these words, of which the second one is the value.
    pub fn parts(&self) -> (String, String) {
        let value = self.value.clone();
        if let Some(outcome) = self.allocation() {
            return ("the allocation".into(), outcome.into());
        }
        if let Some((_, what)) = CHARACTERS.iter().find(|(source, _)| *source == self.source) {
            return ((*what).into(), character_read(&value));
        }
        let source = self.source.as_str();
        let named = |prefix: &str| source.strip_prefix(prefix);
        let what = if let Some(function) = named(sources::RESULT).or(named(sources::BOUNDS)) {
            format!("{function}() =")
        } else if let Some(variable) = named(sources::VARIABLE) {
            format!("{variable} at the start =")
        } else if let Some(pointer) = named(sources::NULL) {
            format!("whether {pointer} is null:")
        } else if let Some(stream) = named(sources::INPUT_STREAM) {
            format!("whether {stream} is standard input:")
        } else if source != sources::ARGC && source.chars().all(|c| c.is_alphanumeric() || c == '_') {
            format!("{source}() =")
        } else {
            format!("{source} =")
        };
        let value = self.text().map_or(value.clone(), |text| format!("{value} {text}"));
        (what, value)
    }

    /// Several bytes as a string, if they are one.
    fn text(&self) -> Option<String> {
        let bytes: Option<Vec<u8>> =
            (0..self.bytes.len()).step_by(2).map(|at| u8::from_str_radix(self.bytes.get(at..at + 2)?, 16).ok()).collect();
        let bytes = bytes.filter(|_| self.value.starts_with('{'))?;
        let length = bytes.iter().rposition(|byte| *byte != 0)? + 1;
        text_of(bytes[..length].iter().copied().chain([0]).map(Some)).filter(|_| !bytes[..length].contains(&0))
    }
}

/// A character as `getchar` gives it: its number, and what it is.
fn character_read(number: &str) -> String {
    match number.parse::<i64>() {
        Ok(-1) => "-1 (end of file)".into(),
        Ok(code @ 0x20..0x7f) => format!("{number} '{}'", char::from(code as u8)),
        Ok(0x0a) => format!("{number} '\\n'"),
        _ => number.into(),
    }
}

/// An object in memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObjectReport {
    /// What steps call it.
    pub number: u32,
    /// Its variable, or where it was allocated.
    pub name: String,
    /// `global`, `stack` or `heap`.
    pub storage: String,
    /// In bytes.
    pub size: u64,
    /// It has ended before this step, counted from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<usize>,
}

/// The bytes of an object that a step writes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BytesReport {
    /// Of the object.
    pub number: u32,
    /// The first of them.
    pub offset: u64,
    /// How many.
    pub size: u64,
    /// What they are called from outside of every function: `pool[1].len`.
    pub path: String,
}

/// One step of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum StepReport {
    /// A call begins.
    Enter {
        /// The function that is called.
        function: String,
        /// The place of the call, if it has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        caller: Option<PlaceReport>,
        /// Where the function begins.
        place: PlaceReport,
    },
    /// A call ends.
    Leave {
        /// The function that returns.
        function: String,
        /// Where it returns.
        place: PlaceReport,
    },
    /// A variable got a value.
    Value {
        /// The variable, or the part of it.
        variable: String,
        /// The C type as the user wrote it.
        type_name: String,
        /// The value as C writes it.
        value: String,
        /// It lies in memory, and other names may stand for the same place.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        memory: bool,
        /// Where in memory it lies.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        object: Option<BytesReport>,
        /// Where that happens.
        place: PlaceReport,
    },
    /// Counts from 1 in the list of inputs.
    Input {
        /// Its index in `inputs`, from 1.
        number: usize,
        /// Where it was read.
        place: PlaceReport,
    },
    /// Another thread continues; `function` is its start function.
    Thread {
        /// The thread that continues.
        number: u32,
        /// The function that the thread was started with.
        function: String,
        /// Where the thread continues.
        place: PlaceReport,
    },
    /// Whether the compiler's condition held; that may be the opposite of the condition in the source.
    Branch {
        /// Whether the compiler's condition held.
        taken: bool,
        /// Where the branch is.
        place: PlaceReport,
    },
}

/// The type of a `Value` that says what became of an object, not what it holds.
pub const LIFETIME: &str = "lifetime";

impl StepReport {
    /// The source position of a step.
    pub fn place(&self) -> &PlaceReport {
        match self {
            StepReport::Enter { place, .. }
            | StepReport::Leave { place, .. }
            | StepReport::Value { place, .. }
            | StepReport::Input { place, .. }
            | StepReport::Thread { place, .. }
            | StepReport::Branch { place, .. } => place,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_called_what_they_are() {
        let shown = |source: &str, value: &str| {
            let place = PlaceReport { file: None, line: 0, column: 0, text: None };
            let (source, value, unused) = (source.to_string(), value.to_string(), String::new);
            let bytes = if value.starts_with('{') { "2d76".into() } else { unused() };
            InputReport { source, type_name: unused(), value, bytes, place }.shown()
        };
        let words = [
            ("__VERIFIER_nondet_int", "3", "__VERIFIER_nondet_int() = 3"),
            ("stdin", "97", "standard input: 97 'a'"),
            ("stdin", "-1", "standard input: -1 (end of file)"),
            ("argument n", "3", "argument n = 3"),
            ("argc", "2", "argc = 2"),
            ("null p", "1", "whether p is null: 1"),
            ("result of f", "3", "f() = 3"),
            ("before, count", "3", "count at the start = 3"),
            ("malloc", "1", "the allocation fails"),
            ("argv[1]", "{0x2d, 0x76}", "argv[1] = {0x2d, 0x76} \"-v\""),
        ];
        for (source, value, expected) in words {
            assert_eq!(shown(source, value), expected);
        }
    }
}
