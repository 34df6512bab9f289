//! Terms of the store as terms of Z3, each translated once per back end. The walk keeps its own stack, so depth does
//! not matter. Where SMT-LIB leaves a value open (division by zero, float to integer out of range, min and max of two
//! zeros, the bits of NaN) our terms fix one, and the translation says which. Variables become constants of Z3; a
//! quantifier abstracts those that it binds, so one variable may be free here and bound there.

use crate::api;
use crate::context::{Ast, Context};
use fathom_base::FxMap;
use fathom_smt::{SolverError, Translations};
use fathom_term::{FnId, Op, QuantifierId, RoundingMode, Sort, Term, TermStore, Value};
use num_traits::Zero;
use std::ffi::{CString, c_uint};
use std::rc::Rc;

pub(crate) type Translated = Result<Ast, SolverError>;

/// The signatures of Z3's constructors.
pub(crate) type Unary = unsafe extern "C" fn(*mut api::Context, *mut api::Ast) -> *mut api::Ast;
pub(crate) type Binary = unsafe extern "C" fn(*mut api::Context, *mut api::Ast, *mut api::Ast) -> *mut api::Ast;
pub(crate) type Ternary = unsafe extern "C" fn(*mut api::Context, *mut api::Ast, *mut api::Ast, *mut api::Ast) -> *mut api::Ast;
type Many = unsafe extern "C" fn(*mut api::Context, c_uint, *const *mut api::Ast) -> *mut api::Ast;
type Indexed = unsafe extern "C" fn(*mut api::Context, c_uint, *mut api::Ast) -> *mut api::Ast;

struct Entry {
    ast: Ast,
    /// Whether an application of an uninterpreted function lies at or below, outside quantifiers.
    has_applications: bool,
    is_quantified: bool,
}

pub(crate) struct Translator {
    pub(crate) store: Rc<TermStore>,
    pub(crate) context: Rc<Context>,
    entries: Translations<Entry>,
    sorts: FxMap<Sort, Ast>,
    functions: FxMap<FnId, Ast>,
    switches: FxMap<Term, Ast>,
}

impl Translator {
    /// A translator in a new context.
    pub fn new(store: Rc<TermStore>) -> Result<Self, SolverError> {
        let context = Context::new()?;
        let (sorts, functions, switches) = (FxMap::default(), FxMap::default(), FxMap::default());
        Ok(Self { store, context, entries: Translations::default(), sorts, functions, switches })
    }

    /// The translation of a term that was translated before.
    pub fn known(&self, term: Term) -> Option<&Ast> {
        self.entry(term).map(|entry| &entry.ast)
    }

    /// Whether a translated term contains applications of uninterpreted functions, outside quantifiers.
    pub fn has_applications(&self, term: Term) -> bool {
        self.entry(term).is_some_and(|entry| entry.has_applications)
    }

    /// Whether a quantifier lies at or below.
    pub fn is_quantified(&self, term: Term) -> bool {
        self.entry(term).is_some_and(|entry| entry.is_quantified)
    }

    fn entry(&self, term: Term) -> Option<&Entry> {
        self.entries.get(term)
    }

    /// Translates a term; parts that were translated before are shared.
    pub fn translate(&mut self, root: Term) -> Translated {
        let store = self.store.clone();
        let mut stack = vec![root];
        let triggers = |term: Term, stack: &mut Vec<Term>| {
            if let Op::Forall(id) | Op::Exists(id) = store.op(term) {
                stack.extend(store.quantifier(id).triggers.iter().flatten());
            }
        };
        while let Some(term) = self.entries.next(&store, &mut stack, triggers) {
            let args = store.args(term);
            let ast = self.translate_node(term, &args)?;
            let has_applications = match self.store.op(term) {
                Op::Apply(_) => true,
                Op::Forall(_) | Op::Exists(_) => false,
                _ => args.iter().any(|&arg| self.has_applications(arg)),
            };
            let is_quantified =
                matches!(self.store.op(term), Op::Forall(_) | Op::Exists(_)) || args.iter().any(|&arg| self.is_quantified(arg));
            self.entries.insert(&store, term, Entry { ast, has_applications, is_quantified });
        }
        self.known(root).cloned().ok_or_else(|| SolverError::Failed("a term vanished while translating".into()))
    }

