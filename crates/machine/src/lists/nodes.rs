//! The common contents of two neighbours in a list. Equal bytes become the contents of every node of the segment; plain
//! data that differs becomes arbitrary in each node, restricted by laws: conditions on the data of a node that are
//! known to hold for both, such as `0 <= stock && order <= stock`.

use crate::exec::machine::Machine;
use crate::exec::state::State;
use crate::exec::value::{ObjectKey, Val};
use crate::lists::chains::Segment;
use crate::memory::contents::{Base, ByteSource};
use crate::memory::objects::Object;
use fathom_smt::Verdict;
use fathom_term::{Sort, Substitution, Symbol, Term, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// More conditions on a node's data are not kept.
const MOST_LAWS: usize = 16;

/// A node, or the segment that it stands for.
pub(crate) struct Node<'a> {
    pub key: ObjectKey,
    pub object: &'a Object,
    pub segment: Option<&'a Segment>,
}

/// Data of a node: offset and length.
type Field = (u64, u64);

impl Node<'_> {
    fn is_free(&self, at: u64) -> bool {
        self.segment.is_some_and(|segment| segment.free.iter().any(|&(start, length)| start <= at && at < start + length))
    }

    /// A field as one value.
    fn value(&self, (offset, length): Field) -> Option<Val> {
        let contents = &self.object.contents;
        contents.read_cell(offset, length).or_else(|| contents.read_concrete(offset, length).map(Val::Bits))
    }
}

impl Machine {
    /// The data that is arbitrary in each node of the segment that two become, and the laws of it. None if the nodes differ in
    /// more than data, or if more is lost by that than is allowed.
    pub(crate) fn in_common(&mut self, state: &State, nodes: [Node; 2], skipped: &[u64], lossy: bool) -> Option<(Vec<Field>, Vec<Term>)> {
        let Val::Bits(size) = nodes[0].object.size else { return None };
        // Unseen code may have written the same arbitrary bytes to several objects.
        if nodes.iter().any(|node| matches!(node.object.contents.base, Base::Array { .. } | Base::Foreign(_))) {
            return None;
        }
        let bytes = self.book.pointer_bits() as u64 / 8;
        let is_skipped = |at: u64| skipped.iter().any(|&field| field <= at && at < field + bytes);
        let mut differs = BTreeSet::new();
        let mut lost = false;
        for at in (0..size).filter(|&at| !is_skipped(at)) {
            let is_free = nodes.iter().any(|node| node.is_free(at));
            if !is_free && same_byte(&nodes, at) {
                continue;
            }
            for node in &nodes {
                let source = node.object.contents.byte(at);
                if !self.is_plain(&source) {
                    return None;
                }
                lost |= !node.is_free(at) && !self.is_symbol(&source);
            }
            differs.insert(at);
        }
        let free = fields(&nodes, &differs, size);
        let known = nodes.each_ref().map(|node| self.laws_of(state, node, &free));
        lost |= known[0] != known[1];
        if lost && !lossy {
            return None;
        }
        let mut laws: Vec<Term> = Vec::new();
        for (own, other) in [(&known[0], 1), (&known[1], 0)] {
            for &law in own.iter().take(MOST_LAWS) {
                if !laws.contains(&law) && (known[other].contains(&law) || self.obeys(state, &nodes[other], &free, law)) {
                    laws.push(law);
                }
            }
        }
        laws.sort_unstable();
        Some((free, laws))
    }

    /// The variable that laws have for a field.
    pub(crate) fn field_variable(&self, (offset, length): Field) -> Term {
        self.store.var(&format!("node@{offset}.{length}"), Sort::Bv(length as u32 * 8))
    }

    fn is_plain(&self, source: &ByteSource) -> bool {
        match source {
            ByteSource::CellByte { value: Val::Pointer { .. }, .. } => false,
            ByteSource::CellByte { value: Val::Term(term), .. } => !self.has_address(*term),
            _ => true,
        }
    }

    /// Whether it is a symbol, or a part of one: then the laws say all that is known of it.
    fn is_symbol(&self, source: &ByteSource) -> bool {
        match source {
            ByteSource::CellByte { value: Val::Term(term), .. } => self.store.as_var(*term).is_some(),
            ByteSource::Base => true,
            _ => false,
        }
    }

