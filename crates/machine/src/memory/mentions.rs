//! Which objects a value mentions: whose addresses occur in it, as symbols or as numbers, whichever arm of a choice or element
//! of an array the inputs select. `reachability.rs` says under which conditions.

use crate::exec::machine::Machine;
use crate::exec::value::{ObjectKey, Val};
use fathom_base::{FxMap, FxSet};
use fathom_term::{Op, Term};

/// A walk over values in search of addresses.
#[derive(Default)]
pub(super) struct Walk {
    seen: FxSet<Term>,
    pub(super) found: Vec<ObjectKey>,
}

/// Whether terms mention any object.
#[derive(Default)]
pub(super) struct Mentions(FxMap<Term, bool>);

impl Machine {
    /// Objects whose address occurs in a value, as symbol or as number.
    pub(super) fn mentioned(&self, value: Val, walk: &mut Walk) {
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
                _ => open.extend(self.store.args(term)),
            }
        }
    }

    /// Whether a term mentions any object.
    pub(super) fn mentions(&self, root: Term, known: &mut Mentions) -> bool {
        let mut open = vec![(root, false)];
        while let Some((term, ready)) = open.pop() {
            if known.0.contains_key(&term) {
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
                    args.iter().any(|arg| known.0[arg])
                }
            };
            known.0.insert(term, found);
        }
        known.0[&root]
    }
}
