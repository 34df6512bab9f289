//! The rounds of a loop from any state at its head that differs from a given one only in what the rounds change: each
//! with its path condition and its final values.

use crate::exec::compute::ARBITRARY;
use crate::exec::machine::{Advance, Machine};
use crate::exec::state::{Frame, State};
use crate::induction::havoc::{Changes, Spot};
use crate::recurrence::InputOrder;
use fathom_smt::Verdict;
use fathom_term::{Op, Substitution, Symbol, Term, TermStore, Value, VarId, VarSets};
use std::collections::{BTreeMap, BTreeSet};

/// How often what rounds change may turn out to be more before it is given up.
const GROWTHS: usize = 6;
/// Statements between looks, and looks.
const SLICE: u64 = 20_000;
const LOOKS: usize = 600;
/// Rounds that are kept.
const ROUNDS: usize = 64;

/// One way from the head back to it.
pub struct Round {
    /// When a run takes it.
    pub when: Term,
    /// What the spots have then, as the values that replace those of `Rounds::before`.
    pub after: Vec<(VarId, Term)>,
}

/// All that were found. Conditions about the states at the head are over the variables that stand for spots (`name`).
pub struct Rounds {
    /// What the rounds change.
    pub spots: Vec<Spot>,
    /// The variables of these spots and their values at the head: symbols.
    before: Vec<(VarId, Term)>,
    /// Each round, over these symbols.
    pub all: Vec<Round>,
    /// Inputs that rounds ask for, by their order and sort.
    pub inputs: Vec<(InputOrder, VarId)>,
}

impl Rounds {
    /// Of the loop that the state is at. Enlarges the changes by what the rounds change; inputs have the given values, and those without one
    /// stay open.
    pub fn of(machine: &mut Machine, start: &State, changes: &mut Changes, given: &BTreeMap<InputOrder, Value>) -> Option<Rounds> {
        if start.threads.is_some() {
            return None;
        }
        for _ in 0..GROWTHS {
            let mut head = start.clone();
            let havocked = machine.havoc(&mut head, changes);
            let first = head.path.inputs;
            let base = machine.snapshot(&head);
            let mut back = machine.come_back(head);
            let mut grew = false;
            for state in &mut back {
                grew |= machine.note_changes(&base, state, changes).ok()?;
            }
            if back.is_empty() {
                return None;
            }
            if grew {
                continue;
            }
            let before: Option<Vec<(VarId, Term)>> =
                havocked.values.iter().map(|&(spot, value)| Some((name(machine, start, spot)?, value))).collect();
            let spots = havocked.values.iter().map(|(spot, _)| *spot).collect();
            let mut rounds = Rounds { spots, before: before?, all: Vec::new(), inputs: Vec::new() };
            for state in &back {
                let after: Option<Vec<(VarId, Term)>> =
                    havocked.values.iter().map(|&(spot, _)| Some((name(machine, start, spot)?, machine.value_at(state, spot)?))).collect();
                let when = machine.store.and_all(state.path.constraints.iter());
                rounds.all.push(Round { when, after: after? });
            }
            rounds.find_inputs(machine, first);
            rounds.give(&machine.store, given);
            return Some(rounds);
        }
        None
    }

    fn find_inputs(&mut self, machine: &Machine, first: u32) {
        let sets = VarSets::default();
        let terms = self.all.iter().flat_map(|round| round.after.iter().map(|(_, value)| *value).chain([round.when]));
        let mut found: BTreeSet<(InputOrder, VarId)> = BTreeSet::new();
        for symbol in terms.flat_map(|term| sets.of(&machine.store, term).iter().copied().collect::<Vec<_>>()) {
            let Symbol::Var(var) = symbol else { continue };
            let name = machine.store.var_name(var);
            let Some((number, sort)) = name.strip_prefix(ARBITRARY).and_then(|rest| rest.split_once('.')) else { continue };
            if let Some(order) = number.parse::<u32>().ok().and_then(|number| number.checked_sub(first)) {
                found.insert(((order, sort.to_string()), var));
            }
        }
        self.inputs = found.into_iter().collect();
    }

    /// Gives inputs their values.
    pub fn give(&mut self, store: &TermStore, values: &BTreeMap<InputOrder, Value>) {
        let known = self.inputs.iter().filter_map(|(order, var)| Some((*var, store.constant(values.get(order)?, store.var_sort(*var)))));
        let mut given = Substitution::new(known.collect::<Vec<_>>());
        for round in &mut self.all {
            round.when = given.apply(store, round.when);
            round.after.iter_mut().for_each(|(_, value)| *value = given.apply(store, *value));
        }
    }

