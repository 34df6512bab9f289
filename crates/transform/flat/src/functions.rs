//! Turns functions without a definition into maps that are inputs of the program and never change, so that a test has
//! values for them like for everything else. A function of several arguments is a map of maps. Functions of theories
//! and built-in functions stay unchanged.

use crate::program::{Block, Inputs};
use fathom_base::FxMap;
use fathom_term::{FnId, Op, Rewrite, Term, TermStore, rewrite};
use std::convert::Infallible;

/// Rewrites all blocks; the first one is where runs start.
pub(crate) fn as_maps(store: &TermStore, inputs: &Inputs, blocks: &mut [Block]) {
    let mut maps = Maps { store, at_start: FxMap::default(), names: FxMap::default(), memo: FxMap::default(), has_quantifiers: false };
    let Some((start, others)) = blocks.split_first_mut() else { return };
    for block in std::iter::once(&*start).chain(&*others) {
        terms(block).for_each(|term| maps.collect(term));
    }
    // Reads below quantifiers are not rewritten; so if there are any, none is, or one function would have two meanings.
    if maps.names.is_empty() || maps.has_quantifiers {
        return;
    }
    maps.memo.clear();
    let mut functions: Vec<FnId> = maps.names.keys().copied().collect();
    functions.sort();
    for function in functions {
        let name = maps.names[&function];
        let input = inputs.next(store, start.inputs.len() as u32, store.sort(name));
        start.inputs.push(store.sort(name));
        maps.at_start.insert(function, input);
        start.assigns.extend(store.as_var(name).map(|var| (var, input)));
    }
    maps.rewrite_block(start, true);
    maps.memo.clear();
    others.iter_mut().for_each(|block| maps.rewrite_block(block, false));
}

fn terms(block: &Block) -> impl Iterator<Item = Term> {
    let passed = block.call.iter().flat_map(|call| call.entry.iter().copied());
    let guards = block.edges.iter().map(|edge| edge.guard).chain(block.origins.iter().map(|origin| origin.when));
    block.assigns.iter().map(|(_, term)| *term).chain(guards).chain(passed)
}

struct Maps<'a> {
    store: &'a TermStore,
    /// What the start of the program calls them, and everything behind it.
    at_start: FxMap<FnId, Term>,
    names: FxMap<FnId, Term>,
    memo: FxMap<Term, Term>,
    has_quantifiers: bool,
}

impl Maps<'_> {
    fn collect(&mut self, root: Term) {
        let store = self.store;
        let mut open = vec![root];
        while let Some(term) = open.pop() {
            if self.memo.insert(term, term).is_some() {
                continue;
            }
            if let Op::Apply(function) = store.op(term)
                && store.lambda(function).is_none()
                && store.theory_head(function).is_none()
                && !store.is_computed(function)
            {
                let (arguments, result) = store.function_sorts(function);
                let sort = arguments.iter().rev().fold(result, |element, &index| store.array_sort(index, element));
                self.names.entry(function).or_insert_with(|| store.var(&format!("function!{}", store.function_name(function)), sort));
            }
            self.has_quantifiers |= matches!(store.op(term), Op::Forall(_) | Op::Exists(_));
            open.extend(store.args(term));
        }
    }

    fn rewrite_block(&mut self, block: &mut Block, is_start: bool) {
        block.assigns.iter_mut().for_each(|(_, term)| *term = self.rewrite(*term, is_start));
        block.edges.iter_mut().for_each(|edge| edge.guard = self.rewrite(edge.guard, is_start));
        block.origins.iter_mut().for_each(|origin| origin.when = self.rewrite(origin.when, is_start));
        block.call.iter_mut().flat_map(|call| &mut call.entry).for_each(|term| *term = self.rewrite(*term, is_start));
    }

    fn rewrite(&mut self, root: Term, is_start: bool) -> Term {
        let names = if is_start { &self.at_start } else { &self.names };
        let Ok(image) = rewrite(self.store, &mut self.memo, root, &mut Applied { names });
        image
    }
}

/// Applications become reads of the maps of these names.
struct Applied<'a> {
    names: &'a FxMap<FnId, Term>,
}

impl Rewrite for Applied<'_> {
    type Error = Infallible;

    fn down(&mut self, store: &TermStore, term: Term) -> Option<Term> {
        (store.args(term).is_empty() && !matches!(store.op(term), Op::Apply(_))).then_some(term)
    }

    fn up(&mut self, store: &TermStore, term: Term, args: &[Term]) -> Result<Term, Infallible> {
        Ok(match store.op(term) {
            Op::Apply(function) if let Some(&map) = self.names.get(&function) => {
                args.iter().fold(map, |map, &index| store.select(map, index))
            }
            _ if args == &store.args(term)[..] => term,
            op => store.build(op, args),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_term::Sort;

    #[test]
    fn two_arguments_are_a_map_of_maps() {
        let store = TermStore::new();
        let function = store.function("f", &[Sort::Int, Sort::Int], Sort::Bool);
        let x = store.var("x", Sort::Int);
        let guard = store.build(Op::Apply(function), &[x, x]);
        let edges = vec![crate::program::Edge { guard, target: crate::program::Target::End }];
        let block = || Block {
            label: String::new(),
            loc: fathom_base::Loc::UNKNOWN,
            begins: None,
            origins: Vec::new(),
            inputs: Vec::new(),
            assigns: Vec::new(),
            edges: edges.clone(),
            call: None,
        };
        let mut blocks = [block(), block()];
        as_maps(&store, &Inputs::default(), &mut blocks);
        assert_eq!(blocks[0].inputs.len(), 1);
        let map = store.var_term(blocks[0].assigns[0].0);
        assert_eq!(blocks[1].edges[0].guard, store.select(store.select(map, x), x));
        assert_eq!(blocks[0].edges[0].guard, store.select(store.select(blocks[0].assigns[0].1, x), x));
    }
}
