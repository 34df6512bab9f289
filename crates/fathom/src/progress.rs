//! One line on the terminal that says how far the run is; nothing at all in a pipe.

use fathom_engine::{Progress, ProgressSink};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::cell::Cell;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

pub struct ProgressLine {
    bar: ProgressBar,
    last: Cell<Instant>,
}

const PAUSE: Duration = Duration::from_millis(100);

impl ProgressLine {
    pub fn new() -> Self {
        if !std::io::stderr().is_terminal() {
            return Self::hidden();
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
            bar.set_style(style);
        }
        Self { bar, last: Cell::new(Instant::now()) }
    }

    pub fn hidden() -> Self {
        Self { bar: ProgressBar::hidden(), last: Cell::new(Instant::now()) }
    }

    pub fn say(&self, what: &str) {
        self.bar.set_message(what.to_string());
        self.bar.tick();
    }

    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

impl ProgressSink for ProgressLine {
    fn report(&self, progress: &Progress) {
        if self.bar.is_hidden() || self.last.get().elapsed() < PAUSE {
            return;
        }
        self.last.set(Instant::now());
        let Progress { paths, states, queries } = progress;
        self.say(&format!("{paths} paths ended, {states} open, {queries} queries"));
    }
}
