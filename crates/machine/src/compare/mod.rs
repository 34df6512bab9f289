//! When two states go on alike: what is live, fingerprints, and states that come back.

pub(crate) mod cycle;
pub(crate) mod fingerprint;
pub(crate) mod liveness;
pub(crate) mod projection;
