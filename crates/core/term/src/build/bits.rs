//! Rules for bit-vectors. Constants stand right; sums are `base + constant`; slices, joins and extensions are pushed
//! together so that bytes written to memory and read back meet again as the word they came from.

use crate::op::Op;
use crate::sort::{Sort, mask, sign_extend};
use crate::store::{Term, TermStore};
use crate::value::Value;
use num_bigint::BigUint;
use num_traits::Zero;

impl TermStore {
    pub(super) fn simplify_bv(&self, op: Op, sort: Sort, args: &[Term]) -> Term {
        use Op::*;
        let mut ordered = [args[0], *args.get(1).unwrap_or(&args[0])];
        if op.is_commutative() {
            let [a, b] = ordered;
            let swap = self.op(a).is_const() || (b < a && !self.op(b).is_const());
            if swap {
                ordered = [b, a];
            }
        }
        let [a, b] = ordered;
        let simpler = match op {
            BvAdd => self.simplify_add(a, b),
            BvMul => self.simplify_mul(a, b),
            BvNeg => self.simplify_neg(a),
            BvNot => (self.op(a) == BvNot).then(|| self.arg(a, 0)),
            BvAnd | BvOr => self.simplify_bitwise(op, a, b),
            BvXor => self.simplify_bv_xor(a, b),
            BvUdiv | BvUrem | BvSdiv | BvSrem => self.simplify_division(op, a, b),
            BvShl | BvLshr | BvAshr => self.simplify_shift(op, a, b),
            BvUlt => self.simplify_ult(a, b),
            BvSlt => self.simplify_slt(a, b),
            BvSmulOverflow | BvUmulOverflow => (self.is_zero(b) || (self.is_one(b) && sort_width(self, a) > 1)).then(|| self.bool(false)),
            BvConcat => self.simplify_concat(a, b),
            BvExtract { high, low } => self.simplify_extract(a, high, low),
            BvZeroExtend(width) => self.simplify_zero_extend(a, width),
            BvSignExtend(width) => self.simplify_sign_extend(a, width),
            _ => None,
        };
        simpler.unwrap_or_else(|| self.intern(op, sort, &ordered[..args.len()]))
    }

    fn is_zero(&self, term: Term) -> bool {
        match self.op(term) {
            Op::Const(bits) => bits == 0,
            Op::BigConst(_) => matches!(self.const_value(term), Some(Value::Wide(bits)) if bits.is_zero()),
            _ => false,
        }
    }

    fn is_one(&self, term: Term) -> bool {
        match self.const_value(term) {
            Some(Value::Bits(bits)) => bits == 1,
            Some(Value::Wide(bits)) => *bits == BigUint::from(1u8),
            _ => false,
        }
    }

    fn is_all_ones(&self, term: Term) -> bool {
        let width = sort_width(self, term);
        match self.const_value(term) {
            Some(Value::Bits(bits)) => bits == mask(width),
            Some(Value::Wide(bits)) => bits.count_ones() == width as u64,
            _ => false,
        }
    }

    fn zero_like(&self, term: Term) -> Term {
        self.bv(0, sort_width(self, term))
    }

    fn ones_like(&self, term: Term) -> Term {
        self.build(Op::BvNot, &[self.zero_like(term)])
    }

    fn simplify_add(&self, a: Term, b: Term) -> Option<Term> {
        if self.is_zero(b) {
            return Some(a);
        }
        if (self.op(b) == Op::BvNeg && self.arg(b, 0) == a) || (self.op(a) == Op::BvNeg && self.arg(a, 0) == b) {
            return Some(self.zero_like(a));
        }
        // (x + c) + d = x + (c + d); the constant of either summand moves out.
        if self.op(b).is_const() {
            if self.op(a) == Op::BvAdd && self.op(self.arg(a, 1)).is_const() {
                return Some(self.bv_add(self.arg(a, 0), self.bv_add(self.arg(a, 1), b)));
            }
            return None;
        }
        for (one, other) in [(a, b), (b, a)] {
            if self.op(one) == Op::BvAdd {
                let (x, y) = (self.arg(one, 0), self.arg(one, 1));
                if self.op(y).is_const() {
                    return Some(self.bv_add(self.bv_add(x, other), y));
                }
                // (x + y) + -x = y, the shape of p + (q - p).
                for (left, right) in [(x, y), (y, x)] {
                    if (self.op(other) == Op::BvNeg && self.arg(other, 0) == left)
                        || (self.op(left) == Op::BvNeg && self.arg(left, 0) == other)
                    {
                        return Some(right);
                    }
                }
            }
        }
        None
    }

