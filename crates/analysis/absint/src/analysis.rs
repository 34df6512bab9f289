//! The fixed point of a procedure. Blocks are taken in the weak topological order of `Loops` (Bourdoncle 1993): a loop is
//! run until the state at its head no longer grows, widening after the first rounds, then twice more from what the edges
//! bring (narrowing: each state that is recomputed from sound ones is sound again). Inner loops are stabilised within each
//! round of outer ones. States per edge, not per block, so that the join at a block forgets nothing too early.

use crate::checks::Judged;
use crate::context::{Context, ProcInfo};
use crate::refine::Unreachable;
use crate::state::State;
use crate::statements::At;
use crate::value::{Abs, AllThresholds};
use fathom_base::{Budget, FxMap, FxSet};
use fathom_flow::Graph;
use fathom_ir::{BlockId, Body, LoopHead, ProcId, TerminatorKind};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The analysis ran out of its budget: nothing that it has is complete.
#[derive(Debug)]
pub struct GivenUp;

/// Why a run of a procedure goes no further.
pub enum Stop {
    Unreachable,
    GivenUp,
}

impl From<Unreachable> for Stop {
    fn from(_: Unreachable) -> Stop {
        Stop::Unreachable
    }
}

/// What a step of the analysis gives.
pub type Step = Result<(), Stop>;

/// Rounds of a loop that join before widening begins, that widen to every threshold, to a few of them, to none, and after
/// which what still changes is given up.
const JOINS: u32 = 1;
const FINE: u32 = 6;
const COARSE: u32 = 9;
const ROUNDS: u32 = 13;
const NARROWING: u32 = 2;

/// Statements that may be run in all; above the first number calls are no longer followed.
const SOFT_WORK: u64 = 200_000;
const HARD_WORK: u64 = 2_000_000;

/// A call that was followed: where it started and how it ended.
pub(crate) struct Summary {
    pub entry: State,
    pub exit: Option<State>,
}

/// Runs a program on abstract states, and keeps those at loop heads.
pub struct Analyser<'a> {
    pub context: &'a Context,
    budget: &'a Budget,
    work: u64,
    pub(crate) calls: Vec<(At, ProcId)>,
    pub(crate) summaries: FxMap<Vec<At>, Summary>,
    /// Whether states are final: what is seen is what holds.
    pub(crate) recording: bool,
    /// States at loop heads, over all calls.
    pub heads: BTreeMap<LoopHead, State>,
    /// Procedures that may run in states that were not followed.
    pub(crate) unfollowed: FxSet<ProcId>,
    /// What is known of checks, if they are judged.
    pub(crate) judged: Option<Judged<'a>>,
}

/// The states of one run of a procedure.
struct Run<'a> {
    procedure: ProcId,
    body: &'a Body,
    info: Rc<ProcInfo>,
    /// Blocks in order.
    order: Vec<u32>,
    predecessors: Vec<Vec<u32>>,
    entry: State,
    edges: FxMap<(u32, u32), State>,
    heads: BTreeMap<u32, State>,
    /// States at returns, by block.
    exits: BTreeMap<u32, State>,
}

