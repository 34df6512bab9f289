//! How a run ends: the verdict line, the exit code, and the guarantee that both come exactly once. Scripts rely on
//! these numbers; they never change their meaning.

use fathom_base::StopReason;
use fathom_engine::{Outcome, Reason, Verdict};
use std::io::Write;

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

    /// The ending of a finished run, by the verdict that `fathom_report::overall` names.
    pub fn of(outcome: &Outcome) -> Self {
        let mut unknown: Option<&Reason> = None;
        for verdict in outcome.verdicts.values() {
            match verdict {
                Verdict::Violated(_) => return Ending::Violated,
                Verdict::Unknown(reason) if unknown.is_none_or(|known| *known == Reason::NotReached) => unknown = Some(reason),
                Verdict::Unknown(_) | Verdict::Holds(_) => {}
            }
        }
        match unknown {
            None if outcome.verdicts.is_empty() => Ending::OtherUnknown,
            None => Ending::Proved,
            Some(Reason::Stopped(StopReason::Timeout)) => Ending::Timeout,
            Some(Reason::Stopped(StopReason::OutOfMemory)) => Ending::OutOfMemory,
            Some(Reason::Stopped(StopReason::Interrupted)) => Ending::Interrupted,
            Some(Reason::BoundReached(_)) => Ending::BoundReached,
            Some(Reason::Unsupported { .. }) => Ending::Unsupported,
            Some(
                Reason::Undefined { .. }
                | Reason::Solver(_)
                | Reason::NotConfirmed(_)
                | Reason::NotReached
                | Reason::NotAsked(_),
            ) => Ending::OtherUnknown,
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

/// And for `fathom replay`.
pub fn replay_codes_help() -> String {
    "Exit codes:\n    0  the program ran without an error\n   10  the program ran into an error\n    \
     2  the command line is wrong\n    3  the test or the program is missing, unreadable or malformed, or does not compile\n   \
     21  the program reached the time limit\n   22  the program reached the memory limit\n   \
     26  the test does not fit the program: it asks for other inputs, or for fewer\n"
        .into()
}

/// `VERDICT ...` on a line of its own, after `before`.
pub fn print_verdict(before: &str, verdict: &str) {
    print_last("VERDICT", before, verdict);
}

/// The last line of a command, which begins with its label. A reader who has gone away is no reason to fail.
pub fn print_last(label: &str, before: &str, line: &str) {
    let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(format!("{before}{label} {line}\n").as_bytes());
    let _ = out.flush();
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