    fn simplify_neg(&self, a: Term) -> Option<Term> {
        match self.op(a) {
            Op::BvNeg => Some(self.arg(a, 0)),
            // -(x + c) = -x + -c keeps constants of differences outside.
            Op::BvAdd if self.op(self.arg(a, 1)).is_const() => {
                let (x, c) = (self.arg(a, 0), self.arg(a, 1));
                Some(self.bv_add(self.build(Op::BvNeg, &[x]), self.build(Op::BvNeg, &[c])))
            }
            _ => None,
        }
    }

    fn simplify_mul(&self, a: Term, b: Term) -> Option<Term> {
        if self.is_zero(b) {
            return Some(b);
        }
        if self.is_one(b) {
            return Some(a);
        }
        if !self.op(b).is_const() {
            return None;
        }
        if self.is_all_ones(b) {
            return Some(self.build(Op::BvNeg, &[a]));
        }
        match self.op(a) {
            Op::BvMul if self.op(self.arg(a, 1)).is_const() => Some(self.bv_mul(self.arg(a, 0), self.bv_mul(self.arg(a, 1), b))),
            // (x + c) * d = x * d + c * d, so that array indices keep their constant part outside.
            Op::BvAdd if self.op(self.arg(a, 1)).is_const() => {
                let product = self.bv_mul(self.arg(a, 0), b);
                Some(self.bv_add(product, self.bv_mul(self.arg(a, 1), b)))
            }
            _ => None,
        }
    }

    fn simplify_bitwise(&self, op: Op, a: Term, b: Term) -> Option<Term> {
        let is_and = op == Op::BvAnd;
        if a == b {
            return Some(a);
        }
        if self.is_zero(b) {
            return Some(if is_and { b } else { a });
        }
        if self.is_all_ones(b) {
            return Some(if is_and { a } else { b });
        }
        if (self.op(a) == Op::BvNot && self.arg(a, 0) == b) || (self.op(b) == Op::BvNot && self.arg(b, 0) == a) {
            return Some(if is_and { self.zero_like(a) } else { self.ones_like(a) });
        }
        if self.op(b).is_const() && self.op(a) == op && self.op(self.arg(a, 1)).is_const() {
            return Some(self.build(op, &[self.arg(a, 0), self.build(op, &[self.arg(a, 1), b])]));
        }
        let width = sort_width(self, a);
        if let (true, Some(bits)) = (is_and, self.const_bits(b)) {
            // x & 0..01..1 is a zero-extended slice.
            let ones = bits.trailing_ones();
            if bits == mask(ones) && ones > 0 && ones < width {
                return Some(self.resize_unsigned(self.extract(a, ones - 1, 0), width));
            }
        }
        // Disjoint halves joined: zext(x) | (zext(y) << k), as byte-wise assembly in C source makes them.
        if !is_and {
            return self.join_of_or(a, b).or_else(|| self.join_of_or(b, a));
        }
        None
    }

    /// `high | zext(low)` where the low bits of `high` are a zero constant: a concatenation.
    fn join_of_or(&self, high: Term, low: Term) -> Option<Term> {
        let (Op::BvConcat, Op::BvZeroExtend(width)) = (self.op(high), self.op(low)) else { return None };
        let (top, bottom) = (self.arg(high, 0), self.arg(high, 1));
        let low = self.arg(low, 0);
        let bottom_width = sort_width(self, bottom);
        if !self.is_zero(bottom) || sort_width(self, low) > bottom_width || width != sort_width(self, high) {
            return None;
        }
        Some(self.concat(top, self.resize_unsigned(low, bottom_width)))
    }

