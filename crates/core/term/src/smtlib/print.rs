//! Printing. A worklist of tasks takes the place of recursion. In each scope (the outermost term, and every quantifier's
//! body and triggers) terms that occur more than once get a `let` name, in an order in which each one is bound before
//! it is used. A body never uses names of the scope around it: the same term may mean another thing there, because
//! its variables are bound.

use crate::float;
use crate::op::{Op, RoundingMode};
use crate::smtlib::names::symbol;
use crate::sort::{FloatFormat, OpaqueSortId, Sort};
use crate::store::{FnId, Term, TermStore, VarId};
use crate::value::Value;
use crate::walk::Shared;
use fathom_base::FxMap;
use num_bigint::{BigInt, BigUint, Sign};
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive};
use std::convert::Infallible;
use std::fmt::Write;

/// How symbols are spelled.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Names {
    /// As the user called them, quoted where needed.
    Source,
    /// `v7`, `f3`, `S1`: short, and no solver takes them for its own.
    Numbered,
}

/// A term as SMT-LIB text.
pub fn print_term(store: &TermStore, term: Term) -> String {
    let mut printer = Printer::new(store, Names::Source);
    printer.term(term);
    printer.finish()
}

/// A sort as SMT-LIB text.
pub fn print_sort(store: &TermStore, sort: Sort) -> String {
    let mut printer = Printer::new(store, Names::Source);
    printer.sort(sort);
    printer.finish()
}

/// A value of this sort as a term; elements of opaque sorts as `(as @N Sort)`.
pub fn print_value(store: &TermStore, value: &Value, sort: Sort) -> String {
    print_term(store, store.constant(value, sort))
}

/// Writes terms, sorts and declarations into one text.
pub struct Printer<'a> {
    store: &'a TermStore,
    names: Names,
    out: String,
    /// Names that the outermost scope may use instead of a term, such as those of earlier `define-fun`s.
    defined: Option<&'a FxMap<Term, String>>,
    scopes: Vec<FxMap<Term, u32>>,
    next_name: u32,
    /// Sorts and functions of theories are written as SMT-LIB does, for a solver, and not by our names for them.
    spells_theories: bool,
}

enum Task {
    Text(&'static str),
    /// A term, by its name if it has one.
    Term(Term),
    /// A term spelled out.
    Expanded(Term),
    /// `(let ((?n` with this number.
    Bind(u32),
    /// A term in a scope of its own.
    Scope(Term),
    EndScope {
        closing: usize,
    },
}

impl<'a> Printer<'a> {
    /// A printer that spells symbols in this way.
    pub fn new(store: &'a TermStore, names: Names) -> Self {
        Self {
            store,
            names,
            out: String::new(),
            defined: None,
            scopes: Vec::new(),
            next_name: 0,
            spells_theories: names == Names::Numbered,
        }
    }

    /// Writes sorts and functions of theories as SMT-LIB does.
    pub fn spelling_theories(mut self) -> Self {
        self.spells_theories = true;
        self
    }

    /// Terms in `defined` are printed as the text they map to (outside quantifiers).
    pub fn with_defined(mut self, defined: &'a FxMap<Term, String>) -> Self {
        self.defined = Some(defined);
        self
    }

    /// The finished text.
    pub fn finish(self) -> String {
        self.out
    }

    /// Appends a text as it is.
    pub fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Appends `declare-sort`.
    pub fn declare_sort(&mut self, sort: OpaqueSortId) {
        if self.spells_theories && self.store.theory_sort_parts(sort).is_some() {
            return;
        }
        self.text("(declare-sort ");
        self.sort(Sort::Opaque(sort));
        self.text(" 0)\n");
    }

    /// Appends the declaration of a variable.
    pub fn declare_var(&mut self, var: VarId) {
        self.text("(declare-fun ");
        self.var(var);
        self.text(" () ");
        self.sort(self.store.var_sort(var));
        self.text(")\n");
    }

