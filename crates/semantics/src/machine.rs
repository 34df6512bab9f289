//! The machine that runs states. It is the only place that knows what statements do; engines decide which state runs
//! next. In symbolic mode arbitrary values are symbols and branches may fork; in replay mode they come from a trace
//! and everything is concrete, through the same code.

use crate::address::{AddressBook, Origin};
use crate::code::{self, Addresses, Code, Expr, Instr, Operand, Place};
use crate::contents::{Base, Contents};
use crate::memory::{Object, ObjectKind};
use crate::liveness::Liveness;
use crate::recorder::Recorder;
use crate::state::{Frame, State};
use crate::trace::{Ledger, Trace, TraceStep, Violation};
use crate::value::{ObjectKey, Val};
use fathom_base::{Budget, FxMap, Loc};
use fathom_ir::{self as ir, Program, Property};
use fathom_smt::{Oracle, Verdict, Why};
use fathom_term::{Evaluator, Op, Sort, Term, TermStore, Value, fold};
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Where arbitrary values come from.
pub enum Mode {
    Symbolic(Box<Oracle>),
    Replay {
        symbols: BTreeMap<String, Value>,
        choices: std::vec::IntoIter<u32>,
        layout: Vec<(Origin, u64, u64)>,
        recorder: Recorder,
    },
}

/// How symbols for results of functions without a body begin.
const FOREIGN_RESULT: &str = "ret";

/// How a path ended.
#[derive(Clone, Debug)]
pub enum PathEnd {
    /// main returned, exit or abort was called, or control reached what the compiler calls unreachable.
    Finished,
    /// An assumption does not hold.
    Discarded,
    /// A property is violated on every continuation.
    Violated,
    /// The path could not be followed: nothing may be concluded from its end.
    Cut(Cut),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cut {
    Unsupported { what: String, loc: Loc },
    /// Undefined behaviour that nobody asked to check.
    Undefined { what: String, loc: Loc },
    Solver(String),
    Bound(String),
}

impl std::fmt::Display for Cut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Cut::Unsupported { what, .. } => write!(f, "unsupported: {what}"),
            Cut::Undefined { what, .. } => write!(f, "undefined behaviour: {what}"),
            Cut::Solver(why) => write!(f, "solver: {why}"),
            Cut::Bound(bound) => write!(f, "bound reached: {bound}"),
        }
    }
}

/// What a run of `advance` did.
pub enum Advance {
    /// The fuel is used up; the state goes on.
    Running,
    /// The state stands at the head of a loop and may be compared with earlier ones; it goes on.
    LoopHead,
    /// The state forked and goes on; `Machine::forked` has the others.
    Forked,
    Ended(PathEnd),
}

#[derive(Clone, Debug, Default)]
pub struct MachineStatistics {
    pub statements: u64,
    pub branches: u64,
    pub forks: u64,
}

pub struct Machine {
    pub store: Rc<TermStore>,
    pub program: Rc<Program>,
    pub book: AddressBook,
    pub code: Rc<Code>,
    pub(crate) procs_by_object: FxMap<ObjectKey, u32>,
    pub mode: Mode,
    pub checks: BTreeSet<Property>,
    pub budget: Budget,
    pub ledger: Ledger,
    pub statistics: MachineStatistics,
    /// States that a fork made since the engine last took them.
    pub forked: Vec<State>,
    /// Violations found since the engine last took them.
    pub violations: Vec<Trace>,
    /// Parts of the state space that were left out (an undecided query, undefined behaviour): no proof any more.
    pub cuts: Vec<Cut>,
    /// Blocks that some path entered, over the whole program.
    pub covered: Vec<bool>,
    pub max_loop: Option<u64>,
    /// Whether `advance` returns at loop heads.
    pub pause_at_loop_heads: bool,
    /// Roughly the nanoseconds that fingerprints took, in deterministic units.
    pub fingerprint_work: u64,
    pub(crate) temps: Vec<Val>,
    pub(crate) liveness: Liveness,
    globals: Vec<(ObjectKey, Object)>,
}

