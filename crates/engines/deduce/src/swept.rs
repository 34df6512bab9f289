//! Candidates about loops that go through maps element by element: "for every index from where the counter began up to
//! where it is, ...". What may hold for an element is taken from the program: what the loop writes there, and what some loop
//! of the procedure asserts about an element, or passes to a call (an assertion may be a procedure). A search that gives up
//! clears a flag as a rule, so the same is tried where some other variable of the loop is not zero. (`engine-kind` has the same idea
//! for arrays in memory, in `sweeps`, which says what is different there.)

use crate::limits::Limits;
use fathom_flow::{BodyAccesses, Live};
use fathom_ir::{ANY_INDEX, BlockId, Procedure, Program, StatementKind};
use fathom_passes::CutLoop;
use fathom_term::{Op, Sort, Substitution, Term, TermStore, VarId, VarSets};
use std::collections::{BTreeMap, BTreeSet};

/// A loop, its counters and the maps that it goes through.
pub struct Sweep<'a> {
    program: &'a Program,
    sets: &'a VarSets,
    one: &'a CutLoop,
    /// Variables that an iteration gets from the one before.
    carried: BTreeSet<VarId>,
    /// Those, and variables that the loop sets to constants.
    flags: BTreeSet<VarId>,
    /// What an iteration computes for other variables.
    computed: Vec<(VarId, Term)>,
    limits: &'a Limits,
}

/// A variable that goes up or down by a constant.
struct Counter {
    var: VarId,
    step: i64,
}

impl<'a> Sweep<'a> {
    /// Looks at one loop.
    pub fn new(program: &'a Program, sets: &'a VarSets, one: &'a CutLoop, definitions: &[(VarId, Term)], limits: &'a Limits) -> Self {
        let carried: BTreeSet<VarId> = live_at_head(program, sets, one).intersection(&one.changed).copied().collect();
        // A variable that is set to a constant under some condition says whether that was so.
        let (flags, computed): (Vec<_>, Vec<_>) = definitions.iter().copied().partition(|(_, value)| program.terms.op(*value).is_const());
        let computed = computed.into_iter().filter(|(var, _)| !carried.contains(var)).collect();
        let flags = flags.into_iter().map(|(var, _)| var).chain(carried.iter().copied()).collect();
        Sweep { program, sets, one, carried, flags, computed, limits }
    }

    fn store(&self) -> &TermStore {
        &self.program.terms
    }

    fn procedure(&self) -> &Procedure {
        &self.program.procedures[self.one.procedure.0 as usize]
    }

    fn statements(&self) -> impl Iterator<Item = &StatementKind> {
        let blocks = self.procedure().body.iter().flat_map(|body| body.blocks.iter().enumerate());
        let inside = blocks.filter(|(number, _)| self.one.blocks.contains(&BlockId(*number as u32)));
        inside.flat_map(|(_, block)| &block.statements).map(|statement| &statement.kind)
    }

    /// A term over what the iteration began with.
    fn expanded(&self, term: Term) -> Term {
        let mut expanded = term;
        for _ in 0..self.limits.sweep_expansions {
            expanded = Substitution::new(self.computed.iter().copied()).apply(self.store(), expanded);
        }
        expanded
    }

    fn counters(&self) -> Vec<Counter> {
        let mut steps: BTreeMap<VarId, Vec<Option<i64>>> = BTreeMap::new();
        for statement in self.statements() {
            let StatementKind::Assign(pairs) = statement else {
                statement.targets().into_iter().for_each(|var| steps.entry(var).or_default().push(None));
                continue;
            };
            for &(var, value) in pairs {
                let (base, step) = match self.store().var_sort(var) {
                    Sort::Int => self.store().split_integer(self.expanded(value)),
                    _ => (None, 0),
                };
                let step = base.filter(|&base| self.store().as_var(base) == Some(var) && step != 0).map(|_| step);
                steps.entry(var).or_default().push(step);
            }
        }
        let counters = steps.into_iter().filter(|(var, _)| self.carried.contains(var));
        counters.filter_map(|(var, steps)| Some(Counter { var, step: steps.first().copied().filter(|_| steps.len() == 1)?? })).collect()
    }

    /// What the loop asserts of elements, with the variable that says which.
    pub fn asserted(&self) -> Vec<(VarId, Term)> {
        let store = self.store();
        let conditions = self.statements().flat_map(|statement| match statement {
            StatementKind::Assert { condition, .. } => vec![*condition],
            StatementKind::Call { args, .. } => args
                .iter()
                .filter_map(|&arg| match store.sort(arg) {
                    Sort::Bool => Some(arg),
                    Sort::Int => Some(store.ne(arg, store.int(0))),
                    _ => None,
                })
                .collect(),
            _ => Vec::new(),
        });
        let conditions: Vec<Term> = conditions.map(|condition| self.expanded(condition)).collect();
        self.about_elements(conditions, &self.one.changed)
    }

    /// What the loop writes to elements.
    fn written(&self) -> Vec<(VarId, Term)> {
        let store = self.store();
        let pairs = self.statements().filter_map(|statement| if let StatementKind::Assign(pairs) = statement { Some(pairs) } else { None });
        let writes = pairs.flatten().filter_map(|&(map, value)| {
            let is_write = store.op(value) == Op::Store && store.as_var(store.arg(value, 0)) == Some(map);
            let (index, element) = is_write.then(|| (self.expanded(store.arg(value, 1)), self.expanded(store.arg(value, 2))))?;
            Some(store.eq(store.select(store.var_term(map), index), element))
        });
        let writes: Vec<Term> = writes.collect();
        let numbers = self.one.changed.iter().copied().filter(|&var| !matches!(store.var_sort(var), Sort::Array(_))).collect();
        self.about_elements(writes, &numbers)
    }

