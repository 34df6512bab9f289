//! Messages about a program, in the form of clang's, so that editors find the position: `file:line:column: error: what`,
//! then the offending line and a mark below it.

use crate::source::{Sources, Span};
use fathom_base::snippet::marked;

/// Whether a message refuses the program.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The program is refused.
    Error,
    /// The program is accepted.
    Warning,
}

/// One message about a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Whether it refuses the program.
    pub severity: Severity,
    /// The text that it is about.
    pub span: Span,
    /// What is wrong, without the position.
    pub message: String,
}

impl Diagnostic {
    /// A message that refuses the program.
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Error, span, message: message.into() }
    }

    /// A message that does not refuse the program.
    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, span, message: message.into() }
    }

    /// The message with its position, in one line.
    pub fn headline(&self, sources: &Sources) -> String {
        let (line, column) = sources.line_column(self.span);
        let kind = if self.severity == Severity::Error { "error" } else { "warning" };
        format!("{}:{line}:{column}: {kind}: {}", sources.path(self.span.file).display(), self.message)
    }

    /// The message with its position and the offending text.
    pub fn show(&self, sources: &Sources) -> String {
        let (_, column) = sources.line_column(self.span);
        let width = sources.slice(self.span).chars().take_while(|c| *c != '\n' && *c != '\r').count();
        let mark = marked(sources.line_text(self.span), column as usize, width);
        format!("{}\n{mark}", self.headline(sources))
    }
}

/// All messages as one text, in the order of their positions.
pub fn show_all(diagnostics: &[Diagnostic], sources: &Sources) -> String {
    in_order(diagnostics).iter().map(|d| d.show(sources)).collect()
}

/// The messages in the order of their positions, each in one line.
pub fn headlines(diagnostics: &[Diagnostic], sources: &Sources) -> Vec<String> {
    in_order(diagnostics).iter().map(|d| d.headline(sources)).collect()
}

fn in_order(diagnostics: &[Diagnostic]) -> Vec<&Diagnostic> {
    let mut sorted: Vec<&Diagnostic> = diagnostics.iter().collect();
    sorted.sort_by_key(|d| (d.span.file, d.span.start, d.severity));
    sorted
}
