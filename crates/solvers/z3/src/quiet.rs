//! Suppresses Z3's messages about its own failed assertions on standard error. They do not help users; the error that
//! the call returns is enough.

use rustix::fd::OwnedFd;
use rustix::fs::{Mode, OFlags, open};
use rustix::io::dup;
use rustix::stdio::{dup2_stderr, stderr};

/// Standard error leads nowhere until this is dropped.
pub(crate) struct Quiet(Option<OwnedFd>);

impl Quiet {
    /// Begins; where standard error can't be kept for later, nothing happens.
    pub fn begin() -> Self {
        let kept = dup(stderr()).ok().filter(|_| {
            let nowhere = open("/dev/null", OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty());
            nowhere.is_ok_and(|nowhere| dup2_stderr(nowhere).is_ok())
        });
        Self(kept)
    }
}

impl Drop for Quiet {
    fn drop(&mut self) {
        if let Some(kept) = self.0.take() {
            let _ = dup2_stderr(kept);
        }
    }
}
