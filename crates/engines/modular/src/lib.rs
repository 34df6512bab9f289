//! Proofs about any number of threads, one thread at a time: facts that hold wherever a thread rests, kept by its own steps and by those of
//! the others (Owicki and Gries, Acta Informatica 1976; thread-modular reasoning: Flanagan, Freund, Qadeer, Seshia, TCS 2005), guessed and
//! thrown away where a step breaks them (Houdini), beside a table of the places at which two threads may be at the same time. The table is
//! what locks need: that two threads are never inside follows from facts about the lock, which hold because two threads are never
//! inside; both are guessed together and survive together. See `fathom_engine::Interference` for the claim and why it is enough.

mod engine;
mod search;

pub use engine::Modular;
