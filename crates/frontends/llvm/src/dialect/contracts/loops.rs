//! Loops with a contract. When control reaches the head for the first time, the invariants are asserted, everything
//! that the loop may write becomes arbitrary, and the invariants are assumed; the second time they are asserted, the
//! variant must have decreased, and the path ends. So an arbitrary iteration stands for all, and the loop is left from
//! an arbitrary state that satisfies the invariants. The loop may write what its `assigns` lists and variables that it
//! assigns by name; a frame reports any other write, so that everything that may change has become arbitrary.

use super::super::threads::end_of_statement;
use super::super::tokens::{Node, blanks, flat, show, split};
use super::assigned::assigned;
use super::clauses::{self, Clause, Kind, Target, next_visible};
use super::place::{Place, Problem};
use super::words::{Fresh, Words};
use std::fmt::Write;

/// Rewrites loops, and counts them for names.
#[derive(Default)]
pub struct Loops {
    pub count: usize,
    /// Annotations that stand in front of the next loop.
    leading: Vec<Clause>,
}

/// A loop with its contract.
struct Contract<'a> {
    clauses: Vec<Clause>,
    place: Place,
    condition: &'a [Node],
    body: &'a [Node],
}

impl Loops {
    /// The nodes with every loop that has a contract rewritten.
    pub fn rewrite(&mut self, nodes: &[Node], place: &Place) -> Result<Vec<Node>, Problem> {
        let mut done = Vec::new();
        let mut here = place.clone();
        let mut at = 0;
        while at < nodes.len() {
            if nodes[at].word().and_then(clauses::kind).is_some() {
                let behind = self.annotation(nodes, at, &here)?;
                done.extend(blanks(&nodes[at..behind]));
                here.pass_all(&nodes[at..behind]);
                at = behind;
                continue;
            }
            let length = match nodes[at].word() {
                Some("do") => self.do_loop(&nodes[at..], &here, &mut done)?,
                Some("while" | "for") => self.head_loop(&nodes[at..], &here, &mut done)?,
                _ => None,
            };
            let length = match length {
                Some(length) => length,
                None => {
                    done.push(match &nodes[at] {
                        Node::Group(open, inner) => Node::Group(*open, self.rewrite(inner, &here)?),
                        other => other.clone(),
                    });
                    1
                }
            };
            here.pass_all(&nodes[at..at + length]);
            at += length;
        }
        Ok(done)
    }

    /// Clauses in front of a loop; the position of the loop.
    fn annotation(&mut self, nodes: &[Node], at: usize, here: &Place) -> Result<usize, Problem> {
        let (leading, behind) = clauses::clauses(nodes, at, here)?;
        self.leading = leading;
        let is_loop = |&next: &usize| ["for", "while", "do"].iter().any(|word| nodes[next].is(word));
        next_visible(nodes, behind)
            .filter(is_loop)
            .ok_or_else(|| Problem { place: here.clone(), what: "this clause is about a loop, and no loop follows".into() })
    }

    /// `while (c) clauses body` and `for (a; b; c) clauses body`; the number of nodes, if there are clauses.
    fn head_loop(&mut self, nodes: &[Node], here: &Place, done: &mut Vec<Node>) -> Result<Option<usize>, Problem> {
        let Some(head) = next_visible(nodes, 1).filter(|&at| nodes[at].inside('(').is_some()) else { return Ok(None) };
        let mut place = here.clone();
        place.pass_all(&nodes[..=head]);
        let (own, behind) = clauses::clauses(nodes, head + 1, &place)?;
        let clauses = [std::mem::take(&mut self.leading), own].concat();
        if clauses.is_empty() {
            return Ok(None);
        }
        let end = end_of_statement(nodes, behind).ok_or_else(|| Problem { place: place.clone(), what: NO_BODY.into() })?;
        place = here.clone();
        place.pass_all(&nodes[..behind]);
        let body = self.rewrite(&nodes[behind..end], &place)?;
        let head_nodes = nodes[head].inside('(').unwrap_or_default();
        let parts = split(head_nodes, ";");
        let (first, condition, step) = match (nodes[0].is("for"), &parts[..]) {
            (true, [first, condition, step]) => (*first, *condition, *step),
            (false, [condition]) => (&[][..], *condition, &[][..]),
            _ => return Err(Problem { place: here.clone(), what: "this is no head of a loop".into() }),
        };
        let contract = Contract { clauses, place: here.clone(), condition: head_nodes, body: &nodes[behind..end] };
        let Written { before, at_head } = self.written(&contract)?;
        let condition = if flat(condition).is_empty() { "1".to_string() } else { flat(condition) };
        let mut text = format!("{{ {}; {before} for (; ({at_head}), ({condition}); {})", flat(first), flat(step));
        text.push_str(&show(&blanks(&nodes[..behind])));
        text.push_str(&show(&body));
        text.push_str(" }");
        done.push(Node::Other(text));
        Ok(Some(end))
    }