    fn simplify_bv_xor(&self, a: Term, b: Term) -> Option<Term> {
        if a == b {
            return Some(self.zero_like(a));
        }
        if self.is_zero(b) {
            return Some(a);
        }
        if self.is_all_ones(b) {
            return Some(self.build(Op::BvNot, &[a]));
        }
        if self.op(b).is_const() && self.op(a) == Op::BvXor && self.op(self.arg(a, 1)).is_const() {
            return Some(self.build(Op::BvXor, &[self.arg(a, 0), self.build(Op::BvXor, &[self.arg(a, 1), b])]));
        }
        None
    }

    fn simplify_division(&self, op: Op, a: Term, b: Term) -> Option<Term> {
        let width = sort_width(self, a);
        if self.is_one(b) && width > 1 {
            return Some(if matches!(op, Op::BvUdiv | Op::BvSdiv) { a } else { self.zero_like(a) });
        }
        let power = self.const_bits(b).filter(|bits| bits.is_power_of_two()).map(u64::trailing_zeros)?;
        if power == 0 {
            return None;
        }
        match op {
            Op::BvUdiv => Some(self.resize_unsigned(self.extract(a, width - 1, power), width)),
            Op::BvUrem => Some(self.resize_unsigned(self.extract(a, power - 1, 0), width)),
            _ => None,
        }
    }

    fn simplify_shift(&self, op: Op, a: Term, b: Term) -> Option<Term> {
        if self.is_zero(b) || self.is_zero(a) {
            return Some(a);
        }
        let width = sort_width(self, a);
        let amount = self.const_bits(b)?;
        let amount = if amount >= width as u64 { width } else { amount as u32 };
        match op {
            Op::BvShl if amount == width => Some(self.zero_like(a)),
            Op::BvShl => Some(self.concat(self.extract(a, width - 1 - amount, 0), self.bv(0, amount))),
            Op::BvLshr if amount == width => Some(self.zero_like(a)),
            Op::BvLshr => Some(self.resize_unsigned(self.extract(a, width - 1, amount), width)),
            _ => Some(self.resize_signed(self.extract(a, width - 1, amount.min(width - 1)), width)),
        }
    }

    fn simplify_ult(&self, a: Term, b: Term) -> Option<Term> {
        if a == b || self.is_zero(b) || self.is_all_ones(a) {
            return Some(self.bool(false));
        }
        if self.is_one(b) {
            return Some(self.eq(a, self.zero_like(a)));
        }
        if self.is_zero(a) {
            return Some(self.ne(b, a));
        }
        if self.is_all_ones(b) {
            return Some(self.ne(a, b));
        }
        let width = sort_width(self, a);
        let inner = |term: Term| matches!(self.op(term), Op::BvZeroExtend(_)).then(|| self.arg(term, 0));
        match (inner(a), inner(b)) {
            (Some(x), Some(y)) if self.sort(x) == self.sort(y) => return Some(self.bv_ult(x, y)),
            (Some(x), None) => {
                let (bits, narrow) = (self.const_bits(b)?, sort_width(self, x));
                return Some(if bits > mask(narrow) { self.bool(true) } else { self.bv_ult(x, self.bv(bits, narrow)) });
            }
            (None, Some(y)) => {
                let (bits, narrow) = (self.const_bits(a)?, sort_width(self, y));
                return Some(if bits > mask(narrow) { self.bool(false) } else { self.bv_ult(self.bv(bits, narrow), y) });
            }
            _ => {}
        }
        self.choice_against_constant(Op::BvUlt, a, b, width)
    }

