//! The context of a run: its start time, its cancellation flag, and the listener for its progress.

use fathom_engine::{Engine, Progress, ProgressSink};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// How far a run is.
#[derive(Copy, Clone, Debug)]
pub struct Standing<'a> {
    /// The engine whose progress is reported.
    pub engine: &'a str,
    /// How far it is.
    pub progress: &'a Progress,
    /// How many engines have a core at the moment.
    pub at_work: usize,
    /// How many engines take part.
    pub engines: usize,
    /// A property that is known to be violated, while others are being decided.
    pub violated: Option<&'a str>,
}

/// Hears how a run goes. Every method does nothing unless it is implemented.
pub trait Listener: Send + Sync {
    /// Another phase begins.
    fn phase(&self, _what: &str) {}
    /// Hears how far the run is; called often.
    fn progress(&self, _standing: &Standing<'_>) {}
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

    /// The session with another listener.
    pub(crate) fn heard_by(&self, listener: Arc<dyn Listener>) -> Self {
        Self { listener, ..self.clone() }
    }
}

/// What one engine says of itself, on its way to the listener.
pub(crate) struct Heard<'a> {
    /// Who listens.
    pub session: &'a Session,
    /// Who speaks.
    pub engine: &'a dyn Engine,
}

impl ProgressSink for Heard<'_> {
    fn report(&self, progress: &Progress) {
        self.session.listener.progress(&Standing { engine: self.engine.name(), progress, at_work: 1, engines: 1, violated: None });
    }
}