/// A query could not be answered, or the path is over.
pub(crate) type Step<T> = Result<T, PathEnd>;

/// What is possible for a condition in a state.
pub(crate) enum Decision {
    Always(bool),
    /// Both; the state's model has it `now`, `other` is a model of the opposite.
    Both { now: bool, other: Rc<Evaluator> },
}

impl Machine {
    pub fn new(program: Rc<Program>, checks: BTreeSet<Property>, mode: Mode, budget: Budget) -> Machine {
        let store = program.terms.clone();
        let mut book = AddressBook::new(store.clone(), program.layout.pointer_bits);
        if let Mode::Replay { layout, .. } = &mode {
            book.plan(layout);
        }
        let (addresses, globals) = lay_out(&program, &mut book);
        let recording = matches!(&mode, Mode::Replay { recorder, .. } if recorder.keeps_steps());
        let code = code::compile(&program, &addresses, &book, recording);
        let mut ledger = Ledger::default();
        for assumption in &program.assumptions {
            ledger.note(assumption.as_str());
        }
        Machine {
            temps: vec![Val::FALSE; code.temps],
            covered: vec![false; code.block_count as usize],
            code: Rc::new(code),
            procs_by_object: addresses.procs,
            store,
            program,
            book,
            mode,
            checks,
            budget,
            ledger,
            statistics: MachineStatistics::default(),
            forked: Vec::new(),
            violations: Vec::new(),
            cuts: Vec::new(),
            max_loop: None,
            pause_at_loop_heads: false,
            fingerprint_work: 0,
            liveness: Liveness::default(),
            globals,
        }
    }

    /// The state before the first statement.
    pub fn initial_state(&mut self) -> Step<State> {
        let model = Rc::new(Evaluator::new(fathom_term::Model::default()));
        let code = self.code.clone();
        let mut state = State::new(Vec::new(), model);
        let globals = code.global_sorts.iter().map(|&sort| self.arbitrary(&mut state, sort)).collect();
        state.globals = Rc::new(globals);
        for (key, object) in &self.globals {
            state.memory.insert(*key, object.clone());
        }
        self.push_frame(&mut state, code.entry);
        let proc = &code.procs[code.entry as usize];
        for &param in proc.params.iter().chain(&proc.unset) {
            let value = self.arbitrary(&mut state, proc.local_sorts[param as usize]);
            Rc::make_mut(&mut state.frame_mut().locals)[param as usize] = value;
        }
        for axiom in self.program.axioms.clone() {
            self.assume(&mut state, axiom)?;
        }
        Ok(state)
    }

    pub(crate) fn push_frame(&mut self, state: &mut State, proc: u32) {
        let code = &self.code.procs[proc as usize];
        state.frames.push(Frame {
            proc,
            block: code.entry,
            index: 0,
            locals: Rc::new(vec![Val::FALSE; code.local_sorts.len()]),
            stack_objects: SmallVec::new(),
            visits: Rc::default(),
        });
        self.covered[(code.first_block + code.entry) as usize] = true;
    }

    // ---- values

    #[inline]
    pub(crate) fn get(&self, state: &State, operand: Operand) -> Val {
        match operand {
            Operand::Value(value) => value,
            Operand::Place(Place::Local(slot)) => state.frame().locals[slot as usize],
            Operand::Place(Place::Temp(slot)) => self.temps[slot as usize],
            Operand::Place(Place::Global(slot)) => state.globals[slot as usize],
        }
    }

    #[inline]
    pub(crate) fn set(&mut self, state: &mut State, place: Place, value: Val) {
        match place {
            Place::Local(slot) => Rc::make_mut(&mut state.frame_mut().locals)[slot as usize] = value,
            Place::Temp(slot) => self.temps[slot as usize] = value,
            Place::Global(slot) => Rc::make_mut(&mut state.globals)[slot as usize] = value,
        }
    }