    fn simplify_slt(&self, a: Term, b: Term) -> Option<Term> {
        if a == b {
            return Some(self.bool(false));
        }
        let width = sort_width(self, a);
        if width <= 64 {
            let least = 1u64 << (width - 1);
            if self.const_bits(b) == Some(least) || self.const_bits(a) == Some(least - 1) {
                return Some(self.bool(false));
            }
        }
        // Zero-extended values are not negative: the order is the unsigned one of the narrow values.
        let narrow = |term: Term| match self.op(term) {
            Op::BvZeroExtend(_) => Some((self.arg(term, 0), false)),
            Op::BvSignExtend(_) => Some((self.arg(term, 0), true)),
            _ => None,
        };
        match (narrow(a), narrow(b)) {
            (Some((x, signed)), Some((y, also))) if signed == also && self.sort(x) == self.sort(y) => {
                return Some(if signed { self.bv_slt(x, y) } else { self.bv_ult(x, y) });
            }
            (Some((x, signed)), None) => {
                let bound = sign_extend(self.const_bits(b)?, width);
                return Some(self.narrow_less(x, signed, bound));
            }
            (None, Some((y, signed))) => {
                // c < y is not (y <= c), that is not (y < c + 1).
                let bound = sign_extend(self.const_bits(a)?, width);
                return Some(self.not(self.narrow_less(y, signed, bound.checked_add(1)?)));
            }
            _ => {}
        }
        self.choice_against_constant(Op::BvSlt, a, b, width)
    }

    /// `extend(x) < bound` in the sort of x.
    fn narrow_less(&self, x: Term, signed: bool, bound: i64) -> Term {
        let width = sort_width(self, x);
        let (least, most) = if signed { (sign_extend(1 << (width - 1), width), mask(width - 1) as i64) } else { (0, mask(width) as i64) };
        if bound <= least {
            return self.bool(false);
        }
        if bound > most {
            return self.bool(true);
        }
        let bound = self.bv(bound as u64, width);
        if signed { self.bv_slt(x, bound) } else { self.bv_ult(x, bound) }
    }

    /// A comparison of `ite(c, k1, k2)` with a constant is c, its negation, or decided.
    fn choice_against_constant(&self, op: Op, a: Term, b: Term, _width: u32) -> Option<Term> {
        let (choice, at_left) = if self.op(b).is_const() { (a, true) } else { (b, false) };
        if self.op(choice) != Op::Ite || !self.op(if at_left { b } else { a }).is_const() {
            return None;
        }
        let (condition, then, otherwise) = (self.arg(choice, 0), self.arg(choice, 1), self.arg(choice, 2));
        if !self.op(then).is_const() || !self.op(otherwise).is_const() {
            return None;
        }
        let compare = |k: Term| if at_left { self.build(op, &[k, b]) } else { self.build(op, &[a, k]) };
        Some(self.ite(condition, compare(then), compare(otherwise)))
    }

    fn simplify_concat(&self, high: Term, low: Term) -> Option<Term> {
        let low_width = sort_width(self, low);
        let width = sort_width(self, high) + low_width;
        if self.is_zero(high) {
            return Some(self.resize_unsigned(low, width));
        }
        // Neighbouring slices of one term.
        if let (Op::BvExtract { high: h, low: l }, Op::BvExtract { high: h2, low: l2 }) = (self.op(high), self.op(low))
            && l == h2 + 1
            && self.arg(high, 0) == self.arg(low, 0)
        {
            return Some(self.extract(self.arg(high, 0), h, l2));
        }
        match (self.op(high), self.op(low)) {
            // ((x . y) . z) where y and z join.
            (Op::BvConcat, _) => {
                let (x, y) = (self.arg(high, 0), self.arg(high, 1));
                let both_const = self.op(y).is_const() && self.op(low).is_const();
                if both_const || self.slices_join(y, low) {
                    return Some(self.concat(x, self.concat(y, low)));
                }
                None
            }
            (_, Op::BvConcat) => {
                let (x, y) = (self.arg(low, 0), self.arg(low, 1));
                let both_const = self.op(high).is_const() && self.op(x).is_const();
                if both_const || self.slices_join(high, x) {
                    return Some(self.concat(self.concat(high, x), y));
                }
                None
            }
            (Op::BvZeroExtend(_), _) => Some(self.resize_unsigned(self.concat(self.arg(high, 0), low), width)),
            _ => None,
        }
    }

    fn slices_join(&self, high: Term, low: Term) -> bool {
        match (self.op(high), self.op(low)) {
            (Op::BvExtract { low: l, .. }, Op::BvExtract { high: h, .. }) => l == h + 1 && self.arg(high, 0) == self.arg(low, 0),
            _ => false,
        }
    }