impl<'a> Analyser<'a> {
    /// An analysis that has seen nothing yet.
    pub fn new(context: &'a Context, budget: &'a Budget) -> Analyser<'a> {
        Analyser {
            context,
            budget,
            work: 0,
            calls: Vec::new(),
            summaries: FxMap::default(),
            recording: false,
            heads: BTreeMap::new(),
            unfollowed: FxSet::default(),
            judged: None,
        }
    }

    pub(crate) fn is_tired(&self) -> bool {
        self.work > SOFT_WORK
    }

    fn spend(&mut self, statements: usize) -> Step {
        let before = self.work >> 12;
        self.work += 1 + statements as u64;
        let out_of_time = self.work >> 12 != before && self.budget.exhausted().is_some();
        if out_of_time || self.work > HARD_WORK { Err(Stop::GivenUp) } else { Ok(()) }
    }

    /// The state in which a procedure returns, if it does. While recording, the states at its loop heads and those of its
    /// callees are added to `heads`.
    pub fn procedure(&mut self, procedure: ProcId, entry: State) -> Result<Option<State>, GivenUp> {
        let context = self.context;
        let program = context.program.clone();
        let (Some(body), Some(info)) = (&program.procedure(procedure).body, context.info(procedure)) else {
            return Ok(Some(entry));
        };
        let mut order: Vec<u32> = (0..body.blocks.len() as u32).collect();
        order.sort_by_key(|&block| info.loops.order[block as usize]);
        let predecessors = Graph::of(body).predecessors();
        let mut run = Run {
            procedure,
            body,
            info,
            order,
            predecessors,
            entry,
            edges: FxMap::default(),
            heads: BTreeMap::new(),
            exits: BTreeMap::new(),
        };
        let recording = std::mem::replace(&mut self.recording, false);
        let all = 0..run.order.len();
        let done = self.stabilise(&mut run, all);
        self.recording = recording;
        done?;
        if recording {
            self.record(&mut run)?;
        }
        let exits = std::mem::take(&mut run.exits).into_values();
        Ok(exits.reduce(|known, next| context.join(&known, &next)))
    }

    /// Runs the blocks at these indices of the order, loops until they are stable.
    fn stabilise(&mut self, run: &mut Run<'_>, indices: std::ops::Range<usize>) -> Result<(), GivenUp> {
        let mut index = indices.start;
        while index < indices.end {
            let block = run.order[index];
            if run.info.loops.is_head[block as usize] {
                let inside = |other: &u32| run.info.loops.around[*other as usize].contains(&block);
                let end = (index..indices.end).find(|&at| !inside(&run.order[at])).unwrap_or(indices.end);
                self.stabilise_loop(run, block, index + 1..end)?;
                index = end;
            } else {
                let state = self.incoming(run, block);
                self.run_block(run, block, state)?;
                index += 1;
            }
        }
        Ok(())
    }

    fn stabilise_loop(&mut self, run: &mut Run<'_>, head: u32, inside: std::ops::Range<usize>) -> Result<(), GivenUp> {
        // Edges back to the head hold states of an earlier round of the outer loop; they don't belong to this one.
        for index in inside.clone() {
            run.edges.remove(&(run.order[index], head));
        }
        run.edges.remove(&(head, head));
        let Some(mut state) = self.incoming(run, head) else {
            run.heads.remove(&head);
            self.clear_edges(run, head);
            for index in inside {
                self.clear_edges(run, run.order[index]);
            }
            return Ok(());
        };
        let none = AllThresholds::default();
        let mut round = 0;
        loop {
            run.heads.insert(head, state.clone());
            self.run_block(run, head, Some(state.clone()))?;
            self.stabilise(run, inside.clone())?;
            let Some(next) = self.incoming(run, head) else { break };
            if self.context.is_within(&next, &state) {
                break;
            }
            round += 1;
            let info = run.info.clone();
            state = match round {
                _ if round <= JOINS => self.context.join(&state, &next),
                _ if round <= FINE => self.context.widen(&state, &next, &info.thresholds),
                _ if round <= COARSE => self.context.widen(&state, &next, &info.coarse),
                _ if round <= ROUNDS => self.context.widen(&state, &next, &none),
                _ => given_up(self.context, &state, &next),
            };
        }
        for _ in 0..NARROWING {
            let Some(next) = self.incoming(run, head) else { break };
            if self.context.is_within(&state, &next) {
                break;
            }
            state = next;
            run.heads.insert(head, state.clone());
            self.run_block(run, head, Some(state.clone()))?;
            self.stabilise(run, inside.clone())?;
        }
        Ok(())
    }

    /// The state where a block starts: the join over its edges, with what matters from there on.
    fn incoming(&mut self, run: &Run<'_>, block: u32) -> Option<State> {
        let mut joined: Option<State> = None;
        if block == run.body.entry.0 {
            joined = Some(run.entry.clone());
        }
        for &from in &run.predecessors[block as usize] {
            if let Some(state) = run.edges.get(&(from, block)) {
                joined = Some(match joined {
                    Some(known) => self.context.join(&known, state),
                    None => state.clone(),
                });
            }
        }
        joined
    }

    fn clear_edges(&self, run: &mut Run<'_>, block: u32) {
        for next in run.body.blocks[block as usize].terminator.kind.successors() {
            run.edges.remove(&(block, next.0));
        }
        run.exits.remove(&block);
    }

    fn run_block(&mut self, run: &mut Run<'_>, block: u32, state: Option<State>) -> Result<(), GivenUp> {
        self.clear_edges(run, block);
        let Some(mut state) = state else { return Ok(()) };
        let body = run.body;
        match self.statements(run.procedure, body, block, &mut state) {
            Ok(()) => {}
            Err(Stop::Unreachable) => return Ok(()),
            Err(Stop::GivenUp) => return Err(GivenUp),
        }
        let context = self.context;
        match &body.blocks[block as usize].terminator.kind {
            TerminatorKind::Goto(targets) => targets.iter().for_each(|target| add_edge(context, run, block, *target, state.clone())),
            TerminatorKind::Branch { condition, then, otherwise } => {
                let mut other = state.clone();
                if context.assume(&mut state, *condition).is_ok() {
                    add_edge(context, run, block, *then, state);
                }
                if context.assume_not(&mut other, *condition).is_ok() {
                    add_edge(context, run, block, *otherwise, other);
                }
            }
            TerminatorKind::Switch(switch) => {
                let mut rest = Some(state.clone());
                for &(case, target) in &switch.cases {
                    let equal = context.store.eq(switch.value, case);
                    let mut here = state.clone();
                    if context.assume(&mut here, equal).is_ok() {
                        add_edge(context, run, block, target, here);
                    }
                    rest = rest.and_then(|mut rest| context.assume_not(&mut rest, equal).is_ok().then_some(rest));
                }
                if let Some(rest) = rest {
                    add_edge(context, run, block, switch.default, rest);
                }
            }
            TerminatorKind::Return => drop(run.exits.insert(block, state)),
            TerminatorKind::Stop(_) | TerminatorKind::Unsupported(_) => {}
        }
        Ok(())
    }

    fn statements(&mut self, procedure: ProcId, body: &Body, block: u32, state: &mut State) -> Step {
        let statements = &body.blocks[block as usize].statements;
        self.spend(statements.len())?;
        for (index, statement) in statements.iter().enumerate() {
            let at = At { procedure, block, index: index as u32 };
            self.judge(state, &statement.kind, at);
            self.statement(state, &statement.kind, at)?;
        }
        Ok(())
    }

    /// One more walk over the final states, for what happens inside calls, and the states at loop heads.
    fn record(&mut self, run: &mut Run<'_>) -> Result<(), GivenUp> {
        for (&head, state) in &run.heads {
            let at = LoopHead { procedure: run.procedure, block: BlockId(head) };
            let joined = match self.heads.get(&at) {
                Some(known) => self.context.join(known, state),
                None => state.clone(),
            };
            self.heads.insert(at, joined);
        }
        let is_looked_at = |block: &fathom_ir::Block| {
            self.judged.is_some()
                || block.statements.iter().any(|statement| matches!(statement.kind, fathom_ir::StatementKind::Call { .. }))
        };
        let looked_at: Vec<bool> = run.body.blocks.iter().map(is_looked_at).collect();
        for number in (0..run.body.blocks.len() as u32).filter(|number| looked_at[*number as usize]) {
            let state = run.heads.get(&number).cloned().or_else(|| match run.info.loops.is_head[number as usize] {
                true => None,
                false => self.incoming(run, number),
            });
            let Some(mut state) = state else { continue };
            if let Err(Stop::GivenUp) = self.statements(run.procedure, run.body, number, &mut state) {
                return Err(GivenUp);
            }
        }
        Ok(())
    }
}

