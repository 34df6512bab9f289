//! Errors that end a run before there is an answer. `Display` gives the whole message for the user; [`Error::reason`]
//! the few words in `unknown(...)`.

use fathom_frontend_llvm::FrontendError;
use thiserror::Error;

/// Why there is no answer.
#[derive(Debug, Error)]
pub enum Error {
    /// The configuration asks for something that does not exist or does not fit together.
    #[error("{0}")]
    Usage(String),
    /// A file is missing, unreadable, not what it should be, or does not compile.
    #[error("{message}")]
    Input {
        /// Everything that there is to say.
        message: String,
        /// In a few words.
        reason: String,
    },
    /// The program has no function to start from.
    #[error("{message}")]
    NoEntry {
        /// Everything that there is to say.
        message: String,
        /// The functions that it has.
        defined: Vec<String>,
    },
    /// The program uses something that no engine is asked about.
    #[error("{message}")]
    Unsupported {
        /// Everything that there is to say.
        message: String,
        /// In a few words.
        reason: String,
    },
    /// The run went on but came to nothing: a build or a file that could not be written.
    #[error("{message}")]
    Failed {
        /// Everything that there is to say.
        message: String,
        /// In a few words.
        reason: String,
    },
    /// Every engine of the portfolio was ended because the memory limit was reached.
    #[error("every engine was ended because the memory limit was reached")]
    OutOfMemory,
    /// Every engine of the portfolio was killed from outside, and not for its memory.
    #[error("every engine was killed from outside (SIGKILL); they used less memory than they may")]
    Killed,
    /// Every engine of the portfolio crashed.
    #[error("every engine crashed; please report this with the program")]
    EveryEngineCrashed,
    /// One engine proved what another one refuted: one of them has a bug, and neither answer is reported.
    #[error("the engines contradict each other about {property}: {said}; please report this with the program")]
    Contradiction {
        /// What they contradict each other about.
        property: String,
        /// Who says what.
        said: String,
    },
    /// The system gives no further process.
    #[error("the system gives no further process: {0}")]
    NoProcess(#[source] std::io::Error),
    /// A bug in Fathom: what the panic said.
    #[error("an internal error of Fathom: {0}")]
    Internal(String),
}

impl Error {
    /// An error in a file of the user.
    pub(crate) fn bad_file(message: String) -> Self {
        Error::Input { reason: first_line(&message), message }
    }

    /// What `unknown(...)` says.
    pub fn reason(&self) -> String {
        match self {
            // What else could have been written is for the message.
            Error::Usage(message) => format!("usage error: {}", first_line(message).split("; ").next().unwrap_or_default()),
            Error::Input { reason, .. } => format!("input error: {reason}"),
            Error::NoEntry { message, .. } => format!("input error: {}", first_line(message)),
            Error::Unsupported { reason, .. } | Error::Failed { reason, .. } => reason.clone(),
            Error::OutOfMemory => "out of memory".into(),
            Error::Killed => "killed".into(),
            Error::EveryEngineCrashed => "internal error: every engine crashed".into(),
            Error::Contradiction { property, .. } => format!("internal error: the engines contradict each other about {property}"),
            Error::NoProcess(_) => "internal error: no process".into(),
            Error::Internal(_) => "internal error".into(),
        }
    }
}

impl From<FrontendError> for Error {
    fn from(error: FrontendError) -> Self {
        let message = error.to_string();
        match &error {
            FrontendError::UnsupportedCpp { what, location, .. } => {
                Error::Unsupported { reason: format!("unsupported {what} at {location}"), message }
            }
            FrontendError::ClangKilled(signal) => Error::Failed { reason: format!("clang was ended by signal {signal}"), message },
            FrontendError::NoEntry { defined, .. } => {
                let tip = if defined.is_empty() { "" } else { "\n  tip: --entry NAME starts in one of them" };
                Error::NoEntry { message: message + tip, defined: defined.clone() }
            }
            FrontendError::CompileError { path, .. } => Error::Input { reason: format!("{} does not compile", path.display()), message },
            _ => Error::bad_file(message),
        }
    }
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().trim_end_matches(':').to_string()
}
