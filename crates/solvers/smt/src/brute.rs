//! A solver that tries every value. It decides any quantifier-free term over a few small variables (Bool, bit-vectors,
//! floats and rounding modes), with the evaluator as the only judge: the reference that tests compare the layers and
//! the real solvers with. Uninterpreted functions, arrays, numbers and wide variables are refused.

use crate::solver::{Answer, Backend, Solver, SolverError, Why};
use fathom_base::Budget;
use fathom_term::{Evaluator, FloatFormat, Model, Sort, Symbol, Term, TermStore, Value, VarId, VarSets, float};
use std::cell::Cell;
use std::rc::Rc;

/// Makes brute-force solvers.
pub struct Brute {
    store: Rc<TermStore>,
    sets: Rc<VarSets>,
    bits: u32,
    checks: Rc<Cell<u64>>,
}

impl Brute {
    /// A back end that tries at most `2^bits` models for a query.
    pub fn new(store: Rc<TermStore>, bits: u32) -> Self {
        Self { store, sets: Rc::default(), bits, checks: Rc::default() }
    }

    /// Counts the checks of all its solvers, also after the back end was given away.
    pub fn checks(&self) -> Rc<Cell<u64>> {
        self.checks.clone()
    }
}

impl Backend for Brute {
    fn name(&self) -> String {
        "brute force".into()
    }

    fn new_solver(&self) -> Result<Box<dyn Solver>, SolverError> {
        Ok(Box::new(BruteSolver {
            store: self.store.clone(),
            sets: self.sets.clone(),
            bits: self.bits,
            checks: self.checks.clone(),
            levels: vec![Vec::new()],
            model: None,
            assumptions: Vec::new(),
        }))
    }
}

struct BruteSolver {
    store: Rc<TermStore>,
    sets: Rc<VarSets>,
    bits: u32,
    checks: Rc<Cell<u64>>,
    levels: Vec<Vec<Term>>,
    model: Option<Model>,
    /// Those of the last check, and its budget, for the core.
    assumptions: Vec<Term>,
}

impl BruteSolver {
    fn decide(&self, assumptions: &[Term], budget: &Budget) -> Result<Option<Model>, Why> {
        let terms: Vec<Term> = self.levels.iter().flatten().chain(assumptions).copied().collect();
        let vars = self.small_vars(&terms)?;
        let total: u32 = vars.iter().map(|(_, sort)| sort.bits().unwrap_or(64)).sum();
        if total > self.bits {
            return Err(Why::Budget);
        }
        for code in 0..1u64 << total {
            if code & 0xfff == 0xfff && budget.exhausted().is_some() {
                return Err(Why::Budget);
            }
            let evaluator = Evaluator::new(decode(code, &vars));
            let mut satisfied = true;
            for &term in &terms {
                match evaluator.holds(&self.store, term) {
                    Some(true) => {}
                    Some(false) => {
                        satisfied = false;
                        break;
                    }
                    None => return Err(Why::Unsupported("quantifiers".into())),
                }
            }
            if satisfied {
                return Ok(Some(evaluator.model().clone()));
            }
        }
        Ok(None)
    }

    fn small_vars(&self, terms: &[Term]) -> Result<Vec<(VarId, Sort)>, Why> {
        let mut vars = Vec::new();
        for &term in terms {
            for symbol in self.sets.of(&self.store, term).iter() {
                match *symbol {
                    Symbol::Var(var) if self.store.var_sort(var).is_small() => vars.push((var, self.store.var_sort(var))),
                    other => return Err(Why::Unsupported(format!("{other:?}"))),
                }
            }
        }
        vars.sort_unstable();
        vars.dedup();
        Ok(vars)
    }
}

/// The model with this number.
fn decode(mut code: u64, vars: &[(VarId, Sort)]) -> Model {
    let mut model = Model::default();
    for &(var, sort) in vars {
        let width = sort.bits().unwrap_or(64);
        let bits = code & fathom_term::mask(width);
        code = code.checked_shr(width).unwrap_or(0);
        let bits = match sort {
            Sort::Float(format) => canonical(format, bits),
            // There are five rounding modes; larger codes stand for the last one.
            Sort::RoundingMode => bits.min(4),
            _ => bits,
        };
        model.values.insert(var, Value::Bits(bits));
    }
    model
}

fn canonical(format: FloatFormat, bits: u64) -> u64 {
    float::canonical(format, bits as u128) as u64
}

impl Solver for BruteSolver {
    fn push(&mut self) -> Result<(), SolverError> {
        self.levels.push(Vec::new());
        Ok(())
    }

    fn pop(&mut self, levels: u32) -> Result<(), SolverError> {
        let left = self.levels.len().checked_sub(levels as usize).filter(|&left| left > 0);
        let left = left.ok_or_else(|| SolverError::Failed("more pops than pushes".into()))?;
        self.levels.truncate(left);
        Ok(())
    }

    fn assert(&mut self, term: Term) -> Result<(), SolverError> {
        if let Some(level) = self.levels.last_mut() {
            level.push(term);
        }
        Ok(())
    }

    fn check(&mut self, assumptions: &[Term], budget: &Budget) -> Answer {
        self.checks.set(self.checks.get() + 1);
        self.model = None;
        self.assumptions = assumptions.to_vec();
        match self.decide(assumptions, budget) {
            Ok(None) => Answer::Unsat,
            Ok(model) => {
                self.model = model;
                Answer::Sat
            }
            Err(why) => Answer::Unknown(why),
        }
    }

    fn model(&mut self, vars: &[VarId]) -> Result<Model, SolverError> {
        let mut model = self.model.clone().ok_or_else(|| SolverError::Failed("no model".into()))?;
        model.values.retain(|var, _| vars.contains(var));
        Ok(model)
    }

    /// A minimal core: assumptions are left out one by one while the rest is unsatisfiable.
    fn failed_assumptions(&mut self) -> Result<Vec<Term>, SolverError> {
        let mut core = self.assumptions.clone();
        for index in (0..core.len()).rev() {
            let mut fewer = core.clone();
            fewer.remove(index);
            if matches!(self.decide(&fewer, &Budget::unlimited()), Ok(None)) {
                core = fewer;
            }
        }
        Ok(core)
    }
}