    /// The conditions about one counter and nothing else of what changes.
    fn about_elements(&self, conditions: Vec<Term>, changed: &BTreeSet<VarId>) -> Vec<(VarId, Term)> {
        let counters: Vec<VarId> = self.counters().into_iter().map(|counter| counter.var).collect();
        let about = conditions.into_iter().filter_map(|condition| {
            let moving: Vec<VarId> = self.sets.vars(self.store(), condition).into_iter().filter(|var| changed.contains(var)).collect();
            match moving[..] {
                [var] if counters.contains(&var) => Some((var, condition)),
                _ => None,
            }
        });
        about.collect()
    }

    /// Candidates for this loop, given what loops of the procedure assert of elements.
    pub fn candidates(&self, asserted: &[(VarId, Term)], starts: &[(VarId, Term)]) -> Vec<Term> {
        let store = self.store();
        let mut bodies: Vec<(VarId, Term, bool)> = self.written().into_iter().map(|(var, body)| (var, body, false)).collect();
        bodies.extend(asserted.iter().map(|&(var, body)| (var, body, true)));
        bodies.truncate(self.limits.bodies);
        let mut found = Vec::new();
        for counter in self.counters() {
            let plain = starts.iter().find(|(var, _)| *var == counter.var).map(|(_, start)| *start);
            let Some(start) = plain.or_else(|| self.start(counter.var)) else { continue };
            let any = store.var(ANY_INDEX, Sort::Int);
            let range = self.passed(&counter, start, any);
            for &(var, body, wants_flags) in &bodies {
                let body = Substitution::new([(var, any)]).apply(store, body);
                let triggers = reads_at(store, body, any);
                let Some(index) = store.as_var(any).filter(|_| !triggers.is_empty()) else { continue };
                let triggers = triggers.into_iter().take(self.limits.triggers).map(|read| vec![read]).collect();
                let all = store.forall(vec![index], triggers, store.implies(range, body));
                found.push(all);
                if wants_flags {
                    found.extend(self.flags(counter.var).into_iter().take(self.limits.flags).map(|flag| store.implies(flag, all)));
                }
            }
        }
        found
    }

    /// What a variable was set to on the only way to the loop.
    fn start(&self, var: VarId) -> Option<Term> {
        let body = self.procedure().body.as_ref()?;
        let mut at = self.one.head;
        for _ in 0..self.limits.steps_back {
            let outside = body.blocks.iter().enumerate().filter(|(number, block)| {
                !self.one.blocks.contains(&BlockId(*number as u32)) && block.terminator.kind.successors().contains(&at)
            });
            let [(number, block)] = outside.collect::<Vec<_>>()[..] else { return None };
            let last = block.statements.iter().rev().find(|statement| statement.kind.targets().contains(&var));
            if let Some(statement) = last {
                let StatementKind::Assign(pairs) = &statement.kind else { return None };
                let value = pairs.iter().find(|(target, _)| *target == var).map(|(_, value)| *value)?;
                let stays = self.sets.vars(self.store(), value).iter().all(|var| !self.one.changed.contains(var));
                return stays.then_some(value);
            }
            at = BlockId(number as u32);
        }
        None
    }

    /// The condition that a counter has passed an index.
    fn passed(&self, counter: &Counter, start: Term, index: Term) -> Term {
        let store = self.store();
        let (now, less) = (store.var_term(counter.var), |a: Term, b: Term| store.build(Op::IntLt, &[a, b]));
        let (behind, ahead) = if counter.step > 0 { (start, now) } else { (now, start) };
        let within = match counter.step > 0 {
            true => store.and(store.not(less(index, behind)), less(index, ahead)),
            false => store.and(less(behind, index), store.not(less(ahead, index))),
        };
        if counter.step.abs() == 1 {
            return within;
        }
        let way = store.build(Op::IntAdd, &[index, store.build(Op::IntNeg, &[start])]);
        let rest = store.build(Op::IntMod, &[way, store.int(counter.step.abs())]);
        store.and(within, store.eq(rest, store.int(0)))
    }

    /// For each other variable, the condition that it is not zero.
    fn flags(&self, counter: VarId) -> Vec<Term> {
        let store = self.store();
        let others = self.flags.iter().filter(|&&var| var != counter).map(|&var| store.var_term(var));
        others
            .filter_map(|term| match store.sort(term) {
                Sort::Bool => Some(term),
                Sort::Int => Some(store.ne(term, store.int(0))),
                _ => None,
            })
            .collect()
    }
}

/// The reads of maps in a term at places that depend on a variable.
fn reads_at(store: &TermStore, root: Term, any: Term) -> Vec<Term> {
    let depends = |root: Term| store.subterms([root]).any(|term| term == any);
    store.subterms([root]).filter(|&term| store.op(term) == Op::Select && depends(store.arg(term, 1))).collect()
}

/// Variables that something in the loop may read before the loop assigns them.
fn live_at_head(program: &Program, sets: &VarSets, one: &CutLoop) -> BTreeSet<VarId> {
    let Some(body) = &program.procedures[one.procedure.0 as usize].body else { return BTreeSet::new() };
    let variables = |term: Term, access: &mut dyn FnMut(VarId)| sets.vars(&program.terms, term).into_iter().for_each(access);
    let live = Live::within(&BodyAccesses { body, results: &[], variables }, one.blocks.iter().map(|block| block.0));
    live.at_start(one.head.0).iter().copied().collect()
}
