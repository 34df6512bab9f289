//! S-expressions to terms: a machine with a stack of tasks and a stack of finished terms, so that nesting costs heap and
//! not stack. `let` and quantifiers open scopes; a bound variable is the store's variable of that name, or a fresh
//! one where the store knows the name under another sort.

use crate::float;
use crate::op::{Op, RoundingMode};
use crate::smtlib::apply::float_format;
use crate::smtlib::derived::checked_width;
use crate::smtlib::names::is_theory;
use crate::smtlib::sexp::{Kind, NodeId, ReadError, Sexps, scope_key};
use crate::smtlib::sorts::sort_of;
use crate::sort::Sort;
use crate::store::{FnId, Term, TermStore, VarId};
use crate::subst::Substitution;
use crate::value::Value;
use fathom_base::FxMap;
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use std::rc::Rc;

/// Makes terms as they are written, or simplified.
pub(super) struct Maker<'a> {
    pub store: &'a TermStore,
    pub simplify: bool,
}

/// A `define-fun` with parameters.
pub(super) struct Macro {
    pub params: Vec<VarId>,
    pub body: Term,
}

#[derive(Clone)]
pub(super) enum Meaning {
    Term(Term),
    Function(FnId),
    Macro(Rc<Macro>),
}

/// What symbols mean. Names that the environment lacks are looked up in the store, if `open`.
pub(super) struct Environment {
    pub meanings: FxMap<String, Meaning>,
    pub sorts: FxMap<String, Sort>,
    pub open: bool,
}

impl Environment {
    /// What a name means in a term, if anything.
    pub fn term_meaning(&self, store: &TermStore, name: &str) -> Option<Meaning> {
        let found = self.meanings.get(name);
        if found.is_some() || !self.open {
            return found.cloned();
        }
        let var = store.find_var(name).map(|var| Meaning::Term(store.var_term(var)));
        var.or_else(|| store.find_function(name).map(Meaning::Function))
    }
}

pub(super) enum Head {
    Theory(String),
    Indexed(String, Vec<u64>),
    ConstArray(Sort),
    Function(FnId),
    Macro(Rc<Macro>),
}

pub(super) enum Task {
    Eval(NodeId),
    Apply(NodeId, Head, usize),
    /// Binds these names to the last values of the stack.
    Bind(Vec<String>),
    Unbind(Vec<String>),
    Quantify {
        universal: bool,
        bound: Vec<VarId>,
        names: Vec<String>,
        triggers: Vec<usize>,
    },
    Name(String),
}

pub(super) struct Elaborator<'a> {
    pub maker: Maker<'a>,
    pub sexps: &'a Sexps,
    pub environment: &'a mut Environment,
    scopes: FxMap<String, Vec<Term>>,
    pub(super) tasks: Vec<Task>,
    values: Vec<Term>,
}

pub(super) type Done = Result<(), ReadError>;

impl Maker<'_> {
    /// The caller has checked the sorts.
    pub fn make(&self, op: Op, args: &[Term]) -> Term {
        if self.simplify { self.store.build(op, args) } else { self.store.intern(op, self.store.result_sort(op, args), args) }
    }

    /// The sort of a term as text, for messages.
    pub fn sort_text(&self, term: Term) -> String {
        crate::smtlib::print_sort(self.store, self.store.sort(term))
    }

    /// Gives two terms one sort: integers become reals where they meet reals.
    pub fn unify(&self, a: Term, b: Term) -> Result<(Term, Term), String> {
        match (self.store.sort(a), self.store.sort(b)) {
            (Sort::Int, Sort::Real) => Ok((self.to_real(a), b)),
            (Sort::Real, Sort::Int) => Ok((a, self.to_real(b))),
            (x, y) if x == y => Ok((a, b)),
            _ => Err(format!("sorts differ: {} and {}", self.sort_text(a), self.sort_text(b))),
        }
    }

    /// The term with this sort: an integer may become a real.
    pub fn coerce(&self, term: Term, sort: Sort) -> Result<Term, String> {
        match self.store.sort(term) {
            found if found == sort => Ok(term),
            Sort::Int if sort == Sort::Real => Ok(self.to_real(term)),
            _ => {
                let wanted = crate::smtlib::print_sort(self.store, sort);
                Err(format!("expected {wanted}, found {}", self.sort_text(term)))
            }
        }
    }
}

