//! The claims on which the proof rests, for the certifier. Those of finished nodes are collected here; those of nodes
//! in loops are still in the tree when their labels have reached the fixed point.

use crate::series::keep_every_other;
use fathom_interpolants::Claim;

/// When there are more than `most`, every other one goes and only every second of the next is taken.
pub struct Claims {
    most: usize,
    kept: Vec<Claim>,
    made: u64,
    stride: u64,
}

impl Claims {
    /// Keeps at most so many claims.
    pub fn new(most: usize) -> Self {
        Claims { most, kept: Vec::new(), made: 0, stride: 1 }
    }

    /// Offers a claim, which is only made if it is kept.
    pub fn add(&mut self, claim: impl FnOnce() -> Claim) {
        self.made += 1;
        if !self.made.is_multiple_of(self.stride) {
            return;
        }
        self.kept.push(claim());
        if self.kept.len() > self.most {
            keep_every_other(&mut self.kept);
            self.stride *= 2;
        }
    }

    /// How many claims are kept.
    pub fn kept(&self) -> usize {
        self.kept.len()
    }

    /// The claims that were kept, and how many were not.
    pub fn all(&self) -> (Vec<Claim>, u64) {
        (self.kept.clone(), self.made)
    }
}
