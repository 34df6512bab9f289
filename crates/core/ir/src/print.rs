//! The text form of programs: what `fathom ir FILE` shows and `parse` reads back. One declaration or statement per line;
//! terms are SMT-LIB; the source location stands behind `;` at the end. Blocks are named `b0`, `b1`, ... with their
//! label beside; variables have their unique name, and in the declaration the user's.

use crate::description::Part;
use crate::program::{Block, BlockId, Initializer, MemoryObject, Procedure, Program};
use crate::statement::{AllocKind, Statement, StatementKind, StopKind, Switch, Terminator, TerminatorKind};
use fathom_base::{Loc, hex};
use fathom_term::smtlib::{Names, Printer, Symbols, print_sort, print_term, symbol};
use fathom_term::{Sort, Term, VarId};
use std::fmt::Write;

/// The whole program.
pub fn print_program(program: &Program) -> String {
    let mut out = String::new();
    let entry = program.procedures.get(program.entry.0 as usize).map_or("", |p| &p.name);
    line(&mut out, 0, &format!("program pointer {} entry {}", program.layout.pointer_bits, word(entry)), "");
    let mut index = 0;
    while let Some(path) = program.files.path(fathom_base::FileId(index)) {
        line(&mut out, 0, &format!("file {}", quoted(&path.to_string_lossy())), "");
        index += 1;
    }
    for assumption in &program.assumptions {
        let data = serde_json::to_string(assumption).expect("an assumption has names and numbers only");
        line(&mut out, 0, &format!("assumption {data}"), "");
    }
    print_symbols(program, &mut out);
    for variable in &program.globals {
        line(&mut out, 0, &declaration(program, "global", variable), "");
    }
    for object in &program.objects {
        print_object(program, object, &mut out);
    }
    print_aliases(program, &mut out);
    for &axiom in &program.axioms {
        line(&mut out, 0, &format!("axiom {}", print_term(&program.terms, axiom)), "");
    }
    for procedure in &program.procedures {
        out.push('\n');
        print_procedure(program, procedure, &mut out);
    }
    out
}

/// One statement, without its location.
pub fn print_statement(program: &Program, statement: &Statement) -> String {
    let mut line = Words { program, text: String::new() };
    match &statement.kind {
        StatementKind::Assign(pairs) => {
            let targets: Vec<String> = pairs.iter().map(|(target, _)| var_name(program, *target)).collect();
            let values: Vec<String> = pairs.iter().map(|(_, value)| print_term(&program.terms, *value)).collect();
            line.text = format!("{} := {}", targets.join(", "), values.join(", "));
        }
        other => other.parts(&mut |part| line.part(part)),
    }
    line.text
}

/// A line in the making.
struct Words<'a> {
    program: &'a Program,
    text: String,
}

impl Words<'_> {
    /// Adds a word, with a space before it unless punctuation says otherwise.
    fn add(&mut self, word: &str) {
        let is_joined = self.text.is_empty() || self.text.ends_with('(') || matches!(word, "," | ")");
        if !is_joined {
            self.text.push(' ');
        }
        self.text.push_str(word);
    }

    fn part(&mut self, part: Part) {
        let program = self.program;
        match part {
            Part::Word(word) => self.add(word),
            Part::Term(term, ..) => self.add(&print_term(&program.terms, *term)),
            Part::Target(var, ..) => self.add(&var_name(program, *var)),
            Part::Procedure(id) => {
                let name = program.procedures.get(id.0 as usize).map_or("?".into(), |procedure| word(&procedure.name));
                self.add(&name);
            }
            Part::Property(property) => self.add(&property.to_string()),
            Part::Input(input) => {
                let words = ["input", &quoted(&input.source), &quoted(&input.type_name), sign(input.signed)];
                words.into_iter().for_each(|word| self.add(word));
            }
            Part::Storage(kind) => self.add(if *kind == AllocKind::Stack { "stack" } else { "heap" }),
            Part::Text(text) => self.add(&quoted(text)),
            Part::Line(number) => self.add(&number.to_string()),
            Part::Alignment(number) => self.add(&number.to_string()),
            Part::Flag(word, true) => self.add(word),
            Part::Flag(_, false) => {}
            Part::Signedness(signed) => self.add(sign(*signed)),
        }
    }
}

