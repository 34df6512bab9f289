//! Messages about a program, in the form of clang's, so that editors find the place: `file:line:column: error: what`,
//! then the offending line and a mark below it.

use crate::source::{Sources, Span};
use std::fmt::Write;

#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Error,
    Warning,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub severity: Severity,
    pub span: Span,
    pub message: String,
}

impl Diagnostic {
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Error, span, message: message.into() }
    }

    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, span, message: message.into() }
    }

    /// The message with its place and the offending text; a long line is cut around the place.
    pub fn show(&self, sources: &Sources) -> String {
        const BEFORE: usize = 60;
        const AFTER: usize = 80;
        let (line, column) = sources.line_column(self.span);
        let kind = if self.severity == Severity::Error { "error" } else { "warning" };
        let mut out = format!("{}:{line}:{column}: {kind}: {}\n", sources.path(self.span.file).display(), self.message);
        let text: Vec<char> = sources.line_text(self.span).chars().collect();
        let at = (column as usize - 1).min(text.len());
        let from = if at > BEFORE + 20 { at - BEFORE } else { 0 };
        let to = text.len().min(at + AFTER);
        let shown: String = text[from..to].iter().map(|c| if c.is_control() && *c != '\t' { ' ' } else { *c }).collect();
        let pad: String = text[from..at].iter().map(|c| if *c == '\t' { '\t' } else { ' ' }).collect();
        let width = sources.slice(self.span).chars().take_while(|c| *c != '\n' && *c != '\r').count();
        let width = width.clamp(1, (to - at).max(1));
        let _ = write!(out, "    {shown}\n    {pad}^{}\n", "~".repeat(width - 1));
        out
    }
}

/// All messages as one text, in the order of their places.
pub fn show_all(diagnostics: &[Diagnostic], sources: &Sources) -> String {
    let mut sorted: Vec<&Diagnostic> = diagnostics.iter().collect();
    sorted.sort_by_key(|d| (d.span.file, d.span.start, d.severity));
    sorted.iter().map(|d| d.show(sources)).collect()
}
