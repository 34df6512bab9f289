//! Values that Z3 computed, as values of the term language. Arrays come as chains of stores over a constant array or
//! over a function's table; anything else is printed and read back as SMT-LIB. Elements of uninterpreted sorts are
//! numbered in the order in which they are met.

use crate::context::{Ast, Context, FunctionEntry, FunctionTable, ModelHandle, text};
use crate::translate::Translator;
use fathom_base::FxMap;
use fathom_smt::{SolverError, read_model};
use fathom_term::{ArrayValue, Model, Op, Sort, Term, TermStore, Value, VarId, float, smtlib};
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use std::collections::BTreeMap;
use std::rc::Rc;

const STORE: i32 = 0x300;
const CONSTANT_ARRAY: i32 = 0x302;
const AS_ARRAY: i32 = 0x30a;
/// Rounding modes follow each other in our order.
const FIRST_ROUNDING_MODE: i32 = 0xb000;
const NUMERAL: i32 = 0;
const APPLICATION: i32 = 1;

pub(crate) struct ModelReader<'a> {
    translator: &'a Translator,
    context: Rc<Context>,
    model: ModelHandle,
    /// Elements of uninterpreted sorts; the terms are kept so that no address is used twice.
    elements: FxMap<usize, (u64, Ast)>,
    /// What the model is a model of.
    roots: Vec<Term>,
    /// For each sort of maps the indices at which they are read.
    reads: FxMap<Sort, Vec<Term>>,
}

impl<'a> ModelReader<'a> {
    /// A reader of this model; `roots` are the terms that it is a model of.
    pub fn new(translator: &'a Translator, model: ModelHandle, roots: Vec<Term>) -> Self {
        let context = translator.context.clone();
        Self { translator, context, model, elements: FxMap::default(), roots, reads: FxMap::default() }
    }

    /// Values of the variables, and of the applications at the arguments they have in this model.
    pub fn read(mut self, vars: &[VarId], applications: &[Term]) -> Result<Model, SolverError> {
        let store = self.translator.store.clone();
        read_model(&store, vars, applications, |term| self.value_of(&store, term))
    }

    fn value_of(&mut self, store: &TermStore, term: Term) -> Result<Option<Value>, SolverError> {
        let Some(ast) = self.translator.known(term).cloned() else { return Ok(None) };
        let value = self.evaluate(&ast)?;
        self.convert(store, &value, store.sort(term)).map(Some)
    }

    fn evaluate(&self, ast: &Ast) -> Result<Ast, SolverError> {
        let mut value = std::ptr::null_mut();
        let context = &self.context;
        // SAFETY: live objects of one context; the result is written to our variable.
        let done = unsafe { (context.api.Z3_model_eval)(context.raw, self.model.raw, ast.raw, true, &mut value) };
        if !done {
            context.checked()?;
            return Err(SolverError::Failed("Z3 gave no value".into()));
        }
        self.own(value)
    }

    fn own(&self, raw: *mut crate::api::Ast) -> Result<Ast, SolverError> {
        Ast::new(&self.context, raw).map_err(|error| SolverError::Failed(error.to_string()))
    }

    fn convert(&mut self, store: &TermStore, value: &Ast, sort: Sort) -> Result<Value, SolverError> {
        let (z3, raw) = (self.context.api, self.context.raw);
        match sort {
            // SAFETY: live objects of one context.
            Sort::Bool => match unsafe { (z3.Z3_get_bool_value)(raw, value.raw) } {
                1 => Ok(Value::TRUE),
                -1 => Ok(Value::FALSE),
                _ => self.read_back(store, value, sort),
            },
            Sort::Bv(width) => Ok(Value::bits(self.number(value)?, width)),
            Sort::Int => Ok(Value::int(self.number::<BigInt>(value)?)),
            Sort::Real => self.real(value),
            Sort::Float(format) => {
                // SAFETY: live objects of one context.
                if unsafe { (z3.Z3_fpa_is_numeral_nan)(raw, value.raw) } {
                    return Ok(Value::bits(float::nan(format).into(), format.width()));
                }
                // SAFETY: live objects of one context; each result is owned before the next call.
                let bits = unsafe {
                    let bits = self.own((z3.Z3_mk_fpa_to_ieee_bv)(raw, value.raw))?;
                    self.own((z3.Z3_simplify)(raw, bits.raw))?
                };
                Ok(Value::bits(self.number(&bits)?, format.width()))
            }
            Sort::RoundingMode => match self.operation(value) - FIRST_ROUNDING_MODE {
                code @ 0..5 => Ok(Value::Bits(code as u64)),
                _ => Err(self.unexpected(value)),
            },
            Sort::Array(id) => {
                let (index, element) = store.array_sort_parts(id);
                self.array(store, value, (index, element), sort)
            }
            Sort::Opaque(_) => {
                let next = self.elements.len() as u64;
                let place = self.elements.entry(value.raw as usize);
                Ok(Value::Bits(place.or_insert_with(|| (next, value.clone())).0))
            }
        }
    }