    /// Appends the declaration of a function.
    pub fn declare_function(&mut self, function: FnId) {
        if self.spells_theories && self.store.theory_head(function).is_some() {
            return;
        }
        let (arguments, result) = self.store.function_sorts(function);
        self.text("(declare-fun ");
        self.function(function);
        self.text(" (");
        for (i, sort) in arguments.into_iter().enumerate() {
            self.text(if i == 0 { "" } else { " " });
            self.sort(sort);
        }
        self.text(") ");
        self.sort(result);
        self.text(")\n");
    }

    /// Appends a variable's name.
    pub fn var(&mut self, var: VarId) {
        match self.names {
            Names::Source => self.text(&symbol(&self.store.var_name(var))),
            Names::Numbered => write!(self.out, "v{}", var.0).unwrap_or(()),
        }
    }

    fn function(&mut self, function: FnId) {
        if let Some(head) = self.store.theory_head(function).filter(|_| self.spells_theories) {
            return self.theory_function(function, &head);
        }
        match self.names {
            Names::Source => self.text(&symbol(&self.store.function_name(function))),
            Names::Numbered => write!(self.out, "f{}", function.0).unwrap_or(()),
        }
    }

    /// The sort of an application without arguments may not be evident from its name: the empty sequence, for example.
    fn theory_function(&mut self, function: FnId, head: &str) {
        let (arguments, result) = self.store.function_sorts(function);
        let parts = match result {
            Sort::Opaque(id) if arguments.is_empty() => self.store.theory_sort_parts(id),
            _ => None,
        };
        if parts.is_some_and(|(_, inner)| !inner.is_empty()) {
            self.text(&format!("(as {head} "));
            self.sort(result);
            self.text(")");
        } else {
            self.text(head);
        }
    }

    /// Sorts nest as deep as the user's map types do: an explicit stack here, too.
    pub fn sort(&mut self, sort: Sort) {
        let mut stack = vec![Ok(sort)];
        while let Some(item) = stack.pop() {
            match item {
                Err(text) => self.text(text),
                Ok(Sort::Bool) => self.text("Bool"),
                Ok(Sort::Int) => self.text("Int"),
                Ok(Sort::Real) => self.text("Real"),
                Ok(Sort::RoundingMode) => self.text("RoundingMode"),
                Ok(Sort::Bv(width)) => self.text(&format!("(_ BitVec {width})")),
                Ok(Sort::Float(f)) => self.text(&format!("(_ FloatingPoint {} {})", f.exponent, f.significand)),
                Ok(Sort::Array(id)) => {
                    let (index, element) = self.store.array_sort_parts(id);
                    self.text("(Array ");
                    stack.extend([Err(")"), Ok(element), Err(" "), Ok(index)]);
                }
                Ok(Sort::Opaque(id)) => match (self.names, self.store.theory_sort_parts(id)) {
                    (_, Some((head, arguments))) if self.spells_theories => {
                        self.text(if arguments.is_empty() { "" } else { "(" });
                        self.text(&head);
                        stack.extend((!arguments.is_empty()).then_some(Err(")")));
                        stack.extend(arguments.iter().rev().flat_map(|&argument| [Ok(argument), Err(" ")]));
                    }
                    (Names::Source, _) => self.text(&symbol(&self.store.opaque_sort_name(id))),
                    (Names::Numbered, _) => self.text(&format!("S{}", id.0)),
                },
            }
        }
    }

    /// Appends a term.
    pub fn term(&mut self, root: Term) {
        self.run(vec![Task::Scope(root)]);
    }

    /// The term spelled out even if it is among the defined ones: the right-hand side of its definition.
    pub fn definition(&mut self, root: Term) {
        self.scopes.push(FxMap::default());
        self.run(vec![Task::Expanded(root)]);
        self.scopes.pop();
    }

    fn run(&mut self, mut tasks: Vec<Task>) {
        while let Some(task) = tasks.pop() {
            match task {
                Task::Text(text) => self.text(text),
                Task::Term(term) => self.named_or_expanded(term, &mut tasks),
                Task::Expanded(term) => self.expanded(term, &mut tasks),
                Task::Bind(name) => self.text(&format!("(let ((?{name} ")),
                Task::Scope(root) => self.enter_scope(root, &mut tasks),
                Task::EndScope { closing } => {
                    self.out.extend(std::iter::repeat_n(')', closing));
                    self.scopes.pop();
                }
            }
        }
    }

