//! What surrounds a run: since when its time counts, who may interrupt it, and who hears how it goes.

use fathom_engine::{Progress, ProgressSink};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Hears how a run goes. Every method does nothing unless it is implemented.
pub trait Listener: Send + Sync {
    /// Another phase begins.
    fn phase(&self, _what: &str) {}
    /// How far an engine is.
    fn progress(&self, _progress: &Progress) {}
    /// The phase is over.
    fn quiet(&self) {}
    /// The run has its answer; from now on it only writes files and returns, which may take a moment beyond its time.
    fn answering(&self) {}
}

/// Hears nothing.
struct Silence;

impl Listener for Silence {}

/// The surroundings of one run.
#[derive(Clone)]
pub struct Session {
    /// From when on the time limit counts.
    pub start: Instant,
    /// Set to ask the run to end with what it has found so far.
    pub cancelled: Arc<AtomicBool>,
    /// Hears how it goes.
    pub listener: Arc<dyn Listener>,
    /// Said in front of all warnings of the report.
    pub notes: Vec<String>,
}

impl Default for Session {
    /// Starts now, without a listener.
    fn default() -> Self {
        Self { start: Instant::now(), cancelled: Arc::default(), listener: Arc::new(Silence), notes: Vec::new() }
    }
}

impl Session {
    /// Whether the run was asked to end.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// The same session without a listener: of several engines only one reports its progress.
    pub(crate) fn silent(&self) -> Self {
        Self { listener: Arc::new(Silence), ..self.clone() }
    }
}

impl ProgressSink for Session {
    fn report(&self, progress: &Progress) {
        self.listener.progress(progress);
    }
}
