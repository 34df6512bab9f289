//! Memory: objects, their bytes and addresses, the resolution of pointers, and leaks.

pub(crate) mod access;
pub(crate) mod address;
pub(crate) mod adopted;
pub(crate) mod blocks;
pub(crate) mod contents;
pub(crate) mod holders;
pub(crate) mod inspect;
pub(crate) mod layout;
pub(crate) mod leaks;
pub(crate) mod mentions;
pub(crate) mod objects;
pub(crate) mod placement;
pub(crate) mod reachability;
pub(crate) mod resolve;
pub(crate) mod standing;
