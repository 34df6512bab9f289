//! The formats of reports, by their names.

use fathom_base::did_you_mean;
use std::str::FromStr;

/// A format of reports.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Format {
    /// For people.
    Text,
    /// For programs (schema 1).
    Json,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// JUnit XML, for test servers.
    Junit,
    /// Annotations of GitHub Actions.
    Github,
    /// GitLab's Code Quality.
    Gitlab,
    /// A page to look at; complete if [`VerifyConfig::explain`](crate::VerifyConfig::explain) was set.
    Html,
}

impl Format {
    const ALL: [(&'static str, Format); 7] = [
        ("text", Format::Text),
        ("json", Format::Json),
        ("sarif", Format::Sarif),
        ("junit", Format::Junit),
        ("github", Format::Github),
        ("gitlab", Format::Gitlab),
        ("html", Format::Html),
    ];

    /// Whether a report in it is a whole document, with which nothing else may be printed.
    pub fn is_document(self) -> bool {
        matches!(self, Format::Json | Format::Sarif | Format::Junit | Format::Gitlab | Format::Html)
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let known = Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, format)| *format);
        known.ok_or_else(|| {
            let names = Self::ALL.map(|(name, _)| name);
            format!("unknown format{}; known are: {}", did_you_mean(name, names), names.join(", "))
        })
    }
}
