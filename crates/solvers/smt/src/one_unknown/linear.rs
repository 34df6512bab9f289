//! Terms over one bit-vector as linear functions of the number that it stands for. Sums, differences and products with
//! constants are one function for all numbers, up to multiples of two to the term's width; extensions, remainders,
//! quotients and choices are one for each of several ranges.

use super::Range;
use fathom_base::FxMap;
use fathom_term::{Op, Sort, Term, TermStore, sign_extend};
use smallvec::{SmallVec, smallvec};

/// Ranges that one term may be taken apart into.
const MOST_PIECES: i128 = 64;
const WIDEST: u32 = 64;
/// The largest factor; with larger ones the computations here could overflow.
const LARGEST_FACTOR: i128 = 1 << 48;

/// `factor * number + offset`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Form {
    pub factor: i128,
    pub offset: i128,
}

/// A linear function on one range of the number.
#[derive(Copy, Clone, Debug)]
pub struct Piece {
    pub range: Range,
    pub form: Form,
}

/// A function that is linear on each of several ranges.
pub type Pieces = SmallVec<[Piece; 2]>;

impl Form {
    /// A constant function.
    pub fn constant(offset: i128) -> Form {
        Form { factor: 0, offset }
    }

    /// The value at a number.
    pub fn at(self, number: i128) -> i128 {
        self.factor * number + self.offset
    }

    /// The sum of two functions.
    pub fn plus(self, other: Form) -> Form {
        Form { factor: self.factor + other.factor, offset: self.offset + other.offset }
    }

    /// With coefficients that are as near to zero as they can be for this width.
    pub fn modulo(self, width: u32) -> Form {
        Form { factor: residue(self.factor, width), offset: residue(self.offset, width) }
    }

    fn times(self, factor: i128, width: u32) -> Form {
        // Products of residues of at most 64 bits fit; what became a number may be larger.
        let (form, factor) = (self.modulo(width), residue(factor, width));
        Form { factor: form.factor * factor, offset: form.offset * factor }.modulo(width)
    }

    fn inverted(self) -> Form {
        Form { factor: -self.factor, offset: -self.offset - 1 }
    }

    /// Where the function is at least this.
    fn at_least(self, bound: i128, (low, high): Range) -> Range {
        match self.factor {
            0 if self.offset >= bound => (low, high),
            0 => (low, low - 1),
            factor if factor > 0 => (low.max(-(self.offset - bound).div_euclid(factor)), high),
            factor => (low, high.min((self.offset - bound).div_euclid(-factor))),
        }
    }

    /// Where the function is less than this.
    pub fn below(self, bound: i128, range: Range) -> Range {
        Form { factor: -self.factor, offset: -self.offset }.at_least(1 - bound, range)
    }
}

fn residue(number: i128, width: u32) -> i128 {
    let half = 1i128 << (width - 1);
    (number + half).rem_euclid(half << 1) - half
}

/// Which multiple of the modulus above `from` the function is in, range by range, with that number. None if there are too many.
pub fn split(piece: Piece, from: i128, modulus: i128) -> Option<SmallVec<[(Piece, i128); 2]>> {
    let Piece { range: (low, high), form } = piece;
    let multiple = |number: i128| (form.at(number) - from).div_euclid(modulus);
    let (first, last) = (multiple(low).min(multiple(high)), multiple(low).max(multiple(high)));
    if last - first > MOST_PIECES {
        return None;
    }
    let parts = (first..=last).filter_map(|multiple| {
        let start = from + multiple * modulus;
        let range = form.below(start + modulus, form.at_least(start, (low, high)));
        (range.0 <= range.1).then_some((Piece { range, form }, multiple))
    });
    Some(parts.collect())
}

/// Turns pieces into ranges of the numbers that the term stands for, signed or not.
pub fn as_numbers(pieces: &Pieces, width: u32, signed: bool) -> Option<Pieces> {
    let modulus = 1i128 << width;
    let from = if signed { -(modulus >> 1) } else { 0 };
    let mut found = Pieces::new();
    for &piece in pieces {
        let parts = split(piece, from, modulus)?;
        found.extend(parts.into_iter().map(|(Piece { range, form }, multiple)| Piece {
            range,
            form: Form { factor: form.factor, offset: form.offset - multiple * modulus },
        }));
    }
    Some(found)
}

