//! The path condition of a state: a persistent sequence of conjuncts, also kept in independent groups (Symbooglix,
//! section IV). A clone costs a few reference counts and a push copies a few trie nodes, so that 100,000 states which
//! share their beginnings are cheap.
//!
//! A group holds the conjuncts that share symbols, transitively; it is a union-find whose parent pointers live in a
//! persistent map, with the smaller group put below the larger, so a lookup takes at most log n steps and needs no
//! path compression (which would write on reads). The conjuncts of a group are a chain of links; a conjunct that
//! joins groups points to the chains of all of them. Sequence numbers restore the order in which conjuncts were pushed: it grows
//! at the end along a path, which is what lets an incremental solver keep its stack. Every `STRIDE`-th link of the
//! sequence remembers the tables, so that where two paths diverged can be taken up again without a walk to the root.
//!
//! Soundness: every conjunct has all its symbols in one group, hence a model of the groups that touch a query can be
//! put together with any model of the other groups.

mod survey;

use crate::ranges::{self, Range};
use archery::RcK;
use fathom_base::FxHasher;
use fathom_term::{Op, Symbol, Term, TermStore, VarId, VarSets};
use rpds::HashTrieMap;
use smallvec::SmallVec;
use std::hash::{BuildHasherDefault, Hash};
use std::rc::Rc;
use survey::Survey;

type Map<K, V> = HashTrieMap<K, V, RcK, BuildHasherDefault<FxHasher>>;

fn empty_map<K: Eq + Hash, V>() -> Map<K, V> {
    HashTrieMap::new_with_hasher_and_ptr_kind(BuildHasherDefault::default())
}

type GroupId = u32;

/// Number of conjuncts between two links that store the tables.
const STRIDE: u32 = 32;

#[derive(Clone)]
enum Group {
    Root {
        newest: Rc<Link>,
        count: u32,
        quantified: bool,
    },
    /// United with another group.
    Below(GroupId),
}

/// A conjunct and the chains that it continues: one as a rule, several where it joined groups.
pub(crate) struct Link {
    term: Term,
    sequence: u32,
    older: SmallVec<[Rc<Link>; 1]>,
    /// In a group's chain: the symbols that no earlier conjunct has. So listing a group's symbols takes time linear in their
    /// number, although each conjunct of a loop may mention all earlier symbols again.
    fresh: SmallVec<[Symbol; 1]>,
    /// The tables up to and including this conjunct; stored at some links only.
    tables: Option<Box<Tables>>,
}

/// The tables that are derived from a sequence of conjuncts.
#[derive(Clone)]
struct Tables {
    members: Map<Term, ()>,
    group_of: Map<Symbol, GroupId>,
    groups: Map<GroupId, Group>,
    /// Large terms within conjuncts: all their symbols are in this group. In a loop each conjunct has those of the iterations
    /// before within it, and looking up all their symbols again would take longer in every iteration.
    grouped: Map<Term, GroupId>,
    known: Map<VarId, Term>,
    /// Of terms that were compared with constants.
    ranges: Map<Term, Range>,
    contradictory: bool,
    /// Whether some conjunct has a quantifier.
    quantified: bool,
}

impl Tables {
    fn new() -> Self {
        Tables {
            members: empty_map(),
            group_of: empty_map(),
            groups: empty_map(),
            grouped: empty_map(),
            known: empty_map(),
            ranges: empty_map(),
            contradictory: false,
            quantified: false,
        }
    }

    fn root(&self, mut id: GroupId) -> GroupId {
        while let Some(Group::Below(above)) = self.groups.get(&id) {
            id = *above;
        }
        id
    }
}

/// The common prefix of two conjunctions, and the remaining conjuncts of each, oldest first.
pub struct Divergence {
    /// The conjuncts that both begin with.
    pub common: Constraints,
    /// The rest of the first.
    pub left: Vec<Term>,
    /// The rest of the second.
    pub right: Vec<Term>,
}

impl Link {
    pub(crate) fn term(&self) -> Term {
        self.term
    }

    /// Its index in the sequence of conjuncts.
    pub(crate) fn sequence(&self) -> u32 {
        self.sequence
    }

    /// What came before, in the sequence of conjuncts.
    pub(crate) fn older(&self) -> Option<&Rc<Link>> {
        self.older.first()
    }
}

