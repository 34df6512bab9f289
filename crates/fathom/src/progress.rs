//! One line on the terminal that says how far the run is; nothing at all in a pipe.

use fathom_driver::supervise::Leash;
use fathom_driver::{Listener, Progress};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Shows what a run says of itself, and lets the supervisor know when there is an answer.
pub struct ProgressLine {
    bar: ProgressBar,
    last: Mutex<Instant>,
    leash: Arc<Leash>,
}

const PAUSE: Duration = Duration::from_millis(100);

impl ProgressLine {
    /// Nothing is drawn unless it is wanted and standard error is a terminal.
    pub fn new(leash: Arc<Leash>, wanted: bool) -> Self {
        let bar = match wanted && std::io::stderr().is_terminal() {
            true => ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()),
            false => ProgressBar::hidden(),
        };
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
            bar.set_style(style);
        }
        Self { bar, last: Mutex::new(Instant::now()), leash }
    }
}

impl Listener for ProgressLine {
    fn phase(&self, what: &str) {
        // A line that was cleared is drawn no more until it begins anew.
        if self.bar.is_finished() {
            self.bar.reset();
        }
        self.bar.set_message(what.to_string());
        self.bar.tick();
    }

    fn progress(&self, progress: &Progress) {
        if self.bar.is_hidden() {
            return;
        }
        if let Ok(mut last) = self.last.lock() {
            if last.elapsed() < PAUSE {
                return;
            }
            *last = Instant::now();
        }
        let Progress { paths, states, queries } = progress;
        self.phase(&format!("{paths} paths ended, {states} open, {queries} queries"));
    }

    fn quiet(&self) {
        self.bar.finish_and_clear();
    }

    fn answering(&self) {
        self.leash.about_to_answer();
    }
}