    /// A Boolean constant that stands for assuming a term: Z3 wants assumptions to be literals.
    pub fn switch(&mut self, term: Term) -> Translated {
        if let Some(known) = self.switches.get(&term) {
            return Ok(known.clone());
        }
        let sort = self.sort(Sort::Bool)?;
        let context = &self.context;
        // SAFETY: live objects of one context; the prefix is copied.
        let switch = Ast::new(context, unsafe { (context.api.Z3_mk_fresh_const)(context.raw, c"assume".as_ptr(), sort.raw) })?;
        self.switches.insert(term, switch.clone());
        Ok(switch)
    }

    fn translate_node(&mut self, term: Term, args: &[Term]) -> Translated {
        let op = self.store.op(term);
        let sort = self.store.sort(term);
        let asts: Vec<Ast> = args.iter().filter_map(|&arg| self.known(arg).cloned()).collect();
        if let Some(simple) = self.simple(op, &asts) {
            return simple;
        }
        match op {
            Op::Var(var) => {
                let sort = self.sort(sort)?;
                let symbol = self.context.symbol(&self.store.var_name(var));
                // SAFETY: live objects of one context.
                Ast::new(&self.context, unsafe { (self.context.api.Z3_mk_const)(self.context.raw, symbol, sort.raw) })
            }
            Op::Const(_) | Op::BigConst(_) => {
                let value = self.store.const_value(term);
                self.constant(&value.ok_or_else(|| unsupported("a constant without a value"))?, sort)
            }
            Op::BvZeroExtend(to) => self.extend(self.context.api.Z3_mk_zero_ext, args[0], to, &asts[0]),
            Op::BvSignExtend(to) => self.extend(self.context.api.Z3_mk_sign_ext, args[0], to, &asts[0]),
            Op::BvSmulOverflow => self.multiplication_overflows(&asts[0], &asts[1], true),
            Op::BvUmulOverflow => self.multiplication_overflows(&asts[0], &asts[1], false),
            Op::IntDiv | Op::IntMod | Op::RealDiv => self.division(op, args, &asts),
            Op::ConstArray(Sort::Array(id)) => {
                let index = self.sort(self.store.array_sort_parts(id).0)?;
                self.binary(self.context.api.Z3_mk_const_array, &index, &asts[0])
            }
            Op::Apply(function) => {
                let head = self.store.theory_head(function);
                let declared = self.function(function, head.as_deref())?;
                if head.is_some() && asts.is_empty() { Ok(declared) } else { self.application(&declared, &asts) }
            }
            Op::Forall(id) => self.quantified(true, id, &asts[0]),
            Op::Exists(id) => self.quantified(false, id, &asts[0]),
            _ => self.float_operation(op, args, &asts),
        }
    }

