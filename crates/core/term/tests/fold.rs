//! The fast road of constant folding against the general one: the same small operands, given as wide values.

use fathom_term::sample::{Sampler, Theories};
use fathom_term::{Op, Sort, TermStore, Value, fold};
use std::rc::Rc;

#[test]
fn small_and_wide_roads_agree() {
    let store = TermStore::new();
    let theories = Theories { floats: true, ..Theories::default() };
    let mut sampler = Sampler::new(&store, 41, theories, 64);
    let mut compared = 0;
    for _ in 0..200_000 {
        let sort = if sampler.random.chance(50) { Sort::Bool } else { sampler.any_sort() };
        let (op, sorts) = sampler.operation(sort);
        let is_small = |sort: &Sort| sort.is_small();
        if !sort.is_small() || !sorts.iter().all(is_small) || matches!(op, Op::Not | Op::And | Op::Or | Op::Xor | Op::Ite | Op::Eq) {
            continue;
        }
        let values: Vec<Value> = sorts.iter().map(|&sort| sampler.value(sort)).collect();
        let bits: Vec<u64> = values.iter().map(|value| value.to_u64().unwrap()).collect();
        let Some(fast) = fold::small(op, sort, fold::operand_sort(&sorts), &bits) else { continue };
        let wide: Vec<Value> = values.iter().map(|value| Value::Wide(Rc::new(value.to_biguint()))).collect();
        let general = fold::general(op, sort, &sorts, &wide);
        assert_eq!(general, Some(Value::Bits(fast)), "{op:?} {sorts:?} {bits:x?}");
        compared += 1;
    }
    assert!(compared > 50_000, "{compared}");
}

/// Every pair of operands of up to 4 bits, against arithmetic on plain integers.
#[test]
fn division_and_shifts_exhaustively() {
    for width in 1..=4u32 {
        let sort = Sort::Bv(width);
        let mask = (1u64 << width) - 1;
        let signed = |bits: u64| if bits >> (width - 1) & 1 == 1 { bits as i64 - (1 << width) } else { bits as i64 };
        for a in 0..=mask {
            for b in 0..=mask {
                let get = |op: Op| fold::small(op, sort, sort, &[a, b]).unwrap();
                let (x, y) = (signed(a), signed(b));
                let sdiv = if y == 0 { if x < 0 { 1 } else { -1 } } else { x / y };
                let srem = if y == 0 { x } else { x % y };
                assert_eq!(get(Op::BvSdiv), sdiv as u64 & mask, "{x} / {y}");
                assert_eq!(get(Op::BvSrem), srem as u64 & mask, "{x} % {y}");
                assert_eq!(get(Op::BvUdiv), a.checked_div(b).unwrap_or(mask));
                assert_eq!(get(Op::BvUrem), if b == 0 { a } else { a % b });
                assert_eq!(get(Op::BvShl), if b >= width as u64 { 0 } else { a << b & mask });
                assert_eq!(get(Op::BvLshr), if b >= width as u64 { 0 } else { a >> b });
                assert_eq!(get(Op::BvAshr), (x >> b.min(63)) as u64 & mask);
                let half = 1i64 << (width - 1);
                let bool_op = |op: Op| fold::small(op, Sort::Bool, sort, &[a, b]).unwrap() == 1;
                assert_eq!(bool_op(Op::BvSmulOverflow), x * y < -half || x * y >= half);
                assert_eq!(bool_op(Op::BvUmulOverflow), a * b > mask);
                assert_eq!(bool_op(Op::BvSlt), x < y);
            }
        }
    }
}

#[test]
fn euclidean_division() {
    for a in -7i64..=7 {
        for b in -4i64..=4 {
            let get = |op: Op| {
                let result = fold::general(op, Sort::Int, &[Sort::Int; 2], &[Value::int(a), Value::int(b)]);
                result.unwrap().as_int().clone()
            };
            let (quotient, rest) = if b == 0 { (0, a) } else { (a.div_euclid(b), a.rem_euclid(b)) };
            assert_eq!((get(Op::IntDiv), get(Op::IntMod)), (quotient.into(), rest.into()), "{a} by {b}");
        }
    }
}
