//! Terms to commands. Every symbol is declared in the level where it is first needed. Terms that occur again, and every
//! few levels of nesting, become `define-fun`s: each term is sent once, and solvers that parse recursively see
//! shallow terms only. A `pop` takes back what its level declared.

use crate::dialect::{ConstantArrays, Dialect};
use fathom_base::{FxMap, FxSet};
use fathom_smt::SolverError;
use fathom_term::smtlib::{Names, Printer, Symbols, Totalizer};
use fathom_term::{FnId, Op, OpaqueSortId, Shared, Sort, Term, TermStore, VarId};

/// Terms nest at most this deep in one command.
const MAX_NESTING: u32 = 40;

#[derive(Copy, Clone)]
enum Emitted {
    Sort(OpaqueSortId),
    Var(VarId),
    Function(FnId),
    Defined(Term),
    Sent(Term),
    Proxy(Term),
    Application,
}

/// The declarations that the process has received, and the commands to send next.
pub(crate) struct Script {
    dialect: Dialect,
    totalizer: Totalizer,
    sorts: FxSet<OpaqueSortId>,
    vars: FxSet<VarId>,
    functions: FxSet<FnId>,
    /// Names of defined terms.
    defined: FxMap<Term, String>,
    /// Terms that were spelled out before.
    sent: FxSet<Term>,
    /// Boolean variables that stand for assumptions.
    proxies: FxMap<Term, String>,
    /// Applications of uninterpreted functions outside quantifiers, for models.
    applications: Vec<Term>,
    log: Vec<Emitted>,
    marks: Vec<usize>,
    counter: u64,
    pub pending: String,
}