    /// Operations that mean the same to Z3, with the same arguments.
    fn simple(&self, op: Op, args: &[Ast]) -> Option<Translated> {
        use Op::*;
        let z3 = self.context.api;
        Some(match op {
            Not => self.unary(z3.Z3_mk_not, &args[0]),
            BvNeg => self.unary(z3.Z3_mk_bvneg, &args[0]),
            BvNot => self.unary(z3.Z3_mk_bvnot, &args[0]),
            IntNeg | RealNeg => self.unary(z3.Z3_mk_unary_minus, &args[0]),
            IntToReal => self.unary(z3.Z3_mk_int2real, &args[0]),
            RealToInt => self.unary(z3.Z3_mk_real2int, &args[0]),
            And => self.many(z3.Z3_mk_and, args),
            Or => self.many(z3.Z3_mk_or, args),
            IntAdd | RealAdd => self.many(z3.Z3_mk_add, args),
            IntMul | RealMul => self.many(z3.Z3_mk_mul, args),
            Xor => self.binary(z3.Z3_mk_xor, &args[0], &args[1]),
            Eq => self.binary(z3.Z3_mk_eq, &args[0], &args[1]),
            BvAdd => self.binary(z3.Z3_mk_bvadd, &args[0], &args[1]),
            BvMul => self.binary(z3.Z3_mk_bvmul, &args[0], &args[1]),
            BvUdiv => self.binary(z3.Z3_mk_bvudiv, &args[0], &args[1]),
            BvUrem => self.binary(z3.Z3_mk_bvurem, &args[0], &args[1]),
            BvSdiv => self.binary(z3.Z3_mk_bvsdiv, &args[0], &args[1]),
            BvSrem => self.binary(z3.Z3_mk_bvsrem, &args[0], &args[1]),
            BvAnd => self.binary(z3.Z3_mk_bvand, &args[0], &args[1]),
            BvOr => self.binary(z3.Z3_mk_bvor, &args[0], &args[1]),
            BvXor => self.binary(z3.Z3_mk_bvxor, &args[0], &args[1]),
            BvShl => self.binary(z3.Z3_mk_bvshl, &args[0], &args[1]),
            BvLshr => self.binary(z3.Z3_mk_bvlshr, &args[0], &args[1]),
            BvAshr => self.binary(z3.Z3_mk_bvashr, &args[0], &args[1]),
            BvUlt => self.binary(z3.Z3_mk_bvult, &args[0], &args[1]),
            BvSlt => self.binary(z3.Z3_mk_bvslt, &args[0], &args[1]),
            BvConcat => self.binary(z3.Z3_mk_concat, &args[0], &args[1]),
            IntLt | RealLt => self.binary(z3.Z3_mk_lt, &args[0], &args[1]),
            IntLe | RealLe => self.binary(z3.Z3_mk_le, &args[0], &args[1]),
            Select => self.binary(z3.Z3_mk_select, &args[0], &args[1]),
            Ite => self.ternary(z3.Z3_mk_ite, &args[0], &args[1], &args[2]),
            Store => self.ternary(z3.Z3_mk_store, &args[0], &args[1], &args[2]),
            IntToBv(width) => self.indexed(z3.Z3_mk_int2bv, width, &args[0]),
            // SAFETY: live objects of one context.
            BvToInt => self.take(unsafe { (z3.Z3_mk_bv2int)(self.context.raw, args[0].raw, false) }),
            BvExtract { high, low } => {
                // SAFETY: live objects of one context.
                self.take(unsafe { (z3.Z3_mk_extract)(self.context.raw, high, low, args[0].raw) })
            }
            _ => return None,
        })
    }

    // ---- calls into Z3: live objects of one context, which is all it asks for; it reports misuse

    pub(crate) fn take(&self, raw: *mut api::Ast) -> Translated {
        Ast::new(&self.context, raw)
    }

    pub(crate) fn unary(&self, make: Unary, a: &Ast) -> Translated {
        // SAFETY: see above.
        self.take(unsafe { make(self.context.raw, a.raw) })
    }

    pub(crate) fn binary(&self, make: Binary, a: &Ast, b: &Ast) -> Translated {
        // SAFETY: see above.
        self.take(unsafe { make(self.context.raw, a.raw, b.raw) })
    }

    pub(crate) fn ternary(&self, make: Ternary, a: &Ast, b: &Ast, c: &Ast) -> Translated {
        // SAFETY: see above.
        self.take(unsafe { make(self.context.raw, a.raw, b.raw, c.raw) })
    }

    pub(crate) fn many(&self, make: Many, args: &[Ast]) -> Translated {
        let args: Vec<*mut api::Ast> = args.iter().map(|arg| arg.raw).collect();
        // SAFETY: see above; the array lives through the call.
        self.take(unsafe { make(self.context.raw, args.len() as c_uint, args.as_ptr()) })
    }

    fn indexed(&self, make: Indexed, index: u32, a: &Ast) -> Translated {
        // SAFETY: see above.
        self.take(unsafe { make(self.context.raw, index, a.raw) })
    }

    fn application(&self, function: &Ast, args: &[Ast]) -> Translated {
        let args: Vec<*mut api::Ast> = args.iter().map(|arg| arg.raw).collect();
        let (context, count) = (&self.context, args.len() as c_uint);
        // SAFETY: see above; the array lives through the call.
        self.take(unsafe { (context.api.Z3_mk_app)(context.raw, function.raw, count, args.as_ptr()) })
    }

    // ---- the rest

    fn extend(&self, make: Indexed, arg: Term, to: u32, ast: &Ast) -> Translated {
        let Sort::Bv(from) = self.store.sort(arg) else { return Err(unsupported("an extension of a non-vector")) };
        self.indexed(make, to.saturating_sub(from), ast)
    }

