//! Detects uses of values that were never written (`uninitialised`). Every byte and variable without a value is a
//! symbol; these symbols can be recognised by their names. Copying such a value and computing with it is allowed. But a
//! value that decides something (a branch, an address, a length, output) must not depend on one: two runs that differ
//! only in memory that was never written must use the same value there. So the query is about two copies of the path:
//! with the path condition `pc(u)`, the value `v(u)`, and new symbols `u'` in place of `u`, is `pc(u) and pc(u') and
//! v(u) != v(u')` satisfiable? This is exact if the solver is: `u & 0` and the bits next to a bit-field do not depend
//! on `u`. (If the path condition itself depended on `u`, that would have been a violation earlier.)
//!
//! A trace of such a violation has both values of each of these symbols, the second under the symbol's name with a
//! prime. Its replay keeps them as symbols, computes everything else, and evaluates each value that decides something
//! under both: the first one that differs is the violation.

use crate::exec::compute::UNINITIALISED;
use crate::exec::machine::{Cut, Machine, Mode, PathEnd, Step};
use crate::exec::state::State;
use crate::exec::value::{ObjectKey, Val};
use crate::memory::address::Origin;
use fathom_base::{FxMap, Loc};
use fathom_ir::Property;
use fathom_smt::Verdict;
use fathom_term::{Evaluator, Model, Sort, Substitution, Symbol, Term, Value, VarId};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What the second symbol's name ends with.
pub(crate) const PRIME: &str = "'";
/// Sources of a value that a message names.
const MOST_NAMED: usize = 2;

/// Tracks the symbols that stand for uninitialised memory.
#[derive(Default)]
pub(crate) struct Indeterminate {
    /// Whether somebody asks for uses.
    pub(crate) is_checked: bool,
    /// Whether a symbol is one of them.
    known: FxMap<VarId, bool>,
    /// Each such symbol and the second one.
    twins: Substitution,
    /// The variables of the source that symbols stand for, and where they are declared.
    variables: FxMap<VarId, (String, Loc)>,
    /// In a replay: objects that were made without a value, and the two values of symbols, if the trace has two.
    made: FxMap<Origin, ObjectKey>,
    replayed: Option<TwoValues>,
}

#[derive(Default)]
struct TwoValues {
    models: [Model; 2],
    evaluators: Option<[Evaluator; 2]>,
}

impl Indeterminate {
    pub(crate) fn new(is_checked: bool, mode: &Mode) -> Self {
        let has_two = |symbols: &BTreeMap<String, Value>| symbols.keys().any(|name| name.ends_with(PRIME));
        let replayed = match mode {
            Mode::Replay { symbols, .. } if is_checked && has_two(symbols) => Some(TwoValues::default()),
            _ => None,
        };
        Indeterminate { is_checked, replayed, ..Indeterminate::default() }
    }
}

/// Whether a symbol of this name may stand for what was never written.
pub(crate) fn may_be_indeterminate(name: &str) -> bool {
    name.starts_with(UNINITIALISED) || name.starts_with("mem")
}

/// The name of the second symbol.
pub(crate) fn primed(name: &str) -> String {
    format!("{name}{PRIME}")
}

impl Machine {
    /// A value that is about to be looked at, `what` it is for people. In a replay it is a number then.
    #[inline]
    pub(crate) fn determinate(&mut self, state: &mut State, value: Val, sort: Sort, what: &str) -> Step<Val> {
        match value {
            Val::Term(term) if self.indeterminate.is_checked => self.determinate_term(state, term, sort, what),
            _ => Ok(value),
        }
    }

    fn determinate_term(&mut self, state: &mut State, term: Term, sort: Sort, what: &str) -> Step<Val> {
        if matches!(self.mode, Mode::Replay { .. }) {
            return self.replayed_look(state, term, sort, what);
        }
        let sets = state.path.constraints.sets().clone();
        if self.takes_for_granted(state) || !sets.of(&self.store, term).iter().any(|&symbol| self.is_indeterminate(symbol)) {
            return Ok(Val::Term(term));
        }
        let part = self.doubtful_part(state, term);
        let part = self.placed(state, part)?;
        self.verify(state)?;
        let (differs, symbols) = self.difference(state, part);
        let verdict = match self.query(state, differs) {
            Verdict::Sat(_) if !state.is_certain() => self.asked_about_the_whole_path(state, differs),
            verdict => verdict,
        };
        match verdict {
            Verdict::Unsat => Ok(Val::Term(term)),
            Verdict::Sat(model) => {
                let message = self.message(state, part, what);
                let model = self.with_both(&model, &symbols);
                self.report(state, &model, Property::Uninitialised, &message);
                Err(PathEnd::Violated)
            }
            Verdict::Unknown(why) => {
                self.give_up_at_the_end(&why)?;
                self.found.cuts.push(Cut::Solver(format!("whether {what} depends on memory without a value: {why}")));
                Ok(Val::Term(term))
            }
        }
    }

