//! Values of terms in an abstract state, and of linear forms. Every node is computed once per evaluation; nothing here
//! recurses on the depth of terms.

use crate::context::Context;
use crate::linear::{Form, Linear, add_abs, constant_abs, scale_abs};
use crate::memory::Initials;
use crate::state::State;
use crate::transfer::apply;
use crate::value::{Abs, Bits, FIRST_ADDRESS, Object};
use fathom_base::FxMap;
use fathom_domains::num::{Num, mask};
use fathom_term::{Op, Sort, Term, VarId};
use smallvec::SmallVec;
use std::rc::Rc;

impl Context {
    /// Any value at all of a sort, addresses included.
    pub fn anything(&self, sort: Sort) -> Abs {
        Abs::unknown(sort, self.pointer_bits)
    }

    /// The value of a variable: what the state says, the object that it is the address of, or anything.
    pub fn var_value(&self, state: &State, var: VarId) -> Rc<Abs> {
        if let Some(known) = state.vars.get(&var) {
            return known.clone();
        }
        if let Some(address) = self.addresses.get(&var) {
            return address.clone();
        }
        Rc::new(self.anything(self.store.var_sort(var)))
    }

    /// The value of a term.
    pub fn eval(&self, state: &State, root: Term) -> Rc<Abs> {
        let node = self.store.node(root);
        match node.op {
            Op::Var(var) => return self.var_value(state, var),
            Op::Const(_) | Op::BigConst(_) => return self.constant(root),
            _ => {}
        }
        let mut memo: FxMap<Term, Rc<Abs>> = FxMap::default();
        let mut stack: Vec<(Term, bool)> = vec![(root, false)];
        while let Some((term, ready)) = stack.pop() {
            if memo.contains_key(&term) {
                continue;
            }
            let node = self.store.node(term);
            let value = match node.op {
                Op::Var(var) => self.var_value(state, var),
                Op::Const(_) | Op::BigConst(_) => self.constant(term),
                // The body is about bound variables.
                Op::Forall(_) | Op::Exists(_) => Rc::new(Abs::ANY_BOOL),
                op => {
                    let args = self.store.args(term);
                    if !ready {
                        stack.push((term, true));
                        stack.extend(args.iter().filter(|arg| !memo.contains_key(arg)).map(|&arg| (arg, false)));
                        continue;
                    }
                    let sorts: SmallVec<[Sort; 3]> = args.iter().map(|&arg| self.store.sort(arg)).collect();
                    let values: SmallVec<[&Abs; 3]> = args.iter().map(|arg| &*memo[arg]).collect();
                    let value = apply(op, node.sort, &sorts, &values);
                    let value = if op == Op::BvAdd { self.still_address(value, &values) } else { value };
                    Rc::new(self.sharpened_by_forms(state, term, value))
                }
            };
            memo.insert(term, value);
        }
        memo[&root].clone()
    }

    fn constant(&self, term: Term) -> Rc<Abs> {
        let sort = self.store.sort(term);
        match self.store.const_value(term) {
            Some(value) => Rc::new(Abs::constant(&value, sort)),
            None => Rc::new(self.anything(sort)),
        }
    }

    /// An address moved inside its object, or to its end, is still an address: it neither wraps around nor gets null.
    fn still_address(&self, value: Abs, args: &[&Abs]) -> Abs {
        let Abs::Bits(bits) = &value else { return value };
        if bits.points.targets.is_empty() || bits.points.unknown || bits.points.forged {
            return value;
        }
        let sure = |arg: &&Abs| matches!(arg, Abs::Bits(b) if !b.points.is_number() && b.num.umin >= FIRST_ADDRESS);
        let inside = |(object, offset): &(Object, Num)| self.size(*object).is_some_and(|size| offset.umax <= size as u128);
        let all = mask(self.pointer_bits);
        match Num::unsigned(self.pointer_bits, FIRST_ADDRESS, all) {
            Some(addresses) if bits.num.width == self.pointer_bits && args.iter().any(sure) && bits.points.targets.iter().all(inside) => {
                let num = bits.num.meet(&addresses).unwrap_or(bits.num);
                Abs::Bits(Bits { num, ..bits.clone() })
            }
            _ => value,
        }
    }

