//! The arbitrary iteration of a loop: what the loop changes becomes arbitrary within laws and shapes.

pub(crate) mod anew;
pub(crate) mod havoc;
pub(crate) mod laws;
pub(crate) mod shape;
