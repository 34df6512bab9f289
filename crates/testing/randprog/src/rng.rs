//! Random choices of programs. The numbers are the same everywhere and always (see `fathom_base::Random`).

use fathom_base::Random;

/// Makes the choices of one program.
pub struct Rng(Random);

impl Rng {
    /// The same seed gives the same numbers.
    pub fn new(seed: u64) -> Self {
        Rng(Random::new(seed ^ 0x6a09_e667_f3bc_c908))
    }

    /// 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0.bits()
    }

    /// A number below `n`, which is not zero.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next_u64() % n as u64) as usize
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// True in so many of 100 cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of the elements, which must not be empty.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}
