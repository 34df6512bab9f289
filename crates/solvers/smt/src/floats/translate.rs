//! Terms with floats as terms without them. Float and rounding-mode sorts become bit-vectors; a float is kept in the
//! form in which it arose, encoded (variables, memory, function results) or taken apart (results of operations), and
//! brought into the other form only where that is needed. Encodings may be any NaN until identity matters: at equality,
//! in arrays, as arguments of functions and as bits of memory there is one. The walk keeps its own stack and each
//! term is translated once.
//!
//! Sound because a bit-vector variable has at least one value for every float, every value means one float, and each
//! operation is the one that `fathom_term::float` computes (tested exhaustively on small formats).

use super::circuits::Circuits;
use super::fixed::{Beyond, FixedPoint};
use super::unpacked::{Layout, Unpacked, nan_value};
use crate::solver::SolverError;
use fathom_base::FxMap;
use fathom_term::{ArrayValue, FloatFormat, FnId, Model, Op, Quantifier, RoundingMode, Sort, Term, TermStore, Value, VarId};
use num_bigint::BigUint;
use std::rc::Rc;

/// A float in the form in which it was computed.
#[derive(Copy, Clone)]
pub(super) enum Float {
    /// An encoding, in which NaN need not be the canonical one.
    Encoded(Term),
    Parts(Unpacked),
}

#[derive(Copy, Clone)]
pub(super) enum Image {
    Plain(Term),
    Float(Layout, Float),
    /// A literal that fixed point cannot hold.
    Beyond(Beyond),
}

/// What stands for a float.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Ieee,
    Fixed(FixedPoint),
}

pub(crate) struct Translator {
    pub(super) store: Rc<TermStore>,
    encoding: Encoding,
    images: FxMap<Term, Image>,
    /// Conversions of floats to the other form.
    encoded: FxMap<Term, Term>,
    parts: FxMap<Term, Unpacked>,
    vars: FxMap<VarId, VarId>,
    /// Variables whose bits are a float of this format, in fixed point.
    inputs: FxMap<VarId, FloatFormat>,
    functions: FxMap<FnId, FnId>,
    functions_back: FxMap<FnId, FnId>,
}

pub(super) fn unsupported(what: impl Into<String>) -> SolverError {
    SolverError::Unsupported(what.into())
}

impl Translator {
    /// A translator for the terms of this store.
    pub fn new(store: Rc<TermStore>, encoding: Encoding) -> Self {
        Self {
            store,
            encoding,
            inputs: FxMap::default(),
            images: FxMap::default(),
            encoded: FxMap::default(),
            parts: FxMap::default(),
            vars: FxMap::default(),
            functions: FxMap::default(),
            functions_back: FxMap::default(),
        }
    }

    /// Translates a condition to one over bit-vectors.
    pub fn translate(&mut self, root: Term) -> Result<Term, SolverError> {
        let mut stack = vec![(root, false)];
        while let Some((term, ready)) = stack.pop() {
            if self.images.contains_key(&term) {
                continue;
            }
            let args = self.store.args(term);
            if !ready && !args.is_empty() && !self.is_input(term) {
                stack.push((term, true));
                stack.extend(args.iter().map(|&arg| (arg, false)));
                if let Op::Forall(id) | Op::Exists(id) = self.store.op(term) {
                    let quantifier = self.store.quantifier(id);
                    stack.extend(quantifier.triggers.iter().flatten().map(|&part| (part, false)));
                }
                continue;
            }
            let image = self.image_of(term, &args)?;
            self.images.insert(term, image);
        }
        self.plain(root)
    }

