//! Checks the claims of a proof about a flat program one by one with the second solver, and counts them. A claim says
//! that something is impossible.

use crate::partition::ask;
use crate::proof::Recheck;
use fathom_base::Budget;
use fathom_engine::Reason;
use fathom_flat::Flat;
use fathom_smt::{Answer, Backend};
use fathom_term::Term;

/// The claims so far, and how many of them the solver confirmed.
pub(crate) struct Claims<'a> {
    flat: &'a Flat,
    second: Option<&'a dyn Backend>,
    budget: &'a Budget,
    /// What they are about, in the plural, and what it means that one is wrong.
    about: &'static str,
    broken: &'static str,
    made: u64,
    confirmed: u64,
}

impl<'a> Claims<'a> {
    pub fn new(
        flat: &'a Flat,
        second: Option<&'a dyn Backend>,
        budget: &'a Budget,
        about: &'static str,
        broken: &'static str,
    ) -> Claims<'a> {
        Claims { flat, second, budget, about, broken, made: 0, confirmed: 0 }
    }

    /// Not all of it holds.
    pub fn refute(&mut self, question: &[Term]) -> Result<(), Reason> {
        self.refute_any(&[question])
    }

    /// Of one of these, not all of it holds.
    pub fn refute_any(&mut self, questions: &[&[Term]]) -> Result<(), Reason> {
        if questions.iter().any(|question| self.contradicts_itself(question)) {
            return Ok(());
        }
        self.made += 1;
        let Some(second) = self.second else { return Ok(()) };
        let mut is_open = false;
        for question in questions {
            if self.budget.exhausted().is_some() {
                return Ok(());
            }
            match ask(second, question, self.budget) {
                Answer::Unsat => {
                    self.confirmed += 1;
                    return Ok(());
                }
                Answer::Sat => {}
                Answer::Unknown(_) => is_open = true,
            }
        }
        match is_open {
            true => Ok(()),
            false => Err(wrong(&format!("{} found {}", second.name(), self.broken))),
        }
    }

    fn contradicts_itself(&self, question: &[Term]) -> bool {
        let store = &*self.flat.terms;
        question.iter().any(|&term| store.const_bool(term) == Some(false) || question.contains(&store.not(term)))
    }

    /// The condition is about variables: inputs have another meaning behind each segment.
    pub fn is_of_states(&self, term: Term) -> Result<(), Reason> {
        let vars = self.flat.vars(term);
        vars.iter().for_each(|&var| self.flat.inputs.learn(&self.flat.terms, var));
        match vars.iter().any(|&var| self.flat.inputs.ahead(var).is_some()) {
            true => Err(wrong("a condition about inputs to come")),
            false => Ok(()),
        }
    }

    /// What to say of them all.
    pub fn told(self) -> Recheck {
        let Claims { second, about, made, confirmed, .. } = self;
        let note = match (second.map(Backend::name), made - confirmed) {
            (None, _) => format!("{made} claims about {about} were not checked by a second solver: there is none"),
            (Some(name), 0) => format!("{name} confirmed all {made} claims about {about}"),
            (Some(name), open) => {
                format!("{name} confirmed {confirmed} of {made} claims about {about}; {open} were not decided in the time left")
            }
        };
        Recheck { all: second.is_some() && confirmed == made, note }
    }
}

/// The proof does not stand.
pub(crate) fn wrong(what: &str) -> Reason {
    Reason::NotConfirmed(format!("{what}; please report this"))
}
