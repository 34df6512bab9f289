//! Scripts: a sequence of commands that declare symbols and say terms. Symbols that are declared above a `push` vanish
//! with its `pop`, unless `:global-declarations` says otherwise.

use crate::smtlib::elaborate::{Elaborator, Environment, Macro, Meaning, declare_var};
use crate::smtlib::sexp::{Kind, NodeId, ReadError, Sexps};
use crate::smtlib::sorts::sort_of;
use crate::sort::Sort;
use crate::store::{FnId, Term, TermStore, VarId};
use fathom_base::FxMap;
use std::rc::Rc;

/// A command of a script, as far as it matters to someone who runs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `set-logic`.
    SetLogic(String),
    /// `declare-const`, or `declare-fun` without parameters.
    DeclareVar(VarId),
    /// `declare-fun` with parameters.
    DeclareFunction(FnId),
    /// `declare-sort`.
    DeclareSort(Sort),
    /// `assert`.
    Assert(Term),
    /// `check-sat`.
    CheckSat,
    /// `check-sat-assuming`, with these literals.
    CheckSatAssuming(Vec<Term>),
    /// `get-value`, of these terms.
    GetValue(Vec<Term>),
    /// `push`, so many levels.
    Push(u32),
    /// `pop`, so many levels.
    Pop(u32),
    /// `reset`.
    Reset,
    /// `exit`.
    Exit,
    /// Definitions (already applied where they are used), options, and questions such as get-model.
    Other(String),
}

/// Reads scripts and terms, remembering what was declared.
pub struct Reader<'a> {
    store: &'a TermStore,
    simplify: bool,
    environment: Environment,
    /// The symbol tables to restore at the `pop` of each open `push`.
    saved: Vec<(FxMap<String, Meaning>, FxMap<String, Sort>)>,
    global_declarations: bool,
}

/// One term over the symbols of the store, exactly as written.
pub fn read_term(store: &TermStore, text: &str) -> Result<Term, ReadError> {
    Reader::new(store).with_store_symbols().term(text)
}

/// Reads a sort.
pub fn read_sort(store: &TermStore, text: &str) -> Result<Sort, ReadError> {
    let sexps = Sexps::parse(text)?;
    let root = only_root(&sexps)?;
    sort_of(store, &sexps, root, &Reader::new(store).with_store_symbols().environment)
}

/// The name that a symbol spells.
pub fn read_symbol(text: &str) -> Result<String, ReadError> {
    let sexps = Sexps::parse(text)?;
    let root = only_root(&sexps)?;
    sexps.symbol(root).map(str::to_string).ok_or_else(|| sexps.error(root, "a name is expected"))
}

/// All commands of a script, terms exactly as written.
pub fn read_script(store: &TermStore, text: &str) -> Result<Vec<Command>, ReadError> {
    Reader::new(store).script(text)
}

fn only_root(sexps: &Sexps) -> Result<NodeId, ReadError> {
    match *sexps.roots.as_slice() {
        [root] => Ok(root),
        [] => Err(ReadError { position: super::Position { line: 1, column: 1 }, message: "nothing here".into() }),
        [_, second, ..] => Err(sexps.error(second, "unexpected text after the end")),
    }
}

impl<'a> Reader<'a> {
    /// A reader that adds symbols to this store.
    pub fn new(store: &'a TermStore) -> Self {
        let environment = Environment { meanings: FxMap::default(), sorts: FxMap::default(), open: false };
        Self { store, simplify: false, environment, saved: Vec::new(), global_declarations: false }
    }

    /// Terms may mention every symbol of the store without declaring it.
    pub fn with_store_symbols(mut self) -> Self {
        self.environment.open = true;
        self
    }

    /// Terms are simplified while they are read.
    pub fn simplifying(mut self) -> Self {
        self.simplify = true;
        self
    }

    /// A name for a term, as `define-fun` gives it.
    pub fn define(&mut self, name: &str, term: Term) {
        self.environment.meanings.insert(name.to_string(), Meaning::Term(term));
    }

    /// One term over the declared symbols.
    pub fn term(&mut self, text: &str) -> Result<Term, ReadError> {
        let sexps = Sexps::parse(text)?;
        let root = only_root(&sexps)?;
        self.term_at(&sexps, root)
    }

    /// All commands of a script.
    pub fn script(&mut self, text: &str) -> Result<Vec<Command>, ReadError> {
        let sexps = Sexps::parse(text)?;
        let mut commands = Vec::new();
        for &root in &sexps.roots {
            commands.push(self.command(&sexps, root)?);
        }
        Ok(commands)
    }

