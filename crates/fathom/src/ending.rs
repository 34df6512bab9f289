//! How a run ends: the verdict line, the exit code, and the guarantee that both come exactly once. Scripts rely on
//! these numbers; they never change their meaning.

use fathom_driver::supervise::Limit;
use fathom_driver::{Conclusion, Error, ErrorKind, RunOutcome, UnknownKind, Verified};

/// Every way in which Fathom ends.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    Proved,
    ProvedWithinBounds,
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
    /// Of a task: no result, because of a problem of this machine.
    Retry,
    /// Of a task: there is a result, but parts of the work became new tasks.
    Split,
    InternalError,
}

impl Ending {
    pub const ALL: [Ending; 15] = [
        Ending::Proved,
        Ending::UsageError,
        Ending::InputError,
        Ending::Violated,
        Ending::ProvedWithinBounds,
        Ending::BoundReached,
        Ending::Timeout,
        Ending::OutOfMemory,
        Ending::Interrupted,
        Ending::Unsupported,
        Ending::OtherUnknown,
        Ending::OtherProgram,
        Ending::Retry,
        Ending::Split,
        Ending::InternalError,
    ];

    /// The exit code.
    pub fn code(self) -> i32 {
        match self {
            Ending::Proved => 0,
            Ending::UsageError => 2,
            Ending::InputError => 3,
            Ending::Violated => 10,
            Ending::ProvedWithinBounds => 19,
            Ending::BoundReached => 20,
            Ending::Timeout => 21,
            Ending::OutOfMemory => 22,
            Ending::Interrupted => 23,
            Ending::Unsupported => 24,
            Ending::OtherUnknown => 25,
            Ending::OtherProgram => 26,
            Ending::Retry => 30,
            Ending::Split => 31,
            Ending::InternalError => 70,
        }
    }

    /// What the exit code means, for the help.
    pub fn meaning(self) -> &'static str {
        match self {
            Ending::Proved => "every property was proved",
            Ending::UsageError => "the command line is wrong",
            Ending::InputError => "a file is missing, unreadable, not a program or does not compile",
            Ending::Violated => "a property is violated; the report has a trace",
            Ending::ProvedWithinBounds => "every property was proved within bounds that the report names, such as the length of strings",
            Ending::BoundReached => "no violation was found, but a bound cut off at least one path",
            Ending::Timeout => "the time limit was reached",
            Ending::OutOfMemory => "the memory limit was reached",
            Ending::Interrupted => "interrupted (Ctrl-C)",
            Ending::Unsupported => "the program uses something that Fathom does not support",
            Ending::OtherUnknown => "not decided for another reason, which the verdict names",
            Ending::OtherProgram => "of a replay: the test does not fit the program",
            Ending::Retry => "of a task: no result, because of a problem of this machine; try again, or on another machine",
            Ending::Split => "of a task: its own part is done, but it handed on other parts, which are new tasks",
            Ending::InternalError => "an error in Fathom itself; please report it",
        }
    }

    /// The ending of an exit code.
    pub fn from_code(code: i32) -> Option<Self> {
        Self::ALL.into_iter().find(|ending| ending.code() == code)
    }
}

impl From<&Verified> for Ending {
    fn from(verified: &Verified) -> Self {
        match verified.conclusion() {
            Conclusion::Proved => Ending::Proved,
            Conclusion::ProvedWithinBounds => Ending::ProvedWithinBounds,
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
            Error::Input { .. } | Error::NoEntry { .. } => Ending::InputError,
            Error::Unsupported { .. } => Ending::Unsupported,
            Error::Failed { .. } | Error::Killed => Ending::OtherUnknown,
            Error::OutOfMemory => Ending::OutOfMemory,
            Error::EveryEngineCrashed | Error::Contradiction { .. } | Error::NoProcess(_) | Error::Internal(_) => Ending::InternalError,
        }
    }
}

impl From<&RunOutcome> for Ending {
    fn from(told: &RunOutcome) -> Self {
        match told {
            RunOutcome::Error(_) => Ending::Violated,
            RunOutcome::Ended { .. } | RunOutcome::Aborted | RunOutcome::AsksForMore(_) => Ending::Proved,
            RunOutcome::OtherFunction(_) | RunOutcome::UnusedInputs | RunOutcome::BrokenAssumption(_) => Ending::OtherProgram,
            RunOutcome::MissingFunction(_) => Ending::OtherUnknown,
            RunOutcome::Limit("memory") => Ending::OutOfMemory,
            RunOutcome::Limit(_) => Ending::Timeout,
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

/// The help on the exit codes of `fathom test`, where a limit is no failure: what was found by then is kept.
pub fn test_codes_help() -> String {
    "Exit codes:\n    0  a suite was written; no error was found\n   10  a suite was written; some of its tests show errors\n    \
     2  the command line is wrong, or the directory has files that Fathom did not write\n    \
     3  a file is missing, unreadable, not a program or does not compile\n   23  interrupted (Ctrl-C); tests found so far are kept\n   \
     25  no test could be written\n   21, 22, 70  Fathom itself had to be stopped; tests found so far are kept\n"
        .into()
}

/// And for `fathom doctor`.
pub fn doctor_codes_help() -> String {
    "Exit codes:\n    0  Fathom has what it needs\n    3  something essential is missing\n".into()
}

/// And for `fathom scan`.
pub fn scan_codes_help() -> String {
    "Exit codes:\n    0  no alarm was confirmed and none is open\n   10  an alarm was confirmed\n   \
     20  none was confirmed, but some are open, or were confirmed for a caller only\n    \
     2  the command line is wrong\n    3  nothing could be scanned\n   23  interrupted (Ctrl-C); what was decided is kept\n"
        .into()
}

/// And for `fathom plan`.
pub fn plan_codes_help() -> String {
    "Exit codes:\n    0  the plan was written\n    2  the command line is wrong\n    3  nothing could be planned\n   \
     23  interrupted (Ctrl-C); no plan was written\n   25  the plan can't be written\n"
        .into()
}

/// And for `fathom run`.
pub fn run_codes_help() -> String {
    "Exit codes:\n    0  finished: there is a result, whatever its verdict\n    2  the command line is wrong\n    \
     3  the plan or a file of the task is missing, damaged, changed or of another version: no machine can do it\n   \
     23  interrupted (Ctrl-C)\n   30  retry: no result, because of a problem of this machine\n   \
     31  split: as 0, but it handed on parts, which are new tasks\n"
        .into()
}

/// And for `fathom split`.
pub fn split_codes_help() -> String {
    "Exit codes:\n    0  tasks were asked to hand on parts\n    2  the command line is wrong, or the task can't be split\n    \
     3  the plan can't be read, or has no such task\n   25  the task is not running\n"
        .into()
}

/// And for `fathom merge`.
pub fn merge_codes_help() -> String {
    "Exit codes:\n    0  every property of every program was proved\n   10  a property is violated\n   \
     19  everything was proved, some of it within bounds\n    2  the command line is wrong\n    \
     3  the plan or a result can't be read, is damaged, or belongs to another plan\n   \
     25  something is unknown, missing or was not planned\n   70  results contradict each other; please report this\n"
        .into()
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
            Ending::Proved
            | Ending::ProvedWithinBounds
            | Ending::Violated
            | Ending::BoundReached
            | Ending::OtherUnknown
            | Ending::Retry
            | Ending::Split => ErrorKind::Other,
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
