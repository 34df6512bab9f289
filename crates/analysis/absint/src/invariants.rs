//! Abstract states at loop heads as conditions: one per bound, so that a proof of them may drop one and keep the
//! others. Memory is spoken of through cells that a global's address or a local's own pointer names.

use crate::context::Context;
use crate::memory::Initials;
use crate::state::{Lvalue, State};
use crate::value::{Abs, Bits, FIRST_ADDRESS, Object};
use fathom_domains::floats::{FpSet, bits_of};
use fathom_domains::num::{Num, mask, signed_max, signed_min};
use fathom_domains::unbounded::{Number, Range};
use fathom_ir::{Invariant, Invariants, LoopHead, MemoryCell, ProcId};
use fathom_term::{Op, Sort, Term, Value, VarId};
use num_bigint::BigInt;
use num_rational::BigRational;

/// More facts about one head are left out.
const MAX_FACTS: usize = 256;

/// Writes down what a state says.
struct Writer<'a> {
    context: &'a Context,
    procedure: ProcId,
    state: &'a State,
    found: Vec<Invariant>,
}

/// Adds what a state at a loop head says, as conditions.
pub fn add(context: &Context, head: LoopHead, state: &State, invariants: &mut Invariants) {
    let mut writer = Writer { context, procedure: head.procedure, state, found: Vec::new() };
    writer.variables();
    writer.forms();
    writer.equalities();
    writer.cells();
    for invariant in writer.found.into_iter().take(MAX_FACTS) {
        invariants.add(head, invariant);
    }
}