    fn term_at(&mut self, sexps: &Sexps, node: NodeId) -> Result<Term, ReadError> {
        Elaborator::new(self.store, self.simplify, sexps, &mut self.environment).term(node)
    }

    fn condition_at(&mut self, sexps: &Sexps, node: NodeId) -> Result<Term, ReadError> {
        let term = self.term_at(sexps, node)?;
        if self.store.sort(term) == Sort::Bool { Ok(term) } else { Err(sexps.error(node, "a Boolean term is expected")) }
    }

    fn sort_at(&self, sexps: &Sexps, node: NodeId) -> Result<Sort, ReadError> {
        sort_of(self.store, sexps, node, &self.environment)
    }

    fn command(&mut self, sexps: &Sexps, node: NodeId) -> Result<Command, ReadError> {
        let malformed = || sexps.error(node, "a command is expected");
        let (&first, rest) = sexps.list(node).and_then(|items| items.split_first()).ok_or_else(malformed)?;
        let name = sexps.symbol(first).ok_or_else(malformed)?;
        match (name, rest) {
            ("set-logic", &[logic]) => Ok(Command::SetLogic(sexps.symbol(logic).unwrap_or_default().to_string())),
            ("set-option", &[option, value]) => {
                if matches!(sexps.kind(option), Kind::Keyword(name) if name == "global-declarations") {
                    self.global_declarations = sexps.symbol(value) == Some("true");
                }
                Ok(Command::Other(name.to_string()))
            }
            ("declare-const", &[name, sort]) => self.declare(sexps, name, &[], sort),
            ("declare-fun", &[name, arguments, sort]) => {
                let arguments = sexps.list(arguments).ok_or_else(|| sexps.error(arguments, "a list of sorts is expected"))?;
                self.declare(sexps, name, arguments, sort)
            }
            ("declare-sort", &[name] | &[name, _]) => self.declare_sort(sexps, name, rest.get(1).copied()),
            ("define-sort", &[name, params, sort]) if sexps.list(params).is_some_and(<[_]>::is_empty) => {
                let sort = self.sort_at(sexps, sort)?;
                let alias = sexps.symbol(name).ok_or_else(|| sexps.error(name, "a name is expected"))?;
                self.environment.sorts.insert(alias.to_string(), sort);
                Ok(Command::Other("define-sort".into()))
            }
            ("define-const", &[name, sort, body]) => self.define_function(sexps, name, &[], sort, body),
            ("define-fun", &[name, params, sort, body]) => {
                let params = sexps.list(params).ok_or_else(|| sexps.error(params, "a list of parameters is expected"))?;
                self.define_function(sexps, name, params, sort, body)
            }
            ("assert", &[term]) => Ok(Command::Assert(self.condition_at(sexps, term)?)),
            ("check-sat", &[]) => Ok(Command::CheckSat),
            ("check-sat-assuming", &[terms]) => Ok(Command::CheckSatAssuming(self.terms(sexps, terms, true)?)),
            ("get-value", &[terms]) => Ok(Command::GetValue(self.terms(sexps, terms, false)?)),
            ("push" | "pop", &[] | &[_]) => self.push_or_pop(sexps, node, name == "push", rest.first().copied()),
            ("reset", &[]) => {
                self.environment.meanings.clear();
                self.environment.sorts.clear();
                self.saved.clear();
                Ok(Command::Reset)
            }
            ("exit", &[]) => Ok(Command::Exit),
            ("set-info" | "echo", _) => Ok(Command::Other(name.to_string())),
            (
                "get-model"
                | "get-info"
                | "get-option"
                | "get-unsat-core"
                | "get-unsat-assumptions"
                | "get-assertions"
                | "get-assignment"
                | "get-proof"
                | "reset-assertions",
                _,
            ) => Ok(Command::Other(name.to_string())),
            _ => Err(sexps.error(node, format!("`{name}` is unknown or has the wrong arguments"))),
        }
    }

    fn terms(&mut self, sexps: &Sexps, list: NodeId, conditions: bool) -> Result<Vec<Term>, ReadError> {
        let items = sexps.list(list).ok_or_else(|| sexps.error(list, "a list of terms is expected"))?;
        let read = |&item: &NodeId| if conditions { self.condition_at(sexps, item) } else { self.term_at(sexps, item) };
        items.iter().map(read).collect()
    }

