//! The claims that the proof rests on, for the certifier: those of nodes that are done for good are collected here, those
//! of nodes in loops are still in the tree when everything is settled.

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
    pub fn new(most: usize) -> Self {
        Claims { most, kept: Vec::new(), made: 0, stride: 1 }
    }

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

    pub fn kept(&self) -> usize {
        self.kept.len()
    }

    pub fn all(&self) -> (Vec<Claim>, u64) {
        (self.kept.clone(), self.made)
    }
}
