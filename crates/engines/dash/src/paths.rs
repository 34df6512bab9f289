//! The path constraint of a test up to a step, and the values of variables there as terms over the run's inputs (LCTD,
//! section 2.1). It is computed once, as far as it is needed. The path includes the calls of the test, so the effect of
//! a procedure there is known exactly: this is its must summary for the test. For a long call without inputs only the
//! concrete arguments and results are kept: the path constraint then describes fewer runs, all of which make this call.

use crate::runs::{Run, RunEnd};
use fathom_base::{FxHasher, FxSet};
use fathom_flat::{Call, Flat, sort_tag};
use fathom_term::{Sort, Substitution, Term, TermStore, VarId};
use rpds::HashTrieMap;
use std::hash::BuildHasherDefault;

type Values = HashTrieMap<VarId, Term, archery::RcK, BuildHasherDefault<FxHasher>>;

/// The symbolic execution of a test: values and path condition before each step, over the inputs.
pub struct Path {
    most_steps: u64,
    /// What the first inputs are, in a run inside another.
    passed: Vec<Term>,
    /// Before each step that was looked at.
    values: Vec<Values>,
    constraints: Vec<Term>,
    /// How many of them belong to the steps before each step.
    lengths: Vec<usize>,
}

/// The input that a run takes as its n-th.
pub fn input(store: &TermStore, number: u32, sort: Sort) -> Term {
    store.var(&format!("run!{number}.{}", sort_tag(store, sort)), sort)
}

/// The constraints that these conditions depend on, by way of inputs that they have in common. The test satisfies the
/// others whatever becomes of those inputs, so they decide nothing.
pub fn related(flat: &Flat, constraints: &[Term], conditions: &[Term]) -> Vec<Term> {
    let mut known: FxSet<VarId> = conditions.iter().flat_map(|&term| flat.vars(term)).collect();
    let mut open: Vec<(usize, Vec<VarId>)> = constraints.iter().map(|&term| flat.vars(term)).enumerate().collect();
    let mut taken: Vec<usize> = Vec::new();
    loop {
        let before = taken.len();
        open.retain(|(at, vars)| {
            let related = vars.iter().any(|var| known.contains(var));
            if related {
                taken.push(*at);
                known.extend(vars);
            }
            !related
        });
        if taken.len() == before {
            break;
        }
    }
    taken.sort_unstable();
    taken.into_iter().map(|at| constraints[at]).collect()
}

impl Path {
    /// Calls of more steps than this are not gone through.
    pub fn new(most_steps: u64) -> Self {
        let nothing = Values::new_with_hasher_and_ptr_kind(BuildHasherDefault::default());
        Path { most_steps, passed: Vec::new(), values: vec![nothing], constraints: Vec::new(), lengths: vec![0] }
    }

    /// What keeps the run on its way up to this step.
    pub fn constraints(&mut self, flat: &Flat, run: &Run, step: u32) -> &[Term] {
        self.reach(flat, run, step);
        &self.constraints[..self.lengths[step as usize]]
    }

    /// A condition about the start of a step, over the run's inputs. Results of calls to come may be anything.
    pub fn at(&mut self, flat: &Flat, run: &Run, step: u32, conditions: &[Term]) -> Vec<Term> {
        self.reach(flat, run, step);
        let mut images = self.images(flat, run, step, conditions);
        conditions.iter().map(|&condition| images.apply(&flat.terms, condition)).collect()
    }

    fn images(&self, flat: &Flat, run: &Run, step: u32, terms: &[Term]) -> Substitution {
        let (values, first) = (&self.values[step as usize], run.steps[step as usize].inputs);
        let mut images: Vec<(VarId, Term)> = Vec::new();
        for var in terms.iter().flat_map(|&term| flat.vars(term)) {
            match flat.inputs.ahead(var) {
                Some((ahead, sort)) => images.push((var, self.symbol(flat, run, first + ahead, sort))),
                None => images.extend(values.get(&var).map(|&value| (var, value))),
            }
        }
        Substitution::new(images)
    }

