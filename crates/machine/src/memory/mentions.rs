//! Which objects a value mentions: whose addresses occur in it, as symbols or as numbers.
//!
//! Two kinds of terms mention more objects than the program can access through them. A choice (`ite`) has two arms, of
//! which one is the value. An array is a chain of writes, newest first, and an older element still exists only if no
//! newer write has the same index; a read at an index finds one of them. Which one may depend on the inputs. A walk
//! over a value follows all alternatives, or none that depend on inputs, or those of a model. In the last case it
//! records the conditions that determined its way: in all models that satisfy them it finds the same objects.

use crate::exec::machine::Machine;
use crate::exec::value::{ObjectKey, Val};
use fathom_base::{FxMap, FxSet};
use fathom_term::{Evaluator, Op, Term};
use std::rc::Rc;

/// Comparisons of indices in one walk.
const MAX_COMPARISONS: usize = 20_000;

/// Which answers count where inputs decide.
pub(super) enum Arms {
    Both,
    Neither,
    /// The one that the model takes; the conditions are written down, as they are.
    Of(Rc<Evaluator>),
}

/// A walk over values in search of addresses.
pub(super) struct Walk {
    arms: Arms,
    pub(super) seen: FxSet<Term>,
    pub(super) found: Vec<ObjectKey>,
    /// Conditions that decided the walk, as they hold in the model.
    pub(super) decided: Vec<Term>,
    /// Whether a term mentions any object.
    mentions: FxMap<Term, bool>,
    comparisons: usize,
    /// There was too much to compare: what was found may be too much.
    pub(super) gave_up: bool,
}

impl Walk {
    pub(super) fn new(arms: Arms) -> Self {
        Walk {
            arms,
            seen: FxSet::default(),
            found: Vec::new(),
            decided: Vec::new(),
            mentions: FxMap::default(),
            comparisons: 0,
            gave_up: false,
        }
    }
}

/// What an object holds behind its pages.
pub(super) struct Array<'a> {
    pub term: Term,
    /// Elements whose values pages know better.
    pub known: &'a [u64],
    /// Number of elements, if that is known.
    pub count: Option<u64>,
}

impl Machine {
    /// Objects whose address occurs in a value, as symbol or as number.
    pub(super) fn mentioned(&mut self, value: Val, walk: &mut Walk) {
        let term = match value {
            Val::Bits(bits) => return walk.found.extend(self.object_at(bits)),
            Val::Pointer { object, .. } => return walk.found.push(object),
            Val::Term(term) => term,
        };
        let mut open = vec![term];
        while let Some(term) = open.pop() {
            if !walk.seen.insert(term) {
                continue;
            }
            match self.store.op(term) {
                Op::Var(var) => walk.found.extend(self.book.object_of(var)),
                Op::Const(bits) => walk.found.extend(self.object_at(bits)),
                Op::Ite => self.follow_choice(term, walk, &mut open),
                Op::Select if !matches!(walk.arms, Arms::Both) => self.follow_read(term, walk, &mut open),
                Op::Store if !matches!(walk.arms, Arms::Both) => {
                    self.follow_writes(&Array { term, known: &[], count: None }, walk, &mut open);
                }
                _ => open.extend(self.store.args(term)),
            }
        }
    }

    /// Objects whose addresses are still in an array.
    pub(super) fn mentioned_in_array(&mut self, array: Array<'_>, walk: &mut Walk) {
        if matches!(walk.arms, Arms::Both) {
            return self.mentioned(Val::Term(array.term), walk);
        }
        let mut open = Vec::new();
        self.follow_writes(&array, walk, &mut open);
        open.into_iter().for_each(|term| self.mentioned(Val::Term(term), walk));
    }

    fn follow_choice(&mut self, choice: Term, walk: &mut Walk, open: &mut Vec<Term>) {
        let [condition, then, otherwise] = [0, 1, 2].map(|index| self.store.arg(choice, index));
        match self.answer(condition, walk) {
            Some(true) => open.push(then),
            Some(false) => open.push(otherwise),
            None => match walk.arms {
                Arms::Both => open.extend([condition, then, otherwise]),
                Arms::Neither => {}
                // Under a quantifier, or where the layout decides: as if it were a pointer hidden in arithmetic.
                Arms::Of(_) => open.extend([then, otherwise]),
            },
        }
    }

    /// How a condition comes out in this walk.
    fn answer(&mut self, condition: Term, walk: &mut Walk) -> Option<bool> {
        if let Some(known) = self.store.const_bool(condition) {
            return Some(known);
        }
        let Arms::Of(model) = &walk.arms else { return None };
        self.book.same_in_every_layout(condition)?;
        let condition = self.book.ground(condition);
        let holds = model.holds(&self.store, condition)?;
        walk.decided.push(if holds { condition } else { self.store.not(condition) });
        Some(holds)
    }

