//! Refinement on random conditions: a concrete state that satisfies the condition stays in the refined abstract state,
//! and one that has none is not called reachable wrongly (the other way round is allowed).

use super::operations::random_set;
use crate::context::Context;
use crate::state::State;
use fathom_base::Loc;
use fathom_ir::{Block, BlockId, Body, Procedure, Program, Terminator, TerminatorKind};
use fathom_term::sample::{Sampler, Theories};
use fathom_term::smtlib::Symbols;
use fathom_term::{Evaluator, Model, Sort, TermStore};
use std::rc::Rc;

fn empty_program(store: Rc<TermStore>) -> Program {
    let block =
        Block { label: "only".into(), statements: Vec::new(), terminator: Terminator { kind: TerminatorKind::Return, loc: Loc::UNKNOWN } };
    let main = Procedure {
        name: "main".into(),
        params: Vec::new(),
        results: Vec::new(),
        variadic: None,
        locals: Vec::new(),
        body: Some(Body { entry: BlockId(0), blocks: vec![block] }),
        loc: Loc::UNKNOWN,
        address: None,
        align: 1,
    };
    Program { procedures: vec![main], ..Program::empty(store) }
}

#[test]
fn states_that_satisfy_a_condition_survive_it() {
    let store = Rc::new(TermStore::new());
    let context = Context::new(Rc::new(empty_program(store.clone())));
    let theories = Theories { arrays: false, floats: true, numbers: true };
    let mut sampler = Sampler::new(&store, 17, theories, 40);
    let mut survived = 0;
    for round in 0..12_000 {
        if round % 8 == 0 {
            sampler.forget();
        }
        let condition = sampler.term(Sort::Bool, 3);
        let condition = if round % 2 == 0 { condition.simplified } else { condition.raw };
        let vars = Symbols::of(&store, &[condition]).vars;
        let mut state = State::unknown();
        let mut choices = Vec::new();
        for &var in &vars {
            let (set, members) = random_set(&mut sampler, store.var_sort(var));
            state.set_var(var, Rc::new(set));
            choices.push((var, members));
        }
        let mut wanted = state.clone();
        let mut unwanted = state.clone();
        let yes = context.assume(&mut wanted, condition).is_ok();
        let no = context.assume_not(&mut unwanted, condition).is_ok();
        for _ in 0..5 {
            let mut model = Model::default();
            for (var, members) in &choices {
                let value = members[sampler.random.below(members.len() as u64) as usize].clone();
                model.values.insert(*var, value);
            }
            let evaluator = Evaluator::new(model);
            let Some(holds) = evaluator.holds(&store, condition) else { continue };
            let (refined, reachable) = if holds { (&wanted, yes) } else { (&unwanted, no) };
            let text = fathom_term::smtlib::print_term(&store, condition);
            assert!(reachable, "{text} is {holds} under {:?} in {state:?}", evaluator.model());
            for (var, _) in &choices {
                let value = evaluator.model().get(&store, *var);
                assert!(refined.vars[var].contains(&value), "{text} is {holds}: {value:?} not in {:?}", refined.vars[var]);
            }
            survived += 1;
        }
    }
    assert!(survived > 20_000, "only {survived}");
}