    fn image_of(&mut self, term: Term, args: &[Term]) -> Result<Image, SolverError> {
        let store = self.store.clone();
        let (op, sort) = (store.op(term), store.sort(term));
        if let Op::Const(_) | Op::BigConst(_) = op {
            return self.constant(term, sort);
        }
        let of_floats = args.iter().any(|&arg| matches!(store.sort(arg), Sort::Float(_)));
        if of_floats || matches!(sort, Sort::Float(_)) {
            return match self.encoding {
                Encoding::Ieee => self.float_image(term, op, sort, args),
                Encoding::Fixed(fixed) => self.fixed_image(fixed, term, op, args),
            };
        }
        let plain = match op {
            Op::Var(var) => store.var_term(self.variable(var)?),
            Op::Eq if self.has_float_elements(store.sort(args[0])) => {
                return Err(unsupported("equality of arrays of floats"));
            }
            Op::Forall(id) | Op::Exists(id) => {
                let quantifier = store.quantifier(id);
                let body = self.plain(args[0])?;
                let image = self.quantifier(&quantifier)?;
                let make = if matches!(op, Op::Forall(_)) { TermStore::forall } else { TermStore::exists };
                make(&store, image.bound, image.triggers, body)
            }
            _ => self.same_operation(term, op, args)?,
        };
        Ok(Image::Plain(self.one_mode(sort, op, plain)))
    }

    /// The operation itself, on the images of its arguments.
    pub(super) fn same_operation(&mut self, term: Term, op: Op, args: &[Term]) -> Result<Term, SolverError> {
        let mut images = Vec::with_capacity(args.len());
        for &arg in args {
            images.push(self.plain(arg)?);
        }
        let op = match op {
            Op::ConstArray(sort) => Op::ConstArray(self.sort(sort)?),
            Op::Apply(function) => Op::Apply(self.function(function)?),
            other => other,
        };
        if images == args && op == self.store.op(term) {
            return Ok(term);
        }
        Ok(self.store.build(op, &images))
    }

    /// A rounding mode that is not computed may have any code; codes past the last mean the last mode.
    fn one_mode(&self, sort: Sort, op: Op, code: Term) -> Term {
        let s = &self.store;
        if sort != Sort::RoundingMode || op == Op::Ite || op.is_const() {
            return code;
        }
        let last = s.bv(RoundingMode::TowardZero as u64, 3);
        s.ite(s.bv_ult(last, code), last, code)
    }

    fn constant(&self, term: Term, sort: Sort) -> Result<Image, SolverError> {
        let bits = |width: u32| {
            let value = self.store.const_value(term).unwrap_or(Value::Bits(0));
            self.store.constant(&value, Sort::Bv(width))
        };
        Ok(match sort {
            Sort::Float(format) => match self.encoding {
                Encoding::Ieee => Image::Float(layout(format)?, Float::Encoded(bits(format.width()))),
                Encoding::Fixed(fixed) => self.fixed_constant(fixed, term, format)?,
            },
            Sort::RoundingMode => Image::Plain(bits(3)),
            _ => Image::Plain(term),
        })
    }

    // ---- images

    /// The image of a term that isn't a float, or the one encoding of a float.
    pub(super) fn plain(&mut self, term: Term) -> Result<Term, SolverError> {
        match self.image(term)? {
            Image::Plain(image) => Ok(image),
            Image::Beyond(beyond) => Err(match self.encoding {
                Encoding::Fixed(fixed) => self.fixed_complaint(fixed, term, beyond),
                Encoding::Ieee => unsupported("a literal"),
            }),
            Image::Float(layout, float) => {
                if let Some(&known) = self.encoded.get(&term) {
                    return Ok(known);
                }
                let c = Circuits { store: &self.store };
                let bits = match float {
                    Float::Parts(parts) => c.pack(&layout, &parts),
                    Float::Encoded(bits) => self.store.ite(c.bits_nan(&layout, bits), c.nan_bits(layout.format), bits),
                };
                self.encoded.insert(term, bits);
                Ok(bits)
            }
        }
    }

    fn image(&self, term: Term) -> Result<Image, SolverError> {
        self.images.get(&term).copied().ok_or_else(|| SolverError::Failed("a term was not translated".into()))
    }

    pub(super) fn float(&self, term: Term) -> Result<(Layout, Float), SolverError> {
        match self.image(term)? {
            Image::Float(layout, float) => Ok((layout, float)),
            _ => Err(SolverError::Failed("a float was expected".into())),
        }
    }

