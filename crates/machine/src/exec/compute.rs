//! Values of variables and instructions, and arbitrary values. Concrete operands are computed without terms; pointers
//! keep their object through arithmetic; everything else builds terms.

use crate::exec::code::{Expr, Instr, Operand, Quantified, Variable};
use crate::exec::machine::{Machine, Mode};
use crate::exec::state::State;
use crate::exec::value::{ObjectKey, Val};
use fathom_ir::InputKind;
use fathom_term::{Op, Sort, Substitution, Term, TermStore, fold};
use smallvec::SmallVec;
use std::rc::Rc;

/// How symbols begin that are numbered in the order in which a path asks for them.
pub(crate) const NUMBERED: [&str; 6] = [ARBITRARY, FOREIGN_RESULT, FOREIGN_MEMORY, POINTER_INPUT, UNSET, UNINITIALISED];
pub(crate) const ARBITRARY: &str = "in";
/// How symbols for results of functions without a body begin.
const FOREIGN_RESULT: &str = "ret";
/// How symbols for what such functions wrote begin.
pub(crate) const FOREIGN_MEMORY: &str = "wrote";
const POINTER_INPUT: &str = "ptr";
/// How symbols for choices that are no inputs begin.
pub(crate) const UNSET: &str = "unset";
/// How symbols for variables of the source begin that have no value yet.
pub(crate) const UNINITIALISED: &str = "uninit";
/// How names of values that come from code which is not in the program begin.
pub(crate) const FROM_ELSEWHERE: [&str; 6] = [FOREIGN_RESULT, FOREIGN_MEMORY, POINTER_INPUT, UNSET, UNINITIALISED, "mem"];

impl Machine {
    #[inline]
    pub(crate) fn get(&self, state: &State, operand: Operand) -> Val {
        match operand {
            Operand::Value(value) => value,
            Operand::Variable(Variable::Local(slot)) => state.frame().locals[slot as usize],
            Operand::Variable(Variable::Temp(slot)) => self.temps[slot as usize],
            Operand::Variable(Variable::Global(slot)) => state.globals[slot as usize],
        }
    }

