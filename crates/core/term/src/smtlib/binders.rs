//! `let`, quantifiers and annotations: what opens a scope, or only wraps a term.

use crate::smtlib::elaborate::{Done, Elaborator, Task, declare_var};
use crate::smtlib::sexp::{Kind, NodeId, ReadError};
use crate::smtlib::sorts::sort_of;

impl Elaborator<'_> {
    pub(super) fn eval_let(&mut self, node: NodeId, rest: &[NodeId]) -> Done {
        let malformed = || self.sexps.error(node, "expected (let ((name term) ...) term)");
        let &[bindings, body] = rest else { return Err(malformed()) };
        let mut names = Vec::new();
        let mut values = Vec::new();
        for &binding in self.sexps.list(bindings).ok_or_else(malformed)? {
            let &[name, value] = self.sexps.list(binding).ok_or_else(malformed)? else { return Err(malformed()) };
            names.push(self.sexps.scope_key(name).ok_or_else(malformed)?);
            values.push(value);
        }
        self.tasks.extend([Task::Unbind(names.clone()), Task::Eval(body), Task::Bind(names)]);
        self.tasks.extend(values.into_iter().rev().map(Task::Eval));
        Ok(())
    }

    pub(super) fn eval_quantifier(&mut self, node: NodeId, universal: bool, rest: &[NodeId]) -> Done {
        let malformed = || self.sexps.error(node, "expected ((name sort) ...) and a term");
        let &[variables, body] = rest else { return Err(malformed()) };
        let (mut bound, mut names) = (Vec::new(), Vec::new());
        for &variable in self.sexps.list(variables).ok_or_else(malformed)? {
            let &[name, sort] = self.sexps.list(variable).ok_or_else(malformed)? else { return Err(malformed()) };
            let sort = sort_of(self.maker.store, self.sexps, sort, self.environment)?;
            let term = declare_var(self.maker.store, self.sexps.symbol(name).ok_or_else(malformed)?, sort);
            bound.extend(self.maker.store.as_var(term));
            names.push((self.sexps.scope_key(name).ok_or_else(malformed)?, term));
        }
        let (body, triggers) = self.split_patterns(body)?;
        for (name, term) in &names {
            self.bind(name, *term);
        }
        let names = names.into_iter().map(|(name, _)| name).collect();
        let counts = triggers.iter().map(Vec::len).collect();
        self.tasks.push(Task::Quantify { universal, bound, names, triggers: counts });
        self.tasks.extend(triggers.concat().into_iter().rev().map(Task::Eval));
        self.tasks.push(Task::Eval(body));
        Ok(())
    }

    /// The body under `(! body :pattern (...) ...)` and the patterns.
    fn split_patterns(&self, body: NodeId) -> Result<(NodeId, Vec<Vec<NodeId>>), ReadError> {
        let Some(&[bang, inner, ref attributes @ ..]) = self.sexps.list(body) else { return Ok((body, Vec::new())) };
        if self.sexps.symbol(bang) != Some("!") {
            return Ok((body, Vec::new()));
        }
        let mut triggers = Vec::new();
        for pair in attributes.windows(2) {
            if matches!(self.sexps.kind(pair[0]), Kind::Keyword(name) if name == "pattern") {
                let parts = self.sexps.list(pair[1]).filter(|parts| !parts.is_empty());
                triggers.push(parts.ok_or_else(|| self.sexps.error(pair[1], "a list of terms is expected"))?.to_vec());
            }
        }
        Ok((inner, triggers))
    }

    pub(super) fn eval_annotated(&mut self, node: NodeId, rest: &[NodeId]) -> Done {
        let Some((&term, attributes)) = rest.split_first() else {
            return Err(self.sexps.error(node, "a term is expected after `!`"));
        };
        for pair in attributes.windows(2) {
            if matches!(self.sexps.kind(pair[0]), Kind::Keyword(name) if name == "named")
                && let Some(name) = self.sexps.symbol(pair[1])
            {
                self.tasks.push(Task::Name(name.to_string()));
            }
        }
        self.tasks.push(Task::Eval(term));
        Ok(())
    }
}