fn add_edge(context: &Context, run: &mut Run<'_>, from: u32, to: BlockId, mut state: State) {
    let live = &run.info.live;
    state.keep_vars(|var| live.at_start(to.0, var));
    if let Some(forms) = run.info.forms.get(&to.0) {
        context.watch_forms(&mut state, forms);
    }
    let joined = match run.edges.get(&(from, to.0)) {
        Some(known) => context.join(known, &state),
        None => state,
    };
    run.edges.insert((from, to.0), joined);
}

/// Nothing but what both agree on: the end of every chain.
fn given_up(context: &Context, old: &State, new: &State) -> State {
    let mut state = old.clone();
    state.vars.retain(|var, value| new.vars.get(var).is_some_and(|other| other.is_within(value)));
    for (var, value) in &old.vars {
        // Where both values are plain numbers, the result is any number, but still no pointer.
        let is_number = |value: &Abs| !matches!(value, Abs::Bits(bits) if !bits.points.is_number());
        let both = is_number(value) && new.vars.get(var).is_some_and(|other| is_number(other));
        if !state.vars.contains_key(var) && both {
            state.vars.insert(*var, Rc::new(Abs::top(context.store.var_sort(*var))));
        }
    }
    state.equalities.clear();
    state.forms.clear();
    if !context.is_within(&State { memory: new.memory.clone(), ..state.clone() }, &state) {
        let mut memory = (*State::unknown().memory).clone();
        memory.objects.clear();
        state.memory = Rc::new(memory);
    }
    state
}