/// How a block ends, without its location.
pub fn print_terminator(program: &Program, terminator: &Terminator) -> String {
    let term = |term: Term| print_term(&program.terms, term);
    match &terminator.kind {
        TerminatorKind::Goto(targets) => {
            let targets: Vec<String> = targets.iter().map(|&target| block_name(target)).collect();
            format!("goto {}", targets.join(", ")).trim_end().to_string()
        }
        TerminatorKind::Branch { condition, then, otherwise } => {
            format!("branch {} {} {}", term(*condition), block_name(*then), block_name(*otherwise))
        }
        TerminatorKind::Switch(Switch { value, cases, default }) => {
            let cases: Vec<String> = cases.iter().map(|(case, target)| format!("{} {}", term(*case), block_name(*target))).collect();
            format!("switch {} [{}] {}", term(*value), cases.join(", "), block_name(*default))
        }
        TerminatorKind::Return => "return".to_string(),
        TerminatorKind::Stop(kind) => format!("stop {}", stop_name(kind)),
        TerminatorKind::Unsupported(what) => format!("give-up {}", quoted(what)),
    }
}

pub(crate) fn stop_name(kind: &StopKind) -> &'static str {
    match kind {
        StopKind::Exit => "exit",
        StopKind::Abort => "abort",
        StopKind::Unreachable => "unreachable",
    }
}

pub(crate) fn block_name(block: BlockId) -> String {
    format!("b{}", block.0)
}

fn sign(signed: bool) -> &'static str {
    if signed { "signed" } else { "unsigned" }
}

fn var_name(program: &Program, var: VarId) -> String {
    symbol(&program.terms.var_name(var)).into_owned()
}

fn line(out: &mut String, indent: usize, text: &str, comment: &str) {
    let start = out.len();
    let _ = write!(out, "{:indent$}{text}", "");
    if !comment.is_empty() {
        let width = out[start..].chars().count().min(72);
        let _ = write!(out, "{:padding$}  ; {comment}", "", padding = 72 - width);
    }
    out.push('\n');
}

/// The location as a comment; empty if unknown.
fn place(program: &Program, loc: Loc) -> String {
    if program.files.path(loc.file).is_none() || !loc.is_known() {
        return String::new();
    }
    let shown = quoted(&program.files.show(loc));
    shown[1..shown.len() - 1].to_string()
}

/// A name, in quotes unless it is a plain word.
pub(crate) fn word(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_.$-".contains(c);
    if !name.is_empty() && name.chars().all(plain) && name != "indirect" { name.to_string() } else { quoted(name) }
}

/// A text in quotes, on one line.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn declaration(program: &Program, keyword: &str, variable: &crate::Variable) -> String {
    let sort = print_sort(&program.terms, variable.sort);
    format!("{keyword} {} {sort} {}", var_name(program, variable.id), quoted(&variable.name))
}

/// Uninterpreted sorts and functions that anything mentions.
fn print_symbols(program: &Program, out: &mut String) {
    let mut symbols = Symbols::default();
    let locals = program.procedures.iter().flat_map(|procedure| &procedure.locals);
    for variable in program.globals.iter().chain(locals) {
        symbols.add(&program.terms, program.terms.var_term(variable.id));
    }
    program.for_each_term(&mut |term| symbols.add(&program.terms, term));
    for &sort in &symbols.sorts {
        let theory = program.terms.theory_sort_parts(sort).map(|(head, arguments)| {
            let arguments: Vec<String> = arguments.iter().map(|&argument| format!(" {}", print_sort(&program.terms, argument))).collect();
            format!(" theory {}{}", quoted(&head), arguments.concat())
        });
        let theory = theory.unwrap_or_default();
        line(out, 0, &format!("sort {}{theory}", print_sort(&program.terms, Sort::Opaque(sort))), "");
    }
    for &function in &symbols.functions {
        let mut printer = Printer::new(&program.terms, Names::Source);
        printer.declare_function(function);
        let text = printer.finish();
        let text = text.trim().strip_prefix("(declare-fun ").and_then(|text| text.strip_suffix(')')).unwrap_or_default();
        let theory = program.terms.theory_head(function).map(|head| format!(" theory {}", quoted(&head))).unwrap_or_default();
        line(out, 0, &format!("function {text}{theory}"), "");
    }
}

