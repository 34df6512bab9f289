//! Terms of the store as terms of Bitwuzla, each translated once per back end. The walk keeps its own stack, so depth
//! does not matter.
//!
//! Four things need more than a table of kinds:
//! - Where SMT-LIB leaves a value open (float to integer out of range, min and max of two zeros) our terms fix one, so
//!   the translation says which (`float.rs`).
//! - Bitwuzla cannot give the bits of a float. `FpToBits(x)` becomes a new constant together with a *definition* that
//!   ties it to `x`; every float has such bits, so asserting the definition excludes nothing. Solvers assert the
//!   definitions of the terms they are given (`footprint.rs`).
//! - Bitwuzla does not decide equality of uninterpreted sorts, so their elements become 64-bit vectors. Without
//!   quantifiers that is exact: a satisfiable formula has a model with no more elements than it has terms. Quantified
//!   formulas could count elements and are refused.
//! - Variables become constants of Bitwuzla. A quantifier replaces those it binds by bound variables when its body is
//!   complete, so one variable may be free here and bound there.

use crate::handle::{Manager, SortHandle, TermHandle, make};
use crate::kind::{Kind, plain_kind, rounding_code};
use fathom_base::FxMap;
use fathom_smt::{SolverError, Translations};
use fathom_term::{FloatFormat, FnId, Op, QuantifierId, RoundingMode, Sort, Term, TermStore, Value};
use num_bigint::BigUint;
use std::rc::Rc;

/// Elements of uninterpreted sorts are numbers of this many bits.
pub(crate) const OPAQUE_WIDTH: u32 = 64;

pub(crate) type Translated = Result<Rc<TermHandle>, SolverError>;

/// What lies below a term, itself included.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Below {
    /// A term with a definition.
    pub definitions: bool,
    /// An application of an uninterpreted function, outside quantifiers.
    pub applications: bool,
    /// A term with elements of an uninterpreted sort.
    pub opaque: bool,
}

struct Entry {
    handle: Rc<TermHandle>,
    below: Below,
}

pub(crate) struct Translator {
    pub(crate) store: Rc<TermStore>,
    pub(crate) manager: Rc<Manager>,
    entries: Translations<Entry>,
    sorts: FxMap<Sort, Rc<SortHandle>>,
    functions: FxMap<FnId, Rc<TermHandle>>,
    definitions: FxMap<Term, Rc<TermHandle>>,
}

impl Translator {
    /// A translator with a manager of its own.
    pub fn new(store: Rc<TermStore>) -> Result<Self, SolverError> {
        let manager = Manager::new()?;
        let (sorts, functions, definitions) = (FxMap::default(), FxMap::default(), FxMap::default());
        Ok(Self { store, manager, entries: Translations::default(), sorts, functions, definitions })
    }

    /// The translation of a term that was translated before.
    pub fn known(&self, term: Term) -> Option<&Rc<TermHandle>> {
        self.entry(term).map(|entry| &entry.handle)
    }

    /// What lies below a translated term.
    pub fn below(&self, term: Term) -> Below {
        self.entry(term).map(|entry| entry.below).unwrap_or_default()
    }

    /// The formula that gives a term its meaning, where the term alone does not.
    pub fn definition(&self, term: Term) -> Option<&Rc<TermHandle>> {
        self.definitions.get(&term)
    }

    fn entry(&self, term: Term) -> Option<&Entry> {
        self.entries.get(term)
    }

    /// Translates a term; parts that were translated before are shared.
    pub fn translate(&mut self, root: Term) -> Translated {
        if let Some(known) = self.known(root) {
            return Ok(known.clone());
        }
        let store = self.store.clone();
        let mut stack = vec![root];
        while let Some(term) = self.entries.next(&store, &mut stack, |_, _| {}) {
            let args = store.args(term);
            let handle = self.translate_node(term, &args)?;
            let below = self.below_node(term, &args);
            self.entries.insert(&store, term, Entry { handle, below });
        }
        self.known(root).cloned().ok_or_else(|| SolverError::Failed("a term vanished while translating".into()))
    }

