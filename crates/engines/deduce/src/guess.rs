//! Candidates for loop invariants, where those that the program states don't suffice. They are guesses: `houdini` keeps
//! those that it can prove. They come from what the procedure itself says:
//!
//! - every condition that it asserts somewhere, since what holds in the end often holds all along; and the same with a
//!   quantity that the loop doesn't change replaced by one that it counts up to it (Furia and Meyer, Inferring loop
//!   invariants using postconditions, 2010);
//! - constants that a variable is set to, as its bounds; and the order of two variables;
//! - for truth values, one of them, and that two are equal; for flags that are only ever set, the condition
//!   under which they are set;
//! - for loops that go through maps, what they have done so far (`swept`);
//! - for numbers that go in strides, that the low bits, or the high bits, are those of the first one. (GPUVerify guesses
//!   such things of the places that threads write to.)

use crate::limits::Limits;
use crate::swept::Sweep;
use fathom_base::FxSet;
use fathom_ir::{BlockId, Callee, ProcId, Procedure, Program, StatementKind, TerminatorKind};
use fathom_passes::CutLoop;
use fathom_term::{Op, Sort, Substitution, Term, TermStore, Value, VarId, VarSets};
use std::collections::{BTreeMap, BTreeSet};

/// A condition that may hold whenever control comes to a loop's head.
pub struct Candidate {
    pub procedure: ProcId,
    pub head: BlockId,
    /// The head of the outermost loop around it.
    pub outermost: BlockId,
    pub condition: Term,
}

/// The kind of candidates about maps, among the first.
const SWEPT: usize = 1;

/// What may hold at the heads of the program's loops.
pub fn candidates(program: &Program, limits: &Limits) -> Vec<Candidate> {
    let mut all = Vec::new();
    let loops = fathom_passes::loops(program).unwrap_or_default();
    let asserted = asserted_of_elements(program, &loops, limits);
    for one in &loops {
        let around = loops.iter().filter(|other| other.procedure == one.procedure && other.blocks.is_superset(&one.blocks));
        let outermost = around.max_by_key(|other| other.blocks.len()).map_or(one.head, |other| other.head);
        let sets = VarSets::default();
        let (starts, definitions) = (starts(program, one, &sets), definitions(program, one, &sets));
        let guesser =
            Guesser { program, store: &program.terms, sets, one, starts, definitions, powers: powers(program, limits.powers), limits };
        let mut seen = FxSet::default();
        let sweep = Sweep::new(program, &guesser.sets, one, &guesser.definitions, limits);
        let swept = asserted.get(&one.procedure.0).map_or(&[][..], Vec::as_slice);
        let swept = sweep.candidates(swept, &guesser.starts).into_iter().map(|condition| (SWEPT, condition));
        for (kind, condition) in guesser.conditions().into_iter().chain(swept) {
            if seen.insert(condition) && program.terms.const_bool(condition).is_none() {
                all.push((kind, Candidate { procedure: one.procedure, head: one.head, outermost, condition }));
            }
        }
    }
    // Of many, those of the first kinds.
    all.sort_by_key(|(kind, _)| *kind);
    all.into_iter().take(limits.candidates).map(|(_, candidate)| candidate).collect()
}

/// Per procedure, what its loops assert of single elements of maps.
fn asserted_of_elements(program: &Program, loops: &[CutLoop], limits: &Limits) -> BTreeMap<u32, Vec<(VarId, Term)>> {
    let mut found: BTreeMap<u32, Vec<(VarId, Term)>> = BTreeMap::new();
    for one in loops {
        let sets = VarSets::default();
        let definitions = definitions(program, one, &sets);
        found.entry(one.procedure.0).or_default().extend(Sweep::new(program, &sets, one, &definitions, limits).asserted());
    }
    found
}

struct Guesser<'a> {
    program: &'a Program,
    store: &'a TermStore,
    sets: VarSets,
    one: &'a CutLoop,
    /// What changed variables are when the loop begins, as far as that is plain.
    starts: Vec<(VarId, Term)>,
    /// Variables that one assignment of the loop computes from others.
    definitions: Vec<(VarId, Term)>,
    /// Exponents of powers of two that the program mentions.
    powers: Vec<u32>,
    limits: &'a Limits,
}