    fn enter_scope(&mut self, root: Term, tasks: &mut Vec<Task>) {
        self.scopes.push(FxMap::default());
        let shared = self.shared_terms(root);
        let first = self.next_name;
        self.next_name += shared.len() as u32;
        if let Some(scope) = self.scopes.last_mut() {
            scope.extend(shared.iter().zip(first..).map(|(&term, name)| (term, name)));
        }
        tasks.push(Task::EndScope { closing: shared.len() });
        tasks.push(Task::Term(root));
        for (&term, name) in shared.iter().zip(first..self.next_name).rev() {
            tasks.extend([Task::Text(")) "), Task::Expanded(term), Task::Bind(name)]);
        }
    }

    /// Terms of this scope with several parents, arguments before users. Those whose arguments are all leaves are
    /// short enough to be repeated.
    fn shared_terms(&self, root: Term) -> Vec<Term> {
        let Ok(parts) = Shared::of(self.store, root, |term| Ok::<bool, Infallible>(self.defined_name(term).is_none()));
        parts.order.iter().copied().filter(|&term| parts.is_shared(term) && self.is_worth_a_name(term)).collect()
    }

    fn is_worth_a_name(&self, term: Term) -> bool {
        let is_leaf = |arg: Term| self.store.args(arg).is_empty();
        matches!(self.store.op(term), Op::Forall(_) | Op::Exists(_)) || self.store.args(term).iter().any(|&arg| !is_leaf(arg))
    }

    fn defined_name(&self, term: Term) -> Option<&'a str> {
        let defined = self.defined.filter(|_| self.scopes.len() <= 1)?;
        defined.get(&term).map(String::as_str)
    }

    fn named_or_expanded(&mut self, term: Term, tasks: &mut Vec<Task>) {
        if let Some(name) = self.scopes.last().and_then(|scope| scope.get(&term)) {
            write!(self.out, "?{name}").unwrap_or(());
        } else if let Some(text) = self.defined_name(term) {
            self.out.push_str(text);
        } else {
            self.expanded(term, tasks);
        }
    }

    fn expanded(&mut self, term: Term, tasks: &mut Vec<Task>) {
        let op = self.store.op(term);
        match op {
            Op::Var(var) => return self.var(var),
            Op::Const(_) | Op::BigConst(_) => return self.constant(term),
            Op::Forall(_) | Op::Exists(_) => return self.quantifier(op, term, tasks),
            _ => {}
        }
        let args = self.store.args(term);
        if args.is_empty() {
            if let Op::Apply(function) = op {
                self.function(function);
            }
            return;
        }
        self.text("(");
        self.head(op, self.store.sort(args[0]));
        tasks.push(Task::Text(")"));
        for &arg in args.iter().rev() {
            tasks.extend([Task::Term(arg), Task::Text(" ")]);
        }
    }

    fn quantifier(&mut self, op: Op, term: Term, tasks: &mut Vec<Task>) {
        let (Op::Forall(id) | Op::Exists(id)) = op else { return };
        let quantifier = self.store.quantifier(id);
        self.text(if matches!(op, Op::Forall(_)) { "(forall (" } else { "(exists (" });
        for (i, &var) in quantifier.bound.iter().enumerate() {
            self.text(if i == 0 { "(" } else { " (" });
            self.var(var);
            self.text(" ");
            self.sort(self.store.var_sort(var));
            self.text(")");
        }
        self.text(") ");
        tasks.push(Task::Text(")"));
        if !quantifier.triggers.is_empty() {
            self.text("(! ");
            tasks.push(Task::Text(")"));
            for trigger in quantifier.triggers.iter().rev() {
                tasks.push(Task::Text(")"));
                for (i, &part) in trigger.iter().enumerate().rev() {
                    tasks.extend([Task::Scope(part), Task::Text(if i == 0 { "" } else { " " })]);
                }
                tasks.push(Task::Text(" :pattern ("));
            }
        }
        tasks.push(Task::Scope(self.store.arg(term, 0)));
    }