impl<'a> Elaborator<'a> {
    /// An elaborator for these expressions; `simplify` says whether terms are simplified.
    pub fn new(store: &'a TermStore, simplify: bool, sexps: &'a Sexps, environment: &'a mut Environment) -> Self {
        let maker = Maker { store, simplify };
        Self { maker, sexps, environment, scopes: FxMap::default(), tasks: Vec::new(), values: Vec::new() }
    }

    /// Binds a name (a scope key) for the terms that follow: parameters of definitions.
    pub fn bind(&mut self, name: &str, term: Term) {
        self.scopes.entry(name.to_string()).or_default().push(term);
    }

    /// The term that an expression denotes.
    pub fn term(&mut self, root: NodeId) -> Result<Term, ReadError> {
        self.tasks.push(Task::Eval(root));
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Eval(node) => self.eval(node)?,
                Task::Apply(node, head, count) => {
                    let args = self.values.split_off(self.values.len() - count);
                    let made = self.apply(&head, &args).map_err(|message| self.sexps.error(node, message))?;
                    self.values.push(made);
                }
                Task::Bind(names) => {
                    let values = self.values.split_off(self.values.len() - names.len());
                    names.iter().zip(values).for_each(|(name, value)| self.bind(name, value));
                }
                Task::Unbind(names) => self.unbind(&names),
                Task::Quantify { universal, bound, names, triggers } => {
                    self.unbind(&names);
                    self.quantify(universal, bound, &triggers);
                }
                Task::Name(name) => {
                    if let Some(&value) = self.values.last() {
                        self.environment.meanings.insert(name, Meaning::Term(value));
                    }
                }
            }
        }
        self.values.pop().ok_or_else(|| self.sexps.error(root, "no term here"))
    }

    fn unbind(&mut self, names: &[String]) {
        for name in names {
            self.scopes.get_mut(name).map(Vec::pop);
        }
    }

    fn quantify(&mut self, universal: bool, bound: Vec<VarId>, triggers: &[usize]) {
        let total: usize = triggers.iter().sum();
        let mut parts = self.values.split_off(self.values.len() - total).into_iter();
        let triggers = triggers.iter().map(|&count| parts.by_ref().take(count).collect()).collect();
        let Some(body) = self.values.pop() else { return };
        let store = self.maker.store;
        let made = if universal { store.forall(bound, triggers, body) } else { store.exists(bound, triggers, body) };
        self.values.push(made);
    }

    fn eval(&mut self, node: NodeId) -> Done {
        let store = self.maker.store;
        let fail = |message: String| Err(self.sexps.error(node, message));
        let value = match self.sexps.kind(node) {
            Kind::List { .. } => return self.eval_list(node),
            Kind::Symbol { name, user } => {
                return match self.symbol(name, *user) {
                    Some(term) => {
                        self.values.push(term);
                        Ok(())
                    }
                    None => fail(format!("unknown symbol `{name}`")),
                };
            }
            Kind::Numeral(digits) => Value::int(parse_int(digits)),
            Kind::Decimal(digits) => Value::real(parse_decimal(digits)),
            Kind::Hex(digits) => return self.bits(node, digits, 16, 4),
            Kind::Binary(digits) => return self.bits(node, digits, 2, 1),
            Kind::Keyword(name) => return fail(format!("unexpected keyword `:{name}`")),
            Kind::Text(_) => return fail("strings are not supported".into()),
        };
        let sort = if matches!(value, Value::Int(_)) { Sort::Int } else { Sort::Real };
        self.values.push(store.constant(&value, sort));
        Ok(())
    }

    fn bits(&mut self, node: NodeId, digits: &str, radix: u32, per_digit: u64) -> Done {
        let width = checked_width(digits.len() as u64 * per_digit).map_err(|message| self.sexps.error(node, message))?;
        let bits = BigUint::parse_bytes(digits.as_bytes(), radix).unwrap_or_default();
        self.values.push(self.maker.store.constant(&Value::bits(bits, width), Sort::Bv(width)));
        Ok(())
    }

    fn symbol(&self, name: &str, user: bool) -> Option<Term> {
        if let Some(&term) = self.scopes.get(&*scope_key(name, user)).and_then(|stack| stack.last()) {
            return Some(term);
        }
        let store = self.maker.store;
        if !user && is_theory(name) {
            let mode = match name {
                "true" | "false" => return Some(store.bool(name == "true")),
                "RNE" | "roundNearestTiesToEven" => RoundingMode::NearestEven,
                "RNA" | "roundNearestTiesToAway" => RoundingMode::NearestAway,
                "RTP" | "roundTowardPositive" => RoundingMode::TowardPositive,
                "RTN" | "roundTowardNegative" => RoundingMode::TowardNegative,
                "RTZ" | "roundTowardZero" => RoundingMode::TowardZero,
                _ => return None,
            };
            return Some(store.rounding_mode(mode));
        }
        match self.environment.term_meaning(store, name)? {
            Meaning::Term(term) => Some(term),
            Meaning::Function(function) if store.function_sorts(function).0.is_empty() => Some(self.maker.make(Op::Apply(function), &[])),
            _ => None,
        }
    }

    fn eval_list(&mut self, node: NodeId) -> Done {
        let sexps = self.sexps;
        let items = sexps.list(node).unwrap_or(&[]);
        let Some((&first, rest)) = items.split_first() else {
            return Err(sexps.error(node, "a term is missing between `(` and `)`"));
        };
        if let Kind::Symbol { name, user } = sexps.kind(first) {
            match name.as_str() {
                "let" => return self.eval_let(node, rest),
                "forall" | "exists" => return self.eval_quantifier(node, name == "forall", rest),
                "!" => return self.eval_annotated(node, rest),
                "_" => return self.indexed_constant(node, rest),
                "as" => return self.qualified(node, rest),
                _ => {}
            }
            let head = if self.scopes.get(&*scope_key(name, *user)).is_some_and(|stack| !stack.is_empty()) {
                return Err(sexps.error(first, format!("`{name}` is no function")));
            } else if !user && is_theory(name) {
                Head::Theory(name.clone())
            } else {
                match self.environment.term_meaning(self.maker.store, name) {
                    Some(Meaning::Function(function)) => Head::Function(function),
                    Some(Meaning::Macro(body)) => Head::Macro(body),
                    Some(_) => return Err(sexps.error(first, format!("`{name}` is no function"))),
                    None => return Err(sexps.error(first, format!("unknown function `{name}`"))),
                }
            };
            self.schedule(node, head, rest);
            return Ok(());
        }
        let head = self.compound_head(first)?;
        self.schedule(node, head, rest);
        Ok(())
    }

    fn schedule(&mut self, node: NodeId, head: Head, args: &[NodeId]) {
        self.tasks.push(Task::Apply(node, head, args.len()));
        self.tasks.extend(args.iter().rev().map(|&arg| Task::Eval(arg)));
    }

    /// `(_ name indices...)` or `(as const sort)` in front of arguments.
    fn compound_head(&self, node: NodeId) -> Result<Head, ReadError> {
        let fail = || self.sexps.error(node, "a function is expected after `(`");
        let items = self.sexps.list(node).ok_or_else(fail)?;
        match *items {
            [underscore, name, ref indices @ ..] if self.sexps.symbol(underscore) == Some("_") => {
                let name = self.sexps.symbol(name).ok_or_else(fail)?;
                let indices: Result<Vec<u64>, ReadError> = indices.iter().map(|&index| self.index(index)).collect();
                Ok(Head::Indexed(name.to_string(), indices?))
            }
            [keyword, name, sort] if self.sexps.symbol(keyword) == Some("as") && self.sexps.symbol(name) == Some("const") => {
                match sort_of(self.maker.store, self.sexps, sort, self.environment)? {
                    sort @ Sort::Array(_) => Ok(Head::ConstArray(sort)),
                    _ => Err(self.sexps.error(sort, "an array sort is expected")),
                }
            }
            _ => Err(fail()),
        }
    }

    fn index(&self, node: NodeId) -> Result<u64, ReadError> {
        match self.sexps.kind(node) {
            Kind::Numeral(digits) => digits.parse().ok(),
            _ => None,
        }
        .ok_or_else(|| self.sexps.error(node, "a number is expected"))
    }

    /// `(_ bv5 8)`, `(_ +oo 8 24)` and their like.
    fn indexed_constant(&mut self, node: NodeId, rest: &[NodeId]) -> Done {
        let fail = |message: String| self.sexps.error(node, message);
        let name = rest.first().and_then(|&name| self.sexps.symbol(name));
        let name = name.ok_or_else(|| fail("a name is expected after `_`".into()))?;
        let indices: Result<Vec<u64>, ReadError> = rest[1..].iter().map(|&index| self.index(index)).collect();
        let store = self.maker.store;
        let term = match (name, indices?.as_slice()) {
            ("+oo" | "-oo" | "+zero" | "-zero" | "NaN", &[e, s]) => {
                let format = float_format(e, s).map_err(fail)?;
                let bits = match name {
                    "NaN" => float::nan(format),
                    "+oo" | "-oo" => float::infinity(format, name == "-oo"),
                    _ => float::signed_zero(format, name == "-zero"),
                };
                store.constant(&Value::bits(bits.into(), format.width()), Sort::Float(format))
            }
            (_, &[width]) if name.starts_with("bv") => {
                let bits = BigUint::parse_bytes(&name.as_bytes()[2..], 10);
                let bits = bits.ok_or_else(|| fail(format!("unknown constant `(_ {name} ...)`")))?;
                let width = checked_width(width).map_err(fail)?;
                store.constant(&Value::bits(bits, width), Sort::Bv(width))
            }
            _ => return Err(fail(format!("unknown constant `(_ {name} ...)`"))),
        };
        self.values.push(term);
        Ok(())
    }

    /// `(as name sort)`; `@N` is an element of an uninterpreted sort.
    fn qualified(&mut self, node: NodeId, rest: &[NodeId]) -> Done {
        let fail = |message: String| self.sexps.error(node, message);
        let &[name, sort] = rest else { return Err(fail("expected (as name sort)".into())) };
        let sort = sort_of(self.maker.store, self.sexps, sort, self.environment)?;
        let name = self.sexps.symbol(name).ok_or_else(|| fail("a name is expected after `as`".into()))?;
        let term = match (sort, name.strip_prefix('@').and_then(|number| number.parse().ok())) {
            (Sort::Opaque(_), Some(number)) => self.maker.store.small_const(number, sort),
            _ => match self.symbol(name, false) {
                Some(term) if self.maker.store.sort(term) == sort => term,
                _ => return Err(fail(format!("`{name}` is unknown, or of another sort"))),
            },
        };
        self.values.push(term);
        Ok(())
    }

    fn apply(&self, head: &Head, args: &[Term]) -> Result<Term, String> {
        let store = self.maker.store;
        match head {
            Head::Theory(name) => self.maker.apply(name, args),
            Head::Indexed(name, indices) => self.maker.apply_indexed(name, indices, args),
            Head::ConstArray(sort) => {
                let (Sort::Array(id), &[element]) = (*sort, args) else { return Err("expected 1 argument".into()) };
                let element = self.maker.coerce(element, store.array_sort_parts(id).1)?;
                Ok(self.maker.make(Op::ConstArray(*sort), &[element]))
            }
            Head::Function(function) => {
                let args = self.coerce_all(args, &store.function_sorts(*function).0)?;
                Ok(self.maker.make(Op::Apply(*function), &args))
            }
            Head::Macro(definition) => {
                let sorts: Vec<Sort> = definition.params.iter().map(|&param| store.var_sort(param)).collect();
                let args = self.coerce_all(args, &sorts)?;
                let pairs = definition.params.iter().copied().zip(args);
                Ok(Substitution::new(pairs).apply(store, definition.body))
            }
        }
    }

    fn coerce_all(&self, args: &[Term], sorts: &[Sort]) -> Result<Vec<Term>, String> {
        if args.len() != sorts.len() {
            return Err(format!("expected {} arguments, found {}", sorts.len(), args.len()));
        }
        args.iter().zip(sorts).map(|(&arg, &sort)| self.maker.coerce(arg, sort)).collect()
    }
}

/// The store's variable of this name, or a fresh one if that has another sort.
pub(super) fn declare_var(store: &TermStore, name: &str, sort: Sort) -> Term {
    match store.find_var(name) {
        Some(known) if store.var_sort(known) != sort => store.fresh(name, sort),
        _ => store.var(name, sort),
    }
}

fn parse_int(digits: &str) -> BigInt {
    BigInt::parse_bytes(digits.as_bytes(), 10).unwrap_or_default()
}

fn parse_decimal(digits: &str) -> BigRational {
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let scale = BigInt::from(10).pow(fraction.len() as u32);
    BigRational::new(parse_int(&format!("{whole}{fraction}")), scale)
}
