//! What an engine can do, declared once by the engine itself. The portfolio chooses its members accordingly, messages
//! about unsupported tasks are derived from it, and so is the table in docs/engines.md.

use fathom_ir::{Program, Property};
use std::collections::BTreeSet;

/// A language that programs are written in. Engines see only `Program`s; but some rest on what only one front end writes.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Language {
    /// C, C++ and LLVM's own.
    C,
    /// Boogie.
    Boogie,
}

impl Language {
    /// Each language has properties of its own.
    pub fn of(properties: &BTreeSet<Property>) -> Self {
        if properties.contains(&Property::BoogieAssert) { Language::Boogie } else { Language::C }
    }

    /// The language's name.
    pub fn name(self) -> &'static str {
        match self {
            Language::C => "C",
            Language::Boogie => "Boogie",
        }
    }
}

/// What an engine can do.
#[derive(Copy, Clone, Debug)]
pub struct Capabilities {
    /// What it is, in a line.
    pub about: &'static str,
    /// The properties that it decides.
    pub decides: fn(Property) -> bool,
    /// Whether it answers what it can if it is asked for other properties as well; otherwise it is not asked then.
    pub answers_in_part: bool,
    /// Whether it interleaves threads.
    pub threads: bool,
    /// Whether it does so with stores that others see later.
    pub store_buffers: bool,
    /// Whether it follows programs to where an access to memory or a free is invalid; otherwise it assumes that none is.
    pub sees_faults: bool,
    /// The languages in which it can be of use.
    pub languages: &'static [Language],
    /// Whether it says `true`.
    pub proves: bool,
    /// Whether it says `false`.
    pub refutes: bool,
    /// Whether it answers beyond all this, by doing without what is special about it. Alone it is asked then, too;
    /// among others it would only repeat what they do.
    pub has_fallback: bool,
}

/// What rests on the values of one state, and not on where they come from or on how deep calls are nested.
pub fn is_usual(property: Property) -> bool {
    !matches!(property, Property::Termination | Property::Uninitialised | Property::StackOverflow)
}

impl Capabilities {
    /// What most engines do: programs with one thread in every language, every property that a finite run can violate,
    /// proofs and violations.
    pub const fn usual(about: &'static str) -> Self {
        Self {
            about,
            decides: is_usual,
            answers_in_part: false,
            threads: false,
            store_buffers: false,
            sees_faults: true,
            languages: &[Language::C, Language::Boogie],
            proves: true,
            refutes: true,
            has_fallback: false,
        }
    }

    /// The first thing about this question that is beyond the engine.
    pub fn beyond(&self, program: &Program, properties: &BTreeSet<Property>) -> Option<&'static str> {
        if properties.contains(&Property::Termination) && !(self.decides)(Property::Termination) {
            return Some(Property::Termination.name());
        }
        if program.uses_threads() && !self.threads {
            return Some("threads");
        }
        if program.uses_threads() && program.memory_model.has_store_buffers() && !self.store_buffers {
            return Some("store buffers (--memory-model)");
        }
        if program.handles_faults() && !self.sees_faults {
            return Some("handlers of signals");
        }
        let undecided = properties.iter().find(|&&property| !(self.decides)(property));
        undecided.filter(|_| !self.answers_in_part).map(|property| property.name())
    }

    /// What the engine is not asked about, if there is something like that in the question.
    pub fn refuses(&self, program: &Program, properties: &BTreeSet<Property>) -> Option<&'static str> {
        self.beyond(program, properties).filter(|_| !self.has_fallback)
    }

    /// Whether it can be of use for this question, beside other engines.
    pub fn suffice_for(&self, program: &Program, properties: &BTreeSet<Property>) -> bool {
        let speaks = self.languages.contains(&Language::of(properties));
        speaks && self.beyond(program, properties).is_none() && properties.iter().any(|&property| (self.decides)(property))
    }
}