    fn number<N: std::str::FromStr>(&self, value: &Ast) -> Result<N, SolverError> {
        // SAFETY: live objects of one context; the string is copied at once.
        let digits = text(unsafe { (self.context.api.Z3_get_numeral_string)(self.context.raw, value.raw) });
        digits.parse().map_err(|_| self.unexpected(value))
    }

    fn real(&self, value: &Ast) -> Result<Value, SolverError> {
        // SAFETY: live objects of one context; the string is copied at once.
        let (irrational, digits) = unsafe {
            let irrational = (self.context.api.Z3_is_algebraic_number)(self.context.raw, value.raw);
            let digits = (!irrational).then(|| text((self.context.api.Z3_get_numeral_string)(self.context.raw, value.raw)));
            (irrational, digits.unwrap_or_default())
        };
        if irrational {
            return Err(SolverError::Unsupported("models with irrational numbers".into()));
        }
        let (numerator, denominator) = digits.split_once('/').unwrap_or((&digits, "1"));
        match (numerator.trim().parse(), denominator.trim().parse::<BigUint>()) {
            (Ok(numerator), Ok(denominator)) if denominator != BigUint::default() => {
                Ok(Value::real(BigRational::new(numerator, denominator.into())))
            }
            _ => Err(self.unexpected(value)),
        }
    }

    /// The kind of operation that an application is of; negative for other terms.
    fn operation(&self, value: &Ast) -> i32 {
        let (z3, raw) = (self.context.api, self.context.raw);
        // SAFETY: live objects of one context; a declaration lives as long as its application.
        unsafe {
            // Numerals, among which Z3 counts rounding modes, are applications too.
            if ![NUMERAL, APPLICATION].contains(&(z3.Z3_get_ast_kind)(raw, value.raw)) {
                return -1;
            }
            (z3.Z3_get_decl_kind)(raw, (z3.Z3_get_app_decl)(raw, value.raw))
        }
    }

    fn argument(&self, value: &Ast, index: u32) -> Result<Ast, SolverError> {
        // SAFETY: live objects of one context; Z3 checks the index.
        self.own(unsafe { (self.context.api.Z3_get_app_arg)(self.context.raw, value.raw, index) })
    }

    fn array(
        &mut self,
        store: &TermStore,
        value: &Ast,
        (index_sort, element_sort): (Sort, Sort),
        sort: Sort,
    ) -> Result<Value, SolverError> {
        // The outermost store at an index counts.
        let mut entries: BTreeMap<Value, Value> = BTreeMap::new();
        let mut current = value.clone();
        while self.operation(&current) == STORE {
            let index = self.convert(store, &self.argument(&current, 1)?, index_sort)?;
            let element = self.convert(store, &self.argument(&current, 2)?, element_sort)?;
            entries.entry(index).or_insert(element);
            current = self.argument(&current, 0)?;
        }
        let default = match self.operation(&current) {
            CONSTANT_ARRAY => self.convert(store, &self.argument(&current, 0)?, element_sort)?,
            AS_ARRAY => match self.function_table(store, &current, (index_sort, element_sort), &mut entries) {
                Ok(default) => default,
                Err(_) => self.read_at_points(store, &current, sort, element_sort, &mut entries)?,
            },
            _ => match self.read_back(store, &current, sort) {
                Ok(Value::Array(rest)) => {
                    for (index, element) in &rest.entries {
                        entries.entry(index.clone()).or_insert_with(|| element.clone());
                    }
                    rest.default.clone()
                }
                Ok(_) => return Err(self.unexpected(&current)),
                Err(_) => self.read_at_points(store, &current, sort, element_sort, &mut entries)?,
            },
        };
        entries.retain(|_, element| *element != default);
        Ok(Value::Array(Rc::new(ArrayValue { default, entries: entries.into_iter().collect() })))
    }

