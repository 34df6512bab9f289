//! From the typed program to the intermediate representation that every engine runs.
//!
//! The meaning is the paper's (Symbooglix, section III): the entry's preconditions are assumed, all others are asserted
//! where a procedure is called; a call runs the callee's body, any of its bodies if there are several, or else its
//! specification; postconditions are asserted where a body returns; what is `free` is assumed and never checked. Constants
//! and globals are variables of the program, axioms and `where` clauses hold of their first values.
//!
//! Only what the entry can reach is translated (global dead declaration elimination, section IV): procedures by calls,
//! then axioms that share a symbol with what was translated, until nothing more is touched. An axiom without such a tie
//! can't influence any execution as long as axioms are consistent among themselves.
//!
//! Nothing is skipped: what can't be expressed becomes an `Unsupported` statement where it would be executed, and an axiom
//! that can't be expressed makes the entry unsupported.

mod axioms;
mod blocks;
mod calls;
mod code;
mod contracts;
mod entry;
mod expr;
mod flat;
mod functions;
mod literals;
mod numbers;
mod order;
mod pointwise;
mod quantifiers;
mod sorts;
mod strings;
mod symbols;

pub use contracts::lower_by_contracts;
pub use entry::{EntryChoice, choose_entries};

use crate::source::Span;
use crate::typed::{self, ExprId, FunctionId, ProcedureId, TypeId};
use fathom_base::{FileId, FxMap, FxSet, Loc, SourceFiles};
use fathom_ir as ir;
use fathom_term::{FnId, Sort, Term, TermStore, VarId};
use functions::Meaning;
use std::rc::Rc;

/// What lowering may leave out or make smaller; every switch changes speed only.
#[derive(Copy, Clone, Debug)]
pub struct LowerOptions {
    /// Translate only axioms that share symbols with the program.
    pub remove_dead: bool,
    /// Say that many unique constants differ by numbering them, not pair by pair.
    pub number_unique: bool,
}

impl Default for LowerOptions {
    fn default() -> Self {
        Self { remove_dead: true, number_unique: true }
    }
}

/// Something that has no counterpart in the intermediate representation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unsupported {
    pub what: String,
    pub span: Span,
}

pub(crate) type Lowered<T> = Result<T, Unsupported>;

/// The program whose executions start in any of the entries.
pub fn lower(typed: &typed::Program, entries: &[ProcedureId], store: Rc<TermStore>, options: LowerOptions) -> ir::Program {
    Lowerer::new(typed, store, options).lowered(entries)
}

pub(crate) struct Lowerer<'a> {
    typed: &'a typed::Program,
    store: Rc<TermStore>,
    options: LowerOptions,
    files: SourceFiles,
    file_ids: Vec<FileId>,
    sorts: FxMap<TypeId, Lowered<Sort>>,
    /// Every variable that was mentioned so far, as a term.
    vars: FxMap<typed::VarId, Term>,
    globals: Vec<ir::Variable>,
    /// Constants and globals in the order in which they were first mentioned.
    mentioned: Vec<typed::VarId>,
    /// The value of a global at the entry of a procedure or of one of its bodies.
    olds: FxMap<(OldContext, typed::VarId), Term>,
    exprs: FxMap<(ExprId, bool), Lowered<Term>>,
    functions: FxMap<FunctionId, Lowered<Meaning>>,
    function_names: FxMap<Rc<str>, FunctionId>,
    /// Functions that an axiom `forall x :: f(x) == body` defines, and these axioms.
    defined: FxMap<FunctionId, Definition>,
    /// Values of uninterpreted functions at constants, from axioms.
    tables: FxMap<FnId, FxMap<Vec<Term>, Term>>,
    /// Not within axioms: one that a table was made from would say that the table is the table.
    uses_tables: bool,
    lambdas: FxMap<(Vec<VarId>, Term), Term>,
    /// Sorts of maps that are compared or given to uninterpreted functions somewhere.
    compared_sorts: FxSet<Sort>,
    strings: FxMap<Rc<str>, Term>,
    /// Whether strings and regular expressions are of the solver's sorts.
    solver_strings: bool,
    /// Types of maps over several bit-vectors that are maps over one.
    flat: FxSet<TypeId>,
    /// The function that stands for `<:` on values of a sort.
    orders: FxMap<Sort, FnId>,
    axioms: Vec<Term>,
    /// Why an axiom that matters could not be translated.
    missing_axiom: Option<Unsupported>,
    used: symbols::Used,
    procs: FxMap<ProcedureId, ir::ProcId>,
    /// Procedures whose calls do what the contract says, whether or not there is a body.
    abstracted: FxSet<ProcedureId>,
    /// Code expressions and calls in them that are being translated.
    code_depth: u32,
    waiting: Vec<ProcedureId>,
    procedures: Vec<Option<ir::Procedure>>,
}

/// An axiom that says what a function is everywhere.
#[derive(Clone)]
pub(crate) struct Definition {
    /// Index of the axiom.
    axiom: usize,
    params: Vec<typed::VarId>,
    body: ExprId,
}

