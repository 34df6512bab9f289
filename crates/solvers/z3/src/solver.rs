//! One assertion stack of Z3.

use crate::applications::Applications;
use crate::context::{Ast, AstVector, ModelHandle, ParamDescriptions, ParamsHandle, SolverHandle, text};
use crate::translate::Translator;
use crate::watch::Watcher;
use crate::{Parameter, Z3Options};
use fathom_base::{Budget, FxSet};
use fathom_smt::{Answer, Solver, SolverError, Why};
use fathom_term::{Model, Op, Term, VarId};
use std::cell::RefCell;
use std::rc::Rc;

pub(crate) struct Z3Solver {
    handle: SolverHandle,
    translator: Rc<RefCell<Translator>>,
    watcher: Rc<RefCell<Watcher>>,
    applications: Applications,
    /// Assumptions whose literal was already defined, in order, and how many there were when each level began.
    tied: Vec<Term>,
    tied_set: FxSet<Term>,
    levels: Vec<usize>,
    /// What is asserted, and how much there was when each level began.
    asserted: Vec<Term>,
    asserted_levels: Vec<usize>,
    /// Whether quantifiers were ever asserted, and whether Z3 looks for models of them at the moment.
    quantified: bool,
    seeks_models: bool,
    only_refutes: bool,
    /// Of the last check: each assumption with the literal that Z3 was given.
    assumptions: Vec<(Term, Ast)>,
}

impl Z3Solver {
    pub fn new(translator: Rc<RefCell<Translator>>, watcher: Rc<RefCell<Watcher>>, options: &Z3Options) -> Result<Self, SolverError> {
        let context = translator.borrow().context.clone();
        // SAFETY: a live context; symbols live as long as it.
        let raw = unsafe {
            match &options.logic {
                Some(logic) => (context.api.Z3_mk_solver_for_logic)(context.raw, context.symbol(logic)),
                None => (context.api.Z3_mk_solver)(context.raw),
            }
        };
        let handle = SolverHandle::new(&context, raw)?;
        set_parameters(&handle, &options.parameters)?;
        Ok(Self {
            handle,
            translator,
            watcher,
            applications: Applications::default(),
            tied: Vec::new(),
            tied_set: FxSet::default(),
            levels: Vec::new(),
            asserted: Vec::new(),
            asserted_levels: Vec::new(),
            quantified: false,
            seeks_models: true,
            only_refutes: false,
            assumptions: Vec::new(),
        })
    }

    fn take(&mut self, term: Term) -> Result<Ast, SolverError> {
        self.handle.context.usable()?;
        let mut translator = self.translator.borrow_mut();
        let ast = translator.translate(term)?;
        self.applications.add(&translator, term);
        self.quantified |= translator.is_quantified(term);
        Ok(ast)
    }

    /// Quantifiers are instantiated by their triggers in any case. Whether Z3 also looks for models of them decides how
    /// it fails: without, it says soon that it does not know; with, it may find a model or search for ever.
    fn seek_models(&mut self, seek: bool) -> Result<(), SolverError> {
        if self.seeks_models != seek {
            self.seeks_models = seek;
            set_parameters(&self.handle, &[("smt.mbqi".to_string(), Parameter::Bool(seek))])?;
        }
        Ok(())
    }

    fn assert_ast(&self, ast: &Ast) -> Result<(), SolverError> {
        let context = &self.handle.context;
        // SAFETY: live objects of one context.
        unsafe { (context.api.Z3_solver_assert)(context.raw, self.handle.raw, ast.raw) };
        context.checked()
    }

    /// A literal that is true only if the assumption is.
    fn literal(&mut self, assumption: Term) -> Result<Ast, SolverError> {
        let ast = self.take(assumption)?;
        let mut translator = self.translator.borrow_mut();
        if let Op::Var(_) = translator.store.op(assumption) {
            return Ok(ast);
        }
        let switch = translator.switch(assumption)?;
        if self.tied_set.insert(assumption) {
            self.tied.push(assumption);
            let off = translator.unary(translator.context.api.Z3_mk_not, &switch)?;
            let tie = translator.many(translator.context.api.Z3_mk_or, &[off, ast])?;
            self.assert_ast(&tie)?;
        }
        Ok(switch)
    }

    fn try_check(&mut self, assumptions: &[Term], budget: &Budget) -> Result<Answer, SolverError> {
        self.handle.context.usable()?;
        self.assumptions.clear();
        for &assumption in assumptions {
            let literal = self.literal(assumption)?;
            self.assumptions.push((assumption, literal));
        }
        if budget.exhausted().is_some() {
            return Ok(Answer::Unknown(Why::Budget));
        }
        if self.quantified {
            self.seek_models(false)?;
            let answer = self.check_literals(budget)?;
            let Answer::Unknown(Why::Incomplete(_)) = answer else { return Ok(answer) };
            if self.only_refutes {
                return Ok(answer);
            }
            self.seek_models(true)?;
        }
        self.check_literals(budget)
    }