    /// The variables that conditions are about.
    pub fn vars(&self) -> Vec<VarId> {
        self.before.iter().map(|(var, _)| *var).collect()
    }

    /// Symbols for the values at the head.
    pub fn symbols(&self) -> Vec<Term> {
        self.before.iter().map(|(_, value)| *value).collect()
    }

    /// Whether a condition is about the states at the head and nothing else.
    pub fn is_about_heads(&self, store: &TermStore, fact: Term) -> bool {
        let is_known = |symbol: &Symbol| matches!(symbol, Symbol::Var(var) if self.before.iter().any(|(known, _)| known == var));
        VarSets::default().of(store, fact).iter().all(is_known)
    }

    /// What is said of symbols, as a condition about the states at the head.
    pub fn named(&self, store: &TermStore, said: Term) -> Term {
        let pairs = self.before.iter().filter_map(|&(var, value)| Some((store.as_var(value)?, store.var_term(var))));
        Substitution::new(pairs).apply(store, said)
    }

    /// What a condition says of the symbols.
    pub fn before(&self, store: &TermStore, fact: Term) -> Term {
        Substitution::new(self.before.iter().copied()).apply(store, fact)
    }

    /// What a condition says behind a round.
    pub fn behind(&self, store: &TermStore, round: &Round, fact: Term) -> Term {
        Substitution::new(round.after.iter().copied()).apply(store, fact)
    }

    /// Whether some state that satisfies the facts takes no round to another one.
    pub fn leaves(&self, machine: &mut Machine, facts: &[Term]) -> Verdict {
        let store = machine.store.clone();
        let inside = store.and_all(facts.iter().copied());
        let stays: Vec<Term> = self.all.iter().map(|round| store.and(round.when, self.behind(&store, round, inside))).collect();
        let leaves = store.and(self.before(&store, inside), store.not(store.or_all(stays)));
        super::ask(machine, leaves)
    }
}

/// The variable that stands for a spot in conditions.
pub fn name(machine: &Machine, state: &State, spot: Spot) -> Option<VarId> {
    match spot {
        Spot::Local(slot) => Some(machine.program.procedures[state.frame().proc as usize].locals.get(slot as usize)?.id),
        Spot::Global(slot) => Some(machine.program.globals.get(slot as usize)?.id),
        Spot::Cell { object, offset, length } => {
            let sort = fathom_term::Sort::Bv(length as u32 * 8);
            machine.store.as_var(machine.store.var(&format!("memory!{object:?}.{offset}.{length}"), sort))
        }
    }
}

impl Machine {
    /// The states in which runs from this one come back to the loop head that it is at, with the same calls open.
    fn come_back(&mut self, mut head: State) -> Vec<State> {
        let place = |frame: &Frame| (frame.proc, frame.block, frame.index, frame.stack_objects.clone());
        let (depth, at) = (head.frames.len(), place(head.frame()));
        head.comparison.lowest = depth;
        head.comparison.at_loop_head = false;
        head.comparison.watch = None;
        let mut back = Vec::new();
        let mut open = vec![head];
        let mut looks = 0;
        while let Some(mut state) = open.pop() {
            loop {
                looks += 1;
                if looks > LOOKS || back.len() >= ROUNDS || self.budget.exhausted().is_some() {
                    return back;
                }
                let advance = self.advance(&mut state, SLICE);
                self.found.cuts.clear();
                self.found.violations.clear();
                self.found.failures.clear();
                open.append(&mut self.forked);
                match advance {
                    Advance::Ended(_) => break,
                    Advance::LoopHead if state.comparison.lowest < depth || state.threads.is_some() => break,
                    Advance::LoopHead if state.frames.len() == depth && place(state.frame()) == at => {
                        if state.path.fixed.is_empty() && !state.path.constraints.is_quantified() {
                            back.push(state);
                        }
                        break;
                    }
                    Advance::LoopHead | Advance::Running | Advance::Forked | Advance::Join | Advance::AtBound => {}
                }
            }
        }
        back
    }
}

/// Whether a term is a plain comparison or the negation of one.
pub fn is_literal(store: &TermStore, term: Term) -> bool {
    let inner = if store.op(term) == Op::Not { store.arg(term, 0) } else { term };
    !matches!(store.op(inner), Op::And | Op::Or | Op::Ite)
}
