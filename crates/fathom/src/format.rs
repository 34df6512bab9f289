//! The formats of reports, as `--format` names them.

use fathom_driver::{Format, TextOptions, did_you_mean};
use std::path::PathBuf;
use std::str::FromStr;

/// A form of reports, by the name that the command line has for it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// For people.
    Text,
    /// Fathom's own, with a schema.
    Json,
    /// What code scanning reads.
    Sarif,
    /// What test servers read.
    Junit,
    /// Lines that GitHub Actions turns into annotations.
    Github,
    /// What GitLab's Code Quality reads.
    Gitlab,
    /// A page to look at.
    Html,
}

impl Form {
    const ALL: [(&'static str, Form); 7] = [
        ("text", Form::Text),
        ("json", Form::Json),
        ("sarif", Form::Sarif),
        ("junit", Form::Junit),
        ("github", Form::Github),
        ("gitlab", Form::Gitlab),
        ("html", Form::Html),
    ];

    /// Whether it is one document, beside which nothing may be printed.
    pub fn is_document(self) -> bool {
        matches!(self, Form::Json | Form::Sarif | Form::Junit | Form::Gitlab | Form::Html)
    }

    /// The library's word for it.
    pub fn format(self, text: TextOptions) -> Format {
        match self {
            Form::Text => Format::Text(text),
            Form::Json => Format::Json,
            Form::Sarif => Format::Sarif,
            Form::Junit => Format::Junit,
            Form::Github => Format::Github,
            Form::Gitlab => Format::Gitlab,
            Form::Html => Format::Html,
        }
    }
}

impl FromStr for Form {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let known = Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, form)| *form);
        known.ok_or_else(|| {
            let names = Self::ALL.map(|(name, _)| name);
            format!("no such form{}; there are {}", did_you_mean(name, names), names.join(", "))
        })
    }
}

/// `FORM` for standard output, or `FORM=FILE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormatArg {
    /// The form.
    pub form: Form,
    /// Where it goes, if not to standard output.
    pub file: Option<PathBuf>,
}

impl FromStr for FormatArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            None => Ok(Self { form: text.parse()?, file: None }),
            Some((_, "")) => Err("there is no file name behind `=`".into()),
            Some((form, file)) => Ok(Self { form: form.parse()?, file: Some(file.into()) }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_and_files() {
        assert_eq!("sarif=a=b.sarif".parse(), Ok(FormatArg { form: Form::Sarif, file: Some("a=b.sarif".into()) }));
        assert_eq!("json".parse(), Ok(FormatArg { form: Form::Json, file: None }));
        assert!("yaml".parse::<FormatArg>().unwrap_err().contains("sarif"));
        assert!("json=".parse::<FormatArg>().unwrap_err().contains("no file name"));
    }
}
