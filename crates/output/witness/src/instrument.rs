//! Inserts the claims of a witness into the program's source. An invariant becomes an assertion at its location, so
//! that proving the program proves the invariant, and every engine may use it. The waypoints of a violation move a
//! counter from segment to segment, and the error function may be called only when the last segment has been reached:
//! every violation of that program is one of the original, along the way that the witness names.
//!
//! Insertions add no lines, so that line numbers stay the same; `column` maps columns back.

use crate::model::{Action, Claims, InvariantKind, Location, Waypoint, WaypointKind, Witness};
use crate::pure::is_pure;
use fathom_explain::scan::Source;
use std::collections::BTreeMap;
use std::fmt::Write;

/// A source file with the claims of a witness in it.
#[derive(Clone, Debug)]
pub struct Instrumented {
    /// The new text, which calls itself by the old name.
    pub text: String,
    /// How many claims are in it.
    pub claims: usize,
    /// Claims that have no place in it, with the reason.
    pub left_out: Vec<String>,
    /// Line, column and length of what was put in, in the new text's columns.
    inserted: Vec<(u32, u32, u32)>,
}

impl Instrumented {
    /// The old column of a place; none for what was put in.
    pub fn column(&self, line: u32, column: u32) -> Option<u32> {
        let mut shift = 0;
        for &(_, start, length) in self.inserted.iter().filter(|(at, ..)| *at == line) {
            match column {
                _ if column < start => break,
                _ if column < start + length => return None,
                _ => shift += length,
            }
        }
        Some(column - shift)
    }
}

/// The counter of segments.
const SEGMENT: &str = "fathom_witness_segment";

/// The functions that are called, and how they are declared.
const DECLARED: [(&str, &str); 2] = [
    ("__assert_fail", "extern void __assert_fail(const char *, const char *, unsigned int, const char *); "),
    ("__VERIFIER_assume", "extern void __VERIFIER_assume(int); "),
];

/// More waypoints than this are not followed one by one.
const MOST_WAYPOINTS: usize = 5000;

/// Puts the claims of a witness about this file into its text.
pub fn instrument(witness: &Witness, name: &str, text: &str) -> Result<Instrumented, String> {
    let source = Source::new(text);
    let mut work = Work { source: &source, at: BTreeMap::new(), claims: 0, left_out: Vec::new() };
    match &witness.claims {
        Claims::Correctness(invariants) => {
            for invariant in invariants.iter().filter(|invariant| same_file(&invariant.location.file_name, name)) {
                let is_pure = is_pure(&invariant.value);
                let done = is_pure.then(|| work.invariant(invariant.kind, &invariant.location, &invariant.value, name)).flatten();
                work.note(done, &format!("the invariant `{}`", invariant.value), &invariant.location);
            }
        }
        Claims::Violation(segments) => {
            if segments.iter().map(Vec::len).sum::<usize>() > MOST_WAYPOINTS {
                return Err(format!("the witness has more than {MOST_WAYPOINTS} waypoints"));
            }
            for (number, segment) in segments.iter().enumerate() {
                let here = segment.iter().filter(|waypoint| same_file(&waypoint.location.file_name, name));
                here.for_each(|waypoint| work.waypoint(number, waypoint));
            }
        }
    }
    Ok(work.finish(name, text))
}

/// What the input functions return along the way of a violation, as far as the witness says so for this file: the function and
/// the constant.
pub fn inputs(witness: &Witness, name: &str, text: &str) -> Vec<(String, String)> {
    let Claims::Violation(segments) = &witness.claims else { return Vec::new() };
    let source = Source::new(text);
    let followed = segments.iter().flatten().filter(|waypoint| {
        waypoint.kind == WaypointKind::FunctionReturn && waypoint.action == Action::Follow && same_file(&waypoint.location.file_name, name)
    });
    let input = |waypoint: &Waypoint| {
        let (_, value) = waypoint.constraint.as_ref()?.value.split_once("\\result")?;
        let value = value.trim_start().strip_prefix("==")?.trim().trim_matches(['(', ')']).to_string();
        let function = waypoint.result_of.clone().or_else(|| {
            let (callee, ..) = source.call_at(waypoint.location.line, waypoint.location.column, None)?;
            Some(source.text(callee).to_string())
        });
        Some((function?, value))
    };
    followed.filter_map(input).collect()
}

/// Files are the same if their last names are: witnesses are made elsewhere.
fn same_file(one: &str, other: &str) -> bool {
    let last = |path: &str| path.rsplit('/').next().unwrap_or_default().to_string();
    last(one) == last(other)
}

/// A piece of the source around which text goes.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Anchor {
    /// Before the statement at this token; whether it is a body without braces.
    Statement(usize, bool),
    /// Around the condition between these tokens, both outside: what happens after it was evaluated.
    Condition(usize, usize),
    /// The same, before it is evaluated.
    Head(usize, usize),
    /// Around the call from its name to its bracket.
    Call(usize, usize),
    /// Before that call is evaluated.
    Entry(usize, usize),
}