    fn asked_about_the_whole_path(&mut self, state: &State, condition: Term) -> Verdict {
        let budget = self.budget.clone();
        match &mut self.mode {
            Mode::Symbolic(oracle) => oracle.check(&state.path.constraints, condition, None, &budget),
            Mode::Replay { .. } => Verdict::Unsat,
        }
    }

    /// Whether the symbol stands for bytes or a variable that was never written.
    pub(crate) fn is_indeterminate(&mut self, symbol: Symbol) -> bool {
        let Symbol::Var(var) = symbol else { return false };
        if let Some(&known) = self.indeterminate.known.get(&var) {
            return known;
        }
        let name = self.store.var_name(var);
        let is_primed = name.ends_with(PRIME);
        let is = !is_primed && (name.starts_with(UNINITIALISED) || self.made_by_statement(&name).is_some());
        self.indeterminate.known.insert(var, is);
        is
    }

    /// The object that a symbol's name says it is a part of, if a statement made it: others were written elsewhere.
    fn made_by_statement(&self, name: &str) -> Option<Origin> {
        let mut numbers = name.strip_prefix("mem")?.splitn(2, '.');
        let site: u32 = numbers.next()?.parse().ok()?;
        let occurrence = numbers.next()?.split(['.', '@']).next()?.parse().ok()?;
        let is_statement = (self.program.objects.len()..self.code.site_names.len()).contains(&(site as usize));
        let is_given = self.code.site_names.get(site as usize).is_some_and(|name| fathom_ir::has_given_contents(name));
        (is_statement && !is_given).then_some(Origin { site, occurrence })
    }

    /// The summands that mention what was never written: an address is one of an object plus something.
    fn doubtful_part(&mut self, state: &State, term: Term) -> Term {
        let sets = state.path.constraints.sets().clone();
        if self.store.sort(term) != Sort::Bv(self.book.pointer_bits()) {
            return term;
        }
        let (mut doubtful, mut open) = (None, vec![term]);
        while let Some(next) = open.pop() {
            if self.store.op(next) == fathom_term::Op::BvAdd {
                open.extend(self.store.args(next));
            } else if sets.of(&self.store, next).iter().any(|&symbol| self.is_indeterminate(symbol)) {
                doubtful = Some(doubtful.map_or(next, |sum| self.store.bv_add(sum, next)));
            }
        }
        doubtful.unwrap_or(term)
    }

    /// The condition that two runs along this path differ in a value, with the symbols that they may differ in.
    fn difference(&mut self, state: &State, value: Term) -> (Term, Vec<(VarId, VarId)>) {
        let sets = state.path.constraints.sets().clone();
        let path = state.path.constraints.relevant(&sets.of(&self.store, value));
        let mut pairs = BTreeMap::new();
        let mut copied = Vec::new();
        for term in path.into_iter().chain([value]) {
            let symbols = sets.of(&self.store, term);
            let doubtful: Vec<Symbol> = symbols.iter().copied().filter(|&symbol| self.is_indeterminate(symbol)).collect();
            if doubtful.is_empty() {
                continue;
            }
            for var in fathom_term::vars_of(&doubtful) {
                let twin = self.store.var(&primed(&self.store.var_name(var)), self.store.var_sort(var));
                self.indeterminate.twins.extend(var, twin);
                pairs.extend(self.store.as_var(twin).map(|twin| (var, twin)));
            }
            copied.push(self.indeterminate.twins.apply(&self.store, term));
        }
        let other = copied.pop().unwrap_or(value);
        let differs = copied.into_iter().fold(self.store.ne(value, other), |all, one| self.store.and(all, one));
        (differs, pairs.into_iter().collect())
    }

    /// The model, with a value for each of these.
    fn with_both(&self, model: &Evaluator, symbols: &[(VarId, VarId)]) -> Rc<Evaluator> {
        let mut full = model.model().clone();
        for var in symbols.iter().flat_map(|&(one, two)| [one, two]) {
            full.values.insert(var, model.model().get(&self.store, var));
        }
        Rc::new(Evaluator::new(full))
    }

    // ---- messages

    /// Tells what a symbol stands for: a variable that begins here.
    pub(crate) fn name_indeterminate(&mut self, state: &State, value: Val, variable: &str) {
        if let Val::Term(term) = value
            && let Some(var) = self.store.as_var(term)
            && self.indeterminate.is_checked
        {
            let loc = self.location(state);
            let owner = self.code.procs[state.frame().proc as usize].name.clone();
            let name = if variable.is_empty() { format!("the result of {owner}") } else { format!("`{variable}`") };
            self.indeterminate.variables.insert(var, (name, loc));
        }
    }

    /// Notes an object that is made without a value.
    pub(crate) fn note_unwritten(&mut self, object: ObjectKey) {
        if self.indeterminate.replayed.is_some() {
            self.indeterminate.made.insert(self.book.origin(object), object);
        }
    }

