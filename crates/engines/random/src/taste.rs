//! The taste of a run: the distribution of its inputs. Programs compare inputs with their own constants, count with
//! small numbers, and fail at the ends of ranges. A run that mixes all of these rarely satisfies two conditions in a
//! row, so each run prefers one kind.

use crate::ByWidth;
use fathom_ir::Program;
use fathom_term::{Sort, Term, TermStore, Value};
use num_rational::BigRational;

/// The constants of a program.
pub struct Dictionary(ByWidth);

impl Dictionary {
    /// The constants of the program, so many of each width.
    pub fn of(program: &Program, most: usize) -> Self {
        let store = &program.terms;
        let mut roots: Vec<Term> = Vec::new();
        let mut constants = ByWidth::default();
        program.for_each_term(&mut |term| roots.push(term));
        for term in store.subterms(roots) {
            let width = store.sort(term).bits().filter(|width| (2..=64).contains(width));
            if let (Some(bits), Some(width)) = (store.const_bits(term), width) {
                let known = constants.entry(width).or_default();
                if known.len() < most {
                    known.push(bits);
                }
            }
        }
        Dictionary(constants)
    }

    /// A constant of the program, or a number beside it.
    fn pick(&self, random: &mut fastrand::Rng, width: u32) -> u64 {
        let beside = random.i64(-1..=1) * i64::from(random.bool());
        let known = self.0.get(&width).filter(|known| !known.is_empty());
        let constant = known.map_or(0, |known| known[random.usize(..known.len())]);
        constant.wrapping_add_signed(beside)
    }
}

/// The distribution that the inputs of a run are drawn from.
#[derive(Copy, Clone, Debug)]
pub enum Taste {
    Zeros,
    /// From a bit below zero up to this.
    Small(i64),
    /// Always the same number.
    Fixed(i64),
    Constants,
    Anything,
    /// Numbers whose bit lengths are equally likely, for inputs that are the number of iterations of a loop.
    AnyLength,
    /// Each input is drawn from one of the others.
    Mixed,
}

impl Taste {
    /// One of each kind in any order, the most useful ones twice: where runs are long there are few, and none of them
    /// should be like the last.
    pub fn all(random: &mut fastrand::Rng) -> Vec<Taste> {
        let (few, fixed) = (Taste::Small(random.i64(2..=12)), Taste::Fixed(random.i64(-1..=6)));
        let mut all = vec![Taste::Small(1), few, fixed, Taste::Anything, Taste::AnyLength];
        all.extend([Taste::Constants, Taste::Mixed].repeat(2));
        random.shuffle(&mut all);
        all
    }

    /// An input of this sort.
    pub fn value(self, random: &mut fastrand::Rng, dictionary: &Dictionary, store: &TermStore, sort: Sort) -> Value {
        let width = sort.bits().unwrap_or(32);
        let number = self.number(random, dictionary, width.min(64));
        match sort {
            Sort::Int => Value::int(number),
            Sort::Real => Value::real(BigRational::from_integer(number.into())),
            Sort::Bool => Value::Bits(number as u64 & 1),
            Sort::Bv(1..=63) | Sort::Float(_) if width < 64 => Value::Bits(number as u64 & ((1 << width) - 1)),
            Sort::Bv(64) | Sort::Float(_) if width == 64 => Value::Bits(number as u64),
            _ => Value::zero(sort, store),
        }
    }

    fn number(self, random: &mut fastrand::Rng, dictionary: &Dictionary, width: u32) -> i64 {
        match self {
            Taste::Zeros => 0,
            Taste::Small(most) => {
                let least = -i64::from(random.u8(..8) == 0);
                random.i64(least..=most)
            }
            Taste::Fixed(number) => number,
            Taste::Constants => dictionary.pick(random, width) as i64,
            Taste::Anything => random.i64(..),
            Taste::AnyLength => {
                let number = (random.u64(..) >> (64 - random.u32(1..=width.clamp(1, 64)))) as i64;
                if random.u8(..8) == 0 { number.wrapping_neg() } else { number }
            }
            Taste::Mixed => {
                let one = match random.u8(..6) {
                    0 => Taste::Zeros,
                    1 => Taste::Small(10),
                    2 => Taste::Anything,
                    3 => Taste::AnyLength,
                    _ => Taste::Constants,
                };
                one.number(random, dictionary, width)
            }
        }
    }
}