    /// What is known of the data of a node that is one symbol each, over the variables of fields.
    fn laws_of(&self, state: &State, node: &Node, free: &[Field]) -> BTreeSet<Term> {
        if let Some(segment) = node.segment {
            return segment.laws.iter().copied().collect();
        }
        let symbols: BTreeMap<VarId, Term> = free
            .iter()
            .filter_map(|&field| match node.value(field)? {
                Val::Term(term) => Some((self.store.as_var(term)?, self.field_variable(field))),
                _ => None,
            })
            .collect();
        let wanted: Vec<Symbol> = symbols.keys().map(|&var| Symbol::Var(var)).collect();
        let sets = state.path.constraints.sets();
        let about_it = state.path.constraints.relevant(&wanted).into_iter().filter(|&law| {
            let mut vars = sets.vars(&self.store, law).into_iter();
            vars.all(|var| symbols.contains_key(&var))
        });
        let mut renaming = Substitution::new(symbols.clone());
        about_it.map(|law| renaming.apply(&self.store, law)).collect()
    }

    /// Whether the data of a node follows a law.
    fn obeys(&mut self, state: &State, node: &Node, free: &[Field], law: Term) -> bool {
        if node.segment.is_some() {
            return false;
        }
        let mut images = Vec::new();
        for &field in free {
            if let (Some(var), Some(value)) = (self.store.as_var(self.field_variable(field)), node.value(field)) {
                images.push((var, self.term_of(value, Sort::Bv(field.1 as u32 * 8))));
            }
        }
        let fields: BTreeSet<VarId> = images.iter().map(|(var, _)| *var).collect();
        if !state.path.constraints.sets().vars(&self.store, law).into_iter().all(|var| fields.contains(&var)) {
            return false;
        }
        let condition = Substitution::new(images).apply(&self.store, law);
        if let Some(known) = self.store.const_bool(condition) {
            return known;
        }
        let (store, budget) = (self.store.clone(), self.budget.clone());
        let Some(oracle) = self.oracle() else { return false };
        matches!(oracle.check(&state.path.constraints, store.not(condition), Some(&state.path.model), &budget), Verdict::Unsat)
    }
}

fn same_byte([one, two]: &[Node; 2], at: u64) -> bool {
    let (left, right) = (&one.object.contents, &two.object.contents);
    match (left.byte(at), right.byte(at)) {
        (ByteSource::Concrete(x), ByteSource::Concrete(y)) => x == y,
        (ByteSource::CellByte { value: x, length: n, index: i }, ByteSource::CellByte { value: y, length: m, index: j }) => {
            n == m && i == j && same_value(x, one.key, y, two.key)
        }
        (ByteSource::Base, ByteSource::Base) => left.base == right.base,
        (ByteSource::Base, ByteSource::Concrete(0)) => left.base == Base::Zero,
        (ByteSource::Concrete(0), ByteSource::Base) => right.base == Base::Zero,
        _ => false,
    }
}

/// Equal, or pointers of two nodes to themselves.
fn same_value(one: Val, first: ObjectKey, two: Val, second: ObjectKey) -> bool {
    match (one, two) {
        (Val::Pointer { object: a, offset: i }, Val::Pointer { object: b, offset: j }) if a == first || b == second => {
            a == first && b == second && i == j
        }
        _ => one == two,
    }
}

/// The fields that bytes belong to: cells and free data of either node, else words.
fn fields(nodes: &[Node; 2], bytes: &BTreeSet<u64>, size: u64) -> Vec<Field> {
    let mut known: Vec<Field> = Vec::new();
    for node in nodes {
        known.extend(node.segment.iter().flat_map(|segment| segment.free.iter().copied()));
        known.extend(node.object.contents.cells().map(|(at, cell)| (at, u64::from(cell.length))));
    }
    // The longest first: another one inside of it is no field.
    known.sort_unstable_by_key(|&(at, length)| (std::cmp::Reverse(length), at));
    let mut found: BTreeMap<u64, u64> = BTreeMap::new();
    let is_taken = |found: &BTreeMap<u64, u64>, at: u64| found.iter().any(|(&start, &length)| start <= at && at < start + length);
    for &at in bytes {
        if is_taken(&found, at) {
            continue;
        }
        let inside = known.iter().copied().find(|&(start, length)| start <= at && at < start + length);
        let (start, length) = inside.unwrap_or((at & !3, (size - (at & !3)).min(4)));
        match (start..start + length).any(|at| is_taken(&found, at)) {
            true => found.insert(at, 1),
            false => found.insert(start, length),
        };
    }
    found.into_iter().collect()
}
