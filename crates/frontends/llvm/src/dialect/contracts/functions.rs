//! Functions with a contract: finds the declarations with clauses at the top level of a file, and writes two functions
//! for each at the end of the file. `fathom_contract_F` replaces F at calls: it asserts the precondition, makes
//! everything arbitrary that may be written, and assumes the postcondition. `fathom_verify_F` calls F itself from any
//! state that the contract allows, with a frame that knows what may be written, and asserts the postcondition.
//! `redirect` makes calls go to the right one.

use super::super::tokens::{Node, flat, split, trim};
use super::clauses::{self, Clause, Kind, Target, next_visible};
use super::place::{Place, Problem};
use super::words::{Fresh, Words};
use crate::redirect::{CHECK, CONTRACT, ORIGINAL, TRUSTED};
use std::fmt::Write;

const STORAGE: [&str; 8] = ["static", "extern", "inline", "__inline", "__inline__", "_Noreturn", "__extension__", "register"];
const NO_NAMES: [&str; 10] =
    ["__attribute__", "__attribute", "__asm__", "__asm", "asm", "__declspec", "__typeof__", "typeof", "_Alignas", "_Static_assert"];

/// A declaration or definition at the top of a file.
pub struct Item<'a> {
    pub nodes: &'a [Node],
    pub place: Place,
    pub body: Option<&'a [Node]>,
}

/// The items of a file, in order.
pub fn items(nodes: &[Node]) -> Vec<Item<'_>> {
    let mut all = Vec::new();
    let (mut start, mut here) = (0, Place::start());
    let mut before: Option<&Node> = None;
    for (at, node) in nodes.iter().enumerate() {
        let is_body = node.inside('{').is_some() && before.is_some_and(|before| before.inside('(').is_some());
        if is_body || node.is(";") || at + 1 == nodes.len() {
            let own = &nodes[start..=at];
            all.push(Item { nodes: own, place: here.clone(), body: node.inside('{').filter(|_| is_body) });
            here.pass_all(own);
            start = at + 1;
            before = None;
        } else if !node.is_blank() {
            before = Some(node);
        }
    }
    all
}

/// A function and what its contract says.
pub struct Function {
    pub name: String,
    pub is_static: bool,
    pub has_body: bool,
    pub clauses: Vec<Clause>,
    place: Place,
    /// The declaration around the name, without words of storage.
    head: Vec<Node>,
    parameters: Vec<Node>,
}

/// The name and the parameters of the function that an item declares: positions.
fn declarator(nodes: &[Node]) -> Option<(usize, usize)> {
    (0..nodes.len()).find_map(|at| {
        let word = nodes[at].word()?;
        let next = next_visible(nodes, at + 1).filter(|&next| nodes[next].inside('(').is_some())?;
        (!NO_NAMES.contains(&word) && clauses::kind(word).is_none()).then_some((at, next))
    })
}

/// What an item says of a function; None if it is about something else.
pub fn function(item: &Item<'_>) -> Result<Option<Function>, Problem> {
    // Annotations stand in front of what they are about.
    let (mut found, start) = clauses::clauses(item.nodes, 0, &item.place)?;
    let Some((name, parameters)) = declarator(&item.nodes[start..]).map(|(name, parameters)| (start + name, start + parameters)) else {
        return Ok(None);
    };
    let mut here = item.place.clone();
    here.pass_all(&item.nodes[..name]);
    let place = here.clone();
    here.pass_all(&item.nodes[name..=parameters]);
    // Attributes may stand before the clauses.
    let is_clause = |at: usize| item.nodes[at].word().is_some_and(|word| clauses::kind(word).is_some() || is_clause_word(word));
    let from = (parameters + 1..item.nodes.len()).find(|&at| is_clause(at)).unwrap_or(item.nodes.len());
    here.pass_all(&item.nodes[parameters + 1..from]);
    found.extend(clauses::clauses(item.nodes, from, &here)?.0);
    if let Some(wrong) = found.iter().find(|clause| matches!(clause.kind, Kind::Invariant | Kind::Decreases)) {
        return Err(Problem { place: wrong.place.clone(), what: "this clause belongs to a loop, not to a function".into() });
    }
    let Some(word) = item.nodes[name].word() else { return Ok(None) };
    let before = &item.nodes[start..name];
    Ok(Some(Function {
        name: word.to_string(),
        is_static: before.iter().any(|node| node.is("static")),
        has_body: item.body.is_some(),
        clauses: found,
        place,
        head: without_storage(before),
        parameters: item.nodes[parameters].inside('(').unwrap_or_default().to_vec(),
    }))
}

fn is_clause_word(word: &str) -> bool {
    word.starts_with("__CPROVER_") || word.starts_with("__ESBMC_")
}