    fn multiplication_overflows(&self, a: &Ast, b: &Ast, signed: bool) -> Translated {
        let z3 = self.context.api;
        // SAFETY: live objects of one context.
        let mut fits = self.take(unsafe { (z3.Z3_mk_bvmul_no_overflow)(self.context.raw, a.raw, b.raw, signed) })?;
        if signed {
            let no_underflow = self.binary(z3.Z3_mk_bvmul_no_underflow, a, b)?;
            fits = self.many(z3.Z3_mk_and, &[fits, no_underflow])?;
        }
        self.unary(z3.Z3_mk_not, &fits)
    }

    /// By zero the quotient is zero and the remainder the dividend.
    fn division(&mut self, op: Op, args: &[Term], asts: &[Ast]) -> Translated {
        let z3 = self.context.api;
        let make = if op == Op::IntMod { z3.Z3_mk_mod } else { z3.Z3_mk_div };
        let divided = self.binary(make, &asts[0], &asts[1])?;
        let is_zero = match self.store.const_value(args[1]) {
            Some(Value::Int(int)) => Some(int.is_zero()),
            Some(Value::Real(real)) => Some(real.is_zero()),
            _ => None,
        };
        if is_zero == Some(false) {
            return Ok(divided);
        }
        let sort = self.store.sort(args[1]);
        let zero = self.constant(&Value::zero(sort, &self.store), sort)?;
        let by_zero = self.binary(z3.Z3_mk_eq, &asts[1], &zero)?;
        let result = if op == Op::IntMod { &asts[0] } else { &zero };
        self.ternary(z3.Z3_mk_ite, &by_zero, result, &divided)
    }

    /// The constant of a sort with a value.
    pub(crate) fn constant(&mut self, value: &Value, sort: Sort) -> Translated {
        let z3 = self.context.api;
        match (sort, value) {
            // SAFETY: a live context.
            (Sort::Bool, Value::Bits(0)) => self.take(unsafe { (z3.Z3_mk_false)(self.context.raw) }),
            // SAFETY: a live context.
            (Sort::Bool, Value::Bits(_)) => self.take(unsafe { (z3.Z3_mk_true)(self.context.raw) }),
            (Sort::RoundingMode, Value::Bits(code)) => self.rounding_mode(RoundingMode::from_code(*code)),
            (Sort::Bv(_), Value::Bits(bits)) => {
                let sort = self.sort(sort)?;
                // SAFETY: live objects of one context.
                self.take(unsafe { (z3.Z3_mk_unsigned_int64)(self.context.raw, *bits, sort.raw) })
            }
            (Sort::Bv(_), Value::Wide(bits)) => self.numeral(&bits.to_string(), sort),
            (Sort::Int, Value::Int(int)) => self.numeral(&int.to_string(), sort),
            (Sort::Real, Value::Real(real)) => self.numeral(&format!("{}/{}", real.numer(), real.denom()), sort),
            (Sort::Float(format), Value::Bits(_) | Value::Wide(_)) => {
                let bits = self.constant(value, Sort::Bv(format.width()))?;
                let sort = self.sort(sort)?;
                self.binary(z3.Z3_mk_fpa_to_fp_bv, &bits, &sort)
            }
            _ => Err(unsupported(&format!("constants of sort {sort:?}"))),
        }
    }

    fn numeral(&mut self, digits: &str, sort: Sort) -> Translated {
        let sort = self.sort(sort)?;
        let digits = CString::new(digits).unwrap_or_default();
        // SAFETY: live objects of one context; the digits are copied.
        self.take(unsafe { (self.context.api.Z3_mk_numeral)(self.context.raw, digits.as_ptr(), sort.raw) })
    }

    pub(crate) fn rounding_mode(&self, mode: RoundingMode) -> Translated {
        let z3 = self.context.api;
        let make = match mode {
            RoundingMode::NearestEven => z3.Z3_mk_fpa_rne,
            RoundingMode::NearestAway => z3.Z3_mk_fpa_rna,
            RoundingMode::TowardPositive => z3.Z3_mk_fpa_rtp,
            RoundingMode::TowardNegative => z3.Z3_mk_fpa_rtn,
            RoundingMode::TowardZero => z3.Z3_mk_fpa_rtz,
        };
        // SAFETY: a live context.
        self.take(unsafe { make(self.context.raw) })
    }