    fn simplify_extract(&self, a: Term, high: u32, low: u32) -> Option<Term> {
        let width = sort_width(self, a);
        assert!(low <= high && high < width, "slice [{high}:{low}] of {width} bits");
        if low == 0 && high + 1 == width {
            return Some(a);
        }
        match self.op(a) {
            Op::BvExtract { low: inner, .. } => Some(self.extract(self.arg(a, 0), high + inner, low + inner)),
            Op::BvConcat => {
                let (top, bottom) = (self.arg(a, 0), self.arg(a, 1));
                let split = sort_width(self, bottom);
                if high < split {
                    Some(self.extract(bottom, high, low))
                } else if low >= split {
                    Some(self.extract(top, high - split, low - split))
                } else {
                    Some(self.concat(self.extract(top, high - split, 0), self.extract(bottom, split - 1, low)))
                }
            }
            Op::BvZeroExtend(_) | Op::BvSignExtend(_) => {
                let inner = self.arg(a, 0);
                let narrow = sort_width(self, inner);
                let signed = matches!(self.op(a), Op::BvSignExtend(_));
                if high < narrow {
                    Some(self.extract(inner, high, low))
                } else if low == 0 {
                    let to = if signed { Op::BvSignExtend(high + 1) } else { Op::BvZeroExtend(high + 1) };
                    Some(self.build(to, &[inner]))
                } else if !signed && low >= narrow {
                    Some(self.bv(0, high - low + 1))
                } else if !signed {
                    Some(self.resize_unsigned(self.extract(inner, narrow - 1, low), high - low + 1))
                } else {
                    None
                }
            }
            // Low bits of sums and products depend on low bits only; worth it when an operand shrinks to a leaf.
            Op::BvAdd | Op::BvMul | Op::BvAnd | Op::BvOr | Op::BvXor
                if (low == 0 || matches!(self.op(a), Op::BvAnd | Op::BvOr | Op::BvXor))
                    && self.op(self.arg(a, 1)).is_const()
                    && self.slices_for_free(self.arg(a, 0), high) =>
            {
                let parts = [self.extract(self.arg(a, 0), high, low), self.extract(self.arg(a, 1), high, low)];
                Some(self.build(self.op(a), &parts))
            }
            Op::BvSdiv | Op::BvSrem | Op::BvUdiv | Op::BvUrem if low == 0 => self.narrow_division(a, high + 1),
            Op::Ite if self.op(self.arg(a, 1)).is_const() && self.op(self.arg(a, 2)).is_const() => {
                let then = self.extract(self.arg(a, 1), high, low);
                let otherwise = self.extract(self.arg(a, 2), high, low);
                Some(self.ite(self.arg(a, 0), then, otherwise))
            }
            _ => None,
        }
    }

    /// A division of numbers that were widened for it, cut to their width: as C divides two `char`s. Also where the divisor is
    /// zero, and for the quotient of the least number and -1, the low bits are those of the narrow operation.
    fn narrow_division(&self, division: Term, width: u32) -> Option<Term> {
        let signed = matches!(self.op(division), Op::BvSdiv | Op::BvSrem);
        let narrow = |side: Term| -> Option<Term> {
            match self.op(side) {
                Op::BvSignExtend(_) if signed => (sort_width(self, self.arg(side, 0)) == width).then(|| self.arg(side, 0)),
                Op::BvZeroExtend(_) if !signed => (sort_width(self, self.arg(side, 0)) == width).then(|| self.arg(side, 0)),
                _ => {
                    let bits = self.const_bits(side)?;
                    let whole = sort_width(self, side);
                    let cut = bits & mask(width);
                    let back = if signed { sign_extend(cut, width) as u64 & mask(whole) } else { cut };
                    (whole <= 64 && back == bits).then(|| self.bv(cut, width))
                }
            }
        };
        let sides = [narrow(self.arg(division, 0))?, narrow(self.arg(division, 1))?];
        Some(self.build(self.op(division), &sides))
    }