    pub(crate) fn term_of(&self, value: Val, sort: Sort) -> Term {
        value.to_term(&self.store, &self.book, sort)
    }

    pub(crate) fn value_of(&self, term: Term) -> Val {
        Val::from_term(&self.store, &self.book, term)
    }

    pub(crate) fn expr_value(&self, state: &State, expr: &Expr) -> Val {
        self.get(state, expr.operand)
    }

    /// The result of an instruction; concrete arguments take the road without terms.
    #[inline]
    pub(crate) fn compute(&self, state: &State, instr: &Instr) -> Val {
        let mut bits = [0u64; 4];
        let count = instr.args.len();
        let mut concrete = count <= 4;
        for (to, &arg) in bits.iter_mut().zip(&instr.args) {
            match self.get(state, arg) {
                Val::Bits(value) => *to = value,
                _ => {
                    concrete = false;
                    break;
                }
            }
        }
        if concrete
            && instr.sort.is_small()
            && let Some(result) = fold::small(instr.op, instr.sort, instr.operand, &bits[..count])
        {
            return Val::Bits(result);
        }
        self.compute_general(state, instr)
    }

    fn compute_general(&self, state: &State, instr: &Instr) -> Val {
        let values: SmallVec<[Val; 3]> = instr.args.iter().map(|&arg| self.get(state, arg)).collect();
        if let Some(result) = self.compute_on_pointers(instr, &values) {
            return result;
        }
        let terms: SmallVec<[Term; 3]> =
            values.iter().zip(&instr.sorts).map(|(value, sort)| self.term_of(*value, *sort)).collect();
        self.value_of(self.store.build(instr.op, &terms))
    }

    /// Pointer arithmetic and comparison without terms; None if the general road must be taken.
    fn compute_on_pointers(&self, instr: &Instr, values: &[Val]) -> Option<Val> {
        let wrap = |offset: i64| fathom_term::sign_extend(offset as u64, self.book.pointer_bits());
        match (instr.op, values) {
            (Op::BvAdd, [Val::Pointer { object, offset }, Val::Bits(bits)])
            | (Op::BvAdd, [Val::Bits(bits), Val::Pointer { object, offset }]) => {
                Some(Val::Pointer { object: *object, offset: wrap(offset.wrapping_add(*bits as i64)) })
            }
            (Op::Ite, [Val::Bits(condition), then, otherwise]) => Some(if *condition != 0 { *then } else { *otherwise }),
            // These keep the object for bytes that travel one by one.
            (Op::BvAdd | Op::BvNeg | Op::BvExtract { .. } | Op::BvConcat | Op::Ite, _) => None,
            (Op::BvZeroExtend(_) | Op::BvSignExtend(_), _) => None,
            _ if instr.sort.is_small() => {
                let mut flat = [0u64; 4];
                for (to, value) in flat.iter_mut().zip(values) {
                    *to = value.flat(&self.book)?;
                }
                fold::small(instr.op, instr.sort, instr.operand, flat.get(..values.len())?).map(Val::Bits)
            }
            _ => None,
        }
    }

    // ---- arbitrary values

    /// A value that nothing is known of.
    pub(crate) fn arbitrary(&mut self, state: &mut State, sort: Sort) -> Val {
        self.numbered_symbol(state, "in", sort)
    }

    /// A value that comes from code Fathom doesn't see. A pointer among these is taken to be valid.
    pub(crate) fn foreign(&mut self, state: &mut State, sort: Sort) -> Val {
        self.numbered_symbol(state, FOREIGN_RESULT, sort)
    }

    fn numbered_symbol(&mut self, state: &mut State, kind: &str, sort: Sort) -> Val {
        let name = format!("{kind}{}.{}", state.inputs, sort_tag(&self.store, sort));
        state.inputs += 1;
        self.symbol(&name, sort)
    }