    /// The declaration of a function; what a theory calls a function without arguments is a value.
    fn function(&mut self, function: FnId, theory: Option<&str>) -> Translated {
        if let Some(known) = self.functions.get(&function) {
            return Ok(known.clone());
        }
        if let Some(head) = theory {
            let known = self.theory_function(function, head)?;
            self.functions.insert(function, known.clone());
            return Ok(known);
        }
        let (arguments, result) = self.store.function_sorts(function);
        let result = self.sort(result)?;
        let domain: Result<Vec<Ast>, _> = arguments.iter().map(|&sort| self.sort(sort)).collect();
        let domain = domain?;
        let domain: Vec<*mut api::Ast> = domain.iter().map(|sort| sort.raw).collect();
        let context = &self.context;
        let symbol = context.symbol(&self.store.function_name(function));
        // SAFETY: live objects of one context (`sorts` keeps those of the domain); the array lives through the call.
        let declared =
            self.take(unsafe { (context.api.Z3_mk_func_decl)(context.raw, symbol, domain.len() as c_uint, domain.as_ptr(), result.raw) })?;
        self.functions.insert(function, declared.clone());
        Ok(declared)
    }

    fn quantified(&mut self, universal: bool, id: QuantifierId, body: &Ast) -> Translated {
        let quantifier = self.store.quantifier(id);
        let bound: Result<Vec<Ast>, _> = quantifier.bound.iter().map(|&var| self.translate(self.store.var_term(var))).collect();
        let bound = bound?;
        let mut patterns = Vec::new();
        for trigger in &quantifier.triggers {
            let parts: Vec<Ast> = trigger.iter().filter_map(|&part| self.known(part).cloned()).collect();
            patterns.push(self.many(self.context.api.Z3_mk_pattern, &parts)?);
        }
        // A trigger that Z3 does not take (one without a bound variable, say) is only a hint lost.
        self.quantifier_over(universal, &bound, &patterns, body).or_else(|_| self.quantifier_over(universal, &bound, &[], body))
    }

    fn quantifier_over(&self, universal: bool, bound: &[Ast], patterns: &[Ast], body: &Ast) -> Translated {
        let bound: Vec<*mut api::Ast> = bound.iter().map(|ast| ast.raw).collect();
        let patterns: Vec<*mut api::Ast> = patterns.iter().map(|ast| ast.raw).collect();
        let (context, default_weight) = (&self.context, 1);
        // SAFETY: live objects of one context; both arrays live through the call.
        self.take(unsafe {
            (context.api.Z3_mk_quantifier_const)(
                context.raw,
                universal,
                default_weight,
                bound.len() as c_uint,
                bound.as_ptr(),
                patterns.len() as c_uint,
                patterns.as_ptr(),
                body.raw,
            )
        })
    }

    pub(crate) fn sort(&mut self, sort: Sort) -> Translated {
        if let Some(known) = self.sorts.get(&sort) {
            return Ok(known.clone());
        }
        let (z3, raw) = (self.context.api, self.context.raw);
        // SAFETY: a live context, and live sorts of it.
        let made = unsafe {
            match sort {
                Sort::Bool => (z3.Z3_mk_bool_sort)(raw),
                Sort::Bv(width) => (z3.Z3_mk_bv_sort)(raw, width),
                Sort::Float(f) => (z3.Z3_mk_fpa_sort)(raw, f.exponent.into(), f.significand.into()),
                Sort::RoundingMode => (z3.Z3_mk_fpa_rounding_mode_sort)(raw),
                Sort::Int => (z3.Z3_mk_int_sort)(raw),
                Sort::Real => (z3.Z3_mk_real_sort)(raw),
                Sort::Array(id) => {
                    // Sorts nest no deeper than the user's types.
                    let (index, element) = self.store.array_sort_parts(id);
                    let (index, element) = (self.sort(index)?, self.sort(element)?);
                    (z3.Z3_mk_array_sort)(raw, index.raw, element.raw)
                }
                Sort::Opaque(id) if self.store.theory_sort_parts(id).is_some() => {
                    let made = self.theory_sort(id)?;
                    self.sorts.insert(sort, made.clone());
                    return Ok(made);
                }
                Sort::Opaque(id) => (z3.Z3_mk_uninterpreted_sort)(raw, self.context.symbol(&self.store.opaque_sort_name(id))),
            }
        };
        let made = self.take(made)?;
        self.sorts.insert(sort, made.clone());
        Ok(made)
    }
}

pub(crate) fn unsupported(what: &str) -> SolverError {
    SolverError::Unsupported(what.to_string())
}
