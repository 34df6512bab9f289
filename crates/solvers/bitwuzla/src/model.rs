//! Values that Bitwuzla computed, as values of the term language.

use crate::handle::{SolverHandle, TermHandle};
use crate::kind::{Kind, rounding_mode};
use crate::translate::{OPAQUE_WIDTH, Translator};
use fathom_smt::{SolverError, read_model};
use fathom_term::{ArrayValue, Model, Sort, Term, TermStore, Value, VarId, float};
use num_bigint::BigUint;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::rc::Rc;

/// Reads the values of a model.
pub(crate) struct ModelReader<'a> {
    pub solver: &'a mut SolverHandle,
    pub translator: &'a Translator,
}

impl<'a> ModelReader<'a> {
    /// A reader of the model of the last check.
    pub fn new(solver: &'a mut SolverHandle, translator: &'a Translator) -> Self {
        Self { solver, translator }
    }

    /// Values of the variables, and of the applications at the arguments they have in this model.
    pub fn read(mut self, vars: &[VarId], applications: &[Term]) -> Result<Model, SolverError> {
        let store = self.translator.store.clone();
        read_model(&store, vars, applications, |term| self.value_of(&store, term))
    }

    fn value_of(&mut self, store: &TermStore, term: Term) -> Result<Option<Value>, SolverError> {
        let Some(handle) = self.translator.known(term) else { return Ok(None) };
        let value = self.solver.value(handle)?;
        self.convert(store, &value, store.sort(term)).map(Some)
    }

    fn convert(&mut self, store: &TermStore, value: &TermHandle, sort: Sort) -> Result<Value, SolverError> {
        match sort {
            Sort::Bool => Ok(Value::bool(value.value_bool()?)),
            Sort::Opaque(_) => Ok(Value::bits(binary(&value.value_bits()?)?, OPAQUE_WIDTH)),
            Sort::Bv(width) => Ok(Value::bits(binary(&value.value_bits()?)?, width)),
            Sort::Float(format) => {
                let bits = binary(&value.value_bits()?)?;
                let bits = match u128::try_from(&bits) {
                    Ok(small) => BigUint::from(float::canonical(format, small)),
                    Err(_) => bits,
                };
                Ok(Value::bits(bits, format.width()))
            }
            Sort::RoundingMode => {
                let mode = rounding_mode(value.value_rounding_code()?);
                mode.map(|mode| Value::Bits(mode as u64)).ok_or_else(|| unexpected("rounding mode"))
            }
            Sort::Array(id) => {
                let (index, element) = store.array_sort_parts(id);
                self.convert_array(store, value, index, element)
            }
            Sort::Int | Sort::Real => Err(unexpected("number")),
        }
    }

    /// An array value is a chain of stores over a constant array; the outermost store at an index counts.
    fn convert_array(&mut self, store: &TermStore, value: &TermHandle, index_sort: Sort, element_sort: Sort) -> Result<Value, SolverError> {
        let mut written: BTreeMap<Value, Value> = BTreeMap::new();
        let mut below;
        let mut current = value;
        while current.kind() == Kind::ARRAY_STORE {
            let index = self.convert(store, &current.child(1)?, index_sort)?;
            if let Entry::Vacant(place) = written.entry(index) {
                place.insert(self.convert(store, &current.child(2)?, element_sort)?);
            }
            below = current.child(0)?;
            current = &below;
        }
        if current.kind() != Kind::CONST_ARRAY {
            return Err(unexpected("array"));
        }
        let default = self.convert(store, &current.child(0)?, element_sort)?;
        written.retain(|_, element| *element != default);
        Ok(Value::Array(Rc::new(ArrayValue { default, entries: written.into_iter().collect() })))
    }
}

fn binary(digits: &str) -> Result<BigUint, SolverError> {
    BigUint::parse_bytes(digits.as_bytes(), 2).ok_or_else(|| unexpected("number"))
}

fn unexpected(what: &str) -> SolverError {
    SolverError::Failed(format!("Bitwuzla gave an unexpected value of a {what}"))
}
