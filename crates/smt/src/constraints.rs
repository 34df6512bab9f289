//! The path condition of a state: a persistent sequence of conjuncts, also kept in independent groups.
pub struct Constraints;