    /// `do body while (c) clauses;`.
    fn do_loop(&mut self, nodes: &[Node], here: &Place, done: &mut Vec<Node>) -> Result<Option<usize>, Problem> {
        let Some(body_end) = end_of_statement(nodes, 1) else { return Ok(None) };
        let Some(word) = next_visible(nodes, body_end).filter(|&at| nodes[at].is("while")) else { return Ok(None) };
        let Some(head) = next_visible(nodes, word + 1).filter(|&at| nodes[at].inside('(').is_some()) else { return Ok(None) };
        let mut place = here.clone();
        place.pass_all(&nodes[..=head]);
        let (own, behind) = clauses::clauses(nodes, head + 1, &place)?;
        let clauses = [std::mem::take(&mut self.leading), own].concat();
        let Some(end) = next_visible(nodes, behind).filter(|&at| nodes[at].is(";")) else { return Ok(None) };
        let mut body_place = here.clone();
        body_place.pass(&nodes[0]);
        let body = self.rewrite(&nodes[1..body_end], &body_place)?;
        if clauses.is_empty() {
            done.push(nodes[0].clone());
            done.extend(body);
            done.extend(nodes[body_end..=end].iter().cloned());
            return Ok(Some(end + 1));
        }
        let condition = nodes[head].inside('(').unwrap_or_default();
        let contract = Contract { clauses, place: here.clone(), condition, body: &nodes[1..body_end] };
        let Written { before, at_head } = self.written(&contract)?;
        let text = format!(
            "{{ {before} do {{ {at_head}; {} }} {} while ({}); }}",
            show(&body),
            show(&blanks(&nodes[body_end..end])),
            flat(condition)
        );
        done.push(Node::Other(text));
        Ok(Some(end + 1))
    }

    fn written(&mut self, contract: &Contract<'_>) -> Result<Written, Problem> {
        self.count += 1;
        let frame = format!("fathom_loop_{}", self.count);
        let measure = format!("fathom_measure_{}", self.count);
        let mut words = Words::new(Fresh::Expected, "fathom_entry_");
        let (mut invariants, mut measures, mut targets) = (Vec::new(), Vec::new(), Vec::new());
        for clause in &contract.clauses {
            match clause.kind {
                Kind::Invariant => invariants.push((words.expression(clause)?, clause.text())),
                Kind::Decreases => measures.push((words.expression(clause)?, clause.text())),
                Kind::Assigns => targets.extend(clauses::targets(clause)?),
                _ => {
                    let what = "this clause belongs to a function, not to a loop".into();
                    return Err(Problem { place: clause.place.clone(), what });
                }
            }
        }
        if measures.len() > 1 {
            let what = "a loop decreases one expression; several are not supported".into();
            return Err(Problem { place: contract.place.clone(), what });
        }
        targets.extend(assigned(contract.condition, contract.body).iter().map(|name| clauses::variable(name)));
        let whose = format!("the contract of the loop in line {}", contract.place.line);
        let before = format!(
            "struct fathom_frame {frame} __attribute__((cleanup(fathom_frame_leave))) = {{0}}; {} {}",
            words.remembered(),
            if measures.is_empty() { String::new() } else { format!("_BitInt(128) {measure} = 0;") }
        );
        Ok(Written { before, at_head: at_head(&frame, &measure, &invariants, &measures, &targets, &whose) })
    }
}

const NO_BODY: &str = "a loop with a contract needs a body in braces";

/// What stands before the loop, and an expression for its head.
struct Written {
    before: String,
    at_head: String,
}

type Texts = [(String, String)];

fn at_head(frame: &str, measure: &str, invariants: &Texts, measures: &Texts, targets: &[Target], whose: &str) -> String {
    let mut text = format!("({{ if (!{frame}.is_active) {{ ");
    for (condition, quoted) in invariants {
        let _ = write!(text, "__CPROVER_assert({condition}, \"the invariant holds where the loop begins: {quoted}\"); ");
    }
    targets.iter().for_each(|target| text.push_str(&target.permit(frame)));
    if !measures.is_empty() {
        let _ = write!(text, "fathom_frame_may(&{frame}, &{measure}, sizeof {measure}); ");
    }
    let _ = write!(text, "fathom_frame_begin(&{frame}); (void)fathom_any_int(\"bounds of {whose}\"); ");
    targets.iter().for_each(|target| text.push_str(&target.forget(whose)));
    for (condition, _) in invariants {
        let _ = write!(text, "__CPROVER_assume({condition}); ");
    }
    for (value, _) in measures {
        let _ = write!(text, "{measure} = ({value}); ");
    }
    text.push_str("} else { ");
    for (condition, quoted) in invariants {
        let _ = write!(text, "__CPROVER_assert({condition}, \"the loop keeps the invariant: {quoted}\"); ");
    }
    for (value, quoted) in measures {
        let _ = write!(text, "__CPROVER_assert({measure} >= 0 && (_BitInt(128))({value}) < {measure}, \"the loop decreases: {quoted}\"); ");
    }
    text.push_str("__CPROVER_assume(0); } })");
    text
}