fn print_object(program: &Program, object: &MemoryObject, out: &mut String) {
    let read_only = if object.read_only { " read-only" } else { "" };
    let mergeable = if object.mergeable { " mergeable" } else { "" };
    let thread_local = if object.thread_local { " thread-local" } else { "" };
    let init = match &object.init {
        Initializer::Zero => "zero".to_string(),
        Initializer::External => "external".to_string(),
        Initializer::Bytes { bytes, .. } if bytes.is_empty() => "bytes".to_string(),
        Initializer::Bytes { bytes, .. } => format!("bytes {}", hex(bytes)),
    };
    let (name, address) = (quoted(&object.name), print_term(&program.terms, object.address));
    let text = format!("object {name} at {address} size {} align {}{read_only}{mergeable}{thread_local} {init}", object.size, object.align);
    line(out, 0, &text, &place(program, object.loc));
    if let Initializer::Bytes { relocations, .. } = &object.init {
        for relocation in relocations {
            let value = print_term(&program.terms, relocation.value);
            line(out, 2, &format!("offset {} {value}", relocation.offset), "");
        }
    }
}

/// Address symbols besides the one that the object or procedure names itself.
fn print_aliases(program: &Program, out: &mut String) {
    let mut aliases: Vec<(VarId, String)> = Vec::new();
    for (&var, &object) in &program.object_addresses {
        if program.objects.get(object.0 as usize).map(|o| o.address) != Some(program.terms.var_term(var)) {
            aliases.push((var, format!("alias {} object {}", var_name(program, var), object.0)));
        }
    }
    for (&var, &procedure) in &program.procedure_addresses {
        let own = program.procedures.get(procedure.0 as usize).and_then(|p| p.address);
        if own != Some(program.terms.var_term(var)) {
            aliases.push((var, format!("alias {} procedure {}", var_name(program, var), procedure.0)));
        }
    }
    aliases.sort();
    aliases.iter().for_each(|(_, text)| line(out, 0, text, ""));
}

fn print_procedure(program: &Program, procedure: &Procedure, out: &mut String) {
    let vars = |vars: &[VarId]| vars.iter().map(|&var| var_name(program, var)).collect::<Vec<_>>().join(", ");
    let mut head = format!("procedure {} ({})", word(&procedure.name), vars(&procedure.params));
    if !procedure.results.is_empty() {
        let _ = write!(head, " -> ({})", vars(&procedure.results));
    }
    if let Some(variadic) = procedure.variadic {
        let _ = write!(head, " variadic {}", var_name(program, variadic));
    }
    if let Some(address) = procedure.address {
        let _ = write!(head, " at {}", print_term(&program.terms, address));
    }
    if procedure.align > 1 {
        let _ = write!(head, " align {}", procedure.align);
    }
    line(out, 0, &head, &place(program, procedure.loc));
    for variable in &procedure.locals {
        line(out, 2, &declaration(program, "local", variable), "");
    }
    let Some(body) = &procedure.body else { return };
    line(out, 2, &format!("begin {}", block_name(body.entry)), "");
    for (index, block) in body.blocks.iter().enumerate() {
        print_block(program, index, block, out);
    }
}

fn print_block(program: &Program, index: usize, block: &Block, out: &mut String) {
    line(out, 2, &format!("{} {}:", block_name(BlockId(index as u32)), quoted(&block.label)), "");
    for statement in &block.statements {
        line(out, 4, &print_statement(program, statement), &place(program, statement.loc));
    }
    let text = print_terminator(program, &block.terminator);
    line(out, 4, &text, &place(program, block.terminator.loc));
}