    fn message(&mut self, state: &State, value: Term, what: &str) -> String {
        let sets = state.path.constraints.sets().clone();
        let symbols = sets.of(&self.store, value);
        let doubtful: Vec<Symbol> = symbols.iter().copied().filter(|&symbol| self.is_indeterminate(symbol)).collect();
        let named: BTreeSet<String> = fathom_term::vars_of(&doubtful).map(|var| self.described(var)).collect();
        let named: Vec<String> = named.into_iter().take(MOST_NAMED).collect();
        format!("use of an uninitialised value: {what} depends on {}", named.join(" and "))
    }

    /// What a symbol stands for, for people. Where memory comes from the report says, which knows types.
    fn described(&self, var: VarId) -> String {
        if let Some((name, loc)) = self.indeterminate.variables.get(&var) {
            let is_declared = name.starts_with('`') && loc.is_known();
            let declared = if is_declared { format!(" (declared at {})", self.program.files.show(*loc)) } else { String::new() };
            return format!("{name}{declared}, which has no value yet");
        }
        let origin = self.made_by_statement(&self.store.var_name(var));
        match origin.and_then(|origin| self.code.site_names.get(origin.site as usize)) {
            Some(name) if is_variable(name) => format!("bytes of `{name}` that were not written"),
            _ => "allocated memory that was not written".to_string(),
        }
    }
}

/// Whether an allocation's name is that of a variable of the source.
fn is_variable(name: &str) -> bool {
    !name.is_empty() && !name.contains(' ')
}

// ---- replays

impl Machine {
    /// The value of a symbol in a replay whose trace has two of it; None if there is only one.
    pub(crate) fn doubled_symbol(&mut self, name: &str, sort: Sort) -> Option<Val> {
        let (Some(_), Mode::Replay { symbols, .. }) = (&self.indeterminate.replayed, &self.mode) else { return None };
        let second = symbols.get(&primed(name))?.clone();
        let first = symbols.get(name).cloned().unwrap_or_else(|| Value::zero(sort, &self.store));
        self.doubled(name, sort, first, second)
    }

    /// A symbol with these two values; None if they are the same.
    pub(crate) fn doubled(&mut self, name: &str, sort: Sort, first: Value, second: Value) -> Option<Val> {
        let two = self.indeterminate.replayed.as_mut().filter(|_| first != second)?;
        let term = self.store.var(name, sort);
        let var = self.store.as_var(term)?;
        let [one, other] = &mut two.models;
        one.values.insert(var, first);
        other.values.insert(var, second);
        two.evaluators = None;
        Some(Val::Term(term))
    }

    /// The two values of a term in a replay, which runs with two contents of uninitialised memory.
    fn both_values(&mut self, term: Term) -> Option<[Value; 2]> {
        let term = self.book.ground(term);
        let two = self.indeterminate.replayed.as_mut()?;
        let evaluators = two.evaluators.get_or_insert_with(|| two.models.clone().map(Evaluator::new));
        let [one, other] = evaluators;
        Some([one.eval(&self.store, term)?, other.eval(&self.store, term)?])
    }

    /// Whether a term of a replay has two values.
    pub(crate) fn is_doubled(&self, term: Term) -> bool {
        let Some(two) = &self.indeterminate.replayed else { return false };
        let mut vars = self.store.subterms([term]).filter_map(|part| self.store.as_var(part));
        vars.any(|var| two.models[0].values.contains_key(&var))
    }

    fn replayed_look(&mut self, state: &mut State, term: Term, sort: Sort, what: &str) -> Step<Val> {
        let Some([first, second]) = self.both_values(term) else { return Ok(Val::Term(term)) };
        if first == second {
            return Ok(self.value_of(self.store.constant(&first, sort)));
        }
        self.note_unwritten_place(state, term);
        let message = self.message(state, term, what);
        let model = state.path.model.clone();
        self.report(state, &model, Property::Uninitialised, &message);
        Err(PathEnd::Violated)
    }

    /// The number that a value is in the first of both runs, where it is not looked at.
    pub(crate) fn settled(&mut self, value: Val, sort: Sort) -> Val {
        match value {
            Val::Term(term) if self.indeterminate.replayed.is_some() => match self.both_values(term) {
                Some([first, _]) => self.value_of(self.store.constant(&first, sort)),
                None => value,
            },
            _ => value,
        }
    }

    /// Tells the recorder which bytes were looked at that were never written.
    fn note_unwritten_place(&mut self, state: &State, term: Term) {
        let sets = state.path.constraints.sets().clone();
        for var in fathom_term::vars_of(&sets.of(&self.store, term)) {
            let name = self.store.var_name(var);
            let place = name.split_once('@').and_then(|(_, place)| place.split_once('.'));
            let object = self.made_by_statement(&name).and_then(|origin| self.indeterminate.made.get(&origin).copied());
            if let (Some(object), Some((offset, length))) = (object, place)
                && let (Ok(offset), Ok(length)) = (offset.parse(), length.parse())
            {
                return self.note_fault(object, Val::Bits(offset), Val::Bits(length));
            }
        }
    }
}
