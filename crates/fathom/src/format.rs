//! The argument of `--format`.

use fathom_driver::Format;
use std::path::PathBuf;
use std::str::FromStr;

/// `NAME` for standard output, or `NAME=FILE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormatArg {
    /// The format.
    pub form: Format,
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
        assert_eq!("sarif=a=b.sarif".parse(), Ok(FormatArg { form: Format::Sarif, file: Some("a=b.sarif".into()) }));
        assert_eq!("json".parse(), Ok(FormatArg { form: Format::Json, file: None }));
        assert!("yaml".parse::<FormatArg>().unwrap_err().contains("sarif"));
        assert!("json=".parse::<FormatArg>().unwrap_err().contains("no file name"));
    }
}
