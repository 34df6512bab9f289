//! Values of variables and memory. Concrete values are plain bits. A pointer into a known object keeps that object, so
//! it resolves without a query, and an access outside of the object is detected even if another object lies there. All
//! other values are terms. In terms, an object's address is the symbol `addr!k`; `placement` describes which facts
//! about it reach the solver.

use crate::memory::address::AddressBook;
use fathom_term::{Op, Sort, Term, TermStore, mask, sign_extend};

/// A memory object of a run; the number also names its address symbol.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectKey(pub u32);

/// Invariant: a `Term` is neither a small constant nor an address symbol plus a constant.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Val {
    /// Bool, Bv and Float of at most 64 bits, RoundingMode, elements of opaque sorts, Int of at most 64 bits.
    Bits(u64),
    /// An address: base of the object plus offset, modulo the pointer width.
    Pointer {
        /// What it points into.
        object: ObjectKey,
        /// In bytes from the start of the object; may lie outside.
        offset: i64,
    },
    /// Anything else: a symbolic value, or a constant that is too large.
    Term(Term),
}

impl Val {
    /// The Boolean constant.
    pub const TRUE: Val = Val::Bits(1);
    /// The Boolean constant.
    pub const FALSE: Val = Val::Bits(0);

    /// The value of a term, as concrete as it can be.
    pub fn from_term(store: &TermStore, book: &AddressBook, term: Term) -> Val {
        match store.op(term) {
            Op::Const(bits) => Val::Bits(bits),
            Op::Var(var) => match book.object_of(var) {
                Some(object) => Val::Pointer { object, offset: 0 },
                None => Val::Term(term),
            },
            Op::BvAdd => {
                let (base, offset) = store.split_offset(term);
                let object = base.and_then(|base| store.as_var(base)).and_then(|var| book.object_of(var));
                match object {
                    Some(object) => Val::Pointer { object, offset: sign_extend(offset, book.pointer_bits()) },
                    None => Val::Term(term),
                }
            }
            _ => Val::Term(term),
        }
    }

    /// The value as a term of this sort.
    pub fn to_term(self, store: &TermStore, book: &AddressBook, sort: Sort) -> Term {
        match self {
            Val::Bits(bits) => store.small_const(bits, sort),
            Val::Pointer { object, offset } => store.bv_add(book.symbol(object), store.bv(offset as u64, book.pointer_bits())),
            Val::Term(term) => term,
        }
    }

    /// The bits, with addresses as in a replay; None for symbolic values.
    pub fn flat(self, book: &AddressBook) -> Option<u64> {
        match self {
            Val::Bits(bits) => Some(bits),
            Val::Pointer { object, offset } => Some(book.base(object).wrapping_add(offset as u64) & mask(book.pointer_bits())),
            Val::Term(_) => None,
        }
    }
}
