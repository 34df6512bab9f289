//! The progress of a run: one line on a terminal that is redrawn and finally removed, or with `--progress` a line every
//! ten seconds. The working process reports what it does ([`Teller`]); the supervising process shows it
//! ([`ProgressLine`]), because it exists until the end, whatever happens to the other.

use console::Term;
use fathom_driver::supervise::{Display, Leash};
use fathom_driver::{Listener, Standing};
use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The line is drawn this often.
const PAUSE: Duration = Duration::from_millis(100);
/// A log gets a line this often.
const LOG_PAUSE: Duration = Duration::from_secs(10);
/// Nobody waits for a run that ends sooner.
const PATIENCE: Duration = Duration::from_millis(300);

/// Who wants to see how a run goes.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Wish {
    /// Also where standard error is no terminal.
    pub in_logs: bool,
    /// Nowhere else.
    pub not_on_terminals: bool,
}

/// Where progress is shown.
enum Medium {
    Nowhere,
    /// With the number of lines drawn so far, if there is one now.
    Terminal(Term, Option<usize>),
    Log,
}

/// The progress line on a terminal, or lines in a log.
pub struct ProgressLine {
    place: Medium,
    start: Instant,
    limit: Option<Duration>,
    drawn: Instant,
    what: String,
}

impl ProgressLine {
    /// Shows a run that began then and may take so long.
    pub fn new(wish: Wish, start: Instant, limit: Option<Duration>) -> Self {
        let term = Term::stderr();
        let place = match term.is_term() && !wish.not_on_terminals {
            true => Medium::Terminal(term, None),
            false if wish.in_logs => Medium::Log,
            false => Medium::Nowhere,
        };
        Self { place, start, limit, drawn: start, what: "starting".into() }
    }

    fn line(&self) -> String {
        let elapsed = self.start.elapsed().as_secs();
        let limit = self.limit.map(|limit| format!(" of {}", limit.as_secs_f64().ceil())).unwrap_or_default();
        format!("{elapsed}{limit} s  {}", self.what)
    }
}

/// Something moves, so that the run is seen to be alive.
const SPINNER: [&str; 10] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/// As much as the terminal has room for, beside the spinner and the `^C` that it writes behind the line itself: a line that is
/// wrapped could not be taken away whole.
fn fitting(line: &str, term: &Term) -> String {
    let columns = usize::from(term.size().1);
    console::truncate_str(line, columns.saturating_sub("x  ^C".len()), "...").into_owned()
}

impl Display for ProgressLine {
    fn is_on(&self) -> bool {
        !matches!(self.place, Medium::Nowhere)
    }

    fn show(&mut self, what: &str) {
        what.clone_into(&mut self.what);
    }

    fn tick(&mut self) {
        let pause = if matches!(self.place, Medium::Log) { LOG_PAUSE } else { PAUSE };
        if self.drawn.elapsed() < pause || self.start.elapsed() < PATIENCE {
            return;
        }
        self.drawn = Instant::now();
        let line = self.line();
        match &mut self.place {
            Medium::Nowhere => {}
            Medium::Terminal(term, drawn) => {
                let number = drawn.map_or(0, |number| number + 1);
                let text = format!("{} {}", SPINNER[number % SPINNER.len()], fitting(&line, term));
                // A terminal that is gone sees nothing.
                let _ = term.clear_line().and_then(|()| term.write_str(&text)).and_then(|()| term.flush());
                *drawn = Some(number);
            }
            Medium::Log => {
                let _ = writeln!(std::io::stderr(), "progress: {line}");
            }
        }
    }

    fn clear(&mut self) {
        if let Medium::Terminal(term, drawn) = &mut self.place
            && drawn.take().is_some()
        {
            let _ = term.clear_line().and_then(|()| term.flush());
        }
    }
}

/// What the process that works says of itself; it also lets the other one know when there is an answer.
pub struct Teller {
    leash: Arc<Leash>,
    /// What was said last, and when.
    last: Mutex<(Instant, String)>,
}

impl Teller {
    /// Tells at the other end of the leash.
    pub fn new(leash: Arc<Leash>) -> Self {
        Self { leash, last: Mutex::new((Instant::now(), String::new())) }
    }

    fn tell(&self, what: String, pause: Duration) {
        let Ok(mut last) = self.last.lock() else { return };
        if last.1 != what && (last.1.is_empty() || last.0.elapsed() >= pause) {
            self.leash.tell(&what);
            *last = (Instant::now(), what);
        }
    }

    /// Whether something that is said now is heard.
    fn is_due(&self) -> bool {
        self.leash.is_shown && self.last.lock().is_ok_and(|last| last.0.elapsed() >= PAUSE)
    }
}

impl Listener for Teller {
    fn phase(&self, what: &str) {
        if self.leash.is_shown {
            self.tell(what.to_string(), Duration::ZERO);
        }
    }

    fn progress(&self, standing: &Standing<'_>) {
        if self.is_due() {
            self.tell(described(standing), PAUSE);
        }
    }

    fn answering(&self) {
        self.leash.about_to_answer();
    }
}

fn described(standing: &Standing<'_>) -> String {
    let Standing { engine, progress, at_work, engines, violated } = standing;
    // On a narrow terminal the end of the line is cut.
    let known = violated.map_or(String::new(), |property| format!("{property} is violated (Ctrl-C shows it)  "));
    let others = if *engines > 1 { format!("{known}{at_work} of {engines} engines  ") } else { known };
    match progress.to_string() {
        text if text.is_empty() => format!("{others}{engine}"),
        text => format!("{others}{engine}: {text}"),
    }
}
