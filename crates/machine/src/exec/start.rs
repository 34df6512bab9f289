//! The initial state. Axioms hold for the initial values of globals. A global that an axiom fixes (`c == 5`, also by
//! way of other fixed globals) starts as that constant and never becomes a symbol: front ends describe addresses and
//! sizes in this way, and everything computed from them stays concrete. Axioms without quantifiers are assumed one by
//! one. Those with quantifiers are taken together; if no solver can quickly decide whether they contradict each other,
//! the ledger records the assumption that they do not (Symbooglix, section III, with its check switched off). If that
//! is to be checked (`--check-assumptions`), the state is speculative in its quantified part instead: a violation then
//! needs a model of everything.
//!
//! Axioms that define functions by recursion (`fathom_term::define`) contradict nothing, and replays compute with them.

use crate::exec::compute::{ARBITRARY, sort_tag};
use crate::exec::machine::{Cut, Machine, Mode, PathEnd, Step};
use crate::exec::state::State;
use crate::exec::value::Val;
use fathom_base::{FxMap, FxSet, Loc};
use fathom_ir::Assumption;
use fathom_ir::Program;
use fathom_smt::Verdict;
use fathom_term::define::{ClauseMemo, Definitions};
use fathom_term::{Evaluator, Op, Substitution, Term, TermStore, Value, VarId};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

/// Quantified axioms are consistent as a rule, and showing it may take for ever.
const AXIOM_TIME: Duration = Duration::from_millis(1000);
/// Rounds of taking values from axioms into others.
const ROUNDS: usize = 8;

impl Machine {
    /// The state before the first statement; its axioms hold.
    pub fn initial_state(&mut self) -> Step<State> {
        if !self.image.globals_fit {
            let what = "more global data than the address space holds".to_string();
            return Err(PathEnd::Cut(Cut::Unsupported { what, loc: Loc::UNKNOWN }));
        }
        let model = Rc::new(Evaluator::new(fathom_term::Model::default()));
        let code = self.code.clone();
        let mut state = State::new(Vec::new(), model);
        if let Mode::Symbolic(oracle) = &self.mode {
            state.path.constraints = oracle.no_constraints();
        }
        let program = self.program.clone();
        let (fixed, axioms) = fixed_globals(&program);
        let globals = program.globals.iter().map(|global| match fixed.get(&global.id) {
            Some(&constant) => self.value_of(constant),
            None => self.arbitrary(&mut state, global.sort),
        });
        let globals: Vec<Val> = globals.collect();
        state.globals = Rc::new(globals);
        for (key, object) in &self.image.globals {
            state.memory.insert(*key, object.clone());
        }
        self.push_frame(&mut state, code.entry);
        let proc = &code.procs[code.entry as usize];
        for &param in proc.params.iter().chain(&proc.unset) {
            let value = self.arbitrary(&mut state, proc.local_sorts[param as usize]);
            Rc::make_mut(&mut state.frame_mut().locals)[param as usize] = value;
        }
        let values = program.globals.iter().zip(state.globals.iter());
        let images = values.map(|(global, &value)| (global.id, self.term_of(value, global.sort))).collect::<Vec<_>>();
        let mut initial = Substitution::new(images);
        let axioms: Vec<Term> = axioms.into_iter().map(|axiom| initial.apply(&self.store, axiom)).collect();
        self.assume_axioms(&mut state, axioms)?;
        Ok(state)
    }

    fn assume_axioms(&mut self, state: &mut State, axioms: Vec<Term>) -> Step<()> {
        let sets = state.path.constraints.sets().clone();
        let (quantified, plain): (Vec<Term>, Vec<Term>) = axioms.into_iter().partition(|&axiom| sets.is_quantified(&self.store, axiom));
        self.read_definitions(&quantified);
        // Together: a model of one axiom after the other would cost a query each.
        let plain = self.store.and_all(plain);
        self.assume(state, plain)?;
        if let Mode::Replay { .. } = self.mode {
            return quantified.into_iter().try_for_each(|axiom| self.assume(state, axiom));
        }
        let together = self.store.and_all(quantified);
        if self.store.const_bool(together).is_some() || self.config.unhurried_axioms {
            return self.assume(state, together);
        }
        match self.within(AXIOM_TIME, |machine| machine.query(state, together)) {
            Verdict::Sat(model) => state.path.model = model,
            Verdict::Unsat => return Err(PathEnd::Discarded),
            // As the paper has it: axioms are taken to be consistent unless a check of them was asked for.
            Verdict::Unknown(_) => self.ledger.note(Assumption::ConsistentAxioms),
        }
        state.path.constraints.push(&self.store, together);
        Ok(())
    }
}

impl Machine {
    /// Functions that axioms define are computed in replays, and told beside violations.
    fn read_definitions(&mut self, quantified: &[Term]) {
        let (definitions, _) = Definitions::among(&self.store, quantified, &mut ClauseMemo::default());
        if definitions.is_empty() {
            return;
        }
        let names: Vec<String> = definitions.functions().map(|function| self.store.function_name(function).to_string()).collect();
        self.defined = Some(names.join(", "));
        if let Mode::Replay { values, .. } = &mut self.mode {
            *values = Rc::new(Evaluator::with_definitions(values.model().clone(), Rc::new(definitions)));
        }
    }
}

/// The initial value of a global in a trace, if the trace has one. Only for programs without axioms: there every global has
/// a symbol, in order.
pub fn first_value<'a>(program: &Program, symbols: &'a BTreeMap<String, Value>, global: usize) -> Option<&'a Value> {
    let sort = program.globals.get(global).filter(|_| program.axioms.is_empty())?.sort;
    symbols.get(&format!("{ARBITRARY}{global}.{}", sort_tag(&program.terms, sort)))
}

/// Globals that axioms make constants, and what is left of the axioms.
fn fixed_globals(program: &Program) -> (FxMap<VarId, Term>, Vec<Term>) {
    let store = &program.terms;
    let globals: FxSet<VarId> = program.globals.iter().map(|global| global.id).collect();
    let mut fixed: FxMap<VarId, Term> = FxMap::default();
    let mut axioms: Vec<Term> = program.axioms.iter().flat_map(|&axiom| store.conjuncts(axiom)).collect();
    for _ in 0..ROUNDS {
        let mut found = false;
        for &axiom in &axioms {
            if let Some((var, value)) = equation(store, axiom)
                && globals.contains(&var)
                && !fixed.contains_key(&var)
            {
                fixed.insert(var, value);
                found = true;
            }
        }
        if !found {
            break;
        }
        let mut known = Substitution::new(fixed.iter().map(|(&var, &value)| (var, value)));
        let images = axioms.into_iter().map(|axiom| known.apply(store, axiom));
        axioms = images.filter(|&axiom| store.const_bool(axiom) != Some(true)).flat_map(|axiom| store.conjuncts(axiom)).collect();
    }
    (fixed, axioms)
}

/// `variable = constant`, or a Boolean variable or its negation.
fn equation(store: &TermStore, axiom: Term) -> Option<(VarId, Term)> {
    match store.op(axiom) {
        Op::Var(var) => Some((var, store.bool(true))),
        Op::Not => Some((store.as_var(store.arg(axiom, 0))?, store.bool(false))),
        Op::Eq if store.op(store.arg(axiom, 1)).is_const() => Some((store.as_var(store.arg(axiom, 0))?, store.arg(axiom, 1))),
        _ => None,
    }
}