impl Drop for Link {
    /// Written without recursion: a chain may be longer than the stack is deep.
    fn drop(&mut self) {
        let mut waiting = std::mem::take(&mut self.older);
        while let Some(link) = waiting.pop() {
            if let Some(mut link) = Rc::into_inner(link) {
                waiting.append(&mut link.older);
            }
        }
    }
}

/// All conjuncts of a chain with their sequence numbers; newest first if no groups were joined.
fn collect(newest: &Rc<Link>, into: &mut Vec<(u32, Term)>) {
    let mut waiting: SmallVec<[&Rc<Link>; 8]> = SmallVec::new();
    waiting.push(newest);
    while let Some(link) = waiting.pop() {
        into.push((link.sequence, link.term));
        waiting.extend(&link.older);
    }
}

/// A conjunction of conditions. Clones share everything they have in common.
#[derive(Clone)]
pub struct Constraints {
    sets: Rc<VarSets>,
    newest: Option<Rc<Link>>,
    tables: Tables,
    len: u32,
}

impl Default for Constraints {
    fn default() -> Self {
        Self::new(Rc::default())
    }
}

impl Constraints {
    /// No constraint yet. All constraints of a run should share one memo of symbol sets.
    pub fn new(sets: Rc<VarSets>) -> Self {
        Self { sets, newest: None, tables: Tables::new(), len: 0 }
    }

    /// The memo of symbol sets.
    pub fn sets(&self) -> &Rc<VarSets> {
        &self.sets
    }

    /// Adds a condition; a conjunction is split, what is there already is not added again.
    pub fn push(&mut self, store: &TermStore, term: Term) {
        let mut waiting: SmallVec<[Term; 8]> = SmallVec::new();
        waiting.push(term);
        while let Some(term) = waiting.pop() {
            if store.op(term) == Op::And {
                waiting.extend(store.args(term).into_iter().rev());
            } else if store.const_bool(term) != Some(true) && !self.contains(term) {
                self.push_conjunct(store, term);
            }
        }
    }

    pub(crate) fn newest(&self) -> Option<&Rc<Link>> {
        self.newest.as_ref()
    }

    /// Whether some conjunct has a quantifier.
    pub fn is_quantified(&self) -> bool {
        self.tables.quantified
    }

    /// The number of conjuncts.
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether there are no conjuncts.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether `false` was pushed, two values for one variable, or comparisons that leave none.
    pub fn is_contradictory(&self) -> bool {
        self.tables.contradictory
    }

    /// Whether a term is one of the conjuncts.
    pub fn contains(&self, term: Term) -> bool {
        self.tables.members.contains_key(&term)
    }