    fn declare(&mut self, sexps: &Sexps, name: NodeId, arguments: &[NodeId], sort: NodeId) -> Result<Command, ReadError> {
        let symbol = sexps.symbol(name).ok_or_else(|| sexps.error(name, "a name is expected"))?;
        let result = self.sort_at(sexps, sort)?;
        if self.environment.meanings.contains_key(symbol) {
            return Err(sexps.error(name, format!("`{symbol}` is declared twice")));
        }
        if arguments.is_empty() {
            let term = declare_var(self.store, symbol, result);
            self.environment.meanings.insert(symbol.to_string(), Meaning::Term(term));
            let var = self.store.as_var(term).ok_or_else(|| sexps.error(name, "not a variable"))?;
            return Ok(Command::DeclareVar(var));
        }
        let arguments: Result<Vec<Sort>, ReadError> = arguments.iter().map(|&sort| self.sort_at(sexps, sort)).collect();
        let function = declare_function(self.store, symbol, &arguments?, result);
        self.environment.meanings.insert(symbol.to_string(), Meaning::Function(function));
        Ok(Command::DeclareFunction(function))
    }

    fn declare_sort(&mut self, sexps: &Sexps, name: NodeId, arity: Option<NodeId>) -> Result<Command, ReadError> {
        let symbol = sexps.symbol(name).ok_or_else(|| sexps.error(name, "a name is expected"))?;
        if let Some(arity) = arity
            && !matches!(sexps.kind(arity), Kind::Numeral(digits) if digits == "0")
        {
            return Err(sexps.error(arity, "sorts with parameters are not supported"));
        }
        let sort = self.store.opaque_sort(symbol);
        self.environment.sorts.insert(symbol.to_string(), sort);
        Ok(Command::DeclareSort(sort))
    }

    fn define_function(
        &mut self,
        sexps: &Sexps,
        name: NodeId,
        params: &[NodeId],
        sort: NodeId,
        body: NodeId,
    ) -> Result<Command, ReadError> {
        let symbol = sexps.symbol(name).ok_or_else(|| sexps.error(name, "a name is expected"))?;
        let result = self.sort_at(sexps, sort)?;
        let mut bound = Vec::new();
        for &param in params {
            let malformed = || sexps.error(param, "expected (name sort)");
            let &[name, sort] = sexps.list(param).ok_or_else(malformed)? else { return Err(malformed()) };
            let key = sexps.scope_key(name).ok_or_else(malformed)?;
            // A variable of its own, so that arguments never meet a parameter of the same name.
            bound.push((key, self.store.fresh("param", self.sort_at(sexps, sort)?)));
        }
        let mut elaborator = Elaborator::new(self.store, self.simplify, sexps, &mut self.environment);
        bound.iter().for_each(|(key, term)| elaborator.bind(key, *term));
        let term = elaborator.term(body)?;
        let term = elaborator.maker.coerce(term, result).map_err(|message| sexps.error(body, message))?;
        let meaning = if params.is_empty() {
            Meaning::Term(term)
        } else {
            let params = bound.iter().filter_map(|(_, term)| self.store.as_var(*term)).collect();
            Meaning::Macro(Rc::new(Macro { params, body: term }))
        };
        self.environment.meanings.insert(symbol.to_string(), meaning);
        Ok(Command::Other("define-fun".into()))
    }

    fn push_or_pop(&mut self, sexps: &Sexps, node: NodeId, push: bool, count: Option<NodeId>) -> Result<Command, ReadError> {
        let levels: Option<u32> = match count.map(|count| sexps.kind(count)) {
            None => Some(1),
            Some(Kind::Numeral(digits)) => digits.parse().ok().filter(|&levels| levels <= 10_000),
            Some(_) => None,
        };
        let levels = levels.ok_or_else(|| sexps.error(node, "a number of levels is expected"))?;
        for _ in 0..levels {
            if push {
                self.saved.push((self.environment.meanings.clone(), self.environment.sorts.clone()));
                continue;
            }
            let Some((meanings, sorts)) = self.saved.pop() else {
                return Err(sexps.error(node, "more levels popped than pushed"));
            };
            if !self.global_declarations {
                self.environment.meanings = meanings;
                self.environment.sorts = sorts;
            }
        }
        Ok(if push { Command::Push(levels) } else { Command::Pop(levels) })
    }
}

/// The store's function of this name, or another name if that has other sorts.
fn declare_function(store: &TermStore, name: &str, arguments: &[Sort], result: Sort) -> FnId {
    let mut candidate = name.to_string();
    let mut counter = 0;
    loop {
        match store.find_function(&candidate) {
            Some(known) if store.function_sorts(known) != (arguments.to_vec(), result) => {
                counter += 1;
                candidate = format!("{name}!{counter}");
            }
            _ => return store.function(&candidate, arguments, result),
        }
    }
}
