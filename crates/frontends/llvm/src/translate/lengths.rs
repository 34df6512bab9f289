//! Lengths that belong to the preceding pointer, among the arguments of an entry and the members of their objects: `(p,
//! len)`, `{ buffer, length, offset }`. C can express this relation only by names, which most libraries choose alike.
//! Such a length is at most the number of elements, and a position at most the length; otherwise there would be a false
//! alarm in every function that takes a buffer. This is an assumption, reported with the names of the numbers, and a
//! bound of the proof.

use super::function::FunctionTranslator;
use fathom_ir::{Assumption, StatementKind};
use fathom_term::{Sort, Term};

/// Whole names, and parts of names between underscores or in camel case.
const LENGTHS: [&str; 17] = [
    "n", "nb", "len", "length", "size", "sz", "count", "cnt", "num", "cap", "capacity", "bytes", "nbytes", "nmemb", "nelem", "max", "limit",
];
const POSITIONS: [&str; 7] = ["offset", "off", "pos", "position", "index", "idx", "cursor"];

/// What stands in front of a number.
#[derive(Copy, Clone, Default)]
pub struct Before {
    /// So many elements are where the last pointer leads.
    pub elements: Option<u64>,
    /// The length behind it.
    pub length: Option<Term>,
}

fn has_part(name: &str, parts: &[&str]) -> bool {
    let mut words = Vec::new();
    for piece in name.split('_') {
        let mut word = String::new();
        for c in piece.chars() {
            if c.is_uppercase() && word.chars().last().is_some_and(char::is_lowercase) {
                words.push(std::mem::take(&mut word));
            }
            word.push(c);
        }
        words.push(word);
    }
    words.iter().any(|word| parts.contains(&word.to_lowercase().as_str()))
}

impl FunctionTranslator<'_, '_> {
    /// A number that comes behind a pointer, and goes by this name.
    pub fn limit_number(&mut self, before: &mut Before, name: &str, value: Term, said: &mut Vec<String>) {
        let Some(elements) = before.elements else { return };
        let Sort::Bv(width) = self.terms.sort(value) else { return };
        let t = self.terms.clone();
        let last = name.rsplit("->").next().unwrap_or(name);
        let most = match before.length {
            Some(length) if has_part(last, &POSITIONS) => t.resize_unsigned(length, width),
            None if has_part(last, &LENGTHS) && !has_part(last, &POSITIONS) => {
                before.length = Some(value);
                t.bv(elements.min(fathom_term::mask(width - 1)), width)
            }
            _ => return,
        };
        self.assume(t.bv_ule(value, most));
        said.push(name.to_string());
    }

    /// The same of a member of an object.
    pub fn limit_member(&mut self, before: &mut Before, name: &str, pointer: Term, bytes: u64, said: &mut Vec<String>) {
        let last = name.rsplit("->").next().unwrap_or(name);
        let is_wanted = before.elements.is_some() && (has_part(last, &LENGTHS) || has_part(last, &POSITIONS));
        if !is_wanted || !matches!(bytes, 1 | 2 | 4 | 8) {
            return;
        }
        let (target, value) = self.local_term(last, Sort::Bv(bytes as u32 * 8));
        self.emit(StatementKind::Load { target, pointer, volatile: false });
        self.limit_number(before, name, value, said);
    }

    pub fn say_of_lengths(&mut self, function: String, said: &[String]) {
        if !said.is_empty() {
            self.assume_for_ledger(Assumption::LengthsFit { function, names: said.join(", ") });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_lengths() {
        assert!(["n", "len", "buf_len", "nameLen", "Size", "max_size"].iter().all(|name| has_part(name, &LENGTHS)));
        assert!(["lens", "nothing", "x", "flags", "silent"].iter().all(|name| !has_part(name, &LENGTHS)));
        assert!(has_part("offset", &POSITIONS) && has_part("read_pos", &POSITIONS));
    }
}