    /// The conjuncts, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = Term> + use<> {
        self.to_vec().into_iter()
    }

    /// The conjuncts, oldest first.
    pub fn to_vec(&self) -> Vec<Term> {
        let mut found = Vec::with_capacity(self.len());
        if let Some(newest) = &self.newest {
            collect(newest, &mut found);
        }
        in_order(found)
    }

    /// The conjuncts of the groups that touch these symbols, oldest first. Costs only what it returns.
    pub fn relevant(&self, symbols: &[Symbol]) -> Vec<Term> {
        let mut found = Vec::new();
        for root in self.roots(symbols) {
            if let Some(Group::Root { newest, .. }) = self.tables.groups.get(&root) {
                collect(newest, &mut found);
            }
        }
        in_order(found)
    }

    /// The symbols of the groups that touch these symbols, in no order, each once.
    pub(crate) fn related_symbols(&self, symbols: &[Symbol]) -> Vec<Symbol> {
        let mut found = Vec::new();
        for root in self.roots(symbols) {
            if let Some(Group::Root { newest, .. }) = self.tables.groups.get(&root) {
                let mut waiting: SmallVec<[&Rc<Link>; 8]> = SmallVec::new();
                waiting.push(newest);
                while let Some(link) = waiting.pop() {
                    found.extend_from_slice(&link.fresh);
                    waiting.extend(&link.older);
                }
            }
        }
        found
    }

    /// The number of conjuncts that are relevant to a query about a condition.
    pub fn count_relevant(&self, store: &TermStore, condition: Term) -> usize {
        let count = |root: &GroupId| match self.tables.groups.get(root) {
            Some(Group::Root { count, .. }) => *count as usize,
            _ => 0,
        };
        self.survey(store, condition).roots.iter().map(count).sum()
    }

    /// All symbols of the conjuncts, in no order, each once.
    pub(crate) fn all_symbols(&self) -> Vec<Symbol> {
        self.tables.group_of.keys().copied().collect()
    }

    /// A copy that shares no memory with this conjunction.
    pub fn rebuilt(&self, store: &TermStore) -> Constraints {
        self.with_only(store, &self.to_vec())
    }

    /// Other conjuncts, with the same memo of symbol sets.
    pub fn with_only(&self, store: &TermStore, conjuncts: &[Term]) -> Constraints {
        let mut only = Constraints::new(self.sets.clone());
        conjuncts.iter().for_each(|&conjunct| only.push(store, conjunct));
        only
    }

    /// Whether a quantified conjunct shares symbols with the condition. Then an earlier model does not decide the condition,
    /// because it knows functions and maps at some points only.
    pub fn ties_to_quantifier(&self, store: &TermStore, condition: Term) -> bool {
        self.tables.quantified && self.has_quantified(&self.survey(store, condition).roots)
    }

    fn has_quantified(&self, roots: &[GroupId]) -> bool {
        self.tables.quantified && roots.iter().any(|id| matches!(self.tables.groups.get(id), Some(Group::Root { quantified: true, .. })))
    }

    /// Splits two conjunctions into their common prefix and the rests, in time linear in the rests.
    pub fn diverge(&self, store: &TermStore, other: &Constraints) -> Divergence {
        let (mut at, mut other_at) = (self.newest.as_ref(), other.newest.as_ref());
        let (mut left, mut right) = (Vec::new(), Vec::new());
        while let Some(link) = at.into_iter().chain(other_at).max_by_key(|link| link.sequence) {
            if let (Some(one), Some(two)) = (at, other_at)
                && Rc::ptr_eq(one, two)
            {
                break;
            }
            let sequence = link.sequence;
            for (at, beyond) in [(&mut at, &mut left), (&mut other_at, &mut right)] {
                if let Some(link) = at.filter(|link| link.sequence == sequence) {
                    beyond.push(link.term);
                    *at = link.older.first();
                }
            }
        }
        left.reverse();
        right.reverse();
        let mut common = self.up_to(store, at);
        left.retain(|&term| {
            let shared = other.contains(term);
            if shared {
                common.push(store, term);
            }
            !shared
        });
        right.retain(|&term| !self.contains(term));
        Divergence { common, left, right }
    }

    /// The conjunction as it was when this was its newest link.
    fn up_to(&self, store: &TermStore, newest: Option<&Rc<Link>>) -> Constraints {
        let mut restored = Constraints::new(self.sets.clone());
        let mut since = Vec::new();
        let mut at = newest;
        while let Some(link) = at {
            if let Some(tables) = &link.tables {
                restored.tables = (**tables).clone();
                break;
            }
            since.push(link);
            at = link.older.first();
        }
        for link in since.into_iter().rev() {
            restored.enter(store, link.term, link.sequence);
        }
        restored.newest = newest.cloned();
        restored.len = newest.map_or(0, |link| link.sequence + 1);
        restored
    }

    /// The constant that conjuncts fix: `variable = constant`, or bounds that meet.
    pub fn known_value(&self, var: VarId) -> Option<Term> {
        self.tables.known.get(&var).copied()
    }

    /// Whether conjuncts fix the value of any variable.
    pub fn fixes_variables(&self) -> bool {
        !self.tables.known.is_empty()
    }

    /// Whether comparisons with constants rule the condition out.
    pub fn out_of_range(&self, store: &TermStore, condition: Term) -> bool {
        let Some((term, comparison, holds)) = ranges::read(store, condition) else { return false };
        self.tables.ranges.get(&term).is_some_and(|range| range.decides(comparison) == Some(!holds))
    }

    fn push_conjunct(&mut self, store: &TermStore, term: Term) {
        let sequence = self.len;
        self.len += 1;
        self.enter(store, term, sequence);
        let older = self.newest.take().into_iter().collect();
        let tables = self.len.is_multiple_of(STRIDE).then(|| Box::new(self.tables.clone()));
        self.newest = Some(Rc::new(Link { term, sequence, older, fresh: SmallVec::new(), tables }));
    }

    /// Enters a conjunct of the sequence into the tables.
    fn enter(&mut self, store: &TermStore, term: Term, sequence: u32) {
        self.tables.members.insert_mut(term, ());
        self.learn_range(store, term);
        self.learn(store, term);
        // A conjunct without symbols (`false`, a closed quantified formula) belongs to no group.
        let Survey { roots, fresh, large } = self.survey(store, term);
        if roots.is_empty() && fresh.is_empty() {
            self.tables.quantified |= self.sets.is_quantified(store, term);
            return;
        }
        let quantified = self.sets.is_quantified(store, term) || self.has_quantified(&roots);
        self.tables.quantified |= quantified;
        let (id, older, count) = self.join(&roots, sequence);
        for &symbol in &fresh {
            self.tables.group_of.insert_mut(symbol, id);
        }
        for part in large {
            self.tables.grouped.insert_mut(part, id);
        }
        let newest = Rc::new(Link { term, sequence, older, fresh, tables: None });
        self.tables.groups.insert_mut(id, Group::Root { newest, count: count + 1, quantified });
    }

    /// Unites groups under the largest of them (union-find); returns its id and contents. `fresh` is the id for a new group.
    fn join(&mut self, roots: &[GroupId], fresh: GroupId) -> (GroupId, SmallVec<[Rc<Link>; 1]>, u32) {
        let mut chains = SmallVec::new();
        let (mut top, mut largest, mut total) = (fresh, 0, 0);
        for &id in roots {
            if let Some(Group::Root { newest, count, .. }) = self.tables.groups.get(&id) {
                chains.push(newest.clone());
                total += count;
                if *count > largest {
                    (top, largest) = (id, *count);
                }
            }
        }
        for &id in roots.iter().filter(|&&id| id != top) {
            self.tables.groups.insert_mut(id, Group::Below(top));
        }
        (top, chains, total)
    }

    /// The distinct groups of these symbols.
    fn roots(&self, symbols: &[Symbol]) -> SmallVec<[GroupId; 4]> {
        let mut roots: SmallVec<[GroupId; 4]> = SmallVec::new();
        for symbol in symbols {
            if let Some(&id) = self.tables.group_of.get(symbol) {
                roots.push(self.tables.root(id));
            }
        }
        roots.sort_unstable();
        roots.dedup();
        roots
    }

    /// Remembers comparisons with constants.
    fn learn_range(&mut self, store: &TermStore, condition: Term) {
        let Some((term, comparison, holds)) = ranges::read(store, condition) else { return };
        let sort = store.sort(term);
        let known = self.tables.ranges.get(&term).copied();
        let range = known.unwrap_or(Range::everything(sort.width())).narrowed(comparison, holds);
        self.tables.contradictory |= range.is_empty();
        self.tables.ranges.insert_mut(term, range);
        if let (Some(var), Some(value)) = (store.as_var(term), range.value())
            && !self.tables.known.contains_key(&var)
        {
            self.tables.known.insert_mut(var, store.bv(value, sort.width()));
        }
    }

    /// Remembers `x = c`, `b` and `not b`.
    fn learn(&mut self, store: &TermStore, term: Term) {
        let (var, value) = match store.op(term) {
            Op::Const(_) => {
                self.tables.contradictory = true;
                return;
            }
            Op::Var(var) => (var, store.bool(true)),
            Op::Not => match store.as_var(store.arg(term, 0)) {
                Some(var) => (var, store.bool(false)),
                None => return,
            },
            Op::Eq => {
                let (left, right) = (store.arg(term, 0), store.arg(term, 1));
                match (store.as_var(left), store.as_var(right)) {
                    (Some(var), None) if store.op(right).is_const() => (var, right),
                    (None, Some(var)) if store.op(left).is_const() => (var, left),
                    _ => return,
                }
            }
            _ => return,
        };
        match self.tables.known.get(&var) {
            Some(&known) => self.tables.contradictory |= known != value,
            None => self.tables.known.insert_mut(var, value),
        }
    }
}

fn in_order(mut found: Vec<(u32, Term)>) -> Vec<Term> {
    found.reverse();
    if !found.is_sorted_by_key(|(sequence, _)| *sequence) {
        found.sort_unstable_by_key(|(sequence, _)| *sequence);
    }
    found.into_iter().map(|(_, term)| term).collect()
}