impl Script {
    /// A script for a process that knows nothing yet.
    pub fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            totalizer: Totalizer::default(),
            sorts: FxSet::default(),
            vars: FxSet::default(),
            functions: FxSet::default(),
            defined: FxMap::default(),
            sent: FxSet::default(),
            proxies: FxMap::default(),
            applications: Vec::new(),
            log: Vec::new(),
            marks: Vec::new(),
            counter: 0,
            pending: String::new(),
        }
    }

    /// Forgets what was sent, for a new process; the totalizer's fresh variables stay.
    pub fn restart(&mut self) {
        let totalizer = std::mem::take(&mut self.totalizer);
        *self = Self { totalizer, counter: self.counter, ..Self::new(self.dialect.clone()) };
        self.preamble();
    }

    fn preamble(&mut self) {
        self.pending.push_str("(set-option :print-success false)\n(set-option :produce-models true)\n");
        if self.dialect.unsat_assumptions {
            self.pending.push_str("(set-option :produce-unsat-assumptions true)\n");
        }
        if let Some(logic) = self.dialect.logic {
            self.pending.push_str(&format!("(set-logic {logic})\n"));
        }
    }

    /// Opens a level.
    pub fn push(&mut self) {
        self.pending.push_str("(push 1)\n");
        self.marks.push(self.log.len());
    }

    /// Closes levels.
    pub fn pop(&mut self, levels: u32) {
        self.pending.push_str(&format!("(pop {levels})\n"));
        for _ in 0..levels {
            let mark = self.marks.pop().unwrap_or(0);
            for known in self.log.split_off(mark.min(self.log.len())) {
                match known {
                    Emitted::Sort(id) => drop(self.sorts.remove(&id)),
                    Emitted::Var(id) => drop(self.vars.remove(&id)),
                    Emitted::Function(id) => drop(self.functions.remove(&id)),
                    Emitted::Defined(term) => drop(self.defined.remove(&term)),
                    Emitted::Sent(term) => drop(self.sent.remove(&term)),
                    Emitted::Proxy(term) => drop(self.proxies.remove(&term)),
                    Emitted::Application => drop(self.applications.pop()),
                }
            }
        }
    }

    /// Asserts a term.
    pub fn assert(&mut self, store: &TermStore, term: Term) -> Result<(), SolverError> {
        let total = self.totalizer.apply(store, term).map_err(SolverError::Unsupported)?;
        self.prepare(store, total)?;
        let text = self.spelled(store, total);
        self.pending.push_str(&format!("(assert {text})\n"));
        Ok(())
    }

    /// The literal that stands for an assumption.
    pub fn assumption(&mut self, store: &TermStore, term: Term) -> Result<String, SolverError> {
        if let Some(name) = self.proxies.get(&term) {
            return Ok(name.clone());
        }
        let total = self.totalizer.apply(store, term).map_err(SolverError::Unsupported)?;
        self.prepare(store, total)?;
        if store.as_var(total).is_some() {
            return Ok(self.spelled(store, total));
        }
        if store.op(total) == Op::Not && store.as_var(store.arg(total, 0)).is_some() {
            return Ok(format!("(not {})", self.spelled(store, store.arg(total, 0))));
        }
        self.counter += 1;
        let name = format!("a{}", self.counter);
        let text = self.spelled(store, total);
        self.pending.push_str(&format!("(declare-fun {name} () Bool)\n(assert (= {name} {text}))\n"));
        self.proxies.insert(term, name.clone());
        self.log.push(Emitted::Proxy(term));
        Ok(name)
    }

    /// The text of a term whose parts are prepared.
    pub fn spelled(&self, store: &TermStore, term: Term) -> String {
        let mut printer = Printer::new(store, Names::Numbered).with_defined(&self.defined);
        printer.term(term);
        printer.finish()
    }

    /// Whether a variable was declared to the solver.
    pub fn knows_var(&self, var: VarId) -> bool {
        self.vars.contains(&var)
    }

    /// The applications of uninterpreted functions that were sent.
    pub fn applications(&self) -> &[Term] {
        &self.applications
    }

    /// Declares and defines what a term needs, and asserts the side conditions of what was declared.
    fn prepare(&mut self, store: &TermStore, root: Term) -> Result<(), SolverError> {
        let conditions = self.declare(store, root)?;
        for condition in conditions {
            self.define_parts(store, condition)?;
            let text = self.spelled(store, condition);
            self.pending.push_str(&format!("(assert {text})\n"));
        }
        self.define_parts(store, root)
    }

    /// Declares the symbols of a term and of their side conditions, which it returns.
    fn declare(&mut self, store: &TermStore, root: Term) -> Result<Vec<Term>, SolverError> {
        let mut conditions = Vec::new();
        let mut waiting = vec![root];
        while let Some(term) = waiting.pop() {
            let symbols = Symbols::of(store, &[term]);
            let mut printer = Printer::new(store, Names::Numbered);
            for &sort in symbols.sorts.iter().filter(|sort| !self.sorts.contains(sort)) {
                if !self.dialect.uninterpreted {
                    return Err(SolverError::Unsupported("uninterpreted sorts".into()));
                }
                printer.declare_sort(sort);
                self.log.push(Emitted::Sort(sort));
            }
            for &var in symbols.vars.iter().filter(|var| !self.vars.contains(var)) {
                self.check_sort(store, store.var_sort(var))?;
                printer.declare_var(var);
                self.log.push(Emitted::Var(var));
                if let Some(condition) = self.totalizer.condition(var) {
                    waiting.push(condition);
                    conditions.push(condition);
                }
            }
            for &function in symbols.functions.iter().filter(|function| !self.functions.contains(function)) {
                printer.declare_function(function);
                self.log.push(Emitted::Function(function));
            }
            self.sorts.extend(symbols.sorts);
            self.vars.extend(symbols.vars);
            self.functions.extend(symbols.functions);
            self.pending.push_str(&printer.finish());
        }
        Ok(conditions)
    }

    fn check_sort(&self, store: &TermStore, sort: Sort) -> Result<(), SolverError> {
        let lacks = |what: &str| Err(SolverError::Unsupported(what.to_string()));
        match sort {
            Sort::Float(_) | Sort::RoundingMode if !self.dialect.floats => lacks("floating point"),
            Sort::Int | Sort::Real if !self.dialect.numbers => lacks("integers and reals"),
            Sort::Array(id) => {
                let (index, element) = store.array_sort_parts(id);
                self.check_sort(store, index).and_then(|()| self.check_sort(store, element))
            }
            _ => Ok(()),
        }
    }

    fn check_op(&self, store: &TermStore, term: Term) -> Result<(), SolverError> {
        let lacks = |what: &str| Err(SolverError::Unsupported(what.to_string()));
        match store.op(term) {
            Op::Forall(_) | Op::Exists(_) if !self.dialect.quantifiers => lacks("quantifiers"),
            Op::ConstArray(_) => match self.dialect.constant_arrays {
                ConstantArrays::None => lacks("constant arrays"),
                ConstantArrays::OfValues if !store.op(store.arg(term, 0)).is_const() => lacks("constant arrays of terms"),
                _ => self.check_sort(store, store.sort(term)),
            },
            Op::Const(_) if matches!(store.sort(term), Sort::Opaque(_)) => lacks("constants of uninterpreted sorts"),
            _ => self.check_sort(store, store.sort(term)),
        }
    }

    /// Defines terms that occur again or nest deep, arguments first.
    fn define_parts(&mut self, store: &TermStore, root: Term) -> Result<(), SolverError> {
        let parts = Shared::of(store, root, |term| match self.defined.contains_key(&term) {
            true => Ok(false),
            false => self.check_op(store, term).map(|()| !store.args(term).is_empty()),
        })?;
        let mut nesting: FxMap<Term, u32> = FxMap::default();
        for &term in &parts.order {
            let args = store.args(term);
            let depth = 1 + args.iter().filter_map(|arg| nesting.get(arg)).max().copied().unwrap_or(0);
            let again = parts.is_shared(term) || self.sent.contains(&term);
            if let Op::Apply(_) = store.op(term) {
                self.applications.push(term);
                self.log.push(Emitted::Application);
            }
            if again || depth >= MAX_NESTING {
                self.define(store, term);
                continue;
            }
            nesting.insert(term, depth);
            if self.sent.insert(term) {
                self.log.push(Emitted::Sent(term));
            }
        }
        Ok(())
    }

    fn define(&mut self, store: &TermStore, term: Term) {
        self.counter += 1;
        let name = format!("d{}", self.counter);
        let mut printer = Printer::new(store, Names::Numbered).with_defined(&self.defined);
        printer.text(&format!("(define-fun {name} () "));
        printer.sort(store.sort(term));
        printer.text(" ");
        printer.definition(term);
        printer.text(")\n");
        let text = printer.finish();
        self.pending.push_str(&text);
        self.defined.insert(term, name);
        self.log.push(Emitted::Defined(term));
    }
}
