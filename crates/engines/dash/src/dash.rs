//! The engine `dash`: its capabilities, and how a task becomes a session.

use crate::answer::unknown;
use crate::config::DashConfig;
use crate::session::Session;
use crate::summaries::Summaries;
use crate::told::subgoals;
use fathom_base::FxSet;
use fathom_engine::{Capabilities, Cx, Engine, Outcome, Reason, Task};
use fathom_flat::{Flat, Form, flatten, is_recursive};
use fathom_ir::Property;
use fathom_term::{Op, Term};
use std::cell::RefCell;

/// Tests and abstraction refinement together.
pub struct Dash {
    /// How it was asked to work.
    pub config: DashConfig,
}

impl Engine for Dash {
    fn name(&self) -> &'static str {
        "dash"
    }

    fn capabilities(&self) -> Capabilities {
        let about = "tests and abstraction refinement together; recursion by summaries";
        Capabilities { decides, answers_in_part: true, sees_faults: false, ..Capabilities::usual(about) }
    }

    fn run(&self, task: &Task, cx: &Cx<'_>) -> Outcome {
        if !task.properties.iter().any(|property| decides(*property)) {
            return unknown(task, &beyond());
        }
        let form = if self.config.plain { Form::Basic } else { Form::Joined };
        let flat = match flatten(&task.program, &task.properties, form) {
            Ok(flat) => flat,
            Err(not) => {
                let location = task.program.files.show(not.loc);
                return unknown(task, &Reason::Unsupported { what: not.what, location });
            }
        };
        if let Some(what) = beyond_evaluation(&flat) {
            return unknown(task, &Reason::Unsupported { what: what.to_string(), location: "the program".to_string() });
        }
        // Others prove loops as well, and what it proves there it proves soon or never; no other engine proves recursion.
        let share = self.config.share_of_loops.filter(|_| !is_recursive(&task.program));
        let limited = share.and_then(|percent| Some(cx.budget.computing_at_most(cx.budget.remaining()? * percent / 100)));
        let cx = &Cx { budget: limited.unwrap_or(cx.budget.clone()), ..*cx };
        let summaries = RefCell::new(Summaries::with(subgoals(&flat, &cx.known.summaries)));
        let mut session = Session::new(&self.config, &flat, None, &summaries, 0, cx);
        let stop = session.search(task, cx);
        session.log("the program's own session is over");
        session.outcome(task, stop, cx)
    }
}

/// Properties that are assertions in the program.
pub fn decides(property: Property) -> bool {
    property.is_asserted()
}

/// Why properties are left undecided that are not assertions.
pub fn beyond() -> Reason {
    Reason::NotAsked("dash decides assertions, not memory safety or termination".to_string())
}

/// Expressions that a test can't compute.
fn beyond_evaluation(flat: &Flat) -> Option<&'static str> {
    let mut seen: FxSet<Term> = FxSet::default();
    let blocks = flat.blocks.iter();
    let mut open: Vec<Term> =
        blocks.flat_map(|block| block.assigns.iter().map(|(_, term)| *term).chain(block.edges.iter().map(|edge| edge.guard))).collect();
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        match flat.terms.op(term) {
            Op::Forall(_) | Op::Exists(_) => return Some("quantifiers"),
            Op::Apply(function) if !flat.terms.is_computed(function) => return Some("uninterpreted functions"),
            _ => open.extend(flat.terms.args(term)),
        }
    }
    None
}