    /// Whether a value depends on code or data that Fathom doesn't see.
    pub(crate) fn is_foreign(&self, term: Term) -> bool {
        let mut seen = fathom_base::FxSet::default();
        let mut open = vec![term];
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            if let Op::Var(var) = self.store.op(term) {
                let name = self.store.var_name(var);
                if name.starts_with(FOREIGN_RESULT) || self.is_foreign_memory(&name) {
                    return true;
                }
            }
            open.extend(self.store.args(term));
        }
        false
    }

    /// The symbol of this name, or its value in a replay.
    pub(crate) fn symbol(&mut self, name: &str, sort: Sort) -> Val {
        match &self.mode {
            Mode::Symbolic(_) => Val::Term(self.store.var(name, sort)),
            Mode::Replay { symbols, .. } => {
                let value = symbols.get(name).cloned().unwrap_or_else(|| Value::zero(sort, &self.store));
                self.value_of(self.store.constant(&value, sort))
            }
        }
    }

    /// Contents of an object that is defined elsewhere (globals have the first sites, and only such ones start
    /// uninitialised), or of one that an arbitrary pointer led to (behind all sites).
    fn is_foreign_memory(&self, symbol: &str) -> bool {
        let site = symbol.strip_prefix("mem").and_then(|rest| rest.split('.').next()?.parse::<usize>().ok());
        site.is_some_and(|site| site < self.program.objects.len() || site >= self.code.site_names.len())
    }

    pub fn oracle(&mut self) -> Option<&mut Oracle> {
        match &mut self.mode {
            Mode::Symbolic(oracle) => Some(oracle),
            Mode::Replay { .. } => None,
        }
    }

    // ---- conditions

    /// The condition over inputs alone: addresses are numbers.
    pub(crate) fn condition(&mut self, value: Val) -> Term {
        match value {
            Val::Bits(bits) => self.store.bool(bits != 0),
            Val::Term(term) => self.book.ground(term),
            Val::Pointer { .. } => unreachable!("a condition is no address"),
        }
    }

    fn query(&mut self, state: &State, condition: Term) -> Verdict {
        let budget = self.budget.clone();
        match &mut self.mode {
            Mode::Symbolic(oracle) => oracle.check(&state.constraints, condition, Some(&state.model), &budget),
            Mode::Replay { .. } => Verdict::Unknown(Why::Incomplete("a replay met a symbolic condition".to_string())),
        }
    }

    /// What a grounded condition can be in this state. An undecided side is cut off, and noted.
    pub(crate) fn decide(&mut self, state: &mut State, condition: Term) -> Step<Decision> {
        if let Some(known) = self.store.const_bool(condition) {
            return Ok(Decision::Always(known));
        }
        let now = match state.model.holds(&self.store, condition) {
            Some(now) => now,
            None => match self.query(state, condition) {
                Verdict::Sat(model) => {
                    state.model = model;
                    true
                }
                Verdict::Unsat => return Ok(Decision::Always(false)),
                Verdict::Unknown(why) => return Err(PathEnd::Cut(Cut::Solver(why.to_string()))),
            },
        };
        let opposite = if now { self.store.not(condition) } else { condition };
        Ok(match self.query(state, opposite) {
            Verdict::Sat(other) => Decision::Both { now, other },
            Verdict::Unsat => Decision::Always(now),
            Verdict::Unknown(why) => {
                self.cuts.push(Cut::Solver(why.to_string()));
                let side = if now { condition } else { opposite };
                state.constraints.push(&self.store, side);
                Decision::Always(now)
            }
        })
    }

    /// Restricts the state to a grounded condition.
    pub(crate) fn assume(&mut self, state: &mut State, condition: Term) -> Step<()> {
        match self.store.const_bool(condition) {
            Some(true) => return Ok(()),
            Some(false) => return Err(PathEnd::Discarded),
            None => {}
        }
        if state.model.holds(&self.store, condition) != Some(true) {
            match self.query(state, condition) {
                Verdict::Sat(model) => state.model = model,
                Verdict::Unsat => return Err(PathEnd::Discarded),
                Verdict::Unknown(why) => return Err(PathEnd::Cut(Cut::Solver(why.to_string()))),
            }
        }
        state.constraints.push(&self.store, condition);
        Ok(())
    }

    /// Splits the state on a grounded condition: the other side starts the current statement again. Returns which
    /// side this state is on.
    pub(crate) fn split(&mut self, state: &mut State, condition: Term) -> Step<bool> {
        match self.decide(state, condition)? {
            Decision::Always(known) => Ok(known),
            Decision::Both { now, other } => {
                let mut sibling = state.clone();
                let frame = sibling.frame_mut();
                let block = &self.code.procs[frame.proc as usize].blocks[frame.block as usize];
                frame.index = block.starts[frame.index as usize];
                self.take_side(&mut sibling, condition, !now, Some(other));
                self.take_side(state, condition, now, None);
                self.add_fork(sibling);
                Ok(now)
            }
        }
    }

    pub(crate) fn take_side(&mut self, state: &mut State, condition: Term, side: bool, model: Option<Rc<Evaluator>>) {
        let condition = if side { condition } else { self.store.not(condition) };
        state.constraints.push(&self.store, condition);
        state.depth += 1;
        if let Some(model) = model {
            state.model = model;
        }
    }

    pub(crate) fn add_fork(&mut self, sibling: State) {
        self.statistics.forks += 1;
        self.forked.push(sibling);
    }

    // ---- violations

    pub(crate) fn location(&self, state: &State) -> Loc {
        let frame = state.frame();
        let block = &self.code.procs[frame.proc as usize].blocks[frame.block as usize];
        block.locs.get(frame.index as usize).copied().unwrap_or(block.end_loc)
    }

    pub(crate) fn report(&mut self, state: &State, model: &Rc<Evaluator>, property: Property, message: &str) {
        let stack = state.frames.iter().map(|f| self.code.procs[f.proc as usize].name.clone()).collect();
        let violation = Violation { property, message: message.to_string(), loc: self.location(state), stack };
        let trace = self.trace_of(state, model, violation);
        self.violations.push(trace);
    }

    /// A condition that a property wants. Violations are reported; the state goes on where it holds.
    pub(crate) fn require(&mut self, state: &mut State, condition: Term, property: Property, message: &str) -> Step<()> {
        match self.decide(state, condition)? {
            Decision::Always(true) => Ok(()),
            Decision::Always(false) => {
                let model = state.model.clone();
                self.report(state, &model, property, message);
                Err(PathEnd::Violated)
            }
            Decision::Both { now, other } => {
                let (good, bad) = if now { (state.model.clone(), other) } else { (other, state.model.clone()) };
                self.report(state, &bad, property, message);
                self.take_side(state, condition, true, Some(good));
                Ok(())
            }
        }
    }

    /// A condition without which the program has no meaning: a violation if that property is checked, else the part
    /// of the state space where it fails is left out, which spoils a proof.
    pub(crate) fn require_defined(
        &mut self,
        state: &mut State,
        condition: Term,
        property: Property,
        message: &str,
    ) -> Step<()> {
        if self.checks.contains(&property) {
            return self.require(state, condition, property, message);
        }
        let cut = Cut::Undefined { what: message.to_string(), loc: self.location(state) };
        match self.decide(state, condition)? {
            Decision::Always(true) => Ok(()),
            Decision::Always(false) => Err(PathEnd::Cut(cut)),
            Decision::Both { now, other } => {
                if !self.cuts.contains(&cut) {
                    self.cuts.push(cut);
                }
                self.take_side(state, condition, true, (!now).then_some(other));
                Ok(())
            }
        }
    }

    pub(crate) fn unsupported(&self, state: &State, what: impl Into<String>) -> PathEnd {
        PathEnd::Cut(Cut::Unsupported { what: what.into(), loc: self.location(state) })
    }

    pub(crate) fn record_input(&mut self, state: &State, kind: &ir::InputKind, bytes: Vec<u8>, width: u32) {
        let loc = self.location(state);
        let Mode::Replay { recorder, .. } = &mut self.mode else { return };
        let index = recorder.input(kind.clone(), bytes, width, loc);
        if let Some(recorder) = self.recorder(state) {
            recorder.step(TraceStep::Input { index, loc });
        }
    }

    /// The recorder, if this is a replay whose steps are kept here.
    pub(crate) fn recorder(&mut self, state: &State) -> Option<&mut Recorder> {
        match &mut self.mode {
            Mode::Replay { recorder, .. } if recorder.keeps_step_at(state.branches) => Some(recorder),
            _ => None,
        }
    }
}