fn without_storage(nodes: &[Node]) -> Vec<Node> {
    let mut kept: Vec<Node> = Vec::new();
    let mut skips_group = false;
    for node in nodes {
        match node {
            Node::Blank(_) => kept.push(Node::Blank(" ".into())),
            Node::Word(word) if STORAGE.contains(&word.as_str()) => {}
            Node::Word(word) if word.starts_with("__attribute") => skips_group = true,
            Node::Group('(', _) if skips_group => skips_group = false,
            other => kept.push(other.clone()),
        }
    }
    kept
}

/// A parameter: its name, and a declaration of a variable that holds it.
struct Parameter {
    name: String,
    declaration: String,
}

fn parameter(nodes: &[Node], place: &Place) -> Result<Parameter, Problem> {
    let wrong = |what: &str| Problem { place: place.clone(), what: what.to_string() };
    let nodes = trim(nodes);
    if nodes.iter().any(|node| node.is("...")) {
        return Err(wrong("a function with a variable number of arguments can't have a contract"));
    }
    // A pointer to a function or an array has its name inside of parentheses.
    let inner = nodes.iter().find_map(|node| node.inside('(').filter(|inner| trim(inner).first().is_some_and(|first| first.is("*"))));
    if let Some(inner) = inner {
        let name = inner.iter().rev().find_map(Node::word).ok_or_else(|| wrong("the parameters of a contract need names"))?;
        return Ok(Parameter { name: name.to_string(), declaration: flat(nodes) });
    }
    let words = nodes.iter().filter(|node| node.word().is_some()).count();
    let at = nodes.iter().rposition(|node| node.word().is_some()).ok_or_else(|| wrong("the parameters of a contract need names"))?;
    const TYPES: [&str; 11] = ["int", "char", "short", "long", "unsigned", "signed", "float", "double", "_Bool", "const", "void"];
    let name = nodes[at].word().unwrap_or_default();
    if words + nodes[..at].iter().filter(|node| node.is("*")).count() < 2 || TYPES.contains(&name) {
        return Err(wrong("the parameters of a contract need names"));
    }
    // `T name[n]` is a pointer.
    let brackets = nodes[at + 1..].iter().position(|node| node.inside('[').is_some()).map(|position| at + 1 + position);
    let declaration = match brackets {
        Some(first) => format!("{} (*{name}){}", flat(&nodes[..at]), flat(&nodes[first + 1..])),
        None => flat(nodes),
    };
    Ok(Parameter { name: name.to_string(), declaration })
}

impl Function {
    /// What the same function's other declarations say is added.
    pub fn join(&mut self, other: Function) {
        self.is_static |= other.is_static;
        self.has_body |= other.has_body;
        if !other.clauses.is_empty() {
            if self.clauses.is_empty() {
                (self.head, self.parameters, self.place) = (other.head, other.parameters, other.place);
            }
            self.clauses.extend(other.clauses);
        }
    }

    /// What tells the function from others of its name in other files.
    pub fn key(&self, unit: usize) -> String {
        if self.is_static { format!("{unit}_{}", self.name) } else { self.name.clone() }
    }

    /// The function that checks it, if this file defines it.
    pub fn check(&self, unit: usize) -> Option<String> {
        self.has_body.then(|| format!("{CHECK}{unit}_{}", self.name))
    }

    fn parameters(&self) -> Result<Vec<Parameter>, Problem> {
        let parts = split(&self.parameters, ",");
        match &parts[..] {
            [only] if trim(only).is_empty() || matches!(trim(only), [node] if node.is("void")) => Ok(Vec::new()),
            _ => parts.into_iter().map(|part| parameter(part, &self.place)).collect(),
        }
    }

    fn is_void(&self) -> bool {
        self.head.iter().any(|node| node.is("void")) && !self.head.iter().any(|node| node.is("*"))
    }

    fn of_kind(&self, kind: Kind) -> impl Iterator<Item = &Clause> {
        self.clauses.iter().filter(move |clause| clause.kind == kind)
    }

    fn targets(&self) -> Result<Vec<(Place, Target)>, Problem> {
        let mut all = Vec::new();
        for clause in self.of_kind(Kind::Assigns) {
            all.extend(clauses::targets(clause)?.into_iter().map(|target| (clause.place.clone(), target)));
        }
        Ok(all)
    }

    /// The conditions of a kind, each with its place, and what they remember.
    fn conditions(&self, kind: Kind, fresh: Fresh) -> Result<(Vec<(Clause, String)>, Words), Problem> {
        let mut words = Words::new(fresh, "fathom_old_");
        let mut all = Vec::new();
        for clause in self.of_kind(kind) {
            all.push((clause.clone(), words.expression(clause)?));
        }
        if kind == Kind::Requires && !words.old.is_empty() {
            let place = self.place.clone();
            return Err(Problem { place, what: "what is required speaks of the state before anyway: `old` is for what is ensured".into() });
        }
        Ok((all, words))
    }

