//! Comparing states: liveness, fingerprints, and detection of cycles.

pub(crate) mod cycle;
pub(crate) mod fingerprint;
pub(crate) mod liveness;
pub(crate) mod projection;