    #[inline]
    pub(crate) fn set(&mut self, state: &mut State, variable: Variable, value: Val) {
        match variable {
            Variable::Local(slot) => Rc::make_mut(&mut state.frame_mut().locals)[slot as usize] = value,
            Variable::Temp(slot) => self.temps[slot as usize] = value,
            Variable::Global(slot) => Rc::make_mut(&mut state.globals)[slot as usize] = value,
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
            && instr.sort.has_small_constants()
            && let Some(result) = fold::small(instr.op, instr.sort, instr.operand, &bits[..count])
        {
            return Val::Bits(result);
        }
        self.compute_general(state, instr)
    }

    pub(crate) fn compute_if(&mut self, state: &mut State, condition: Operand, instrs: &[Instr]) {
        if self.get(state, condition) == Val::FALSE {
            return;
        }
        for instr in instrs {
            let value = self.compute(state, instr);
            self.set(state, instr.target, value);
        }
    }

    fn compute_general(&self, state: &State, instr: &Instr) -> Val {
        let values: SmallVec<[Val; 3]> = instr.args.iter().map(|&arg| self.get(state, arg)).collect();
        if let Some(result) = self.compute_on_pointers(state, instr, &values) {
            return result;
        }
        let terms: SmallVec<[Term; 3]> = values.iter().zip(&instr.sorts).map(|(value, sort)| self.term_of(*value, *sort)).collect();
        let term = self.store.build(instr.op, &terms);
        if let (Mode::Replay { values, .. }, Op::Apply(_) | Op::Eq) = (&self.mode, instr.op)
            && !self.has_address(term)
            && !self.is_doubled(term)
            && let Some(value) = values.eval(&self.store, term)
        {
            return self.value_of(self.store.constant(&value, instr.sort));
        }
        self.value_of(term)
    }

    /// Pointer arithmetic and comparison without terms; None if the general road must be taken.
    fn compute_on_pointers(&self, state: &State, instr: &Instr, values: &[Val]) -> Option<Val> {
        let wrap = |offset: i64| fathom_term::sign_extend(offset as u64, self.book.pointer_bits());
        match (instr.op, values) {
            (Op::BvAdd, [Val::Pointer { object, offset }, Val::Bits(bits)] | [Val::Bits(bits), Val::Pointer { object, offset }]) => {
                Some(Val::Pointer { object: *object, offset: wrap(offset.wrapping_add(*bits as i64)) })
            }
            (Op::Ite, [Val::Bits(condition), then, otherwise]) => Some(if *condition != 0 { *then } else { *otherwise }),
            // These keep the object for bytes that travel one by one.
            (Op::BvAdd | Op::BvNeg | Op::BvExtract { .. } | Op::BvConcat | Op::Ite, _) => None,
            (Op::BvZeroExtend(_) | Op::BvSignExtend(_), _) => None,
            _ if instr.sort.is_small() => {
                if let Some(known) = self.known_in_every_layout(state, instr.op, values) {
                    return Some(known);
                }
                if matches!(self.mode, Mode::Replay { .. }) && values.iter().any(|value| matches!(value, Val::Pointer { .. })) {
                    self.replay.used_layout.set(true);
                }
                let mut flat = [0u64; 4];
                for (to, value) in flat.iter_mut().zip(values) {
                    *to = self.number_of(*value)?;
                }
                fold::small(instr.op, instr.sort, instr.operand, flat.get(..values.len())?).map(Val::Bits)
            }
            _ => None,
        }
    }

    /// What an operation on pointers gives wherever their objects lie.
    fn known_in_every_layout(&self, state: &State, op: Op, values: &[Val]) -> Option<Val> {
        let book = &self.book;
        let truth = |known: bool| Some(Val::Bits(known.into()));
        match (op, values) {
            (Op::Eq, [Val::Pointer { object: a, offset: at_a }, Val::Pointer { object: b, offset: at_b }]) => match a == b {
                true => truth(at_a == at_b),
                false => {
                    let differ = self.is_alive(state, *a) && self.is_alive(state, *b) && book.are_apart((*a, *at_a), (*b, *at_b));
                    differ.then_some(Val::FALSE)
                }
            },
            (Op::Eq, [Val::Pointer { object, offset }, Val::Bits(number)] | [Val::Bits(number), Val::Pointer { object, offset }]) => {
                book.is_no_place(*object, *offset, *number).then_some(Val::FALSE)
            }
            (Op::BvUlt | Op::BvSlt, [Val::Pointer { object: a, offset: at_a }, Val::Pointer { object: b, offset: at_b }])
                if a == b && book.is_near(*a, *at_a) && book.is_near(*b, *at_b) && (op == Op::BvUlt || book.pointer_bits() >= 64) =>
            {
                truth(at_a < at_b)
            }
            (_, [Val::Pointer { object, offset }, Val::Bits(bits)] | [Val::Bits(bits), Val::Pointer { object, offset }]) => {
                self.low_bits(op, *object, *offset, *bits, matches!(values[0], Val::Bits(_)))
            }
            _ => None,
        }
    }

    /// Operations on the bits that are zero in the address of an object: tags.
    fn low_bits(&self, op: Op, object: ObjectKey, offset: i64, bits: u64, number_first: bool) -> Option<Val> {
        let width = self.book.pointer_bits();
        let low = self.book.align(object) - 1;
        let at = |offset: i64| Some(Val::Pointer { object, offset: fathom_term::sign_extend(offset as u64, width) });
        match op {
            Op::BvAnd if bits <= low => Some(Val::Bits(offset as u64 & bits)),
            Op::BvAnd if (bits | low) == fathom_term::mask(width) => at(offset & (bits | !low) as i64),
            Op::BvOr if bits <= low => at(offset | bits as i64),
            Op::BvXor if bits <= low => at(offset ^ bits as i64),
            Op::BvUrem if !number_first && bits.is_power_of_two() && bits - 1 <= low => Some(Val::Bits(offset as u64 & (bits - 1))),
            _ => None,
        }
    }

    /// The number that a value is. In a search an address is none.
    pub(crate) fn number_of(&self, value: Val) -> Option<u64> {
        match (value, &self.mode) {
            (Val::Pointer { .. }, Mode::Symbolic(_)) => None,
            _ => value.flat(&self.book),
        }
    }

    /// A quantified formula about the current values, under a name of its own if the program computes with it: a
    /// symbol that is true exactly where the formula is.
    pub(crate) fn quantify(&mut self, state: &mut State, quantified: &Quantified) -> Val {
        let images = quantified.variables.iter().map(|&(var, operand, sort)| {
            let term = self.term_of(self.get(state, operand), sort);
            (var, self.book.ground(term))
        });
        let images: Vec<_> = images.collect();
        let formula = Substitution::new(images).apply(&self.store, quantified.formula);
        if !quantified.named {
            return self.value_of(formula);
        }
        // Asked for in any case: a replay, where more is constant, must count symbols alike.
        let name = self.arbitrary(state, Sort::Bool);
        if self.store.const_bool(formula).is_some() {
            return self.value_of(formula);
        }
        if let (Val::Term(symbol), Mode::Symbolic(_)) = (name, &self.mode) {
            let same = self.store.eq(symbol, formula);
            state.path.constraints.push(&self.store, same);
        }
        name
    }

    // ---- arbitrary values

    /// A value that nothing is known of.
    pub(crate) fn arbitrary(&mut self, state: &mut State, sort: Sort) -> Val {
        self.numbered_symbol(state, ARBITRARY, sort)
    }

    /// A value that comes from code Fathom doesn't see. A pointer among these is taken to be valid.
    pub(crate) fn foreign(&mut self, state: &mut State, sort: Sort) -> Val {
        self.numbered_symbol(state, FOREIGN_RESULT, sort)
    }

    /// A variable of the source, or a part of one, that has no value yet.
    pub(crate) fn uninitialised(&mut self, state: &mut State, sort: Sort, variable: &str) -> Val {
        let value = self.numbered_symbol(state, UNINITIALISED, sort);
        self.name_indeterminate(state, value, variable);
        value
    }

    /// A choice that is no input.
    pub(crate) fn unset(&mut self, state: &mut State, sort: Sort) -> Val {
        self.numbered_symbol(state, UNSET, sort)
    }

    /// An arbitrary value that the program asked for by the name of a type, or the choice of an uninitialised variable.
    pub(crate) fn input(&mut self, state: &mut State, kind: &InputKind, sort: Sort) -> Val {
        if let Some(variable) = kind.uninitialised_variable() {
            return self.uninitialised(state, sort, variable);
        }
        match kind {
            InputKind { source, .. } if source.is_empty() => self.unset(state, sort),
            InputKind { type_name, .. } if type_name.ends_with('*') => self.numbered_symbol(state, POINTER_INPUT, sort),
            _ => self.arbitrary(state, sort),
        }
    }

    /// A number for contents that foreign code writes now.
    pub(crate) fn foreign_time(&self, state: &mut State) -> u32 {
        state.path.inputs += 1;
        state.path.inputs - 1
    }

    fn numbered_symbol(&mut self, state: &mut State, kind: &str, sort: Sort) -> Val {
        let name = match state.running_thread() {
            0 => format!("{kind}{}.{}", state.path.inputs, sort_tag(&self.store, sort)),
            thread => format!("{kind}{}.{}.t{thread}", state.path.inputs, sort_tag(&self.store, sort)),
        };
        state.path.inputs += 1;
        self.symbol(&name, sort)
    }

    /// Whether a value depends on code or data that Fathom doesn't see.
    pub(crate) fn is_foreign(&self, term: Term) -> bool {
        let prefixes = [FOREIGN_RESULT, FOREIGN_MEMORY];
        self.some_symbol(term, |name| prefixes.iter().any(|p| name.starts_with(p)) || self.is_foreign_memory(name))
    }

    /// Whether a pointer depends on something that the program did not compute: a result or data of code that Fathom
    /// doesn't see, a variable or memory that was never written, an arbitrary pointer that the program asked for.
    pub(crate) fn is_from_elsewhere(&self, term: Term) -> bool {
        self.some_symbol(term, |name| FROM_ELSEWHERE.iter().any(|prefix| name.starts_with(prefix)))
    }

    fn some_symbol(&self, term: Term, wanted: impl Fn(&str) -> bool) -> bool {
        self.store.subterms([term]).filter_map(|part| self.store.as_var(part)).any(|var| wanted(&self.store.var_name(var)))
    }

    /// The symbol of this name, or its value in a replay.
    pub(crate) fn symbol(&mut self, name: &str, sort: Sort) -> Val {
        if let Some(doubled) = self.doubled_symbol(name, sort) {
            return doubled;
        }
        match &self.mode {
            Mode::Symbolic(_) => Val::Term(self.store.var(name, sort)),
            Mode::Replay { symbols, .. } if symbols.contains_key(name) => {
                let value = symbols[name].clone();
                self.value_of(self.store.constant(&value, sort))
            }
            Mode::Replay { .. } => self.chosen_value(name, sort),
        }
    }

    /// Contents of an object that is defined elsewhere: globals have the first sites, and only such ones start
    /// uninitialised. So are pointers to texts that the program is started with.
    fn is_foreign_memory(&self, symbol: &str) -> bool {
        let site = symbol.strip_prefix("mem").and_then(|rest| rest.split('.').next()?.parse::<usize>().ok());
        let is_given = |site: usize| self.code.site_names.get(site).is_some_and(|name| fathom_ir::is_given_array(name));
        site.is_some_and(|site| site < self.program.objects.len() || is_given(site))
    }
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