    fn below_node(&self, term: Term, args: &[Term]) -> Below {
        let mut below = Below { opaque: involves_opaque(&self.store, self.store.sort(term)), ..Below::default() };
        for &arg in args {
            let of_arg = self.below(arg);
            below.definitions |= of_arg.definitions;
            below.applications |= of_arg.applications;
            below.opaque |= of_arg.opaque;
        }
        match self.store.op(term) {
            Op::Apply(_) => below.applications = true,
            Op::FpToBits => below.definitions |= self.definitions.contains_key(&term),
            // What is below a quantifier mentions bound variables and has no single value.
            Op::Forall(_) | Op::Exists(_) => below.applications = false,
            _ => {}
        }
        below
    }

    fn translate_node(&mut self, term: Term, args: &[Term]) -> Translated {
        let op = self.store.op(term);
        let sort = self.store.sort(term);
        let handles: Vec<Rc<TermHandle>> = args.iter().filter_map(|&arg| self.known(arg).cloned()).collect();
        if let (Op::FpSqrt, Sort::Float(format)) = (op, sort)
            && !has_normal_roots(format)
        {
            return Err(unsupported(&format!("square roots in {format:?}")));
        }
        if let Some(kind) = plain_kind(op) {
            return self.apply(kind, &handles, &[]);
        }
        match op {
            Op::Var(var) => {
                let sort = self.sort(sort)?;
                make::constant(&self.manager, &sort, &self.store.var_name(var)).map(Rc::new)
            }
            Op::Const(_) | Op::BigConst(_) => {
                let value = self.store.const_value(term);
                self.constant(&value.ok_or_else(|| unsupported("a constant without a value"))?, sort)
            }
            Op::BvExtract { high, low } => self.apply(Kind::BV_EXTRACT, &handles, &[high.into(), low.into()]),
            Op::BvZeroExtend(to) => self.extend(Kind::BV_ZERO_EXTEND, args[0], to, &handles),
            Op::BvSignExtend(to) => self.extend(Kind::BV_SIGN_EXTEND, args[0], to, &handles),
            Op::FpFromBits(f) => self.apply(Kind::FP_TO_FP_FROM_BV, &handles, &format_indices(f)),
            Op::FpToFp(f) => self.float_to_float(args, &handles, f),
            Op::FpFromSigned(f) => self.integer_to_float(args, &handles, f, true),
            Op::FpFromUnsigned(f) => self.integer_to_float(args, &handles, f, false),
            Op::FpRoundToIntegral => self.round_to_integral(args, &handles),
            Op::FpMin => self.minimum(&handles[0], &handles[1], false),
            Op::FpMax => self.minimum(&handles[0], &handles[1], true),
            Op::FpToSigned(width) => self.float_to_integer(args, &handles, width, true),
            Op::FpToUnsigned(width) => self.float_to_integer(args, &handles, width, false),
            Op::FpFromReal(format) => self.real_to_float(args, &handles, format),
            Op::FpToBits => self.bits_of_float(term, args[0]),
            Op::ConstArray(_) => {
                let sort = self.sort(sort)?;
                make::constant_array(&self.manager, &sort, &handles[0]).map(Rc::new)
            }
            Op::Apply(function) => self.application(function, &handles),
            Op::Forall(id) => self.quantified(Kind::FORALL, id, args[0]),
            Op::Exists(id) => self.quantified(Kind::EXISTS, id, args[0]),
            other => Err(unsupported(&format!("{other:?}"))),
        }
    }

    pub(crate) fn apply(&self, kind: Kind, args: &[Rc<TermHandle>], indices: &[u64]) -> Translated {
        let args: smallvec::SmallVec<[&TermHandle; 4]> = args.iter().map(|arg| &**arg).collect();
        make::apply(&self.manager, kind, &args, indices).map(Rc::new)
    }