    /// How a literal lies outside of fixed point, if it does.
    pub(super) fn beyond(&self, term: Term) -> Result<Option<Beyond>, SolverError> {
        Ok(match self.image(term)? {
            Image::Beyond(beyond) => Some(beyond),
            _ => None,
        })
    }

    pub(super) fn parts(&mut self, term: Term) -> Result<Unpacked, SolverError> {
        let (layout, float) = self.float(term)?;
        Ok(match float {
            Float::Parts(parts) => parts,
            Float::Encoded(bits) => match self.parts.get(&term) {
                Some(&known) => known,
                None => {
                    let parts = Circuits { store: &self.store }.unpack(&layout, bits);
                    self.parts.insert(term, parts);
                    parts
                }
            },
        })
    }

    // ---- symbols and sorts

    pub(super) fn sort(&self, sort: Sort) -> Result<Sort, SolverError> {
        Ok(match sort {
            Sort::Float(format) => match self.encoding {
                Encoding::Ieee => Sort::Bv(layout(format)?.width()),
                Encoding::Fixed(fixed) => Sort::Bv(fixed.width()),
            },
            Sort::RoundingMode => Sort::Bv(3),
            // Sorts nest no deeper than the user's types.
            Sort::Array(id) => {
                let (index, element) = self.store.array_sort_parts(id);
                let (index, element) = (self.sort(index)?, self.sort(element)?);
                self.store.array_sort(index, element)
            }
            other => other,
        })
    }

    /// Whether elements of arrays of this sort may have several encodings (NaN).
    fn has_float_elements(&self, sort: Sort) -> bool {
        match sort {
            Sort::Array(id) => {
                let (_, element) = self.store.array_sort_parts(id);
                matches!(element, Sort::Float(_) | Sort::RoundingMode) || self.has_float_elements(element)
            }
            _ => false,
        }
    }

    pub(super) fn variable(&mut self, var: VarId) -> Result<VarId, SolverError> {
        if self.inputs.contains_key(&var) {
            return Err(unsupported("the bits of a float in fixed point"));
        }
        if let Some(&known) = self.vars.get(&var) {
            return Ok(known);
        }
        let sort = self.store.var_sort(var);
        let image_sort = self.sort(sort)?;
        let image = if image_sort == sort {
            var
        } else {
            let fresh = self.store.fresh(&format!("{}.bits", self.store.var_name(var)), image_sort);
            self.store.as_var(fresh).unwrap_or(var)
        };
        self.vars.insert(var, image);
        Ok(image)
    }

    /// In fixed point: whether a term reads a variable's bits as a float, so that the bits themselves don't matter.
    fn is_input(&self, term: Term) -> bool {
        let reads = matches!(self.encoding, Encoding::Fixed(_)) && matches!(self.store.op(term), Op::FpFromBits(_));
        reads && self.store.as_var(self.store.arg(term, 0)).is_some()
    }

    /// The fixed-point number for a variable that holds the bits of a float.
    pub(super) fn input_variable(&mut self, var: VarId, format: FloatFormat) -> Result<VarId, SolverError> {
        match (self.inputs.get(&var), self.vars.get(&var)) {
            (Some(&known), Some(&image)) if known == format => return Ok(image),
            (None, None) => {}
            _ => return Err(unsupported("the bits of a float in fixed point")),
        }
        let sort = self.sort(Sort::Float(format))?;
        let fresh = self.store.fresh(&format!("{}.fixed", self.store.var_name(var)), sort);
        let image = self.store.as_var(fresh).unwrap_or(var);
        self.inputs.insert(var, format);
        self.vars.insert(var, image);
        Ok(image)
    }