    fn check_literals(&mut self, budget: &Budget) -> Result<Answer, SolverError> {
        let raw_literals: Vec<_> = self.assumptions.iter().map(|(_, literal)| literal.raw).collect();
        let context = &self.handle.context;
        let (z3, raw, solver) = (context.api, context.raw, self.handle.raw);
        let (count, literals) = (raw_literals.len() as u32, raw_literals.as_ptr());
        let (verdict, stopped) = self.watcher.borrow_mut().during(z3, raw, solver, budget, || {
            // SAFETY: live objects of one context; the array lives through the call. A single foreign call, and after
            // a fault the context is given up.
            unsafe { fathom_fault::survive(|| (z3.Z3_solver_check_assumptions)(raw, solver, count, literals)) }
        });
        let verdict = verdict.map_err(|fault| {
            context.give_up();
            SolverError::Failed(format!("it crashed ({fault})"))
        })?;
        match verdict {
            1 => return Ok(Answer::Sat),
            -1 => return Ok(Answer::Unsat),
            _ if stopped => return Ok(Answer::Unknown(Why::Budget)),
            _ => context.checked()?,
        }
        // SAFETY: live objects of one context; the string is copied at once.
        let reason = text(unsafe { (z3.Z3_solver_get_reason_unknown)(raw, solver) });
        let is_limit = ["cancel", "timeout", "interrupt", "resource limit", "memout"].iter().any(|limit| reason.contains(limit));
        Ok(Answer::Unknown(if is_limit { Why::Budget } else { Why::Incomplete(reason) }))
    }
}

fn set_parameters(solver: &SolverHandle, parameters: &[(String, Parameter)]) -> Result<(), SolverError> {
    if parameters.is_empty() {
        return Ok(());
    }
    let context = &solver.context;
    let (z3, raw) = (context.api, context.raw);
    // SAFETY: live objects of one context.
    unsafe {
        let params = ParamsHandle::new(context, (z3.Z3_mk_params)(raw))?;
        for (name, value) in parameters {
            let name = context.symbol(name);
            match value {
                Parameter::Bool(value) => (z3.Z3_params_set_bool)(raw, params.raw, name, *value),
                Parameter::Number(value) => (z3.Z3_params_set_uint)(raw, params.raw, name, *value),
                Parameter::Fraction(value) => (z3.Z3_params_set_double)(raw, params.raw, name, *value),
                Parameter::Symbol(value) => (z3.Z3_params_set_symbol)(raw, params.raw, name, context.symbol(value)),
            }
        }
        let known = ParamDescriptions::new(context, (z3.Z3_solver_get_param_descrs)(raw, solver.raw))?;
        (z3.Z3_params_validate)(raw, params.raw, known.raw);
        context.checked()?;
        (z3.Z3_solver_set_params)(raw, solver.raw, params.raw);
    }
    context.checked()
}

impl Solver for Z3Solver {
    fn push(&mut self) -> Result<(), SolverError> {
        let context = &self.handle.context;
        context.usable()?;
        // SAFETY: live objects of one context.
        unsafe { (context.api.Z3_solver_push)(context.raw, self.handle.raw) };
        context.checked()?;
        self.levels.push(self.tied.len());
        self.asserted_levels.push(self.asserted.len());
        self.applications.push();
        Ok(())
    }

    fn pop(&mut self, levels: u32) -> Result<(), SolverError> {
        let context = &self.handle.context;
        context.usable()?;
        if levels as usize > self.levels.len() {
            return Err(SolverError::Failed(format!("{levels} levels popped of {}", self.levels.len())));
        }
        // SAFETY: live objects of one context.
        unsafe { (context.api.Z3_solver_pop)(context.raw, self.handle.raw, levels) };
        context.checked()?;
        let remaining = self.levels.len() - levels as usize;
        if let Some(&start) = self.levels.get(remaining) {
            for term in self.tied.drain(start..) {
                self.tied_set.remove(&term);
            }
        }
        self.levels.truncate(remaining);
        if let Some(&start) = self.asserted_levels.get(remaining) {
            self.asserted.truncate(start);
        }
        self.asserted_levels.truncate(remaining);
        self.applications.pop(levels);
        Ok(())
    }

    fn assert(&mut self, term: Term) -> Result<(), SolverError> {
        let ast = self.take(term)?;
        self.asserted.push(term);
        self.assert_ast(&ast)
    }

    fn check(&mut self, assumptions: &[Term], budget: &Budget) -> Answer {
        self.try_check(assumptions, budget).unwrap_or_else(|error| Answer::Unknown(error.into()))
    }

    fn model(&mut self, vars: &[VarId]) -> Result<Model, SolverError> {
        let translator = self.translator.borrow();
        let context = &self.handle.context;
        context.usable()?;
        // SAFETY: live objects of one context; null if there is no model.
        let model = unsafe { (context.api.Z3_solver_get_model)(context.raw, self.handle.raw) };
        let model = ModelHandle::new(context, model)?;
        let applications: Vec<Term> = self.applications.iter(&translator).collect();
        let mut roots = self.asserted.clone();
        roots.extend(self.assumptions.iter().map(|(term, _)| *term));
        crate::model::ModelReader::new(&translator, model, roots).read(vars, &applications)
    }

    fn only_refute(&mut self) {
        self.only_refutes = true;
    }

    fn failed_assumptions(&mut self) -> Result<Vec<Term>, SolverError> {
        let context = &self.handle.context;
        context.usable()?;
        let (z3, raw) = (context.api, context.raw);
        // SAFETY: live objects of one context; the vector keeps its terms, and addresses of live terms are compared.
        let core = unsafe {
            let core = AstVector::new(context, (z3.Z3_solver_get_unsat_core)(raw, self.handle.raw))?;
            let size = (z3.Z3_ast_vector_size)(raw, core.raw);
            let members: FxSet<usize> = (0..size).map(|index| (z3.Z3_ast_vector_get)(raw, core.raw, index) as usize).collect();
            members
        };
        let failed = self.assumptions.iter().filter(|(_, literal)| core.contains(&(literal.raw as usize)));
        Ok(failed.map(|(term, _)| *term).collect())
    }
}