/// Variables that change in one place of the loop only, from others.
fn definitions(program: &Program, one: &CutLoop, sets: &VarSets) -> Vec<(VarId, Term)> {
    let mut found: BTreeMap<VarId, Option<Term>> = BTreeMap::new();
    let body = program.procedures[one.procedure.0 as usize].body.iter();
    let inside = body.flat_map(|body| body.blocks.iter().enumerate()).filter(|(number, _)| one.blocks.contains(&BlockId(*number as u32)));
    for statement in inside.flat_map(|(_, block)| &block.statements) {
        match &statement.kind {
            StatementKind::Assign(pairs) => pairs.iter().for_each(|&(var, value)| {
                found.entry(var).and_modify(|known| *known = None).or_insert(Some(value));
            }),
            other => found.extend(other.targets().into_iter().map(|var| (var, None))),
        }
    }
    let alone = found.into_iter().filter_map(|(var, value)| Some((var, value?)));
    alone.filter(|(var, value)| !sets.vars(&program.terms, *value).contains(var)).collect()
}

/// Values that variables get outside the loop only once, from what the loop doesn't change.
fn starts(program: &Program, one: &CutLoop, sets: &VarSets) -> Vec<(VarId, Term)> {
    let mut found: BTreeMap<VarId, Vec<Term>> = BTreeMap::new();
    let body = program.procedures[one.procedure.0 as usize].body.iter();
    let outside = body.flat_map(|body| body.blocks.iter().enumerate()).filter(|(number, _)| !one.blocks.contains(&BlockId(*number as u32)));
    for statement in outside.flat_map(|(_, block)| &block.statements) {
        match &statement.kind {
            StatementKind::Assign(pairs) => pairs.iter().for_each(|&(var, value)| found.entry(var).or_default().push(value)),
            StatementKind::Havoc { vars, .. } => {
                vars.iter().for_each(|var| found.entry(*var).or_default().push(program.terms.var_term(*var)))
            }
            _ => {}
        }
    }
    let is_plain = |term: Term| !sets.vars(&program.terms, term).iter().any(|var| one.changed.contains(var));
    let once = found.into_iter().filter(|(var, values)| one.changed.contains(var) && values.len() == 1 && is_plain(values[0]));
    once.map(|(var, values)| (var, values[0])).collect()
}

/// The exponents of the powers of two among the program's constants.
fn powers(program: &Program, most: usize) -> Vec<u32> {
    let store = &program.terms;
    let mut found = BTreeSet::new();
    let mut seen = FxSet::default();
    let mut visit = |root: Term| {
        let mut open = vec![root];
        while let Some(term) = open.pop() {
            if seen.insert(term) {
                let bits = store.const_bits(term).filter(|bits| matches!(store.sort(term), Sort::Bv(_)) && bits.is_power_of_two());
                found.extend(bits.map(u64::trailing_zeros).filter(|exponent| (1..30).contains(exponent)));
                open.extend(store.args(term));
            }
        }
    };
    program.for_each_term(&mut visit);
    found.into_iter().take(most).collect()
}