impl Writer<'_> {
    fn say(&mut self, condition: Term, cells: &[MemoryCell]) {
        if self.context.store.const_bool(condition) != Some(true) {
            self.found.push(Invariant { condition, cells: cells.to_vec() });
        }
    }

    fn variables(&mut self) {
        for (var, value) in &self.state.vars {
            let term = self.context.store.var_term(*var);
            self.value(term, value, Some(*var), &[]);
        }
    }

    fn forms(&mut self) {
        for (form, value) in self.state.forms.iter() {
            self.value(form.term(&self.context.store), value, None, &[]);
        }
    }

    fn equalities(&mut self) {
        let store = &self.context.store;
        for known in &self.state.equalities {
            match known.lvalue {
                Lvalue::Var(var) => self.say(store.eq(store.var_term(var), known.term), &[]),
                Lvalue::Cell { object, offset, bytes } => {
                    if let Some(cell) = self.cell(object, offset, bytes) {
                        self.say(store.eq(store.var_term(cell.var), known.term), &[cell]);
                    }
                }
            }
        }
    }

    fn cells(&mut self) {
        let state = self.state;
        for (&object, contents) in &state.memory.objects {
            if !contents.single || self.context.is_constant(object) {
                continue;
            }
            for (&offset, cell) in &contents.cells {
                if let Some(named) = self.cell(object, offset, cell.bytes) {
                    let term = self.context.store.var_term(named.var);
                    self.value(term, &Abs::Bits(cell.value.clone()), None, &[named]);
                }
            }
        }
    }

    /// The address of an object in terms of this procedure.
    fn base(&self, object: Object) -> Option<Term> {
        match object {
            Object::Global(id) => Some(self.context.program.object(id).address),
            Object::Site(number) => {
                let site = &self.context.sites[number as usize];
                let single = self.state.memory.objects.get(&object).is_some_and(|contents| contents.single);
                let Abs::Bits(bits) = &**self.state.vars.get(&site.target)? else { return None };
                let points = &bits.points;
                let exact = matches!(&points.targets[..], [(known, at)] if *known == object && at.as_constant() == Some(0));
                let sure = exact && single && !points.unknown && !points.forged && bits.num.umin >= FIRST_ADDRESS;
                (sure && site.procedure == self.procedure).then(|| self.context.store.var_term(site.target))
            }
            Object::Code(_) => None,
        }
    }

    fn cell(&self, object: Object, offset: u64, bytes: u64) -> Option<MemoryCell> {
        let (store, width) = (&self.context.store, self.context.pointer_bits);
        let base = self.base(object)?;
        let pointer = store.bv_add(base, store.bv(offset, width));
        let name = match object {
            Object::Global(id) => self.context.program.object(id).name.clone(),
            Object::Site(number) => store.var_name(self.context.sites[number as usize].target).to_string(),
            Object::Code(_) => return None,
        };
        let var = store.as_var(store.var(&format!("cell {object:?} {name}+{offset}:{bytes}"), Sort::Bv(bytes as u32 * 8)))?;
        Some(MemoryCell { var, pointer, bytes, index: None })
    }

    fn value(&mut self, term: Term, value: &Abs, var: Option<VarId>, cells: &[MemoryCell]) {
        let store = self.context.store.clone();
        match value {
            Abs::Bool { .. } => match value.as_constant() {
                Some(known) if known.is_true() => self.say(term, cells),
                Some(_) => self.say(store.not(term), cells),
                None => {}
            },
            Abs::Bits(bits) => self.bits(term, bits, var, cells),
            Abs::Float(set) => self.floats(term, set, cells),
            Abs::Int(range) => {
                let number = |value: &BigInt| store.int(value.clone());
                self.range(term, range, Op::IntLe, number, cells);
            }
            Abs::Real(range) => {
                let number = |value: &BigRational| store.constant(&Value::real(value.clone()), Sort::Real);
                self.range(term, range, Op::RealLe, number, cells);
            }
            Abs::Mode(_) | Abs::Any => {
                if let Some(known) = value.as_constant() {
                    self.say(store.eq(term, store.constant(&known, store.sort(term))), cells);
                }
            }
        }
    }

    fn range<T: Number>(&mut self, term: Term, range: &Range<T>, le: Op, number: impl Fn(&T) -> Term, cells: &[MemoryCell]) {
        let store = self.context.store.clone();
        if let Some(constant) = range.as_constant() {
            return self.say(store.eq(term, number(constant)), cells);
        }
        if let Some(low) = &range.low {
            self.say(store.build(le, &[number(low), term]), cells);
        }
        if let Some(high) = &range.high {
            self.say(store.build(le, &[term, number(high)]), cells);
        }
    }

    fn bits(&mut self, term: Term, bits: &Bits, var: Option<VarId>, cells: &[MemoryCell]) {
        if let Some(set) = &bits.float {
            let store = self.context.store.clone();
            self.floats(store.build(Op::FpFromBits(set.format), &[term]), set, cells);
        }
        if bits.points.is_number() {
            self.number(term, &bits.num, None, cells);
        } else {
            self.pointer(term, bits, var, cells);
        }
    }

    /// Where a pointer leads, if that is one object.
    fn pointer(&mut self, term: Term, bits: &Bits, var: Option<VarId>, cells: &[MemoryCell]) {
        let store = self.context.store.clone();
        let width = self.context.pointer_bits;
        let points = &bits.points;
        if let ([(object, offset)], false, false) = (&points.targets[..], points.unknown, points.forged)
            && bits.num.width == width
            && let Some(base) = self.base(*object)
            && base != term
        {
            let null = (bits.num.umin < FIRST_ADDRESS).then(|| store.eq(term, store.bv(0, width)));
            match offset.as_constant() {
                Some(offset) => {
                    let same = store.eq(term, store.bv_add(base, store.bv(offset as u64, width)));
                    self.say(null.map_or(same, |null| store.or(null, same)), cells);
                }
                None => self.number(store.bv_sub(term, base), offset, null, cells),
            }
        } else if bits.num.width == width && bits.num.umin >= FIRST_ADDRESS {
            let _ = var;
            self.say(store.ne(term, store.bv(0, width)), cells);
        } else if bits.num.as_constant().is_some() {
            self.number(term, &bits.num, None, cells);
        }
    }

    /// Bounds in both orders and known low bits; each holds or `otherwise` does.
    fn number(&mut self, term: Term, num: &Num, otherwise: Option<Term>, cells: &[MemoryCell]) {
        let store = self.context.store.clone();
        let width = num.width;
        if store.sort(term) != Sort::Bv(width) {
            return;
        }
        let constant = |bits: u128| store.constant(&Value::bits(bits.into(), width), Sort::Bv(width));
        let mut say = |condition: Term| self.say(otherwise.map_or(condition, |other| store.or(other, condition)), cells);
        if let Some(bits) = num.as_constant() {
            return say(store.eq(term, constant(bits)));
        }
        let same_order = num.smin >= 0;
        if num.smin > signed_min(width) {
            say(store.bv_sle(constant(fathom_domains::num::wrap(num.smin, width)), term));
        }
        if num.smax < signed_max(width) {
            say(store.bv_sle(term, constant(fathom_domains::num::wrap(num.smax, width))));
        }
        if !same_order && num.smax >= 0 {
            if num.umin > 0 {
                say(store.bv_ule(constant(num.umin), term));
            }
            if num.umax < mask(width) {
                say(store.bv_ule(term, constant(num.umax)));
            }
        }
        let low = num.known_low_bits();
        if low > 0 && low < width {
            let known = store.constant(&Value::bits((num.ones & mask(low)).into(), low), Sort::Bv(low));
            say(store.eq(store.extract(term, low - 1, 0), known));
        }
    }

    fn floats(&mut self, term: Term, set: &FpSet, cells: &[MemoryCell]) {
        let store = self.context.store.clone();
        let sort = Sort::Float(set.format);
        let constant = |bits: u128| store.constant(&Value::bits(bits.into(), set.format.width()), sort);
        if let Some(bits) = set.as_constant() {
            return self.say(store.eq(term, constant(bits)), cells);
        }
        let nan = store.build(Op::FpIsNan, &[term]);
        let Some((low, high)) = set.bounds else { return self.say(nan, cells) };
        if !set.nan {
            self.say(store.not(nan), cells);
        }
        let infinity = |negative| fathom_term::float::infinity(set.format, negative);
        let (low, high) = (bits_of(set.format, low), bits_of(set.format, high));
        if low != infinity(true) {
            self.say(store.or(nan, store.build(Op::FpLe, &[constant(low), term])), cells);
        }
        if high != infinity(false) {
            self.say(store.or(nan, store.build(Op::FpLe, &[term, constant(high)])), cells);
        }
    }
}