/// Gives every global object and procedure its address and first contents.
fn lay_out(program: &Program, book: &mut AddressBook) -> (Addresses, Vec<(ObjectKey, Object)>) {
    let mut addresses = Addresses { values: FxMap::default(), procs: FxMap::default() };
    let mut objects = Vec::new();
    let store = program.terms.clone();
    let mut site = 0;
    let mut place = |book: &mut AddressBook, size: u64, align: u64| {
        site += 1;
        let origin = Origin { site: site - 1, occurrence: 0 };
        book.object(origin, size, align).expect("globals fit the address space")
    };
    for object in &program.objects {
        let key = place(book, object.size, object.align);
        if let Some(var) = store.as_var(object.address) {
            addresses.values.insert(var, Val::Pointer { object: key, offset: 0 });
        }
        let base = match object.init {
            ir::Initializer::External => Base::Uninitialised,
            _ => Base::Zero,
        };
        let contents = Contents::new(base);
        objects.push((key, Object { size: Val::Bits(object.size), kind: ObjectKind::Global, read_only: object.read_only, contents }));
    }
    for (index, procedure) in program.procedures.iter().enumerate() {
        let key = place(book, 1, 16);
        addresses.procs.insert(key, index as u32);
        if let Some(var) = procedure.address.and_then(|address| store.as_var(address)) {
            addresses.values.insert(var, Val::Pointer { object: key, offset: 0 });
        }
        let contents = Contents::new(Base::Zero);
        objects.push((key, Object { size: Val::Bits(1), kind: ObjectKind::Code, read_only: true, contents }));
    }
    let images = addresses.values.iter().map(|(&var, &value)| (var, value.to_term(&store, book, Sort::Bv(book.pointer_bits()))));
    let mut resolve = fathom_term::Substitution::new(images.collect::<Vec<_>>());
    for (object, (_, laid)) in program.objects.iter().zip(&mut objects) {
        if let ir::Initializer::Bytes { bytes, relocations } = &object.init {
            laid.contents.write_concrete(0, bytes);
            for relocation in relocations {
                let term = resolve.apply(&store, relocation.value);
                let value = Val::from_term(&store, book, term);
                let width = store.sort(relocation.value).width() as u64;
                crate::access::write_value(&store, book, &mut laid.contents, relocation.offset, width / 8, value);
            }
        }
    }
    (addresses, objects)
}

/// A short name of a sort for symbol names.
pub(crate) fn sort_tag(store: &TermStore, sort: Sort) -> String {
    match sort {
        Sort::Bool => "bool".to_string(),
        Sort::Bv(width) => format!("bv{width}"),
        Sort::Float(f) => format!("fp{}e{}", f.significand, f.exponent),
        Sort::RoundingMode => "rm".to_string(),
        Sort::Int => "int".to_string(),
        Sort::Real => "real".to_string(),
        Sort::Array(id) => {
            let (index, element) = store.array_sort_parts(id);
            format!("array.{}.{}", sort_tag(store, index), sort_tag(store, element))
        }
        Sort::Opaque(id) => format!("opaque{}", id.0),
    }
}
