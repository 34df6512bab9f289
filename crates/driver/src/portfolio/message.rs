//! Messages from members to the coordinator: one line of JSON each, through a pipe. An answer is sent when it has been
//! checked; another message before that says that it is being checked, so that the other members can be suspended
//! meanwhile.

use crate::answer::Answer;
use crate::decide::Hearer;
use crate::prepare::Prepared;
use fathom_certify::Certified;
use fathom_engine::{Outcome, Verdict};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::io::Write;

/// A message from a member to the coordinator.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Message {
    /// An answer is being checked.
    Checks(Claim),
    /// The check is over; its result was sent before this message, so that the coordinator never has neither a claim
    /// nor an answer.
    GoesOn,
    /// The member's answer so far; the last one counts.
    Knows(Box<Answer>),
}

/// What an answer will decide if its check succeeds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Claim {
    /// The properties that it decides.
    pub decided: BTreeSet<String>,
    /// Whether one of them is violated.
    pub violation: bool,
}

impl Claim {
    fn of(outcome: &Outcome) -> Self {
        let decided = outcome.verdicts.iter().filter(|(_, verdict)| !matches!(verdict, Verdict::Unknown(_)));
        Self {
            decided: decided.map(|(property, _)| property.name().to_string()).collect(),
            violation: outcome.verdicts.values().any(|verdict| matches!(verdict, Verdict::Violated(_))),
        }
    }
}

/// Whether these claims decide everything if their checks succeed.
pub(crate) fn settles<'a>(claims: &[&Claim], mut open: impl Iterator<Item = &'a str>, one_is_enough: bool) -> bool {
    let is_claimed = |property| claims.iter().any(|claim| claim.decided.contains(property));
    (one_is_enough && claims.iter().any(|claim| claim.violation)) || (!claims.is_empty() && open.all(is_claimed))
}

/// A member's end of the pipe.
pub(crate) struct Speaker<'a, W> {
    pub prepared: &'a Prepared<'a>,
    pub engine: &'static str,
    pub pipe: W,
}

impl<W: Write> Speaker<'_, W> {
    fn say(&mut self, message: &Message) {
        let line = serde_json::to_string(message).unwrap_or_default();
        // The coordinator may be gone, and this process with it soon.
        let _ = self.pipe.write_all(line.as_bytes()).and_then(|()| self.pipe.write_all(b"\n"));
    }
}

impl<W: Write> Hearer for Speaker<'_, W> {
    fn checks(&mut self, outcome: &Outcome) {
        let claim = Claim::of(outcome);
        if !claim.decided.is_empty() {
            self.say(&Message::Checks(claim));
        }
    }

    fn goes_on(&mut self) {
        self.say(&Message::GoesOn);
    }

    fn knows(&mut self, certified: &Certified) {
        self.say(&Message::Knows(Box::new(self.prepared.answer(self.engine, certified))));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_settle_what_is_open_or_violate_it() {
        let claim = |property: &str, violation| Claim { decided: BTreeSet::from([property.to_string()]), violation };
        let (reach, memory) = (claim("unreach-call", true), claim("valid-deref", false));
        let open = || ["unreach-call", "valid-deref"].into_iter();
        assert!(!settles(&[], open(), true) && !settles(&[], [].into_iter(), true), "nothing is claimed");
        assert!(settles(&[&reach], open(), true), "a violation is enough");
        assert!(!settles(&[&reach], open(), false), "the other property is open");
        assert!(settles(&[&reach, &memory], open(), false));
        assert!(!settles(&[&memory], open(), true));
    }

    #[test]
    fn messages_are_single_lines_that_read_back() {
        let claim = Claim { decided: BTreeSet::from(["unreach-call".to_string()]), violation: true };
        let line = serde_json::to_string(&Message::Checks(claim.clone())).unwrap();
        assert!(!line.contains('\n'));
        assert!(matches!(serde_json::from_str(&line), Ok(Message::Checks(read)) if read == claim));
    }
}
