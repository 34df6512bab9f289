//! The kind of value that each register of a sprint holds: numbers, or pointers into one object. A register whose kind
//! may change is used by no step; statements that would need it are left to the machine.

use super::code::Register;
use super::reader::Raw;
use crate::exec::value::ObjectKey;
use fathom_term::Op;
use smallvec::SmallVec;

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Unset,
    Number,
    /// An offset into the object of this class.
    Pointer(u8),
    Mixed,
}

/// The objects that pointers lead to; the class of a pointer is an index here.
#[derive(Default)]
pub(super) struct Objects {
    all: Vec<ObjectKey>,
    /// Those that the code itself names.
    pub named: Vec<Option<ObjectKey>>,
}

impl Objects {
    const MOST: usize = 16;

    /// The class of an object, which is new or known; none if there are too many.
    pub fn class(&mut self, object: ObjectKey) -> Option<u8> {
        if let Some(known) = self.all.iter().position(|&known| known == object) {
            return Some(known as u8);
        }
        if self.all.len() == Self::MOST {
            return None;
        }
        self.all.push(object);
        self.named.push(None);
        Some(self.all.len() as u8 - 1)
    }

    /// The class of an object that the code names.
    pub fn named_class(&mut self, object: ObjectKey) -> Option<u8> {
        let class = self.class(object)?;
        self.named[class as usize] = Some(object);
        Some(class)
    }
}

pub(super) struct Kinds {
    start: Vec<Kind>,
    all: Vec<Kind>,
}

impl Kinds {
    /// The least solution from what registers hold at the start.
    pub fn of(start: Vec<Kind>, raw: &[&Raw]) -> Kinds {
        let mut kinds = Kinds { all: start.clone(), start };
        loop {
            let mut changed = false;
            for raw in raw {
                let (Some(to), Some(kind)) = (raw.target(), kinds.result(raw)) else { continue };
                let known = &mut kinds.all[to as usize];
                let joined = match (*known, kind) {
                    (known, Kind::Unset) => known,
                    (Kind::Unset, kind) => kind,
                    (known, kind) if known == kind => kind,
                    _ => Kind::Mixed,
                };
                changed |= std::mem::replace(known, joined) != joined;
            }
            if !changed {
                return kinds;
            }
        }
    }

    /// What a register holds when the loop begins.
    pub fn start(&self, register: Register) -> Kind {
        self.start[register as usize]
    }

    /// What a register may hold at any time.
    pub fn of_register(&self, register: Register) -> Kind {
        self.all[register as usize]
    }

    /// Whether a step can do this.
    pub fn suit(&self, raw: &Raw) -> bool {
        match (raw, raw.target()) {
            (Raw::Stop | Raw::Call { .. }, _) => false,
            (Raw::Require { condition } | Raw::RequireNot { condition }, _) => self.of_register(*condition) == Kind::Number,
            (Raw::Store { pointer, value, .. }, _) => {
                matches!(self.of_register(*pointer), Kind::Pointer(_)) && self.of_register(*value) == Kind::Number
            }
            (_, Some(to)) => {
                self.result(raw).is_some_and(|kind| kind == self.of_register(to) && matches!(kind, Kind::Number | Kind::Pointer(_)))
            }
            (_, None) => false,
        }
    }

    /// The kind of the result; none if no step can compute it.
    fn result(&self, raw: &Raw) -> Option<Kind> {
        use Kind::{Mixed, Number, Pointer, Unset};
        match raw {
            Raw::Move { from, .. } => Some(self.of_register(*from)).filter(|kind| *kind != Mixed),
            Raw::Load { pointer, .. } => match self.of_register(*pointer) {
                Pointer(_) => Some(Number),
                Unset => Some(Unset),
                _ => None,
            },
            Raw::Compute { op, args, .. } => {
                let kinds: SmallVec<[Kind; 4]> = args.iter().map(|&arg| self.of_register(arg)).collect();
                match (op, kinds.as_slice()) {
                    (_, kinds) if kinds.contains(&Mixed) => None,
                    (_, kinds) if kinds.contains(&Unset) => Some(Unset),
                    (_, kinds) if kinds.iter().all(|&kind| kind == Number) => Some(Number),
                    (Op::BvAdd, [pointer @ Pointer(_), Number] | [Number, pointer @ Pointer(_)]) => Some(*pointer),
                    (Op::Ite, [Number, one @ Pointer(_), two]) if one == two => Some(*one),
                    (Op::Eq | Op::BvUlt, [one @ Pointer(_), two]) if one == two => Some(Number),
                    _ => None,
                }
            }
            Raw::Require { .. } | Raw::RequireNot { .. } | Raw::Store { .. } | Raw::Call { .. } | Raw::Stop => None,
        }
    }
}
