//! Decides on colours: by `--color`, then NO_COLOR, CLICOLOR_FORCE and CLICOLOR, then by whether the output is a
//! terminal. The library produces plain text, and clang is run without colours; messages are coloured here, by their
//! form, when they are printed.

use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
use clap::ValueEnum;
use clap::builder::Styles;
use fathom_driver::Palette;
use std::ffi::OsString;
use std::io::{self, Write};

/// When to use colours.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// Where a terminal reads along, unless NO_COLOR is set; everywhere if CLICOLOR_FORCE is
    #[default]
    Auto,
    /// Everywhere
    Always,
    /// Nowhere
    Never,
}

/// Errors as rustc has them, help as cargo has it.
pub const STYLES: Styles = Styles::styled()
    .header(AnsiColor::BrightGreen.on_default().bold())
    .usage(AnsiColor::BrightGreen.on_default().bold())
    .literal(AnsiColor::BrightCyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default())
    .error(Palette::COLOURS.bad)
    .valid(AnsiColor::BrightCyan.on_default().bold())
    .invalid(AnsiColor::Yellow.on_default().bold());

const NOTE: Style = AnsiColor::BrightCyan.on_default().bold();

/// Looks for `--color` before anything else is read, because what is wrong with the rest is said in colours as well. A value that
/// there is not leaves the choice open; the parser complains.
pub fn choose(arguments: &[OsString]) -> clap::ColorChoice {
    let words: Vec<&str> = arguments.iter().map_while(|word| word.to_str().filter(|word| *word != "--" && *word != "--args")).collect();
    let value = |at: usize| match words[at] {
        "--color" => words.get(at + 1).copied(),
        word => word.strip_prefix("--color="),
    };
    let chosen = (0..words.len()).rev().find_map(value);
    let (choice, of_clap) = match chosen.and_then(|name| When::from_str(name, false).ok()).unwrap_or_default() {
        When::Auto => (anstream::ColorChoice::Auto, clap::ColorChoice::Auto),
        When::Always => (anstream::ColorChoice::Always, clap::ColorChoice::Always),
        When::Never => (anstream::ColorChoice::Never, clap::ColorChoice::Never),
    };
    choice.write_global();
    of_clap
}

/// Whether standard output is read in colours.
pub fn on_output() -> bool {
    AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never
}

fn on_error() -> bool {
    AutoStream::choice(&io::stderr()) != anstream::ColorChoice::Never
}

/// Says a message on standard error, and ends the line. Where there is no room for it, nothing more can be done.
pub fn say(message: &str) {
    let message = message.trim_end();
    if message.is_empty() {
        return;
    }
    let text = if on_error() { message.lines().map(|line| painted(line) + "\n").collect() } else { format!("{message}\n") };
    let _ = io::stderr().write_all(text.as_bytes());
}

/// A line of a message, by its form: `error: what`, `file:line:column: error: what`, a mark below a place, the label of a verdict.
pub fn painted(line: &str) -> String {
    let strong = Palette::COLOURS.strong;
    let good = Palette::COLOURS.good;
    if is_mark(line) {
        return format!("{good}{line}{good:#}");
    }
    if let Some((label, verdict)) = line.split_once(' ').filter(|(label, _)| crate::is_label(label)) {
        return format!("{label} {}", painted_verdict(label, verdict));
    }
    for (kind, style) in
        [("error", Palette::COLOURS.bad), ("warning", Palette::COLOURS.open), ("note", NOTE), ("fatal error", Palette::COLOURS.bad)]
    {
        if let Some(what) = line.strip_prefix(kind).and_then(|rest| rest.strip_prefix(": ")) {
            return format!("{style}{kind}{style:#}{strong}: {what}{strong:#}");
        }
        if let Some((place, what)) = placed(line, kind) {
            return format!("{strong}{place}:{strong:#} {style}{kind}{style:#}{strong}: {what}{strong:#}");
        }
    }
    line.to_string()
}

/// The parts of `file:line:column: kind: what`.
pub fn placed<'a>(line: &'a str, kind: &str) -> Option<(&'a str, &'a str)> {
    let (place, what) = line.split_once(&format!(": {kind}: "))?;
    let (file, numbers) = place.match_indices(':').rev().nth(1).map(|(at, _)| place.split_at(at))?;
    let is_place = numbers.split(':').skip(1).all(|number| number.parse::<u32>().is_ok()) && !file.contains(": ");
    is_place.then_some((place, what))
}

/// The verdict in its colour; what other last lines say is only strong.
pub fn painted_verdict(label: &str, verdict: &str) -> String {
    let style = if label == crate::VERDICT { Palette::COLOURS.of_verdict(verdict) } else { Palette::COLOURS.strong };
    format!("{style}{verdict}{style:#}")
}

/// What `fathom doctor` found, with the words at the beginning of its lines in colours.
pub fn painted_findings(text: &str) -> String {
    let Palette { good, bad, open, .. } = Palette::COLOURS;
    let one = |line: &str| {
        let style = [("ok ", good), ("MISSING ", bad), ("missing ", open)].into_iter().find(|(word, _)| line.starts_with(word));
        style.map_or(format!("{line}\n"), |(word, style)| format!("{style}{word}{style:#}{}\n", &line[word.len()..]))
    };
    text.lines().map(one).collect()
}

/// Blanks, perhaps a bar, and `^~~~`.
fn is_mark(line: &str) -> bool {
    let mark = line.trim_start_matches([' ', '\t', '|']).trim_end();
    mark.contains('^') && mark.chars().all(|c| matches!(c, '^' | '~' | ' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text without its styles.
    fn plain(text: &str) -> String {
        anstream::adapter::strip_str(text).to_string()
    }

    #[test]
    fn messages_are_painted_by_their_form() {
        for line in ["error: lost", "a.c:2:12: error: expected ';'", "b.bpl:1:1: warning: odd", "      |            ^~~", "VERDICT true"] {
            let text = painted(line);
            assert_ne!(text, line);
            assert_eq!(plain(&text), line);
        }
        for line in [
            "    x := true;",
            "1 error generated.",
            "an error: of a kind",
            "a: error: b",
            "a.ll: not valid: module:1:1: error: b",
            "  | 2^3",
            "",
        ] {
            assert_eq!(painted(line), line);
        }
    }

    #[test]
    fn the_last_choice_counts_and_programs_keep_theirs() {
        let words = |text: &str| text.split(' ').map(OsString::from).collect::<Vec<_>>();
        assert_eq!(choose(&words("fathom verify a.c --color=always --color never")), clap::ColorChoice::Never);
        assert_eq!(choose(&words("fathom verify a.c --args --color always")), clap::ColorChoice::Auto);
        assert_eq!(choose(&words("fathom verify a.c --color sometimes")), clap::ColorChoice::Auto);
    }
}
