//! Expressions that have a meaning only in contracts: the result, old values, and fresh objects. Their translation
//! depends on whether a clause is assumed, in which case fresh objects are created, or asserted, in which case they
//! must exist.

use super::super::tokens::{Node, flat, split, trim};
use super::clauses::Clause;
use super::place::Problem;

/// What becomes of `__CPROVER_is_fresh`.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Fresh {
    /// The pointer gets an object of its own.
    Made,
    /// The same, on behalf of a function that allocates it.
    MadeByCallee,
    /// There must be so many bytes, apart from others of the clause.
    Expected,
    /// There must be an object that the function made.
    ExpectedNew,
}

/// Replaces words, and collects what is to be remembered before.
pub struct Words {
    pub fresh: Fresh,
    /// Expressions whose values of before are used; their number is that of the variable.
    pub old: Vec<String>,
    /// What the variables are called.
    pub prefix: &'static str,
}

impl Words {
    pub fn new(fresh: Fresh, prefix: &'static str) -> Words {
        Words { fresh, old: Vec::new(), prefix }
    }

    /// A clause as an expression of C, on one line.
    pub fn expression(&mut self, clause: &Clause) -> Result<String, Problem> {
        let body = self.nodes(&clause.body, clause)?;
        Ok(flat(&body))
    }

    fn nodes(&mut self, nodes: &[Node], clause: &Clause) -> Result<Vec<Node>, Problem> {
        let mut done = Vec::new();
        let mut at = 0;
        while at < nodes.len() {
            let next = super::clauses::next_visible(nodes, at + 1);
            let arguments = next.and_then(|next| nodes[next].inside('('));
            match (nodes[at].word(), arguments) {
                (Some("__CPROVER_return_value" | "__ESBMC_return_value"), _) => done.push(Node::Word("fathom_result".into())),
                (Some(word), Some(arguments)) => match self.call(word, arguments, clause)? {
                    Some(text) => {
                        done.push(Node::Other(text));
                        at = next.unwrap_or(at);
                    }
                    None => done.push(nodes[at].clone()),
                },
                _ => match &nodes[at] {
                    Node::Group(open, inner) => done.push(Node::Group(*open, self.nodes(inner, clause)?)),
                    other => done.push(other.clone()),
                },
            }
            at += 1;
        }
        Ok(done)
    }

    fn call(&mut self, word: &str, arguments: &[Node], clause: &Clause) -> Result<Option<String>, Problem> {
        let wrong = |what: &str| Problem { place: clause.place.clone(), what: format!("{word} {what}") };
        let given = split(arguments, ",");
        match word {
            "__CPROVER_old" | "__ESBMC_old" | "__CPROVER_loop_entry" => {
                let expression = flat(arguments);
                if trim(arguments).is_empty() {
                    return Err(wrong("needs an expression"));
                }
                let number = self.old.iter().position(|known| *known == expression).unwrap_or_else(|| {
                    self.old.push(expression);
                    self.old.len() - 1
                });
                Ok(Some(format!("{}{number}", self.prefix)))
            }
            "__CPROVER_is_fresh" | "__ESBMC_is_fresh" => {
                let [pointer, count] = given[..] else { return Err(wrong("needs a pointer and a number of bytes")) };
                let (pointer, count) = (self.nodes(pointer, clause)?, self.nodes(count, clause)?);
                Ok(Some(self.fresh_object(&flat(&pointer), &flat(&count))))
            }
            "__CPROVER_pointer_equals" => {
                let [pointer, other] = given[..] else { return Err(wrong("needs two pointers")) };
                let (pointer, other) = (flat(&self.nodes(pointer, clause)?), flat(&self.nodes(other, clause)?));
                Ok(Some(match self.fresh {
                    Fresh::Made | Fresh::MadeByCallee => format!("({{ *(void **)&({pointer}) = (void *)({other}); 1; }})"),
                    _ => format!("(({pointer}) == ({other}))"),
                }))
            }
            _ => Ok(None),
        }
    }

    fn fresh_object(&self, pointer: &str, count: &str) -> String {
        let label = format!("object of {}", pointer.replace(['"', '\\'], ""));
        let made = match self.fresh {
            Fresh::MadeByCallee => "fathom_object(fathom_count, 0, \"heap object\")".to_string(),
            _ => format!("fathom_object(fathom_count, __alignof__(*({pointer})), \"{label}\")"),
        };
        match self.fresh {
            Fresh::Made | Fresh::MadeByCallee => format!(
                "({{ __SIZE_TYPE__ fathom_count = ({count}); void *fathom_made = {made}; \
                 __CPROVER_assume(fathom_made != 0); fathom_forget_bytes(fathom_made, fathom_count, \"{label}\"); \
                 *(void **)&({pointer}) = fathom_made; 1; }})"
            ),
            Fresh::Expected => format!("fathom_frame_is_there(&fathom_apart, {pointer}, {count})"),
            Fresh::ExpectedNew => format!("fathom_frame_is_fresh(&fathom_apart, &fathom_frame, {pointer}, {count})"),
        }
    }

    /// Declarations of the variables that remember values.
    pub fn remembered(&self) -> String {
        let remember = |(number, expression): (usize, &String)| format!("__auto_type {}{number} = ({expression}); ", self.prefix);
        self.old.iter().enumerate().map(remember).collect()
    }
}