    fn symbol(&self, flat: &Flat, run: &Run, index: u32, sort: Sort) -> Term {
        let store = &flat.terms;
        if let Some(&passed) = self.passed.get(index as usize) {
            return passed;
        }
        match run.numbers.get(index as usize) {
            Some(Some(number)) => input(store, *number, sort),
            Some(None) => store.var(&format!("result!{index}.{}", sort_tag(store, sort)), sort),
            None => input(store, run.real.len() as u32 + index - run.inputs.len() as u32, sort),
        }
    }

    fn reach(&mut self, flat: &Flat, run: &Run, step: u32) {
        while self.values.len() <= step as usize {
            let at = self.values.len() - 1;
            let taken = &run.steps[at];
            let block = &flat.blocks[taken.block];
            let guard = taken.exit.map(|exit| block.edges[exit].guard);
            let passed = block.call.iter().flat_map(|call| call.entry.iter().copied());
            let terms: Vec<Term> = block.assigns.iter().map(|(_, term)| *term).chain(guard).chain(passed).collect();
            let mut images = self.images(flat, run, at as u32, &terms);
            if let Some(returned) = self.follow_call(flat, run, at, &mut images) {
                images = returned;
            }
            let mut values = self.values[at].clone();
            for &(var, term) in &block.assigns {
                values.insert_mut(var, images.apply(&flat.terms, term));
            }
            if let Some(guard) = guard {
                let guard = images.apply(&flat.terms, guard);
                if flat.terms.const_bool(guard) != Some(true) {
                    self.constraints.push(guard);
                }
            }
            self.values.push(values);
            self.lengths.push(self.constraints.len());
        }
    }

    /// Goes through what the step called, and knows its results.
    fn follow_call(&mut self, flat: &Flat, run: &Run, at: usize, images: &mut Substitution) -> Option<Substitution> {
        let (store, taken) = (&flat.terms, &run.steps[at]);
        let (call, inside) = (flat.blocks[taken.block].call.as_ref()?, taken.inside.as_ref()?);
        let passed: Vec<Term> = call.entry.iter().map(|&term| images.apply(store, term)).collect();
        if let Some(returned) = self.known_results(flat, call, &passed, inside) {
            return Some(returned);
        }
        let mut path = Path { passed, ..Path::new(self.most_steps) };
        path.reach(flat, inside, inside.steps.len() as u32);
        self.constraints.extend(&path.constraints);
        let last = path.values.last()?;
        let fails = flat.inputs.next(store, 0, Sort::Bool);
        let failed = store.bool(taken.exit == Some(call.fails));
        let exit = &flat.procedures[call.procedure].exit;
        let results = call.exit.iter().zip(exit).filter_map(|(&input, var)| Some((store.as_var(input)?, *last.get(var)?)));
        Some(Substitution::new(results.chain(store.as_var(fails).map(|var| (var, failed)))))
    }

    /// What a call returned whose arguments are numbers, or are held to be those of the test because the call is long.
    fn known_results(&mut self, flat: &Flat, call: &Call, passed: &[Term], inside: &Run) -> Option<Substitution> {
        let store = &flat.terms;
        let RunEnd::Returned(values) = &inside.end else { return None };
        let open: Vec<usize> = (0..passed.len()).filter(|&at| !store.op(passed[at]).is_const()).collect();
        let is_plain = |at: &usize| matches!(store.sort(passed[*at]), Sort::Bool | Sort::Bv(_) | Sort::Int);
        let pinned = inside.length > self.most_steps && open.iter().all(is_plain);
        if !inside.is_determined() || !(open.is_empty() || pinned) {
            return None;
        }
        for at in open {
            let (sort, value) = &inside.inputs[at];
            let same = store.eq(passed[at], store.constant(value, *sort));
            if store.const_bool(same) != Some(true) {
                self.constraints.push(same);
            }
        }
        let results = call.exit.iter().zip(values);
        let results = results.filter_map(|(&input, value)| Some((store.as_var(input)?, store.constant(value, store.sort(input)))));
        let fails = store.as_var(flat.inputs.next(store, 0, Sort::Bool));
        Some(Substitution::new(results.chain(fails.map(|var| (var, store.bool(false))))))
    }
}
