//! The building blocks of float arithmetic on bit-vectors: shifts that remember what fell off, normalisation, and
//! signed constants. Shifts are built in stages of powers of two, one multiplexer per bit of the amount, so an amount may
//! be narrower or wider than what is shifted. Everything is built with the simplifying constructors: known parts fold.

use fathom_term::{Op, Sort, Term, TermStore, Value};
use num_bigint::{BigInt, BigUint};
use num_traits::One;

#[derive(Copy, Clone)]
pub(crate) struct Circuits<'a> {
    pub store: &'a TermStore,
}

/// Bits that a number needs, at least one.
pub(crate) fn bits_for(number: u32) -> u32 {
    (u32::BITS - number.leading_zeros()).max(1)
}

impl Circuits<'_> {
    /// The width of a bit-vector term.
    pub fn width(&self, term: Term) -> u32 {
        self.store.sort(term).width()
    }

    /// A constant of any sign and width.
    pub fn number(&self, value: i128, width: u32) -> Term {
        let modulus = BigInt::one() << width;
        let wrapped = ((BigInt::from(value) % &modulus) + &modulus) % modulus;
        let bits = wrapped.to_biguint().unwrap_or_default();
        self.store.constant(&Value::bits(bits, width), Sort::Bv(width))
    }

    /// A vector of zeros.
    pub fn zeros(&self, width: u32) -> Term {
        self.number(0, width)
    }

    /// A vector of ones.
    pub fn ones(&self, width: u32) -> Term {
        self.number(-1, width)
    }

    /// Only the topmost bit.
    pub fn top_bit(&self, width: u32) -> Term {
        let bits = BigUint::one() << (width - 1);
        self.store.constant(&Value::bits(bits, width), Sort::Bv(width))
    }

    /// One bit.
    pub fn bit(&self, term: Term, index: u32) -> Term {
        self.store.eq(self.store.extract(term, index, index), self.store.bv(1, 1))
    }

    /// Whether any bit is set.
    pub fn any(&self, term: Term) -> Term {
        self.store.ne(term, self.zeros(self.width(term)))
    }

    /// A condition as the lowest bit of a vector.
    pub fn unit(&self, condition: Term, width: u32) -> Term {
        self.store.bool_to_bv(condition, width)
    }

    /// Zero-extends to a width.
    pub fn zero_extend(&self, term: Term, width: u32) -> Term {
        self.store.resize_unsigned(term, width)
    }

    /// Sign-extends to a width.
    pub fn sign_extend(&self, term: Term, width: u32) -> Term {
        self.store.resize_signed(term, width)
    }

    /// The term with zeros below it.
    pub fn append_zeros(&self, term: Term, count: u32) -> Term {
        if count == 0 { term } else { self.store.concat(term, self.zeros(count)) }
    }

    /// The difference.
    pub fn sub(&self, a: Term, b: Term) -> Term {
        self.store.bv_sub(a, b)
    }

    /// Disjunction.
    pub fn or_all(&self, terms: &[Term]) -> Term {
        self.store.or_all(terms.iter().copied())
    }

    /// Conjunction.
    pub fn and_all(&self, terms: &[Term]) -> Term {
        self.store.and_all(terms.iter().copied())
    }

    /// Exclusive or of two conditions.
    pub fn xor(&self, a: Term, b: Term) -> Term {
        self.store.build(Op::Xor, &[a, b])
    }

    /// The vector shifted right, and whether a set bit fell off.
    pub fn shift_right(&self, term: Term, amount: Term) -> (Term, Term) {
        let s = self.store;
        let width = self.width(term);
        let (mut shifted, mut lost) = (term, s.bool(false));
        for stage in 0..self.width(amount) {
            let chosen = self.bit(amount, stage);
            let distance = if stage < 31 { 1u32 << stage } else { u32::MAX };
            let (moved, fell) = if distance >= width {
                (self.zeros(width), self.any(shifted))
            } else {
                let high = s.extract(shifted, width - 1, distance);
                (self.zero_extend(high, width), self.any(s.extract(shifted, distance - 1, 0)))
            };
            lost = s.or(lost, s.and(chosen, fell));
            shifted = s.ite(chosen, moved, shifted);
        }
        (shifted, lost)
    }

    /// The vector shifted left; what leaves it is gone.
    pub fn shift_left(&self, term: Term, amount: Term) -> Term {
        let width = self.width(term);
        let mut shifted = term;
        for stage in 0..self.width(amount) {
            let distance = if stage < 31 { 1u32 << stage } else { u32::MAX };
            let moved = if distance >= width { self.zeros(width) } else { self.left_by(shifted, distance) };
            shifted = self.store.ite(self.bit(amount, stage), moved, shifted);
        }
        shifted
    }

    /// Shifted left by a known distance below the width.
    pub fn left_by(&self, term: Term, distance: u32) -> Term {
        let kept = self.store.extract(term, self.width(term) - 1 - distance, 0);
        self.append_zeros(kept, distance)
    }

    /// Shifts left until the top bit is set (if any bit is); also by how much.
    pub fn normalise(&self, term: Term) -> (Term, Term) {
        let s = self.store;
        let width = self.width(term);
        let stages = bits_for(width - 1);
        let (mut shifted, mut count) = (term, None);
        for stage in (0..stages).rev() {
            let distance = 1u32 << stage;
            let chosen = if distance >= width {
                s.bool(false)
            } else {
                let top = s.extract(shifted, width - 1, width - distance);
                s.not(self.any(top))
            };
            if distance < width {
                shifted = s.ite(chosen, self.left_by(shifted, distance), shifted);
            }
            let bit = self.unit(chosen, 1);
            count = Some(match count {
                Some(higher) => s.concat(higher, bit),
                None => bit,
            });
        }
        (shifted, count.unwrap_or_else(|| self.zeros(1)))
    }

    /// The topmost `width - 1` bits and one that says whether any below is set; zeros are added to shorter vectors.
    pub fn fit(&self, term: Term, width: u32) -> Term {
        let from = self.width(term);
        if from <= width {
            return self.append_zeros(term, width - from);
        }
        let kept = self.store.extract(term, from - 1, from - width + 1);
        let rest = self.any(self.store.extract(term, from - width, 0));
        self.store.concat(kept, self.unit(rest, 1))
    }

    /// A signed number limited to `0..=limit`, as an unsigned one.
    pub fn clamp(&self, number: Term, limit: u32) -> Term {
        let s = self.store;
        let width = self.width(number);
        let bits = bits_for(limit);
        let width = width.max(bits + 1);
        let number = self.sign_extend(number, width);
        let negative = s.bv_slt(number, self.zeros(width));
        let too_large = s.bv_slt(self.number(limit.into(), width), number);
        let inside = s.extract(number, bits - 1, 0);
        s.ite(negative, self.zeros(bits), s.ite(too_large, self.number(limit.into(), bits), inside))
    }
}