/// The width of a term that these functions can describe.
pub fn width_of(store: &TermStore, term: Term) -> Option<u32> {
    match store.sort(term) {
        Sort::Bv(width @ 1..=WIDEST) => Some(width),
        _ => None,
    }
}

/// Terms that are one function, as far as they were looked at.
#[derive(Default)]
pub struct Forms(FxMap<Term, Option<Form>>);

impl Forms {
    /// The function, if it is one. All variables of the term are taken to be the same one.
    pub fn of(&mut self, store: &TermStore, term: Term) -> Option<Form> {
        let mut open = vec![term];
        // Terms may be deep: no recursion.
        while let Some(&next) = open.last() {
            if self.0.contains_key(&next) {
                open.pop();
                continue;
            }
            let missing: SmallVec<[Term; 4]> = match is_linear(store, next) {
                true => store.args(next).iter().copied().filter(|arg| !self.0.contains_key(arg)).collect(),
                false => SmallVec::new(),
            };
            if missing.is_empty() {
                let form = self.compute(store, next);
                self.0.insert(next, form);
                open.pop();
            } else {
                open.extend(missing);
            }
        }
        self.0[&term]
    }

    fn compute(&self, store: &TermStore, term: Term) -> Option<Form> {
        let width = width_of(store, term)?;
        if let Some(bits) = store.const_bits(term) {
            return Some(Form::constant(i128::from(sign_extend(bits, width))));
        }
        if !is_linear(store, term) {
            return None;
        }
        if store.as_var(term).is_some() {
            return Some(Form { factor: 1, offset: 0 });
        }
        let args: Option<SmallVec<[Form; 4]>> = store.args(term).iter().map(|arg| self.0.get(arg).copied().flatten()).collect();
        combine(store, term, &args?)
    }
}

/// Operations that make one function of functions; whatever else there is in a term needs ranges.
pub fn is_linear(store: &TermStore, term: Term) -> bool {
    matches!(
        store.op(term),
        Op::Var(_) | Op::Const(_) | Op::BvAdd | Op::BvMul | Op::BvNeg | Op::BvNot | Op::BvShl | Op::BvExtract { low: 0, .. }
    )
}

/// The function of such a term whose arguments are these.
pub fn combine(store: &TermStore, term: Term, args: &[Form]) -> Option<Form> {
    let width = width_of(store, term)?;
    let form = match (store.op(term), args) {
        (Op::BvAdd, _) => args.iter().fold(Form::constant(0), |sum, &arg| sum.plus(arg)).modulo(width),
        (Op::BvMul, _) => {
            let mut product = Form::constant(1);
            for &arg in args {
                product = match (product.factor, arg.factor) {
                    (_, 0) => product.times(arg.offset, width),
                    (0, _) => arg.times(product.offset, width),
                    _ => return None,
                };
            }
            product
        }
        (Op::BvNeg, &[arg]) => arg.times(-1, width),
        (Op::BvNot, &[arg]) => arg.inverted().modulo(width),
        (Op::BvShl, &[arg, by]) if by.factor == 0 => match by.offset {
            by if (0..i128::from(width)).contains(&by) => arg.times(1 << by, width),
            _ => Form::constant(0),
        },
        (Op::BvExtract { low: 0, .. }, &[arg]) => arg.modulo(width),
        _ => return None,
    };
    (form.factor.abs() <= LARGEST_FACTOR).then_some(form)
}

/// Pieces of each of two terms, where both are one function.
pub fn together(one: &Pieces, two: &Pieces) -> SmallVec<[(Range, Form, Form); 2]> {
    let pairs = one.iter().flat_map(|a| two.iter().map(move |b| (a, b)));
    let common = pairs.map(|(a, b)| ((a.range.0.max(b.range.0), a.range.1.min(b.range.1)), a.form, b.form));
    common.filter(|((low, high), ..)| low <= high).collect()
}

/// A function that is linear on the whole range.
pub fn whole(range: Range, form: Form) -> Pieces {
    smallvec![Piece { range, form }]
}