    /// A sum, or a comparison of sums, that the state has a form for.
    fn sharpened_by_forms(&self, state: &State, term: Term, value: Abs) -> Abs {
        if state.forms.is_empty() || value.as_constant().is_some() {
            return value;
        }
        match self.store.op(term) {
            Op::BvAdd | Op::IntAdd => match Linear::of(&self.store, term) {
                Some(linear) if linear.coefficients.len() > 1 => match self.recorded(state, &linear) {
                    Some(known) => value.meet(&known).unwrap_or(value),
                    None => value,
                },
                _ => value,
            },
            Op::Eq => {
                let difference = self.difference(self.store.arg(term, 0), self.store.arg(term, 1));
                let known = difference.and_then(|linear| self.recorded(state, &linear));
                let zero = known.and_then(|known| {
                    let zero = constant_abs(self.store.sort(self.store.arg(term, 0)), 0);
                    match known.as_constant() {
                        Some(constant) => Some(Some(constant) == zero.as_constant()),
                        None => known.meet(&zero).is_none().then_some(false),
                    }
                });
                zero.map_or(value, Abs::bool)
            }
            Op::BvSlt | Op::BvUlt => self.ordered_by_forms(state, term).map_or(value, Abs::bool),
            Op::IntLt | Op::IntLe => {
                let strict = self.store.op(term) == Op::IntLt;
                let difference = self.difference(self.store.arg(term, 0), self.store.arg(term, 1));
                match difference.and_then(|linear| self.recorded(state, &linear)) {
                    Some(Abs::Int(range)) => {
                        let zero = fathom_domains::unbounded::Range::constant(num_bigint::BigInt::ZERO);
                        let less = if strict { range.less(&zero) } else { zero.less(&range).map(|more| !more) };
                        less.map_or(value, Abs::bool)
                    }
                    _ => value,
                }
            }
            _ => value,
        }
    }

    /// `a < b` from the value of `a - b`, where the two cannot be so far apart that their difference wraps around.
    fn ordered_by_forms(&self, state: &State, term: Term) -> Option<bool> {
        let (a, b) = (self.store.arg(term, 0), self.store.arg(term, 1));
        let difference = self.recorded(state, &self.difference(a, b)?)?;
        let is_signed = self.store.op(term) == Op::BvSlt;
        let (a, b) = (self.eval_plain(state, a)?, self.eval_plain(state, b)?);
        let (x, y, known) = (a.num()?, b.num()?, difference.num()?);
        if !no_wrap(x, y, is_signed) {
            return None;
        }
        if known.smax < 0 {
            Some(true)
        } else if known.smin >= 0 {
            Some(false)
        } else {
            None
        }
    }

    /// The value of an operand of a comparison, without forms: sums of variables and constants only.
    pub(crate) fn eval_plain(&self, state: &State, term: Term) -> Option<Abs> {
        Some(self.eval_linear(state, &Linear::of(&self.store, term)?))
    }

    pub(crate) fn difference(&self, a: Term, b: Term) -> Option<Linear> {
        let left = Linear::of(&self.store, a)?;
        left.plus(&Linear::of(&self.store, b)?, -1)
    }

    /// The value of a sum whose form the state has recorded.
    pub(crate) fn recorded(&self, state: &State, linear: &Linear) -> Option<Abs> {
        let (form, negated) = linear.form()?;
        let known = state.forms.get(&form)?;
        let value = scale_abs(linear.sort, known, if negated { -1 } else { 1 });
        Some(add_abs(linear.sort, &value, &constant_abs(linear.sort, linear.constant)))
    }

    /// The value of a sum from the values of its variables.
    pub fn eval_linear(&self, state: &State, linear: &Linear) -> Abs {
        let mut sum = constant_abs(linear.sort, linear.constant);
        for (var, coefficient) in &linear.coefficients {
            let part = scale_abs(linear.sort, &self.var_value(state, *var), *coefficient);
            sum = add_abs(linear.sort, &sum, &part);
        }
        match sum {
            // Offsets between addresses are numbers here.
            Abs::Bits(bits) => Abs::Bits(Bits::number(bits.num)),
            other => other,
        }
    }

    /// The value of a form: what the state has recorded, or what follows from the values of its variables.
    pub fn form_value(&self, state: &State, form: &Form) -> Abs {
        match state.forms.get(form) {
            Some(known) => known.clone(),
            None => self.eval_linear(state, &form.linear()),
        }
    }
}

/// Whether the difference of any two members stays in the signed range of their width.
pub(crate) fn no_wrap(a: &Num, b: &Num, is_signed: bool) -> bool {
    let (low, high) =
        if is_signed { (a.smin - b.smax, a.smax - b.smin) } else { (a.umin as i128 - b.umax as i128, a.umax as i128 - b.umin as i128) };
    low >= fathom_domains::num::signed_min(a.width) && high <= fathom_domains::num::signed_max(a.width)
}
