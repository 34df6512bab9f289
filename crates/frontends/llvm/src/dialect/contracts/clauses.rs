//! Clauses of contracts: the keyword of each clause, and the locations that an `assigns` lists.

use super::super::tokens::{Node, flat, split, trim};
use super::place::{Place, Problem};

/// What a clause says.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    Requires,
    Ensures,
    Assigns,
    Invariant,
    Decreases,
}

/// A clause of a contract.
#[derive(Clone, Debug)]
pub struct Clause {
    pub kind: Kind,
    pub body: Vec<Node>,
    pub place: Place,
}

impl Clause {
    /// As the user wrote it, in the form that a message can quote.
    pub fn text(&self) -> String {
        flat(&self.body).replace('\\', "\\\\").replace('"', "\\\"")
    }
}

/// Words of CBMC's and ESBMC's contracts that have no meaning here.
const UNKNOWN: [&str; 11] = [
    "__CPROVER_frees",
    "__CPROVER_loop_frees",
    "__CPROVER_requires_contract",
    "__CPROVER_ensures_contract",
    "__CPROVER_obeys_contract",
    "__ESBMC_frees",
    "__ESBMC_loop_invariant",
    "__ESBMC_loop_assigns",
    "__ESBMC_loop_decreases",
    "__CPROVER_was_freed",
    "__CPROVER_is_freeable",
];

/// The clause that a word begins.
pub fn kind(word: &str) -> Option<Kind> {
    Some(match word {
        "__CPROVER_requires" | "__ESBMC_requires" => Kind::Requires,
        "__CPROVER_ensures" | "__ESBMC_ensures" => Kind::Ensures,
        "__CPROVER_assigns" | "__ESBMC_assigns" | "__CPROVER_loop_assigns" => Kind::Assigns,
        "__CPROVER_loop_invariant" => Kind::Invariant,
        "__CPROVER_decreases" => Kind::Decreases,
        _ => return None,
    })
}

/// The position of the next visible node.
pub fn next_visible(nodes: &[Node], from: usize) -> Option<usize> {
    (from..nodes.len()).find(|&at| !nodes[at].is_blank())
}

/// Clauses that stand one behind the other from a position on, and the position behind them.
pub fn clauses(nodes: &[Node], from: usize, place: &Place) -> Result<(Vec<Clause>, usize), Problem> {
    let mut found = Vec::new();
    let mut end = from;
    let mut here = place.clone();
    while let Some(at) = next_visible(nodes, end) {
        let Some(word) = nodes[at].word() else { break };
        here.pass_all(&nodes[end..at]);
        if UNKNOWN.contains(&word) {
            return Err(Problem { place: here, what: format!("{word} is not supported in contracts") });
        }
        let Some(kind) = kind(word) else { break };
        let Some(behind) = next_visible(nodes, at + 1).filter(|&next| nodes[next].inside('(').is_some()) else {
            return Err(Problem { place: here, what: format!("{word} must be followed by something in parentheses") });
        };
        let body = nodes[behind].inside('(').unwrap_or_default().to_vec();
        if trim(&body).is_empty() && kind != Kind::Assigns {
            return Err(Problem { place: here, what: format!("there is nothing in {word}()") });
        }
        found.push(Clause { kind, body, place: here.clone() });
        here.pass_all(&nodes[at..=behind]);
        end = behind + 1;
    }
    Ok((found, end))
}

/// Something that may be written: under a condition, so many bytes from an address on.
pub struct Target {
    pub condition: Option<String>,
    pub from: String,
    pub count: String,
    /// The lvalue, if it is one.
    pub lvalue: Option<String>,
}

/// What an `assigns` names: `a, b; condition: c, d`.
pub fn targets(clause: &Clause) -> Result<Vec<Target>, Problem> {
    let mut all = Vec::new();
    for group in split(&clause.body, ";") {
        let colon = group.iter().position(|node| node.is(":")).filter(|_| !group.iter().any(|node| node.is("?")));
        let condition = colon.map(|at| flat(&group[..at]));
        for one in split(colon.map_or(group, |at| &group[at + 1..]), ",") {
            let one = trim(one);
            if !one.is_empty() {
                all.push(target(one, condition.clone(), clause)?);
            }
        }
    }
    Ok(all)
}

fn target(nodes: &[Node], condition: Option<String>, clause: &Clause) -> Result<Target, Problem> {
    let wrong = |what: String| Problem { place: clause.place.clone(), what };
    if let [Node::Word(name), rest @ ..] = nodes
        && let [Node::Group('(', arguments)] = trim(rest)
    {
        let given: Vec<String> = split(arguments, ",").into_iter().map(flat).collect();
        let (from, count) = match (name.as_str(), &given[..]) {
            ("__CPROVER_object_whole", [p]) => {
                (format!("((char *)({p}) - __CPROVER_POINTER_OFFSET({p}))"), format!("__CPROVER_OBJECT_SIZE({p})"))
            }
            ("__CPROVER_object_from", [p]) => (format!("({p})"), format!("__CPROVER_buffer_size_of({p})")),
            ("__CPROVER_object_upto" | "__CPROVER_assignable", [p, n]) => (format!("({p})"), format!("({n})")),
            ("__CPROVER_typed_target", [lvalue]) => return Ok(lvalue_target(lvalue, condition)),
            _ => return Err(wrong(format!("`{}` names no place that can be written", flat(nodes)))),
        };
        return Ok(Target { condition, from, count, lvalue: None });
    }
    Ok(lvalue_target(&flat(nodes), condition))
}

fn lvalue_target(lvalue: &str, condition: Option<String>) -> Target {
    Target { condition, from: format!("&({lvalue})"), count: format!("sizeof({lvalue})"), lvalue: Some(lvalue.to_string()) }
}

/// A place of a variable.
pub fn variable(name: &str) -> Target {
    lvalue_target(name, None)
}

impl Target {
    /// Statements for each place that may be written.
    pub fn when(&self, statement: &str) -> String {
        match &self.condition {
            Some(condition) => format!("if ({condition}) {{ {statement} }} "),
            None => format!("{statement} "),
        }
    }

    /// Lets a frame write it.
    pub fn permit(&self, frame: &str) -> String {
        self.when(&format!("fathom_frame_may(&{frame}, {}, {});", self.from, self.count))
    }

    /// Makes it arbitrary, on behalf of a contract.
    pub fn forget(&self, whose: &str) -> String {
        let bytes = forget(&self.from, &self.count, &format!("bounds of {whose}"));
        self.when(&format!("{bytes} {}", self.lvalue.as_deref().map(keep_valid).unwrap_or_default()))
    }
}

/// Arbitrary bytes.
pub fn forget(from: &str, count: &str, source: &str) -> String {
    format!("fathom_forget_bytes((void *){from}, {count}, \"{source}\");")
}

/// A `_Bool` has two values.
pub fn keep_valid(lvalue: &str) -> String {
    format!("if (__builtin_types_compatible_p(__typeof__({lvalue}), _Bool)) *(unsigned char *)&({lvalue}) &= 1;")
}
