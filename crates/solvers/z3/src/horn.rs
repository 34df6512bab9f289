//! Spacer, Z3's solver of constrained Horn clauses. Its solution is a model in which predicates are defined; Z3 prints it as SMT-LIB,
//! and it is read back from there.

use crate::context::{ModelHandle, SolverHandle, text};
use crate::quiet::Quiet;
use crate::translate::Translator;
use crate::watch::Watcher;
use fathom_base::Budget;
use fathom_smt::{HornAnswer, HornSolver, Interpretation, SolverError, Why};
use fathom_term::smtlib::{ReadError, Reader};
use fathom_term::{FnId, Term, TermStore};
use std::ffi::CStr;
use std::rc::Rc;

/// The logic by which Z3 knows that it is asked for Spacer.
const LOGIC: &str = "HORN";
/// Z3_PRINT_SMTLIB2_COMPLIANT, and what is set otherwise, Z3_PRINT_SMTLIB_FULL.
const PRINT_STANDARD: i32 = 2;
const PRINT_FULL: i32 = 0;

/// A predicate that is inlined gets a solution with quantifiers, in which nothing can be found again. Lemmas that look alike are
/// generalised together (Vediramana Krishnan and others, CAV 2020): without that, sums of two counters are enumerated.
const SETTINGS: [(&CStr, &CStr); 3] =
    [(c"fp.xform.inline_eager", c"false"), (c"fp.xform.inline_linear", c"false"), (c"fp.spacer.global", c"true")];

/// Spacer over the terms of one store.
pub struct Spacer {
    store: Rc<TermStore>,
    translator: Translator,
    watcher: Watcher,
}

impl Spacer {
    /// Fails if Z3 can't be loaded.
    pub fn new(store: Rc<TermStore>) -> Result<Self, SolverError> {
        let translator = Translator::new(store.clone())?;
        for (name, value) in SETTINGS {
            // SAFETY: both are terminated, and copied.
            unsafe { (translator.context.api.Z3_global_param_set)(name.as_ptr(), value.as_ptr()) };
        }
        Ok(Self { store, translator, watcher: Watcher::default() })
    }

    fn try_solve(&mut self, clauses: &[Term], predicates: &[FnId], budget: &Budget) -> Result<HornAnswer, SolverError> {
        let context = self.translator.context.clone();
        let z3 = context.api;
        // SAFETY: a live context; symbols live as long as it.
        let raw = unsafe { (z3.Z3_mk_solver_for_logic)(context.raw, context.symbol(LOGIC)) };
        let solver = SolverHandle::new(&context, raw)?;
        for &clause in clauses {
            let clause = self.translator.translate(clause)?;
            // SAFETY: live objects of one context.
            unsafe { (z3.Z3_solver_assert)(context.raw, solver.raw, clause.raw) };
            context.checked()?;
        }
        let quiet = Quiet::begin();
        let (verdict, stopped) = self.watcher.during(z3, context.raw, solver.raw, budget, || {
            // SAFETY: live objects of one context. A single foreign call, and after a fault the context is given up.
            unsafe { fathom_fault::survive(|| (z3.Z3_solver_check_assumptions)(context.raw, solver.raw, 0, std::ptr::null())) }
        });
        drop(quiet);
        let verdict = verdict.map_err(|fault| {
            context.give_up();
            SolverError::Failed(format!("it crashed ({fault})"))
        })?;
        match verdict {
            1 => {}
            -1 => return Ok(HornAnswer::Refuted),
            _ if stopped => return Ok(HornAnswer::Unknown(Why::Budget)),
            _ => {
                // SAFETY: live objects of one context; the string is copied at once.
                let reason = text(unsafe { (z3.Z3_solver_get_reason_unknown)(context.raw, solver.raw) });
                return Ok(HornAnswer::Unknown(Why::Incomplete(reason)));
            }
        }
        // SAFETY: live objects of one context; the string is copied at once.
        let solution = unsafe {
            let model = ModelHandle::new(&context, (z3.Z3_solver_get_model)(context.raw, solver.raw))?;
            (z3.Z3_set_ast_print_mode)(context.raw, PRINT_STANDARD);
            let solution = text((z3.Z3_model_to_string)(context.raw, model.raw));
            (z3.Z3_set_ast_print_mode)(context.raw, PRINT_FULL);
            solution
        };
        self.read(&solution, predicates).map(HornAnswer::Solved)
    }

    /// The interpretations in the text of a model.
    fn read(&self, solution: &str, predicates: &[FnId]) -> Result<Vec<Interpretation>, SolverError> {
        let unreadable = |error: ReadError| SolverError::Failed(format!("its solution can't be read: {error}"));
        let mut reader = Reader::new(&self.store).simplifying();
        reader.script(solution).map_err(unreadable)?;
        let mut all = Vec::with_capacity(predicates.len());
        for &predicate in predicates {
            let (sorts, _) = self.store.function_sorts(predicate);
            let parameters: Vec<Term> = sorts.iter().map(|&sort| self.store.fresh("parameter", sort)).collect();
            let mut call = self.store.function_name(predicate).to_string();
            for (at, &parameter) in parameters.iter().enumerate() {
                reader.define(&format!("parameter-{at}"), parameter);
                call += &format!(" parameter-{at}");
            }
            let call = if parameters.is_empty() { call } else { format!("({call})") };
            let body = reader.term(&call).map_err(unreadable)?;
            let parameters = parameters.iter().filter_map(|&parameter| self.store.as_var(parameter)).collect();
            all.push(Interpretation { parameters, body });
        }
        Ok(all)
    }
}

impl HornSolver for Spacer {
    fn solve(&mut self, clauses: &[Term], predicates: &[FnId], budget: &Budget) -> HornAnswer {
        self.try_solve(clauses, predicates, budget).unwrap_or_else(|error| HornAnswer::Unknown(error.into()))
    }
}