    fn extend(&self, kind: Kind, arg: Term, to: u32, handles: &[Rc<TermHandle>]) -> Translated {
        let Sort::Bv(from) = self.store.sort(arg) else { return Err(unsupported("an extension of a non-vector")) };
        self.apply(kind, handles, &[to.saturating_sub(from).into()])
    }

    /// The constant of a sort with a value.
    pub(crate) fn constant(&mut self, value: &Value, sort: Sort) -> Translated {
        match (sort, value) {
            (Sort::Bool, Value::Bits(bits)) => make::bool(&self.manager, *bits != 0).map(Rc::new),
            (Sort::RoundingMode, Value::Bits(code)) => {
                make::rounding_mode(&self.manager, rounding_code(RoundingMode::from_code(*code))).map(Rc::new)
            }
            (Sort::Opaque(_), Value::Bits(_)) => self.bits(value, OPAQUE_WIDTH),
            (Sort::Bv(width), Value::Bits(_) | Value::Wide(_)) => self.bits(value, width),
            (Sort::Float(format), Value::Bits(_) | Value::Wide(_)) => self.float(&value.to_biguint(), format),
            _ => Err(unsupported(&format!("constants of sort {sort:?}"))),
        }
    }

    fn bits(&mut self, value: &Value, width: u32) -> Translated {
        let sort = self.sort(Sort::Bv(width))?;
        match value {
            Value::Bits(bits) => make::bv_small(&self.manager, &sort, *bits).map(Rc::new),
            wide => {
                let digits = wide.to_biguint().to_str_radix(2);
                make::bv_binary(&self.manager, &sort, &digits).map(Rc::new)
            }
        }
    }

    /// The float with an interchange encoding.
    pub(crate) fn float(&mut self, encoding: &BigUint, format: FloatFormat) -> Translated {
        let fraction = u32::from(format.significand) - 1;
        let exponent = u32::from(format.exponent);
        let sign = self.bits(&Value::bits(encoding >> (fraction + exponent), 1), 1)?;
        let exponent_bits = self.bits(&Value::bits(encoding >> fraction, exponent), exponent)?;
        let fraction_bits = self.bits(&Value::bits(encoding.clone(), fraction), fraction)?;
        make::fp(&self.manager, &sign, &exponent_bits, &fraction_bits).map(Rc::new)
    }

    fn application(&mut self, function: FnId, args: &[Rc<TermHandle>]) -> Translated {
        let function = self.function(function)?;
        if args.is_empty() {
            return Ok(function);
        }
        let mut all = vec![function];
        all.extend_from_slice(args);
        self.apply(Kind::APPLY, &all, &[])
    }

    fn function(&mut self, function: FnId) -> Translated {
        if let Some(known) = self.functions.get(&function) {
            return Ok(known.clone());
        }
        if self.store.theory_head(function).is_some() {
            return Err(unsupported("functions of other theories"));
        }
        let (arguments, result) = self.store.function_sorts(function);
        let result = self.sort(result)?;
        let sort = if arguments.is_empty() {
            result
        } else {
            let domain: Result<Vec<_>, _> = arguments.iter().map(|&sort| self.sort(sort)).collect();
            Rc::new(make::function_sort(&self.manager, &domain?, &result)?)
        };
        let symbol = Rc::new(make::constant(&self.manager, &sort, &self.store.function_name(function))?);
        self.functions.insert(function, symbol.clone());
        Ok(symbol)
    }

