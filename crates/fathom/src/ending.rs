//! How a run ends: the verdict line, the exit code, and the guarantee that both come exactly once. Scripts rely on
//! these numbers; they never change their meaning.

use fathom_driver::supervise::Limit;
use fathom_driver::{Conclusion, Error, ErrorKind, Told, UnknownKind, Verified};

/// Every way in which Fathom ends.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    Proved,
    UsageError,
    InputError,
    Violated,
    BoundReached,
    Timeout,
    OutOfMemory,
    Interrupted,
    Unsupported,
    OtherUnknown,
    /// Of a replay: the test belongs to another program.
    OtherProgram,
    InternalError,
}

impl Ending {
    pub const ALL: [Ending; 12] = [
        Ending::Proved,
        Ending::UsageError,
        Ending::InputError,
        Ending::Violated,
        Ending::BoundReached,
        Ending::Timeout,
        Ending::OutOfMemory,
        Ending::Interrupted,
        Ending::Unsupported,
        Ending::OtherUnknown,
        Ending::OtherProgram,
        Ending::InternalError,
    ];

    pub fn code(self) -> i32 {
        match self {
            Ending::Proved => 0,
            Ending::UsageError => 2,
            Ending::InputError => 3,
            Ending::Violated => 10,
            Ending::BoundReached => 20,
            Ending::Timeout => 21,
            Ending::OutOfMemory => 22,
            Ending::Interrupted => 23,
            Ending::Unsupported => 24,
            Ending::OtherUnknown => 25,
            Ending::OtherProgram => 26,
            Ending::InternalError => 70,
        }
    }

    pub fn meaning(self) -> &'static str {
        match self {
            Ending::Proved => "every property was proved",
            Ending::UsageError => "the command line is wrong",
            Ending::InputError => "a file is missing, unreadable, not a program or does not compile",
            Ending::Violated => "a property is violated; a trace was printed",
            Ending::BoundReached => "no violation found, but a bound cut at least one path",
            Ending::Timeout => "the time limit was reached",
            Ending::OutOfMemory => "the memory limit was reached",
            Ending::Interrupted => "interrupted (Ctrl-C)",
            Ending::Unsupported => "the program uses something that Fathom does not support",
            Ending::OtherUnknown => "not decided for another reason, which the verdict names",
            Ending::OtherProgram => "of a replay: the test does not fit the program",
            Ending::InternalError => "an error in Fathom itself; please report it",
        }
    }

    pub fn from_code(code: i32) -> Option<Self> {
        Self::ALL.into_iter().find(|ending| ending.code() == code)
    }
}

impl From<&Verified> for Ending {
    fn from(verified: &Verified) -> Self {
        match verified.conclusion() {
            Conclusion::Proved => Ending::Proved,
            Conclusion::Violated => Ending::Violated,
            Conclusion::Unknown(UnknownKind::Timeout) => Ending::Timeout,
            Conclusion::Unknown(UnknownKind::OutOfMemory) => Ending::OutOfMemory,
            Conclusion::Unknown(UnknownKind::Interrupted) => Ending::Interrupted,
            Conclusion::Unknown(UnknownKind::BoundReached) => Ending::BoundReached,
            Conclusion::Unknown(UnknownKind::Unsupported) => Ending::Unsupported,
            Conclusion::Unknown(UnknownKind::NotReached | UnknownKind::NotConfirmed | UnknownKind::Other) => Ending::OtherUnknown,
        }
    }
}

impl From<&Error> for Ending {
    fn from(error: &Error) -> Self {
        match error {
            Error::Usage(_) => Ending::UsageError,
            Error::Input { .. } => Ending::InputError,
            Error::Unsupported { .. } => Ending::Unsupported,
            Error::Failed { .. } | Error::Killed => Ending::OtherUnknown,
            Error::OutOfMemory => Ending::OutOfMemory,
            Error::EveryEngineCrashed | Error::Contradiction { .. } | Error::NoProcess(_) | Error::Internal(_) => Ending::InternalError,
        }
    }
}

impl From<&Told> for Ending {
    fn from(told: &Told) -> Self {
        match told {
            Told::Error(_) => Ending::Violated,
            Told::Ended { .. } | Told::Aborted | Told::AsksForMore(_) => Ending::Proved,
            Told::OtherFunction(_) | Told::UnusedInputs | Told::BrokenAssumption(_) => Ending::OtherProgram,
            Told::MissingFunction(_) => Ending::OtherUnknown,
            Told::Limit("memory") => Ending::OutOfMemory,
            Told::Limit(_) => Ending::Timeout,
        }
    }
}

impl From<Limit> for Ending {
    fn from(limit: Limit) -> Self {
        match limit {
            Limit::Time => Ending::Timeout,
            Limit::Memory => Ending::OutOfMemory,
            Limit::Interrupt => Ending::Interrupted,
        }
    }
}

/// The table for --help and the README.
pub fn exit_codes_help() -> String {
    let mut text = String::from("Exit codes:\n");
    for ending in Ending::ALL {
        text += &format!("  {:3}  {}\n", ending.code(), ending.meaning());
    }
    text
}

/// The same for `fathom test`, where a limit is no failure: what was found by then is kept.
pub fn test_codes_help() -> String {
    "Exit codes:\n    0  a suite was written; no error was found\n   10  a suite was written; some of its tests show errors\n    \
     2  the command line is wrong, or the directory has files that Fathom did not write\n    \
     3  a file is missing, unreadable, not a program or does not compile\n   23  interrupted (Ctrl-C); tests that were found are kept\n   \
     25  no test could be written\n   21, 22, 70  Fathom itself had to be stopped; tests that were found are kept\n"
        .into()
}

/// And for `fathom doctor`.
pub fn doctor_codes_help() -> String {
    "Exit codes:\n    0  Fathom has what it needs\n    3  something that it can't do without is missing\n".into()
}

/// And for `fathom replay`.
pub fn replay_codes_help() -> String {
    "Exit codes:\n    0  the program ran without an error\n   10  the program ran into an error\n    \
     2  the command line is wrong\n    3  the test or the program is missing, unreadable or malformed, or does not compile\n   \
     21  the program reached the time limit\n   22  the program reached the memory limit\n   \
     26  the test does not fit the program: it asks for other inputs, or for fewer\n"
        .into()
}

impl From<Ending> for ErrorKind {
    fn from(ending: Ending) -> Self {
        match ending {
            Ending::UsageError => ErrorKind::Usage,
            Ending::InputError | Ending::OtherProgram => ErrorKind::Input,
            Ending::Timeout => ErrorKind::Timeout,
            Ending::OutOfMemory => ErrorKind::OutOfMemory,
            Ending::Interrupted => ErrorKind::Interrupted,
            Ending::Unsupported => ErrorKind::Unsupported,
            Ending::InternalError => ErrorKind::Internal,
            Ending::Proved | Ending::Violated | Ending::BoundReached | Ending::OtherUnknown => ErrorKind::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_distinct_and_come_back() {
        for ending in Ending::ALL {
            assert_eq!(Ending::from_code(ending.code()), Some(ending));
        }
        assert_eq!(Ending::from_code(101), None);
    }
}
