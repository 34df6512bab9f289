//! Laws: conditions that hold for every element of an array which a loop made arbitrary. Written as a formula, a law
//! has a quantifier. Instead, a path gets an instance of the law for each element when it reads that element, so
//! formulas stay free of quantifiers. Each instance follows from the law, and elements that a path never reads cannot
//! matter to it.

use crate::exec::machine::Machine;
use crate::exec::state::State;
use crate::exec::value::ObjectKey;
use fathom_ir::ANY_INDEX;
use fathom_term::{Op, Sort, Substitution, Term};
use std::rc::Rc;

/// Something that holds for every index of an array.
#[derive(Debug)]
pub struct Law {
    /// The array.
    pub object: ObjectKey,
    /// Bytes of an element: a power of two.
    pub element: u64,
    /// A condition with `any_index` in it.
    pub says: Term,
}

impl Machine {
    /// The variable that stands for every index.
    pub fn any_index(&self) -> Term {
        self.store.var(ANY_INDEX, Sort::Bv(self.book.pointer_bits()))
    }

    /// The state has these laws from now on; those about objects that became arbitrary again say nothing any more.
    pub fn set_laws(&self, state: &mut State, arbitrary: impl Fn(ObjectKey) -> bool, new: Vec<Law>) {
        let kept = state.path.laws.iter().filter(|law| !arbitrary(law.object)).cloned();
        state.path.laws = Rc::new(kept.chain(new.into_iter().map(Rc::new)).collect());
    }

    /// A condition with `any_index` in it, weakened by what the laws say about that index.
    pub fn under_laws(&self, state: &State, condition: Term) -> Term {
        let laws = self.store.and_all(state.path.laws.iter().map(|law| law.says));
        self.store.or(self.store.not(laws), condition)
    }

    /// The path reads an element: what laws say of it holds.
    pub(crate) fn obey(&mut self, state: &mut State, object: ObjectKey, offset: Term) {
        let laws = state.path.laws.clone();
        let any = self.store.as_var(self.any_index());
        for law in laws.iter().filter(|law| law.object == object) {
            let amount = self.store.bv(u64::from(law.element.trailing_zeros()), self.book.pointer_bits());
            let index = self.store.build(Op::BvLshr, &[offset, amount]);
            let instance = Substitution::new(any.map(|any| (any, index))).apply(&self.store, law.says);
            if self.store.const_bool(instance) == Some(true) || state.path.constraints.contains(instance) {
                continue;
            }
            // Whether the path is still possible is asked when the answer is needed.
            state.path.verified &= state.path.model.holds(&self.store, instance) == Some(true);
            state.path.constraints.push(&self.store, instance);
        }
    }

    /// An element of an object, as an array of such elements that begins at this offset.
    pub(crate) fn element_at(&mut self, state: &State, object: ObjectKey, (offset, index): (u64, Term), bytes: u64) -> Option<Term> {
        let width = self.book.pointer_bits();
        if !bytes.is_power_of_two() || !offset.is_multiple_of(bytes) || state.memory.get(object).is_none() {
            return None;
        }
        let mut state = state.clone();
        let (array, element) = self.as_array(&mut state, object, self.store.bv(offset, width), bytes);
        let index = self.store.bv_add(index, self.store.bv(offset / bytes, width));
        (element == bytes).then(|| self.store.select(array, index))
    }
}

/// The laws of two paths that meet: each side's hold on that side.
pub(crate) fn join(machine: &Machine, selector: Term, a: &State, b: &State) -> Rc<Vec<Rc<Law>>> {
    if Rc::ptr_eq(&a.path.laws, &b.path.laws) || a.path.laws.is_empty() && b.path.laws.is_empty() {
        return a.path.laws.clone();
    }
    let store = &machine.store;
    let has = |laws: &[Rc<Law>], law: &Rc<Law>| {
        laws.iter().any(|other| Rc::ptr_eq(other, law) || other.object == law.object && other.says == law.says)
    };
    let on_side =
        |law: &Rc<Law>, other_side: Term| Rc::new(Law { object: law.object, element: law.element, says: store.or(other_side, law.says) });
    let (mut common, mut joined) = (Vec::new(), Vec::new());
    for law in a.path.laws.iter() {
        match has(&b.path.laws, law) {
            true => common.push(law.clone()),
            false => joined.push(on_side(law, store.not(selector))),
        }
    }
    joined.extend(b.path.laws.iter().filter(|law| !has(&common, law)).map(|law| on_side(law, selector)));
    Rc::new(common.into_iter().chain(joined).collect())
}
