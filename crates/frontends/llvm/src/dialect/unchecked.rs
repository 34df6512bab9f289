//! Parts of a text in which some checks are off: quantifiers, and code after CBMC's pragmas (`#pragma CPROVER check
//! disable "bounds"`). This information is encoded in the file name of line markers, because every instruction has one;
//! it is removed from the name before that is shown.

use fathom_ir::Property;
use std::collections::BTreeSet;

const PREFIX: &str = "<without ";
const EVERYTHING: &str = "checks";

/// The checks that are switched off in a part of the source.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Unchecked {
    /// Everything is.
    #[default]
    Nothing,
    /// Nothing is, and what is read need not be there.
    Everything,
    /// These checks of CBMC's are not.
    These(BTreeSet<String>),
}

impl Unchecked {
    /// What the name of a file says, and the rest of it.
    pub fn of_name(name: &str) -> (Unchecked, &str) {
        let Some((what, rest)) = name.strip_prefix(PREFIX).and_then(|rest| rest.split_once('>')) else { return (Unchecked::Nothing, name) };
        match what {
            EVERYTHING => (Unchecked::Everything, rest),
            _ => (Unchecked::These(what.split(',').map(str::to_string).collect()), rest),
        }
    }

    /// What stands in front of the name of the file.
    pub fn prefix(&self) -> String {
        match self {
            Unchecked::Nothing => String::new(),
            Unchecked::Everything => format!("{PREFIX}{EVERYTHING}>"),
            Unchecked::These(checks) => format!("{PREFIX}{}>", checks.iter().cloned().collect::<Vec<_>>().join(",")),
        }
    }

    /// Whether assertions of this property are left out.
    pub fn has(&self, property: Property) -> bool {
        let check = match property {
            _ if *self == Unchecked::Everything => return true,
            Property::Bounds => "bounds",
            Property::NoOverflow => "signed-overflow",
            Property::DivByZero => "div-by-zero",
            Property::Shift => "undefined-shift",
            Property::PointerOverflow => "pointer-overflow",
            _ => return false,
        };
        self.names(check)
    }

    /// Whether a read need not lead anywhere; `of_variable`: it is one of an array's elements, not one through a pointer.
    pub fn has_reads(&self, of_variable: impl FnOnce() -> bool) -> bool {
        *self == Unchecked::Everything || self.names("pointer") || (self.names("bounds") && of_variable())
    }

    fn names(&self, check: &str) -> bool {
        matches!(self, Unchecked::These(checks) if checks.contains(check))
    }
}

/// The checks that pragmas have switched off so far.
#[derive(Default)]
pub struct Pragmas {
    off: BTreeSet<String>,
    saved: Vec<BTreeSet<String>>,
}

impl Pragmas {
    /// Reads a line; whether it was one of these pragmas.
    pub fn read(&mut self, line: &str) -> bool {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some(rest) = words.strip_prefix(&["#pragma", "CPROVER", "check"]) else { return false };
        match rest {
            ["push"] => self.saved.push(self.off.clone()),
            ["pop"] => self.off = self.saved.pop().unwrap_or_default(),
            ["disable", check] => _ = self.off.insert(check.trim_matches('"').to_string()),
            ["enable", check] => _ = self.off.remove(check.trim_matches('"')),
            _ => return false,
        }
        true
    }

    /// What is not checked now.
    pub fn state(&self) -> Unchecked {
        if self.off.is_empty() { Unchecked::Nothing } else { Unchecked::These(self.off.clone()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back() {
        let mut pragmas = Pragmas::default();
        assert!(pragmas.read("#pragma CPROVER check push") && pragmas.read("#pragma CPROVER check disable \"bounds\""));
        assert!(!pragmas.read("#pragma once"));
        let state = pragmas.state();
        assert!(state.has(Property::Bounds) && !state.has(Property::NoOverflow) && state.has_reads(|| true) && !state.has_reads(|| false));
        assert_eq!(Unchecked::of_name(&format!("{}a.c", state.prefix())), (state, "a.c"));
        assert_eq!(Unchecked::of_name("<without checks>b.c"), (Unchecked::Everything, "b.c"));
        assert!(pragmas.read("#pragma CPROVER check pop"));
        assert_eq!(pragmas.state(), Unchecked::Nothing);
    }
}