    /// What stands at the end of the file for this function.
    pub fn text(&self, unit: usize) -> Result<String, Problem> {
        let parameters = self.parameters()?;
        let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        let call = format!("({})", names.join(", "));
        let mut text = self.contract(&self.key(unit), &parameters, &call)?;
        if let Some(check) = self.check(unit) {
            text.push_str(&self.checked(&check, &self.key(unit), &parameters, &call)?);
        }
        Ok(text)
    }

    fn result(&self, call: &str) -> String {
        if self.is_void() { String::new() } else { format!("__typeof__({}{call}) fathom_result; ", self.name) }
    }

    /// The function that stands for it at calls.
    fn contract(&self, key: &str, parameters: &[Parameter], call: &str) -> Result<String, Problem> {
        let (name, marker) = (&self.name, self.place.marker());
        let whose = format!("the contract of {name}");
        let linkage = if self.is_static { "static __attribute__((used))" } else { "__attribute__((weak))" };
        let declared: Vec<&str> = parameters.iter().map(|parameter| parameter.declaration.as_str()).collect();
        let declared = if declared.is_empty() { "void".to_string() } else { declared.join(", ") };
        let mut text = format!(
            "{marker}void {TRUSTED}{key}(void);{marker}{linkage} {} {CONTRACT}{key}({declared}) {{ \
             {TRUSTED}{key}(); struct fathom_apart fathom_apart = {{0}}; (void)fathom_apart;",
            flat(&self.head)
        );
        let (required, _) = self.conditions(Kind::Requires, Fresh::Expected)?;
        for (clause, condition) in required {
            let quoted = clause.text();
            let _ = write!(text, "{}__CPROVER_assert({condition}, \"precondition of {name}: {quoted}\");", clause.place.marker());
        }
        let (ensured, words) = self.conditions(Kind::Ensures, Fresh::MadeByCallee)?;
        // Whatever the function does, from here on the run rests on its contract.
        let _ = write!(text, "{marker}(void)fathom_any_int(\"bounds of {whose}\"); {}", words.remembered());
        for (place, target) in self.targets()? {
            let _ = write!(text, "{}{}", place.marker(), target.forget(&whose));
        }
        let _ = write!(text, "{marker}{}", self.result(call));
        if !self.is_void() {
            let bytes = clauses::forget("&fathom_result", "sizeof fathom_result", &format!("bounds of {whose}"));
            let _ = write!(text, "{bytes} {}", clauses::keep_valid("fathom_result"));
        }
        for (clause, condition) in ensured {
            let _ = write!(text, "{}__CPROVER_assume({condition});", clause.place.marker());
        }
        let _ = write!(text, "{marker}{} }}", if self.is_void() { "" } else { "return fathom_result;" });
        Ok(text)
    }

    /// The function that checks it against its contract.
    fn checked(&self, check: &str, key: &str, parameters: &[Parameter], call: &str) -> Result<String, Problem> {
        let (name, marker) = (&self.name, self.place.marker());
        let kept = if self.is_static {
            format!("static void *fathom_kept_{name} __attribute__((used)) = (void *){name}; ")
        } else {
            String::new()
        };
        let mut text = format!(
            "{marker}extern __typeof__({name}) {ORIGINAL}{key}; {kept}{marker}void {check}(void) {{ fathom_any_globals(); fathom_frame_errno(); "
        );
        for Parameter { name, declaration } in parameters {
            let bytes = clauses::forget(&format!("&{name}"), &format!("sizeof {name}"), &format!("argument {name}"));
            let _ = write!(text, "{declaration}; {bytes} {} ", clauses::keep_valid(name));
        }
        let (required, _) = self.conditions(Kind::Requires, Fresh::Made)?;
        for (clause, condition) in required {
            let _ = write!(text, "{}__CPROVER_assume({condition});", clause.place.marker());
        }
        let (ensured, words) = self.conditions(Kind::Ensures, Fresh::ExpectedNew)?;
        let _ = write!(
            text,
            "{marker}{}{} struct fathom_frame fathom_frame = {{0}}; struct fathom_apart fathom_apart = {{0}}; (void)fathom_apart; ",
            words.remembered(),
            self.result(call)
        );
        for (place, target) in self.targets()? {
            let _ = write!(text, "{}{}", place.marker(), target.permit("fathom_frame"));
        }
        let _ = write!(text, "{marker}");
        if self.is_void() {
            let _ = write!(text, "fathom_frame_begin(&fathom_frame); {ORIGINAL}{key}{call};");
        } else {
            let _ = write!(text, "fathom_frame_may(&fathom_frame, &fathom_result, sizeof fathom_result); ");
            let _ = write!(text, "fathom_frame_begin(&fathom_frame); fathom_result = {ORIGINAL}{key}{call};");
        }
        text.push_str(" fathom_frame_leave(&fathom_frame);");
        for (clause, condition) in ensured {
            let quoted = clause.text();
            let _ = write!(text, "{}__CPROVER_assert({condition}, \"postcondition of {name}: {quoted}\");", clause.place.marker());
        }
        let _ = write!(text, "{marker}_Exit(0); }}");
        Ok(text)
    }
}
