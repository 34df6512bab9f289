//! One test.

use crate::values;
use fathom_machine::InputRecord;
use fathom_native::{self as native, Given};
use serde::Serialize;
use std::fmt;

/// One value that the program asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The function that is asked; empty if the test does not say.
    pub source: String,
    /// The C type, as far as it is known.
    pub type_name: String,
    /// What the program calls it, where it says (`klee_make_symbolic`), or what it is: `argv[1]`, `stdin`.
    pub variable: String,
    /// Lowest first.
    pub bytes: Vec<u8>,
}

impl Input {
    /// The value in decimal, or as hexadecimal digits where C has no notation for it.
    pub fn value(&self) -> String {
        values::print(&self.bytes, &self.type_name)
    }
}

/// What the run of a test does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Promise {
    /// main returns, or exit or abort is called.
    Ends,
    /// All inputs are used and the program continues: it asks for more, or never ends.
    GoesOn,
    /// A check fails.
    Fails {
        /// The name of the violated property.
        property: String,
        /// What is reported of the violation.
        message: String,
        /// Where it happens, as `file:line:column`.
        place: String,
    },
}

impl fmt::Display for Promise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Promise::Ends => f.write_str("the program ends"),
            Promise::GoesOn => f.write_str("the program uses all inputs and goes on"),
            Promise::Fails { property, message, place } => write!(f, "{property} fails: {message} at {place}"),
        }
    }
}

/// A test: inputs in order, and what its run promises.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestCase {
    /// In the order in which the program asks.
    pub inputs: Vec<Input>,
    /// What the run does.
    pub promise: Promise,
    /// What the run depends on besides its inputs: uninitialised memory, functions whose results a test cannot set.
    pub depends_on: Vec<String>,
}

impl TestCase {
    /// A test from the inputs of a run on the interpreter.
    pub fn new(records: &[InputRecord], promise: Promise) -> TestCase {
        let mut test = TestCase { inputs: Vec::new(), promise, depends_on: Vec::new() };
        for record in records {
            let source = &record.kind.source;
            let is_known = !native::given(std::slice::from_ref(record)).is_empty();
            if is_known {
                let scalar = native::c_type_of(source);
                let variable = match scalar {
                    Some(_) => String::new(),
                    None if native::has_own_name(source) => source.clone(),
                    None => record.kind.type_name.clone(),
                };
                let type_name = scalar.map_or_else(|| format!("unsigned char[{}]", record.bytes.len()), str::to_string);
                test.inputs.push(Input { source: source.clone(), type_name, variable, bytes: record.bytes.clone() });
                continue;
            }
            let what = if source.is_empty() { "uninitialised memory".to_string() } else { format!("what {source} gives") };
            if !test.depends_on.contains(&what) {
                test.depends_on.push(what);
            }
        }
        test
    }

    /// The inputs for a native run.
    pub fn given(&self) -> Vec<Given> {
        self.inputs.iter().map(|input| Given { source: input.source.clone(), bytes: input.bytes.clone() }).collect()
    }
}