    fn function(&mut self, function: FnId) -> Result<FnId, SolverError> {
        if let Some(&known) = self.functions.get(&function) {
            return Ok(known);
        }
        let (arguments, result) = self.store.function_sorts(function);
        let images: Vec<Sort> = arguments.iter().map(|&sort| self.sort(sort)).collect::<Result<_, _>>()?;
        let result_image = self.sort(result)?;
        let image = if images == arguments && result_image == result {
            function
        } else {
            if self.store.theory_head(function).is_some() {
                return Err(SolverError::Unsupported("functions of other theories over floats".into()));
            }
            let name = self.store.function_name(function);
            let mut names = (1..).map(|number| format!("{name}.bits!{number}"));
            let free = names.find(|name| self.store.find_function(name).is_none()).unwrap_or_default();
            self.store.function(&free, &images, result_image)
        };
        self.functions.insert(function, image);
        self.functions_back.insert(image, function);
        Ok(image)
    }

    fn quantifier(&mut self, quantifier: &Quantifier) -> Result<Quantifier, SolverError> {
        let mut bound = Vec::with_capacity(quantifier.bound.len());
        for &var in &quantifier.bound {
            bound.push(self.variable(var)?);
        }
        let mut triggers = Vec::with_capacity(quantifier.triggers.len());
        for trigger in &quantifier.triggers {
            triggers.push(trigger.iter().map(|&part| self.plain(part)).collect::<Result<Vec<_>, _>>()?);
        }
        Ok(Quantifier { bound, triggers })
    }

    // ---- models

    /// The variable that a solver knows, if it was mentioned.
    pub fn image_of_variable(&self, var: VarId) -> Option<VarId> {
        self.vars.get(&var).copied()
    }

    /// The value of a variable from that of its image.
    pub fn value_back(&self, value: &Value, sort: Sort) -> Value {
        match (sort, value) {
            (Sort::Float(format), Value::Bits(_) | Value::Wide(_)) => match self.encoding {
                Encoding::Ieee => one_nan(format, value),
                Encoding::Fixed(fixed) => fixed.float(format, value),
            },
            (Sort::RoundingMode, Value::Bits(code)) => Value::Bits((*code).min(RoundingMode::TowardZero as u64)),
            (Sort::Array(id), Value::Array(array)) => {
                let (index, element) = self.store.array_sort_parts(id);
                let default = self.value_back(&array.default, element);
                let pairs = array.entries.iter();
                let pairs = pairs.map(|(at, held)| (self.value_back(at, index), self.value_back(held, element)));
                let entries = pairs.filter(|(_, held)| *held != default).collect();
                Value::Array(Rc::new(ArrayValue { default, entries }))
            }
            _ => value.clone(),
        }
    }

    /// A model of the original terms.
    pub fn model_back(&self, vars: &[VarId], found: &Model) -> Model {
        let mut model = Model::default();
        for &var in vars {
            let value = self.image_of_variable(var).and_then(|image| found.values.get(&image));
            if let Some(value) = value {
                let sort = self.inputs.get(&var).map_or(self.store.var_sort(var), |&format| Sort::Float(format));
                model.values.insert(var, self.value_back(value, sort));
            }
        }
        for ((image, arguments), value) in &found.functions {
            let Some(&function) = self.functions_back.get(image) else { continue };
            let (sorts, result) = self.store.function_sorts(function);
            let arguments = arguments.iter().zip(sorts).map(|(value, sort)| self.value_back(value, sort)).collect();
            model.functions.insert((function, arguments), self.value_back(value, result));
        }
        model
    }
}

pub(super) fn layout(format: FloatFormat) -> Result<Layout, SolverError> {
    Layout::new(format).ok_or_else(|| unsupported(format!("{format:?}")))
}

fn one_nan(format: FloatFormat, value: &Value) -> Value {
    let bits = value.to_biguint();
    let fraction = u64::from(format.significand) - 1;
    let exponent = (&bits >> fraction) & ((BigUint::from(1u8) << format.exponent) - 1u8);
    let all_ones = exponent == (BigUint::from(1u8) << format.exponent) - 1u8;
    let has_fraction = bits.trailing_zeros().is_some_and(|zeros| zeros < fraction);
    if all_ones && has_fraction { nan_value(format) } else { value.clone() }
}
