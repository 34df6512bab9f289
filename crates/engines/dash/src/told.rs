//! Summaries that other runs proved, as subgoals: they are tried before any other question about a call, and proved
//! again like any other. Those that are not conditions over the entry and the exit of a procedure of this program are
//! ignored.

use crate::objectives::Subgoal;
use fathom_base::FxSet;
use fathom_engine::KnownSummary;
use fathom_flat::{Flat, Procedure};
use fathom_term::smtlib::Reader;
use fathom_term::{Op, Sort, Term, VarId};

/// The subgoals that these summaries answer with no.
pub fn subgoals(flat: &Flat, known: &[KnownSummary]) -> Vec<Subgoal> {
    known.iter().filter_map(|known| subgoal(flat, known)).collect()
}

fn subgoal(flat: &Flat, known: &KnownSummary) -> Option<Subgoal> {
    let procedure = flat.procedures.iter().position(|procedure| procedure.name == known.procedure)?;
    let Procedure { entry, exit, .. } = &flat.procedures[procedure];
    let before = conditions(flat, &known.before, &entry.iter().copied().collect())?;
    let after = match &known.after {
        Some(after) => Some(conditions(flat, after, &entry.iter().chain(exit).copied().collect())?),
        None => None,
    };
    Some(Subgoal { procedure, before, after })
}

fn conditions(flat: &Flat, texts: &[String], about: &FxSet<VarId>) -> Option<Vec<Term>> {
    let store = &flat.terms;
    let read = |text: &String| Reader::new(store).with_store_symbols().simplifying().term(text).ok();
    let is_about = |term: &Term| store.sort(*term) == Sort::Bool && flat.vars(*term).iter().all(|var| about.contains(var));
    texts.iter().map(|text| read(text).filter(is_about)).collect()
}

/// The result of which a subgoal says that it differs from a value of the arguments, by number, and that value.
pub fn formula(flat: &Flat, subgoal: &Subgoal) -> Option<(usize, Term)> {
    let store = &flat.terms;
    let Procedure { entry, exit, .. } = &flat.procedures[subgoal.procedure];
    let [only] = subgoal.after.as_deref()? else { return None };
    let equal = (store.op(*only) == Op::Not).then(|| store.arg(*only, 0)).filter(|equal| store.op(*equal) == Op::Eq)?;
    let sides = [(store.arg(equal, 0), store.arg(equal, 1)), (store.arg(equal, 1), store.arg(equal, 0))];
    sides.into_iter().find_map(|(result, value)| {
        let at = exit.iter().position(|&var| store.as_var(result) == Some(var))?;
        flat.vars(value).iter().all(|var| entry.contains(var)).then_some((at, value))
    })
}