/// A statement that is put in.
enum Code {
    /// One that is always executed.
    Always(String),
    /// One of several alternatives: the first whose condition holds is taken.
    Chosen(String),
}

/// Joins statements to one piece of code.
fn joined(codes: &[Code]) -> String {
    let mut text = String::new();
    let mut was_chosen = false;
    for code in codes {
        let (is_chosen, code) = match code {
            Code::Always(code) => (false, code),
            Code::Chosen(code) => (true, code),
        };
        text += if was_chosen && is_chosen { " else " } else { " " };
        text += code;
        was_chosen = is_chosen;
    }
    text
}

struct Work<'a> {
    source: &'a Source<'a>,
    /// What happens at each place.
    at: BTreeMap<Anchor, Vec<Code>>,
    claims: usize,
    left_out: Vec<String>,
}

impl Work<'_> {
    fn note(&mut self, done: Option<()>, what: &str, location: &Location) {
        match done {
            Some(()) => self.claims += 1,
            None => self.left_out.push(format!(
                "{what} at {}:{} has no place in the source, or is no condition without side effects and unknown divisors",
                location.file_name, location.line
            )),
        }
    }

    fn add(&mut self, anchor: Anchor, code: Code) {
        self.at.entry(anchor).or_default().push(code);
    }

    fn statement(&self, location: &Location) -> Option<Anchor> {
        let (at, is_body) = self.source.statement_start(self.source.token_at(location.line, location.column)?)?;
        Some(Anchor::Statement(at, is_body))
    }

    /// The condition of a statement with one.
    fn condition(&self, keyword: usize) -> Option<Anchor> {
        let (open, close) = (keyword + 1, self.source.partner(keyword + 1)?);
        if self.source.text(keyword) != "for" {
            return matches!(self.source.text(keyword), "if" | "while").then_some(Anchor::Condition(open, close));
        }
        let mut semicolons = Vec::new();
        let mut at = open + 1;
        while at < close {
            if self.source.text(at) == ";" {
                semicolons.push(at);
            }
            at = if matches!(self.source.text(at), "(" | "[" | "{") { self.source.partner(at)? + 1 } else { at + 1 };
        }
        let [first, second] = semicolons[..] else { return None };
        Some(Anchor::Condition(first, second))
    }

    fn invariant(&mut self, kind: InvariantKind, location: &Location, value: &str, file: &str) -> Option<()> {
        let anchor = match kind {
            InvariantKind::LocationInvariant => self.statement(location)?,
            InvariantKind::LoopInvariant => {
                let found = self.source.loop_at(location.line, location.column)?;
                match self.source.text(found.keyword) {
                    "do" if self.source.text(found.keyword + 1) == "{" => Anchor::Statement(found.keyword + 2, false),
                    "do" => return None,
                    _ => match self.condition(found.keyword)? {
                        Anchor::Condition(open, close) => Anchor::Head(open, close),
                        other => other,
                    },
                }
            }
        };
        let text = format!("the witness's invariant {value}");
        let line = location.line;
        self.add(anchor, Code::Always(format!("if (!({value})) __assert_fail({text:?}, {file:?}, {line}, \"\");")));
        Some(())
    }

    fn waypoint(&mut self, number: usize, waypoint: &Waypoint) {
        let location = &waypoint.location;
        let value = waypoint.constraint.as_ref().map_or("1", |constraint| constraint.value.as_str());
        let (line, column, name) = (location.line, location.column, waypoint.result_of.as_deref());
        let (anchor, condition) = match waypoint.kind {
            WaypointKind::Target => return self.target(number, location),
            WaypointKind::Assumption => (self.statement(location), value.to_string()),
            WaypointKind::FunctionReturn => {
                let call = self.source.call_at(line, column, name).map(|(name, _, close)| Anchor::Call(name, close));
                (call, value.replace("\\result", "fathom_result"))
            }
            WaypointKind::FunctionEnter => {
                (self.source.call_at(line, column, name).map(|(name, _, close)| Anchor::Entry(name, close)), "1".into())
            }
            WaypointKind::Branching => {
                let keyword = self.source.token_at(line, column).and_then(|at| self.condition(at));
                (keyword, if value == "false" { "!fathom_result".into() } else { "fathom_result".into() })
            }
        };
        let step = match waypoint.action {
            Action::Follow => format!("{SEGMENT} = {};", number + 1),
            Action::Avoid => "__VERIFIER_assume(0);".to_string(),
        };
        let done = anchor
            .filter(|_| is_pure(&condition))
            .map(|anchor| self.add(anchor, Code::Chosen(format!("if ({SEGMENT} == {number} && ({condition})) {step}"))));
        self.note(done, "the waypoint", location);
    }

    /// The error function may be called only when everything else was passed.
    fn target(&mut self, number: usize, location: &Location) {
        let names = ["reach_error", "__VERIFIER_error"];
        let call = names.iter().find_map(|name| self.source.call_at(location.line, location.column, Some(name)));
        if let Some((name, _, close)) = call {
            self.add(Anchor::Entry(name, close), Code::Always(format!("__VERIFIER_assume({SEGMENT} == {number});")));
        }
    }

    fn finish(self, name: &str, text: &str) -> Instrumented {
        let mut pieces: BTreeMap<usize, (u32, String)> = BTreeMap::new();
        let mut put = |at: usize, token_line: u32, piece: &str, in_front: bool| {
            let (_, known) = pieces.entry(at).or_insert((token_line, String::new()));
            if in_front { known.insert_str(0, piece) } else { known.push_str(piece) }
        };
        let tokens = &self.source.tokens;
        for (anchor, codes) in &self.at {
            let code = joined(codes);
            match *anchor {
                Anchor::Statement(at, false) => put(tokens[at].start, tokens[at].line, &format!("{{{code} }} "), false),
                Anchor::Statement(at, true) => put(tokens[at].start, tokens[at].line, &format!("if (({{{code} 0; }})) ; else "), false),
                Anchor::Condition(open, close) if open + 1 == close => {
                    put(tokens[open].end(), tokens[open].line, &format!("({{ int fathom_result = 1;{code} fathom_result; }})"), false);
                }
                Anchor::Head(open, close) if open + 1 == close => {
                    put(tokens[open].end(), tokens[open].line, &format!("({{{code} }}), 1"), false)
                }
                Anchor::Condition(open, close) => {
                    put(tokens[open].end(), tokens[open].line, "({ int fathom_result = !!(", false);
                    put(tokens[close].start, tokens[close].line, &format!(");{code} fathom_result; }})"), true);
                }
                Anchor::Head(open, close) => {
                    put(tokens[open].end(), tokens[open].line, &format!("({{{code} }}), ("), false);
                    put(tokens[close].start, tokens[close].line, ")", true);
                }
                Anchor::Call(from, to) => {
                    put(tokens[from].start, tokens[from].line, "({ __auto_type fathom_result = ", false);
                    put(tokens[to].end(), tokens[to].line, &format!(";{code} fathom_result; }})"), true);
                }
                Anchor::Entry(from, to) => {
                    put(tokens[from].start, tokens[from].line, &format!("({{{code} "), false);
                    put(tokens[to].end(), tokens[to].line, "; })", true);
                }
            }
        }
        // What the file declares itself may be declared otherwise there.
        let own: String = DECLARED.iter().filter(|(function, _)| !text.contains(function)).map(|(_, declaration)| *declaration).collect();
        let prelude = format!("{own}\nstatic unsigned int {SEGMENT};\n#line 1 {name:?}\n");
        let mut result = Instrumented { text: prelude, claims: self.claims, left_out: self.left_out, inserted: Vec::new() };
        let (mut from, mut line, mut added) = (0, 0, 0);
        for (at, (at_line, piece)) in pieces {
            if at_line != line {
                (line, added) = (at_line, 0);
            }
            let column = (at - text[..at].rfind('\n').map_or(0, |end| end + 1)) as u32 + 1 + added;
            result.inserted.push((line, column, piece.len() as u32));
            added += piece.len() as u32;
            let _ = write!(result.text, "{}{piece}", &text[from..at]);
            from = at;
        }
        result.text += &text[from..];
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Invariant, Task};

    #[test]
    fn invariants_become_assertions() {
        let text = "int f(int n) {\n  for (int i = 0; ; i++) n++;\n  while (n) n--;\n  return n;\n}\n";
        let at = |line, kind, value: &str| Invariant {
            kind,
            location: Location { file_name: "a/f.c".into(), line, ..Location::default() },
            value: value.into(),
            format: "c_expression".into(),
        };
        let invariants = vec![
            at(2, InvariantKind::LoopInvariant, "i >= 0"),
            at(3, InvariantKind::LoopInvariant, "n > 1"),
            at(4, InvariantKind::LocationInvariant, "n == 0"),
            at(5, InvariantKind::LoopInvariant, "n == 7"),
        ];
        let witness = Witness { task: Task::default(), claims: Claims::Correctness(invariants) };
        let done = instrument(&witness, "f.c", text).unwrap();
        assert_eq!((done.claims, done.left_out.len()), (3, 1));
        let lines: Vec<&str> = done.text.lines().skip(3).collect();
        assert!(lines[1].starts_with("  for (int i = 0;({ if (!(i >= 0)) __assert_fail("), "{}", lines[1]);
        assert!(lines[2].starts_with("  while (({ if (!(n > 1)) "), "{}", lines[2]);
        assert!(lines[3].starts_with("  { if (!(n == 0)) __assert_fail(") && lines[3].ends_with("} return n;"), "{}", lines[3]);
        // Columns of the copy are mapped back to those of the source.
        let column = lines[2].find("n--").unwrap() as u32 + 1;
        assert_eq!((done.column(3, column), done.column(3, 3), done.column(3, 15)), (Some(13), Some(3), None));
    }
}