impl Guesser<'_> {
    fn procedure(&self) -> &Procedure {
        &self.program.procedures[self.one.procedure.0 as usize]
    }

    /// Conditions by kind, the most promising kinds first.
    fn conditions(&self) -> Vec<(usize, Term)> {
        let kinds = [self.bounds(), self.raised_flags(), self.asserted(), self.strides(), self.truths(), self.equalities(), self.orders()];
        let limited = |(kind, terms): (usize, Vec<Term>)| terms.into_iter().take(self.limits.of_a_kind).map(move |term| (kind, term));
        kinds.into_iter().enumerate().flat_map(limited).collect()
    }

    fn changes(&self, term: Term) -> bool {
        self.sets.vars(self.store, term).iter().any(|var| self.one.changed.contains(var))
    }

    /// Variables of the procedure and globals, as far as the loop mentions them.
    fn in_scope(&self) -> BTreeSet<VarId> {
        let mut mentioned = self.one.changed.clone();
        let blocks = self.procedure().body.iter().flat_map(|body| body.blocks.iter().enumerate());
        for (_, block) in blocks.filter(|(number, _)| self.one.blocks.contains(&BlockId(*number as u32))) {
            let mut add = |term: Term| mentioned.extend(self.sets.vars(self.store, term));
            block.statements.iter().for_each(|statement| statement.kind.for_each_term(&mut add));
            if let TerminatorKind::Branch { condition, .. } = &block.terminator.kind {
                add(*condition);
            }
        }
        mentioned
    }

    fn of_sort(&self, vars: &BTreeSet<VarId>, wanted: impl Fn(Sort) -> bool) -> Vec<VarId> {
        vars.iter().copied().filter(|&var| wanted(self.store.var_sort(var))).collect()
    }

    /// Conjuncts of what the procedure asserts, about something that the loop changes.
    fn asserted(&self) -> Vec<Term> {
        let statements = self.procedure().body.iter().flat_map(|body| &body.blocks).flat_map(|block| &block.statements);
        let mut found = Vec::new();
        for statement in statements {
            let StatementKind::Assert { condition, .. } = &statement.kind else { continue };
            for part in self.store.conjuncts(*condition) {
                found.extend(self.changes(part).then_some(part));
                found.extend(self.counted_up(part));
            }
        }
        found
    }

    /// The condition with a number that stays replaced by one that changes.
    fn counted_up(&self, condition: Term) -> Vec<Term> {
        let is_number = |sort: Sort| matches!(sort, Sort::Int | Sort::Bv(_));
        let within = self.sets.vars(self.store, condition);
        if !self.sets.is_quantified(self.store, condition) {
            return Vec::new();
        }
        let counters = self.of_sort(&self.one.changed, is_number);
        let mut found = Vec::new();
        for &limit in within.iter().filter(|var| is_number(self.store.var_sort(**var)) && !self.one.changed.contains(var)) {
            for &counter in &counters {
                if self.store.var_sort(counter) == self.store.var_sort(limit) && !within.contains(&counter) {
                    let counter = self.store.var_term(counter);
                    found.push(Substitution::new([(limit, counter)]).apply(self.store, condition));
                }
            }
        }
        found.retain(|&term| self.changes(term));
        found
    }

    /// Constants that a variable of the loop is set to.
    fn bounds(&self) -> Vec<Term> {
        let store = self.store;
        let mut found = Vec::new();
        for block in self.procedure().body.iter().flat_map(|body| &body.blocks) {
            for statement in &block.statements {
                let StatementKind::Assign(pairs) = &statement.kind else { continue };
                for &(var, value) in pairs.iter().filter(|(var, value)| self.one.changed.contains(var) && store.op(*value).is_const()) {
                    let var = store.var_term(var);
                    match store.sort(var) {
                        Sort::Int => found.extend([store.build(Op::IntLe, &[value, var]), store.build(Op::IntLe, &[var, value])]),
                        Sort::Bv(_) => found.extend([store.bv_sle(value, var), store.bv_ule(value, var), store.eq(var, value)]),
                        _ => {}
                    }
                }
            }
        }
        found
    }

    fn truths(&self) -> Vec<Term> {
        let store = self.store;
        let flags = self.of_sort(&self.one.changed, |sort| sort == Sort::Bool);
        flags.into_iter().flat_map(|var| [store.var_term(var), store.not(store.var_term(var))]).collect()
    }

    /// Changed variables of one sort that are always the same, those first that are named alike.
    fn equalities(&self) -> Vec<Term> {
        let store = self.store;
        let vars = self.of_sort(&self.one.changed, |sort| matches!(sort, Sort::Bool | Sort::Bv(_)));
        let mut found: Vec<(bool, Term)> = Vec::new();
        for (position, &a) in vars.iter().enumerate() {
            for &b in vars[..position].iter().filter(|&&b| store.var_sort(a) == store.var_sort(b)) {
                found.push((!are_named_alike(&store.var_name(a), &store.var_name(b)), store.eq(store.var_term(a), store.var_term(b))));
            }
        }
        found.sort_by_key(|&(differently, _)| differently);
        found.into_iter().map(|(_, term)| term).collect()
    }

    fn orders(&self) -> Vec<Term> {
        let store = self.store;
        let all = self.of_sort(&self.in_scope(), |sort| sort == Sort::Int);
        if all.len() > self.limits.compared {
            return Vec::new();
        }
        let mut found = Vec::new();
        for &a in all.iter().filter(|var| self.one.changed.contains(var)) {
            for &b in all.iter().filter(|&&b| b != a) {
                let (a, b) = (store.var_term(a), store.var_term(b));
                found.extend([store.build(Op::IntLe, &[a, b]), store.build(Op::IntLe, &[b, a])]);
            }
        }
        found
    }

    /// `flag := if c then true else flag` in the loop, or in a procedure that it calls: if the flag is raised, parts of `c`
    /// may hold.
    fn raised_flags(&self) -> Vec<Term> {
        let blocks = self.procedure().body.iter().flat_map(|body| body.blocks.iter().enumerate());
        let inside = blocks.filter(|(number, _)| self.one.blocks.contains(&BlockId(*number as u32)));
        let mut found = Vec::new();
        for statement in inside.flat_map(|(_, block)| &block.statements) {
            match &statement.kind {
                StatementKind::Assign(pairs) => pairs.iter().for_each(|&(var, value)| self.raised(var, value, &mut found)),
                StatementKind::Call { callee: Callee::Direct(callee), args, .. } => {
                    let callee = &self.program.procedures[callee.0 as usize];
                    let mut actual = Substitution::new(callee.params.iter().copied().zip(args.iter().copied()));
                    let inner = callee.body.iter().flat_map(|body| &body.blocks).flat_map(|block| &block.statements);
                    for statement in inner {
                        let StatementKind::Assign(pairs) = &statement.kind else { continue };
                        for &(var, value) in pairs.iter().filter(|(var, _)| self.one.changed.contains(var)) {
                            self.raised(var, actual.apply(self.store, value), &mut found);
                        }
                    }
                }
                _ => {}
            }
        }
        found
    }

    fn raised(&self, var: VarId, value: Term, found: &mut Vec<Term>) {
        let store = self.store;
        let flag = store.var_term(var);
        if store.sort(flag) != Sort::Bool {
            return;
        }
        // `if c then true else flag` is `c or flag` to the constructors.
        let parts = if store.op(value) == Op::Or { store.args(value) } else { return };
        if !parts.contains(&flag) {
            return;
        }
        for &raising in parts.iter().filter(|&&part| part != flag) {
            for part in store.conjuncts(raising) {
                for part in BTreeSet::from([part, self.expanded(part)]) {
                    found.push(store.implies(flag, part));
                    found.extend(self.in_step_when(part).into_iter().map(|step| store.implies(flag, step)));
                }
            }
        }
    }

    /// The condition with variables that every iteration computes anew replaced by what it computes.
    fn expanded(&self, condition: Term) -> Term {
        let mut expanded = condition;
        for _ in 0..self.limits.expansions {
            expanded = Substitution::new(self.definitions.iter().copied()).apply(self.store, expanded);
        }
        expanded
    }

    /// From an equation between a number and one that the loop changes: the number is in step with how that began.
    fn in_step_when(&self, equation: Term) -> Vec<Term> {
        let store = self.store;
        if store.op(equation) != Op::Eq || !matches!(store.sort(store.arg(equation, 0)), Sort::Bv(_)) {
            return Vec::new();
        }
        let (a, b) = (store.arg(equation, 0), store.arg(equation, 1));
        let (number, moving) = if self.changes(b) { (a, b) } else { (b, a) };
        if !self.changes(moving) || self.changes(number) {
            return Vec::new();
        }
        let first = Substitution::new(self.starts.iter().copied()).apply(store, moving);
        // A variable without a known initial value stays as it is; a second guess takes it to be zero.
        let others = self.sets.vars(store, first).into_iter().filter(|var| self.one.changed.contains(var));
        let numbers = others.filter(|&var| matches!(store.var_sort(var), Sort::Bv(_)));
        let nothing: Vec<(VarId, Term)> =
            numbers.map(|var| (var, store.constant(&Value::zero(store.var_sort(var), store), store.var_sort(var)))).collect();
        let mut found = self.in_step(number, first);
        if !nothing.is_empty() {
            found.extend(self.in_step(number, Substitution::new(nothing).apply(store, first)));
        }
        found
    }

    /// Guesses that low or high bits of variables stay what they were at first.
    fn strides(&self) -> Vec<Term> {
        let numbers = self.starts.iter().filter(|(var, _)| matches!(self.store.var_sort(*var), Sort::Bv(_)));
        numbers.flat_map(|&(var, first)| self.in_step(self.store.var_term(var), first)).collect()
    }

    fn in_step(&self, number: Term, first: Term) -> Vec<Term> {
        let store = self.store;
        let Sort::Bv(width) = store.sort(number) else { return Vec::new() };
        let mut found = Vec::new();
        for &power in self.powers.iter().filter(|&&power| power < width) {
            let part = |high: u32, low: u32| store.eq(store.extract(number, high, low), store.extract(first, high, low));
            found.extend([part(power - 1, 0), part(width - 1, power)]);
        }
        found
    }
}

/// Names that differ in their last character only, as those of two threads that run the same program do.
fn are_named_alike(a: &str, b: &str) -> bool {
    let stem = |name: &str| name.char_indices().next_back().map_or(String::new(), |(at, _)| name[..at].to_string());
    a.len() == b.len() && stem(a) == stem(b)
}