    fn quantified(&mut self, kind: Kind, id: QuantifierId, body: Term) -> Translated {
        if self.below(body).definitions {
            return Err(unsupported("the bits of a float inside a quantifier"));
        }
        let quantifier = self.store.quantifier(id);
        let binds_opaque = quantifier.bound.iter().any(|&var| involves_opaque(&self.store, self.store.var_sort(var)));
        if self.below(body).opaque || binds_opaque {
            return Err(unsupported("uninterpreted sorts inside a quantifier"));
        }
        let (mut constants, mut variables) = (Vec::new(), Vec::new());
        for &var in &quantifier.bound {
            let sort = self.sort(self.store.var_sort(var))?;
            variables.push(Rc::new(make::bound_variable(&self.manager, &sort, &self.store.var_name(var))?));
            constants.push(self.translate(self.store.var_term(var))?);
        }
        let from: Vec<&TermHandle> = constants.iter().map(|handle| &**handle).collect();
        let to: Vec<&TermHandle> = variables.iter().map(|handle| &**handle).collect();
        let body = self.translate(body)?;
        let body = Rc::new(make::substitute(&self.manager, &body, &from, &to)?);
        variables.push(body);
        self.apply(kind, &variables, &[])
    }

    /// Records the formula that must hold wherever `term` is used.
    pub(crate) fn define(&mut self, term: Term, formula: Rc<TermHandle>) {
        self.definitions.insert(term, formula);
    }

    pub(crate) fn sort(&mut self, sort: Sort) -> Result<Rc<SortHandle>, SolverError> {
        if let Some(known) = self.sorts.get(&sort) {
            return Ok(known.clone());
        }
        let made = match sort {
            Sort::Bool => make::bool_sort(&self.manager)?,
            Sort::Bv(width) => make::bv_sort(&self.manager, width)?,
            Sort::Float(format) if is_sensible(format) => make::fp_sort(&self.manager, format.exponent, format.significand)?,
            Sort::Float(format) => return Err(unsupported(&format!("{format:?}"))),
            Sort::RoundingMode => make::rm_sort(&self.manager)?,
            Sort::Array(id) => {
                // Sorts nest no deeper than the user's types.
                let (index, element) = self.store.array_sort_parts(id);
                let (index, element) = (self.sort(index)?, self.sort(element)?);
                make::array_sort(&self.manager, &index, &element)?
            }
            Sort::Opaque(id) if self.store.theory_sort_parts(id).is_some() => return Err(unsupported("sorts of other theories")),
            Sort::Opaque(_) => make::bv_sort(&self.manager, OPAQUE_WIDTH)?,
            Sort::Int => return Err(unsupported("mathematical integers")),
            Sort::Real => return Err(unsupported("real numbers")),
        };
        let made = Rc::new(made);
        self.sorts.insert(sort, made.clone());
        Ok(made)
    }
}

/// A format whose largest values are integers, with at least three stored bits of significand, as in all formats in
/// use. SymFPU takes that for granted: elsewhere it rounds wrongly, or asks for vectors of nearly 2^64 bits.
pub(crate) fn is_sensible(format: FloatFormat) -> bool {
    let (exponent, significand) = (u32::from(format.exponent), u32::from(format.significand));
    exponent >= 2 && significand >= 4 && (exponent > 16 || 1 << (exponent - 1) >= significand)
}

/// A format in which no square root is subnormal; SymFPU takes that for granted as well.
fn has_normal_roots(format: FloatFormat) -> bool {
    format.exponent > 16 || 1 << (format.exponent - 1) > u32::from(format.significand)
}

/// Whether values of this sort contain elements of uninterpreted sorts.
fn involves_opaque(store: &TermStore, sort: Sort) -> bool {
    match sort {
        Sort::Opaque(_) => true,
        Sort::Array(id) => {
            let (index, element) = store.array_sort_parts(id);
            involves_opaque(store, index) || involves_opaque(store, element)
        }
        _ => false,
    }
}

pub(crate) fn unsupported(what: &str) -> SolverError {
    SolverError::Unsupported(what.to_string())
}

pub(crate) fn format_indices(format: FloatFormat) -> [u64; 2] {
    [format.exponent.into(), format.significand.into()]
}
