//! Contracts of functions and loops (`--contracts`), in CBMC's syntax, to which `fathom.h` and ACSL are translated.
//! Every function with a contract is checked once, for any call that the contract allows, and is replaced by its
//! contract at calls. That is sound by induction over the length of runs: consider the first check that fails in a run;
//! everything that contracts claimed before it was true. Frames (`runtime/contracts.c`) check what contracts say about
//! memory. The rewriting follows what CBMC's goto-instrument does with `--dfcc`; see `docs/contracts.md`.

mod acsl;
mod assigned;
mod clauses;
mod functions;
mod loops;
mod place;
mod words;

use super::tokens::{Node, parse, show};
use crate::error::FrontendError;
use crate::redirect::TRUSTED;
use functions::Function;
use loops::Loops;
use place::{Place, Problem};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// Where a run starts that only checks contracts.
pub const ENTRY: &str = "fathom_contracts";
const DRAWN: &str = "the function that is checked";

/// A file whose contracts were written out.
pub struct Unit {
    pub text: String,
    functions: Vec<Contracted>,
    /// All functions that the file defines.
    defined: Vec<String>,
}

/// A function with a contract.
struct Contracted {
    name: String,
    key: String,
    check: Option<String>,
}

/// Writes out the contracts of a file; None if its brackets don't match.
pub fn expand(text: &str, path: &Path, number: usize) -> Result<Option<Unit>, FrontendError> {
    let refused = |Problem { place, what }| FrontendError::CompileError {
        path: path.to_path_buf(),
        diagnostics: format!("{}:{}: error: {what}", place.file, place.line),
    };
    let translated = acsl::translated(text).map_err(|(at, what)| refused(Problem { place: Place::at(&text[..at]), what }))?;
    let Some(nodes) = parse(&translated) else { return Ok(None) };
    expanded(&nodes, number).map(Some).map_err(refused)
}

fn expanded(nodes: &[Node], number: usize) -> Result<Unit, Problem> {
    let mut functions: BTreeMap<String, Function> = BTreeMap::new();
    let mut loops = Loops::default();
    let mut text = String::new();
    for item in functions::items(nodes) {
        let mut rewritten = item.nodes.to_vec();
        if let (Some(body), Some(last)) = (item.body, rewritten.last_mut()) {
            let mut place = item.place.clone();
            place.pass_all(&item.nodes[..item.nodes.len() - 1]);
            *last = Node::Group('{', loops.rewrite(body, &place)?);
        }
        text.push_str(&show(&rewritten));
        let Some(found) = functions::function(&item)? else { continue };
        match functions.get_mut(&found.name) {
            Some(known) => known.join(found),
            None => _ = functions.insert(found.name.clone(), found),
        }
    }
    let defined = functions.values().filter(|function| function.has_body).map(|function| function.name.clone()).collect();
    let mut contracted = Vec::new();
    for function in functions.values().filter(|function| !function.clauses.is_empty()) {
        text.push_str(&function.text(number)?);
        contracted.push(Contracted { name: function.name.clone(), key: function.key(number), check: function.check(number) });
    }
    text.push('\n');
    Ok(Unit { text, functions: contracted, defined })
}

/// Where the run starts, and a file that starts the checks: those of one function, or all, and the entry behind them.
pub fn driver(units: &[Unit], entry: &str) -> (String, String) {
    let all = || units.iter().flat_map(|unit| &unit.functions);
    let own: Vec<&str> = all().filter(|function| function.name == entry).filter_map(|function| function.check.as_deref()).collect();
    let chosen: Vec<&str> = if own.is_empty() { all().filter_map(|function| function.check.as_deref()).collect() } else { own.clone() };
    let is_defined = units.iter().any(|unit| unit.defined.iter().any(|name| name == entry));
    let starts_here = !own.is_empty() || (!is_defined && entry == "main" && !chosen.is_empty());
    let mut text = String::from("# 1 \"<contracts>\"\nint fathom_any_int(const char *); void fathom_ledger(const char *, const char *);\n");
    for (key, name) in all().map(|function| (&function.key, &function.name)).collect::<BTreeMap<_, _>>() {
        let is_checked = all().any(|other| other.key == *key && other.check.as_deref().is_some_and(|check| chosen.contains(&check)));
        let said = if is_checked { String::new() } else { format!(" fathom_ledger(\"contract\", \"{name}\"); ") };
        let _ = writeln!(text, "void {TRUSTED}{key}(void) {{{said}}}");
    }
    for check in &chosen {
        let _ = writeln!(text, "void {check}(void);");
    }
    let linkage = if starts_here { "" } else { "__attribute__((constructor)) static " };
    let _ = writeln!(text, "{linkage}void {ENTRY}(void) {{ switch (fathom_any_int(\"{DRAWN}\")) {{");
    let otherwise = if starts_here { chosen.split_first() } else { None };
    let cases = otherwise.map_or(&chosen[..], |(_, rest)| rest);
    for (number, check) in cases.iter().enumerate() {
        let _ = writeln!(text, "case {}: {check}(); break;", number + 1);
    }
    match otherwise {
        Some((first, _)) => _ = writeln!(text, "default: {first}(); }} }}"),
        None => _ = writeln!(text, "default: break; }} }}"),
    }
    (if starts_here { ENTRY.to_string() } else { entry.to_string() }, text)
}
