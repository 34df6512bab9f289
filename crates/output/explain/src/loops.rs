//! Conditions at loop heads as text over variables of the source. A loop head is a block of the program; its place in
//! the source is that of the loop statement around the code that the block came from. A variable of the program
//! represents the source variable that a `Watch` last bound to it on every path to the head. Of memory, only globals of
//! integer types have names. In Boogie the variables of the program are those of the source.

use crate::scan::Source;
use crate::to_boogie;
use crate::to_c::{Named, Writer};
use crate::untold::Untold;
use fathom_base::{FxMap, Loc};
use fathom_ir::{Block, BlockId, Body, Invariant, LoopHead, MemoryCell, Procedure, Program, StatementKind};
use fathom_term::{Sort, TermStore, VarId, VarSets};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The language of a program.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Language {
    /// C, or what else clang reads.
    C,
    /// Boogie.
    Boogie,
}

/// Source files that were read, by name.
#[derive(Debug, Default)]
pub struct Texts(BTreeMap<String, Rc<str>>);

impl Texts {
    /// The text of a file; empty if it can't be read.
    pub fn of(&mut self, file: &str) -> Rc<str> {
        let text = self.0.entry(file.to_string()).or_insert_with(|| std::fs::read_to_string(file).unwrap_or_default().into());
        text.clone()
    }
}

/// Where a loop stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Site {
    /// The file.
    pub file: String,
    /// That of the keyword or, without one, of the first code of the loop.
    pub line: u32,
    /// From 1, in bytes.
    pub column: u32,
    /// `for`, `while` or `do`; empty if no loop statement was found around the code.
    pub keyword: String,
    /// The function that it is in.
    pub function: String,
}

/// What can be said of a loop head.
#[derive(Debug)]
pub struct Said {
    /// Where the loop stands.
    pub site: Site,
    /// Each condition, or why it can't be said.
    pub conditions: Vec<Result<String, Untold>>,
}

/// Conditions at a loop head, as text; none if the loop has no place in the source.
pub fn say(program: &Program, language: Language, texts: &mut Texts, head: LoopHead, known: &[Invariant]) -> Option<Said> {
    let procedure = program.procedure(head.procedure);
    let body = procedure.body.as_ref()?;
    let block = body.block(head.block);
    let (file, place) = place_of(program, block)?;
    let mut site = Site { file, line: place.line, column: place.column, keyword: String::new(), function: procedure.name.clone() };
    if language == Language::Boogie {
        let names = to_boogie::names(program, procedure);
        let conditions = known.iter().map(|invariant| to_boogie::condition(&program.terms, &names, invariant)).collect();
        return Some(Said { site, conditions });
    }
    let text = texts.of(&site.file);
    let source = Source::new(&text);
    let around = source.loop_around(place.line, place.column, block.label.contains(".cond"));
    let at = around.map(|around| around.keyword).or_else(|| source.token_at(place.line, Some(place.column)))?;
    if around.is_some() {
        let keyword = source.tokens[at];
        (site.line, site.column, site.keyword) = (keyword.line, keyword.column, keyword.text.to_string());
    }
    let names = names_at(&program.terms, procedure, body, head.block, |name, declared| source.is_visible(name, declared, at));
    let one = |invariant: &Invariant| {
        let mut names = names.clone();
        if !invariant.cells.iter().all(|cell| name_global(program, &source, procedure, cell, &mut names)) {
            return Err(Untold::Memory);
        }
        let is_named = |var: VarId| names.contains_key(&var);
        let without_name = || !VarSets::default().vars(&program.terms, invariant.condition).into_iter().all(is_named);
        let said = Writer { store: &program.terms, names: &names }.condition(invariant.condition);
        said.ok_or_else(|| if without_name() { Untold::Unnamed } else { Untold::NoForm })
    };
    Some(Said { site, conditions: known.iter().map(one).collect() })
}

/// The first place that the block's code has in the source.
fn place_of(program: &Program, block: &Block) -> Option<(String, Loc)> {
    // Bindings have the place of the declaration.
    let code = block.statements.iter().filter(|statement| !matches!(statement.kind, StatementKind::Watch(_)));
    let places = code.map(|statement| statement.loc).chain([block.terminator.loc]);
    let place = places.into_iter().find(|place| place.is_known())?;
    Some((program.files.path(place.file)?.display().to_string(), place))
}

/// Words that a declaration of a global integer may begin with.
const INTEGER_WORDS: [&str; 11] = ["static", "extern", "volatile", "const", "unsigned", "signed", "char", "short", "int", "long", "_Bool"];

