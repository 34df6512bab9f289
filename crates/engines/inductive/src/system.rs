//! The program as the engine sees it: cut points and segments, what is live where, and terms behind segments.

use crate::limits::Limits;
use fathom_base::FxMap;
use fathom_flat::{Flat, Segment, Target, Transition, instances};
use fathom_flow::Graph;
use fathom_term::{Substitution, Term, TermStore, VarId};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// A flat program between cut points.
pub struct System<'a> {
    /// What it is made of.
    pub flat: &'a Flat,
    /// In ascending order; the first is the start of the program.
    pub cuts: Vec<usize>,
    /// The ways from cut points to cut points, or to error locations.
    pub segments: Vec<Segment>,
    /// For each cut point the variables whose values matter from there on.
    pub live: FxMap<usize, BTreeSet<VarId>>,
    /// Variables that laws speak of, and nothing else (`fathom_flat::instances`).
    pub rigid: Vec<VarId>,
    behind: Vec<RefCell<Substitution>>,
}

impl<'a> System<'a> {
    /// None if there are too many segments, whatever is cut.
    pub fn of(flat: &'a Flat, limits: &Limits) -> Option<System<'a>> {
        let tries = [limits.ways, limits.ways / 4, 1];
        let (cuts, segments) = tries.into_iter().find_map(|ways| {
            let cuts = flat.cut_points(ways);
            let segments = flat.segments(&cuts, limits.segments)?;
            Some((cuts, segments))
        })?;
        let behind = segments.iter().map(|segment| RefCell::new(segment.behind())).collect();
        let live = live(flat, &cuts, &segments);
        Some(System { flat, cuts, segments, live, rigid: Vec::new(), behind })
    }

    /// The store of its terms.
    pub fn store(&self) -> &'a TermStore {
        &self.flat.terms
    }

    /// A term about the end of a segment, as one about its start.
    pub fn after(&self, segment: usize, term: Term) -> Term {
        self.behind[segment].borrow_mut().apply(self.store(), term)
    }

    /// What holds where a segment is taken and these facts hold before.
    pub fn context(&self, segment: usize, facts: &[Term]) -> Vec<Term> {
        let mut all = facts.to_vec();
        all.extend(&self.segments[segment].guard);
        all.extend(instances(self.store(), &self.rigid, facts, &self.segments[segment]));
        all
    }

    /// Whether a variable stands for an input.
    pub fn is_input(&self, var: VarId) -> bool {
        self.flat.inputs.ahead(var).is_some()
    }

    /// Variables of a term; None if it is about inputs.
    pub fn state_vars(&self, term: Term) -> Option<Vec<VarId>> {
        let vars = self.flat.vars(term);
        (!vars.iter().any(|&var| self.is_input(var))).then_some(vars)
    }

    /// Segments that lead to a cut point.
    pub fn inner(&self) -> impl Iterator<Item = (usize, usize, usize)> + '_ {
        let to = |segment: &Segment| segment.to.block();
        self.segments.iter().enumerate().filter_map(move |(number, segment)| Some((number, segment.from, to(segment)?)))
    }

    /// The components with a cycle that these segments form.
    pub fn components(&self, left: &[usize]) -> Vec<Vec<usize>> {
        let ends = |&number: &usize| Some((self.segments[number].from as u32, self.segments[number].to.block()? as u32));
        let edges: Vec<(u32, u32)> = left.iter().filter_map(ends).collect();
        let cycles = Graph::from_edges(self.flat.blocks.len(), edges).cycles();
        cycles.into_iter().map(|component| component.into_iter().map(|node| node as usize).collect()).collect()
    }

    /// The segments among `left` that begin and end at one of these cut points.
    pub fn within(&self, left: &[usize], heads: &[usize]) -> Vec<usize> {
        let stays = |&&number: &&usize| {
            let Segment { from, to, .. } = &self.segments[number];
            heads.contains(from) && matches!(to, Target::Block(to) if heads.contains(to))
        };
        left.iter().filter(stays).copied().collect()
    }

    /// The segments, for whoever looks at why there is no proof.
    pub fn log(&self) {
        if !tracing::enabled!(tracing::Level::TRACE) {
            return;
        }
        let text = |term: Term| fathom_term::smtlib::print_term(self.store(), term);
        for (number, segment) in self.segments.iter().enumerate() {
            let Segment { from, to, .. } = segment;
            let guard: Vec<String> = segment.guard.iter().map(|&part| text(part)).collect();
            let name = |var: VarId| self.store().var_name(var);
            let assigns: Vec<String> = segment.assigns.iter().map(|&(var, value)| format!("{} := {}", name(var), text(value))).collect();
            tracing::trace!(number, from, ?to, guard = guard.join(" "), assigns = assigns.join(", "), "segment");
        }
    }
}

/// For each cut point the variables whose values matter from there on.
fn live(flat: &Flat, cuts: &[usize], segments: &[Segment]) -> FxMap<usize, BTreeSet<VarId>> {
    // Other threads may read what all of them have.
    let shared = flat.concurrent.iter().flat_map(|concurrent| concurrent.shared.difference(&concurrent.unread));
    let everywhere: BTreeSet<VarId> = shared.copied().collect();
    let transitions: Vec<Transition<'_>> = segments
        .iter()
        .map(|segment| Transition { from: segment.from, to: segment.to.block(), guard: &segment.guard, assigns: &segment.assigns })
        .collect();
    let mut live = flat.live(&transitions, &everywhere);
    cuts.iter().for_each(|&cut| _ = live.entry(cut).or_insert_with(|| everywhere.clone()));
    live
}
