//! A violation as plain data: what goes wrong and where, the inputs that make it happen, and the steps of the run.

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

impl InputReport {
    /// `f() = 3`.
    pub fn shown(&self) -> String {
        match self.allocation() {
            Some(outcome) => outcome.to_string(),
            None => format!("{}() = {}", self.source, self.value),
        }
    }

    /// Of the question whether memory can be had: the answer.
    pub fn allocation(&self) -> Option<&'static str> {
        let succeeds = || if self.value == "0" { "the allocation succeeds" } else { "the allocation fails" };
        (self.source == ALLOCATION).then(succeeds)
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
    /// Another thread goes on; `function` is what it was started with.
    Thread {
        /// The thread that goes on.
        number: u32,
        /// The function that the thread was started with.
        function: String,
        /// Where the thread goes on.
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