/// Whose `old` it is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum OldContext {
    /// A specification: a placeholder that each use replaces.
    Procedure(ProcedureId),
    Implementation(usize),
    /// Nowhere: `old` is not allowed here.
    Nothing,
}

impl<'a> Lowerer<'a> {
    fn new(typed: &'a typed::Program, store: Rc<TermStore>, options: LowerOptions) -> Self {
        let mut files = SourceFiles::default();
        let file_ids = (0..typed.sources.len()).map(|file| files.add(typed.sources.path(file as u32))).collect();
        let mut lowerer = Lowerer {
            typed,
            store,
            options,
            files,
            file_ids,
            sorts: FxMap::default(),
            vars: FxMap::default(),
            globals: Vec::new(),
            mentioned: Vec::new(),
            olds: FxMap::default(),
            exprs: FxMap::default(),
            functions: FxMap::default(),
            function_names: FxMap::default(),
            defined: FxMap::default(),
            tables: FxMap::default(),
            uses_tables: true,
            lambdas: FxMap::default(),
            compared_sorts: FxSet::default(),
            strings: FxMap::default(),
            solver_strings: false,
            flat: FxSet::default(),
            orders: FxMap::default(),
            axioms: Vec::new(),
            missing_axiom: None,
            used: symbols::Used::default(),
            procs: FxMap::default(),
            abstracted: FxSet::default(),
            code_depth: 0,
            waiting: Vec::new(),
            procedures: Vec::new(),
        };
        lowerer.read_string_functions();
        lowerer.read_flat_maps();
        lowerer.read_comparisons();
        lowerer.read_definitions();
        lowerer.read_tables();
        lowerer
    }

    fn lowered(mut self, entries: &[ProcedureId]) -> ir::Program {
        let start = self.start(entries);
        while let Some(next) = self.waiting.pop() {
            self.procedure(next);
        }
        self.finish(start)
    }

    fn loc(&self, span: Span) -> Loc {
        self.typed.sources.loc(span, &self.file_ids)
    }

    /// The source text of a span, short enough for a message.
    fn text(&self, span: Span) -> String {
        const LONGEST: usize = 100;
        let words: Vec<&str> = self.typed.sources.slice(span).split_whitespace().collect();
        let text = words.join(" ");
        match text.char_indices().nth(LONGEST) {
            Some((end, _)) => format!("{}...", &text[..end]),
            None => text,
        }
    }

    /// The number of a procedure in the result; it is translated later.
    fn proc_id(&mut self, procedure: ProcedureId) -> ir::ProcId {
        if let Some(&known) = self.procs.get(&procedure) {
            return known;
        }
        let id = self.new_proc();
        self.procs.insert(procedure, id);
        self.waiting.push(procedure);
        id
    }

    fn new_proc(&mut self) -> ir::ProcId {
        self.procedures.push(None);
        ir::ProcId(self.procedures.len() as u32 - 1)
    }

    /// A variable of the result. Names are unique in the store, and none is like those of symbols that engines make.
    fn new_var(&self, name: &str, sort: Sort) -> (VarId, Term) {
        let mut unique = format!("{name}@{}", self.store.var_count());
        while self.store.find_var(&unique).is_some() {
            unique.push('\'');
        }
        let term = self.store.var(&unique, sort);
        (self.store.as_var(term).expect("a variable"), term)
    }

    /// Traces begin with the values of constants and globals.
    fn watch_globals(&mut self, start: ir::ProcId) {
        let watches: Vec<ir::Statement> = self
            .mentioned
            .iter()
            .filter_map(|&var| {
                let declared = self.typed.var(var);
                let watch = ir::Watch {
                    declared: 0,
                    variable: declared.name.to_string(),
                    type_name: self.typed.show_type(declared.ty),
                    signed: false,
                    ty: None,
                    value: *self.vars.get(&var)?,
                };
                Some(ir::Statement { kind: ir::StatementKind::Watch(watch), loc: self.loc(declared.span) })
            })
            .collect();
        if let Some(body) = self.procedures[start.0 as usize].as_mut().and_then(|p| p.body.as_mut()) {
            body.blocks[body.entry.0 as usize].statements.extend(watches);
        }
    }

    fn finish(mut self, start: ir::ProcId) -> ir::Program {
        self.add_axioms();
        self.watch_globals(start);
        if let Some(missing) = self.missing_axiom.take() {
            let loc = self.loc(missing.span);
            if let Some(body) = self.procedures[start.0 as usize].as_mut().and_then(|p| p.body.as_mut()) {
                let kind = ir::StatementKind::Unsupported(missing.what);
                body.blocks[body.entry.0 as usize].statements.insert(0, ir::Statement { kind, loc });
            }
        }
        ir::Program {
            terms: self.store,
            files: self.files,
            layout: ir::DataLayout { pointer_bits: 64 },
            globals: self.globals,
            objects: Vec::new(),
            procedures: self.procedures.into_iter().map(|p| p.expect("every procedure was translated")).collect(),
            object_addresses: FxMap::default(),
            procedure_addresses: FxMap::default(),
            axioms: self.axioms,
            entry: start,
            assumptions: Vec::new(),
            debug: Default::default(),
            memory_model: Default::default(),
            names_variables: false,
        }
    }
}