    fn head(&mut self, op: Op, first: Sort) {
        use Op::*;
        let to_fp = |name: &str, f: FloatFormat| format!("(_ {name} {} {})", f.exponent, f.significand);
        let added = |to: u32| to - first.bits().unwrap_or(to);
        match op {
            BvExtract { high, low } => self.text(&format!("(_ extract {high} {low})")),
            BvZeroExtend(to) => self.text(&format!("(_ zero_extend {})", added(to))),
            BvSignExtend(to) => self.text(&format!("(_ sign_extend {})", added(to))),
            FpFromBits(f) | FpToFp(f) | FpFromSigned(f) | FpFromReal(f) => self.text(&to_fp("to_fp", f)),
            FpFromUnsigned(f) => self.text(&to_fp("to_fp_unsigned", f)),
            FpToSigned(width) => self.text(&format!("(_ fp.to_sbv {width})")),
            FpToUnsigned(width) => self.text(&format!("(_ fp.to_ubv {width})")),
            IntToBv(width) => self.text(&format!("(_ int2bv {width})")),
            ConstArray(sort) => {
                self.text("(as const ");
                self.sort(sort);
                self.text(")");
            }
            Apply(function) => self.function(function),
            _ => self.text(crate::smtlib::apply::plain_name(op).unwrap_or("?")),
        }
    }

    fn constant(&mut self, term: Term) {
        let sort = self.store.sort(term);
        let Some(value) = self.store.const_value(term) else { return };
        let text = match sort {
            Sort::Bool => {
                if value.is_true() {
                    "true".into()
                } else {
                    "false".into()
                }
            }
            Sort::Bv(width) => bits_text(&value.to_biguint(), width),
            Sort::RoundingMode => mode_name(RoundingMode::from_code(value.to_u64().unwrap_or(0))).into(),
            Sort::Float(f) => float_text(f, &value),
            Sort::Int => int_text(value.as_int()),
            Sort::Real => real_text(value.as_real()),
            Sort::Opaque(_) | Sort::Array(_) => {
                let number = value.to_u64().unwrap_or(0);
                write!(self.out, "(as @{number} ").unwrap_or(());
                self.sort(sort);
                ")".to_string()
            }
        };
        self.text(&text);
    }
}

pub(super) fn mode_name(mode: RoundingMode) -> &'static str {
    match mode {
        RoundingMode::NearestEven => "RNE",
        RoundingMode::NearestAway => "RNA",
        RoundingMode::TowardPositive => "RTP",
        RoundingMode::TowardNegative => "RTN",
        RoundingMode::TowardZero => "RTZ",
    }
}

fn bits_text(bits: &BigUint, width: u32) -> String {
    let (radix, prefix, digits) = if width.is_multiple_of(4) { (16, "#x", width / 4) } else { (2, "#b", width) };
    let text = bits.to_str_radix(radix);
    let padding = (digits as usize).saturating_sub(text.len());
    format!("{prefix}{}{text}", "0".repeat(padding))
}

fn float_text(f: FloatFormat, value: &Value) -> String {
    let bits = value.to_biguint().to_u128().unwrap_or(0);
    let sign = if float::is_negative(f, bits) { '-' } else { '+' };
    let special = |name: &str| format!("(_ {name} {} {})", f.exponent, f.significand);
    if float::is_nan(f, bits) {
        return special("NaN");
    }
    if float::is_infinite(f, bits) {
        return special(&format!("{sign}oo"));
    }
    if float::is_zero(f, bits) {
        return special(&format!("{sign}zero"));
    }
    let (negative, exponent, fraction) = float::parts(f, bits);
    let (exponent, fraction) = (exponent.to_str_radix(2), fraction.to_str_radix(2));
    let (e, s) = (f.exponent as usize, f.significand as usize - 1);
    format!("(fp #b{} #b{exponent:0>e$} #b{fraction:0>s$})", negative as u8)
}

fn int_text(int: &BigInt) -> String {
    if int.sign() == Sign::Minus { format!("(- {})", int.magnitude()) } else { int.to_string() }
}

fn real_text(real: &BigRational) -> String {
    let magnitude = real.abs();
    let text = if magnitude.denom().is_one() {
        format!("{}.0", magnitude.numer())
    } else {
        format!("(/ {}.0 {}.0)", magnitude.numer(), magnitude.denom())
    };
    if real.is_negative() { format!("(- {text})") } else { text }
}
