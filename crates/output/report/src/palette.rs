//! The styles of a text for a terminal, as rustc has them: red is wrong, green is right, yellow is open, and what a line is about is
//! bold. In a plain text all of them are empty.

use anstyle::{AnsiColor, Style};

/// What the parts of a report look like.
#[derive(Copy, Clone, Debug, Default)]
pub struct Palette {
    /// A property that holds.
    pub good: Style,
    /// A violation.
    pub bad: Style,
    /// What is not known, and warnings.
    pub open: Style,
    /// What a line is about.
    pub strong: Style,
    /// Where something is.
    pub place: Style,
}

impl Palette {
    /// The styles for a terminal with colours.
    pub const COLOURS: Self = Self {
        good: AnsiColor::Green.on_default().bold(),
        bad: AnsiColor::BrightRed.on_default().bold(),
        open: AnsiColor::Yellow.on_default().bold(),
        strong: Style::new().bold(),
        place: AnsiColor::BrightBlue.on_default().bold(),
    };

    /// The style for a verdict: `true`, `false...` or `unknown...`.
    pub fn of_verdict(&self, verdict: &str) -> Style {
        match verdict {
            "true" => self.good,
            _ if verdict.starts_with("false") => self.bad,
            _ => self.open,
        }
    }
}