    /// Whether cutting the term to its low bits up to `high` only removes an extension or a join.
    fn slices_for_free(&self, term: Term, high: u32) -> bool {
        match self.op(term) {
            Op::BvZeroExtend(_) | Op::BvSignExtend(_) => sort_width(self, self.arg(term, 0)) > high,
            Op::BvConcat => sort_width(self, self.arg(term, 1)) > high,
            _ => false,
        }
    }

    fn simplify_zero_extend(&self, a: Term, width: u32) -> Option<Term> {
        match self.op(a) {
            _ if sort_width(self, a) == width => Some(a),
            Op::BvZeroExtend(_) => Some(self.build(Op::BvZeroExtend(width), &[self.arg(a, 0)])),
            Op::Ite => self.extend_choice(a, Op::BvZeroExtend(width)),
            _ => None,
        }
    }

    fn simplify_sign_extend(&self, a: Term, width: u32) -> Option<Term> {
        match self.op(a) {
            _ if sort_width(self, a) == width => Some(a),
            Op::BvSignExtend(_) => Some(self.build(Op::BvSignExtend(width), &[self.arg(a, 0)])),
            Op::BvZeroExtend(_) => Some(self.build(Op::BvZeroExtend(width), &[self.arg(a, 0)])),
            Op::Ite => self.extend_choice(a, Op::BvSignExtend(width)),
            _ => None,
        }
    }

    fn extend_choice(&self, choice: Term, extend: Op) -> Option<Term> {
        let (condition, then, otherwise) = (self.arg(choice, 0), self.arg(choice, 1), self.arg(choice, 2));
        (self.op(then).is_const() && self.op(otherwise).is_const())
            .then(|| self.ite(condition, self.build(extend, &[then]), self.build(extend, &[otherwise])))
    }

    pub(super) fn simplify_bv_eq(&self, a: Term, b: Term, width: u32) -> Option<Term> {
        if let (Some(x), Some(c)) = (self.constant_summand(a), self.const_value(b)) {
            let rest = self.bv_sub(self.constant(&c, Sort::Bv(width)), self.arg(a, 1));
            return Some(self.eq(x, rest));
        }
        let ((base_a, offset_a), (base_b, offset_b)) = (self.split_offset(a), self.split_offset(b));
        if width <= 64 && base_a.is_some() && base_a == base_b {
            return Some(self.bool(offset_a == offset_b));
        }
        match (self.op(a), self.op(b)) {
            (Op::BvNeg, _) if self.op(b).is_const() => Some(self.eq(self.arg(a, 0), self.build(Op::BvNeg, &[b]))),
            (Op::BvNot, _) if self.op(b).is_const() => Some(self.eq(self.arg(a, 0), self.build(Op::BvNot, &[b]))),
            (Op::BvZeroExtend(_), Op::BvZeroExtend(_)) | (Op::BvSignExtend(_), Op::BvSignExtend(_))
                if self.sort(self.arg(a, 0)) == self.sort(self.arg(b, 0)) =>
            {
                Some(self.eq(self.arg(a, 0), self.arg(b, 0)))
            }
            (Op::BvZeroExtend(_) | Op::BvSignExtend(_), _) if self.op(b).is_const() => {
                let inner = self.arg(a, 0);
                let cut = self.extract(b, sort_width(self, inner) - 1, 0);
                let back = self.build(self.op(a), &[cut]);
                Some(if back == b { self.eq(inner, cut) } else { self.bool(false) })
            }
            (Op::BvConcat, _) if self.op(b).is_const() => {
                let split = sort_width(self, self.arg(a, 1));
                let high = self.eq(self.arg(a, 0), self.extract(b, width - 1, split));
                Some(self.and(high, self.eq(self.arg(a, 1), self.extract(b, split - 1, 0))))
            }
            _ => None,
        }
    }

    fn constant_summand(&self, term: Term) -> Option<Term> {
        (self.op(term) == Op::BvAdd && self.op(self.arg(term, 1)).is_const()).then(|| self.arg(term, 0))
    }
}

fn sort_width(store: &TermStore, term: Term) -> u32 {
    store.sort(term).width()
}