    /// A map that Z3 describes by an expression: its elements where the question reads maps of this sort. Elsewhere it
    /// is taken to be zero; if that is wrong, evaluating the query under the model shows it.
    fn read_at_points(
        &mut self,
        store: &TermStore,
        array: &Ast,
        sort: Sort,
        element_sort: Sort,
        entries: &mut BTreeMap<Value, Value>,
    ) -> Result<Value, SolverError> {
        for index in self.reads_of(store, sort) {
            let Some(ast) = self.translator.known(index).cloned() else { continue };
            let Some(point) = self.value_of(store, index)? else { continue };
            if entries.contains_key(&point) {
                continue;
            }
            let (z3, raw) = (self.context.api, self.context.raw);
            // SAFETY: live objects of one context; the result is owned at once.
            let read = self.own(unsafe { (z3.Z3_mk_select)(raw, array.raw, ast.raw) })?;
            let element = self.evaluate(&read)?;
            let element = self.convert(store, &element, element_sort)?;
            entries.insert(point, element);
        }
        Ok(Value::zero(element_sort, store))
    }

    fn reads_of(&mut self, store: &TermStore, sort: Sort) -> Vec<Term> {
        if self.reads.is_empty() {
            for read in store.subterms(self.roots.iter().copied()).filter(|&term| store.op(term) == Op::Select) {
                self.reads.entry(store.sort(store.arg(read, 0))).or_default().push(store.arg(read, 1));
            }
        }
        self.reads.get(&sort).cloned().unwrap_or_default()
    }

    /// Adds the entries of the function that an array is made of; returns its value elsewhere.
    fn function_table(
        &mut self,
        store: &TermStore,
        array: &Ast,
        (index_sort, element_sort): (Sort, Sort),
        entries: &mut BTreeMap<Value, Value>,
    ) -> Result<Value, SolverError> {
        let (z3, raw) = (self.context.api, self.context.raw);
        // SAFETY: live objects of one context throughout; each result is owned before the next call.
        unsafe {
            let function = self.own((z3.Z3_get_as_array_func_decl)(raw, array.raw))?;
            let table = (z3.Z3_model_get_func_interp)(raw, self.model.raw, function.raw);
            let table = FunctionTable::new(&self.context, table)?;
            for position in 0..(z3.Z3_func_interp_get_num_entries)(raw, table.raw) {
                let entry = (z3.Z3_func_interp_get_entry)(raw, table.raw, position);
                let entry = FunctionEntry::new(&self.context, entry)?;
                let index = self.own((z3.Z3_func_entry_get_arg)(raw, entry.raw, 0))?;
                let element = self.own((z3.Z3_func_entry_get_value)(raw, entry.raw))?;
                let index = self.convert(store, &index, index_sort)?;
                let element = self.convert(store, &element, element_sort)?;
                entries.entry(index).or_insert(element);
            }
            let default = self.own((z3.Z3_func_interp_get_else)(raw, table.raw))?;
            self.convert(store, &default, element_sort)
        }
    }

    fn read_back(&self, store: &TermStore, value: &Ast, sort: Sort) -> Result<Value, SolverError> {
        smtlib::read_value(store, sort, &self.shown(value)).map_err(|_| self.unexpected(value))
    }

    fn shown(&self, value: &Ast) -> String {
        // SAFETY: live objects of one context; the string is copied at once.
        text(unsafe { (self.context.api.Z3_ast_to_string)(self.context.raw, value.raw) })
    }

    fn unexpected(&self, value: &Ast) -> SolverError {
        SolverError::Failed(format!("Z3 gave an unexpected value: {}", self.shown(value)))
    }
}