/// Finds the global that these bytes are; false if they are not the whole of one that is declared as an integer in this file.
fn name_global(program: &Program, source: &Source<'_>, procedure: &Procedure, cell: &MemoryCell, names: &mut FxMap<VarId, Named>) -> bool {
    let object = program.terms.as_var(cell.pointer).and_then(|address| program.object_addresses.get(&address));
    let Some(object) = object.map(|&object| program.object(object)).filter(|object| object.size == cell.bytes) else { return false };
    let is_hidden = procedure.locals.iter().any(|local| local.name == object.name);
    let of_line: Vec<&str> = source.tokens.iter().filter(|token| token.line == object.loc.line).map(|token| token.text).collect();
    let Some(at) = of_line.iter().position(|word| *word == object.name).filter(|&at| at > 0 && !is_hidden) else { return false };
    let is_integer = of_line[..at].iter().all(|word| INTEGER_WORDS.contains(word));
    if !is_integer || !matches!(of_line.get(at + 1), Some(&(";" | "=" | ","))) {
        return false;
    }
    let signed = !of_line[..at].iter().any(|word| matches!(*word, "unsigned" | "_Bool"));
    names.insert(cell.var, Named { name: object.name.clone(), signed });
    true
}

/// A source variable, identified by the line of its declaration, and the program's variable to which it is bound.
type Bindings = BTreeMap<(String, u32), (VarId, bool)>;

/// What each variable of the program is called at the beginning of a block.
fn names_at(
    store: &TermStore,
    procedure: &Procedure,
    body: &Body,
    head: BlockId,
    is_visible: impl Fn(&str, u32) -> bool,
) -> FxMap<VarId, Named> {
    let mut bound = bindings_before(store, body, head);
    // What the head says of itself holds at its beginning, too.
    for statement in &body.block(head).statements {
        if !matches!(statement.kind, StatementKind::Watch(_)) {
            break;
        }
        step(store, &mut bound, &statement.kind);
    }
    let mut declared: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
    let blocks = body.blocks.iter().flat_map(|block| &block.statements);
    for statement in blocks {
        if let StatementKind::Watch(watch) = &statement.kind {
            declared.entry(&watch.variable).or_default().insert(watch.declared);
        }
    }
    let locals: BTreeSet<VarId> = procedure.locals.iter().map(|local| local.id).collect();
    let mut names = FxMap::default();
    for ((name, line), (var, signed)) in &bound {
        let is_only = declared.get(name.as_str()).is_some_and(|lines| lines.len() == 1);
        let is_word = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if is_only && is_word && locals.contains(var) && is_visible(name, *line) {
            names.insert(*var, Named { name: name.clone(), signed: *signed });
        }
    }
    names
}

/// The bindings that hold on every way to the beginning of a block.
fn bindings_before(store: &TermStore, body: &Body, wanted: BlockId) -> Bindings {
    let mut before: BTreeMap<BlockId, Bindings> = BTreeMap::from([(body.entry, Bindings::new())]);
    let mut open = vec![body.entry];
    while let Some(at) = open.pop() {
        let mut bound = before[&at].clone();
        body.block(at).statements.iter().for_each(|statement| step(store, &mut bound, &statement.kind));
        for next in body.block(at).terminator.kind.successors() {
            match before.get_mut(&next) {
                None => {
                    before.insert(next, bound.clone());
                    open.push(next);
                }
                Some(known) => {
                    let count = known.len();
                    known.retain(|variable, binding| bound.get(variable) == Some(binding));
                    if known.len() < count {
                        open.push(next);
                    }
                }
            }
        }
    }
    before.remove(&wanted).unwrap_or_default()
}

/// What a statement does to the bindings.
fn step(store: &TermStore, bound: &mut Bindings, statement: &StatementKind) {
    if let StatementKind::Watch(watch) = statement {
        let key = (watch.variable.clone(), watch.declared);
        let is_number = matches!(store.sort(watch.value), Sort::Bv(8 | 16 | 32 | 64))
            && !["*", "[", "struct ", "union "].iter().any(|word| watch.type_name.contains(word));
        match store.as_var(watch.value).filter(|_| is_number) {
            Some(var) => bound.insert(key, (var, watch.signed)),
            None => bound.remove(&key),
        };
        return;
    }
    let changed = statement.targets();
    bound.retain(|_, (var, _)| !changed.contains(var));
}