    /// Whether two indices are the same.
    fn same_index(&mut self, one: Term, other: Term, walk: &mut Walk) -> Option<bool> {
        walk.comparisons += 1;
        if walk.comparisons > MAX_COMPARISONS {
            walk.gave_up = true;
            return None;
        }
        let same = self.store.eq(one, other);
        self.answer(same, walk)
    }

    /// The value that is read: the newest that was written to the index.
    fn follow_read(&mut self, read: Term, walk: &mut Walk, open: &mut Vec<Term>) {
        if !self.mentions(read, walk) {
            return;
        }
        let (mut array, index) = (self.store.arg(read, 0), self.store.arg(read, 1));
        loop {
            let next = match self.store.op(array) {
                Op::Store => match self.same_index(self.store.arg(array, 1), index, walk) {
                    Some(true) => return open.push(self.store.arg(array, 2)),
                    Some(false) => Some(self.store.arg(array, 0)),
                    None => None,
                },
                Op::Ite => self.answer(self.store.arg(array, 0), walk).map(|holds| self.store.arg(array, if holds { 1 } else { 2 })),
                Op::ConstArray(_) => return open.push(self.store.arg(array, 0)),
                _ => None,
            };
            match next {
                Some(older) => array = older,
                None => return self.everything_in(array, walk),
            }
        }
    }

    /// The values in an array that nothing was written over.
    fn follow_writes(&mut self, whole: &Array<'_>, walk: &mut Walk, open: &mut Vec<Term>) {
        let is_hidden = whole.count == Some(whole.known.len() as u64);
        if is_hidden || !self.mentions(whole.term, walk) {
            return;
        }
        let width = self.book.pointer_bits();
        let mut newer: Vec<Term> = whole.known.iter().map(|&index| self.store.bv(index, width)).collect();
        let mut array = whole.term;
        loop {
            match self.store.op(array) {
                Op::Store => {
                    let [older, index, value] = [0, 1, 2].map(|position| self.store.arg(array, position));
                    if self.mentions(value, walk) && self.is_still_there(index, &newer, walk) {
                        open.push(value);
                    }
                    newer.push(index);
                    array = older;
                }
                Op::Ite => match self.answer(self.store.arg(array, 0), walk) {
                    Some(holds) => array = self.store.arg(array, if holds { 1 } else { 2 }),
                    None => return self.everything_in(array, walk),
                },
                Op::ConstArray(_) => {
                    let value = self.store.arg(array, 0);
                    if self.mentions(value, walk) && self.is_any_left(whole.count, &newer, walk) {
                        open.push(value);
                    }
                    return;
                }
                _ => return self.everything_in(array, walk),
            }
        }
    }

    /// Whether an element is left that none of these writes went to.
    fn is_any_left(&mut self, count: Option<u64>, newer: &[Term], walk: &mut Walk) -> bool {
        let Some(count) = count else { return !matches!(walk.arms, Arms::Neither) };
        let width = self.book.pointer_bits();
        (0..count).any(|index| !walk.gave_up && self.is_still_there(self.store.bv(index, width), newer, walk))
    }

    /// Whether none of these newer writes went to an index.
    fn is_still_there(&mut self, index: Term, newer: &[Term], walk: &mut Walk) -> bool {
        for &other in newer {
            match self.same_index(index, other, walk) {
                Some(true) => return false,
                Some(false) => {}
                None if matches!(walk.arms, Arms::Neither) => return false,
                None => {}
            }
        }
        true
    }

    /// What can't be decided counts as found, where a model decides.
    fn everything_in(&mut self, term: Term, walk: &mut Walk) {
        if matches!(walk.arms, Arms::Of(_)) {
            let mut all = Walk::new(Arms::Both);
            self.mentioned(Val::Term(term), &mut all);
            walk.found.extend(all.found);
        }
    }

    /// Whether a term mentions any object.
    fn mentions(&mut self, root: Term, walk: &mut Walk) -> bool {
        let mut open = vec![(root, false)];
        while let Some((term, ready)) = open.pop() {
            if walk.mentions.contains_key(&term) {
                continue;
            }
            let found = match self.store.op(term) {
                Op::Var(var) => self.book.object_of(var).is_some(),
                Op::Const(bits) => self.object_at(bits).is_some(),
                _ => {
                    let args = self.store.args(term);
                    if !ready {
                        open.push((term, true));
                        open.extend(args.iter().map(|&arg| (arg, false)));
                        continue;
                    }
                    args.iter().any(|arg| walk.mentions[arg])
                }
            };
            walk.mentions.insert(term, found);
        }
        walk.mentions[&root]
    }
}
