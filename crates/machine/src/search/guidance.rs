//! Information about the program for searchers: the distance to new code, and the loop depth of a state.

use crate::exec::code::{Action, BlockCode, CalleeCode, Code, End};
use crate::exec::machine::Machine;
use crate::exec::state::State;
use crate::exec::value::Val;
use fathom_base::Loc;
use fathom_flow::Graph;
use fathom_term::Op;
use std::collections::{BTreeMap, VecDeque};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

impl Machine {
    /// For every block of the program the number of jumps and calls to the nearest block that no path has entered, or to
    /// the nearest side of a branch that none has taken; `u32::MAX` where none can be reached without returning.
    pub fn distances_to_uncovered(&self) -> Vec<u32> {
        let backwards = Graph::from_edges(self.coverage.covered.len(), edges(&self.code).map(|(from, to)| (to, from)));
        let mut distances = vec![u32::MAX; self.coverage.covered.len()];
        let mut open: VecDeque<u32> = (0..self.coverage.covered.len() as u32).filter(|&b| !self.coverage.covered[b as usize]).collect();
        for &block in &open {
            distances[block as usize] = 0;
        }
        // A side of a branch that was not taken is new even if it leads to a block that was entered another way.
        let half_taken = (0..self.coverage.covered.len() as u32).filter(|&b| matches!(self.coverage.sides[b as usize], 1 | 2));
        for block in half_taken {
            distances[block as usize] = 1;
            open.push_back(block);
        }
        backwards.spread(&mut distances, open);
        distances
    }

    /// Blocks that some path entered and sides of branches that some path took: grows with coverage.
    pub fn covered_parts(&self) -> (usize, u64) {
        (self.coverage.covered.iter().filter(|c| **c).count(), self.coverage.sides.iter().map(|sides| u64::from(sides.count_ones())).sum())
    }

    /// For every block the number of jumps to the end of its procedure; `u32::MAX` where there is no way.
    pub fn distances_to_return(&self) -> Vec<u32> {
        let mut backwards = Vec::new();
        let mut distances = vec![u32::MAX; self.coverage.covered.len()];
        let mut open = VecDeque::new();
        for proc in &self.code.procs {
            for (number, block) in proc.blocks.iter().enumerate() {
                let from = proc.first_block + number as u32;
                backwards.extend(block.end.successors().into_iter().map(|target| (proc.first_block + target, from)));
                if matches!(block.end, End::Return) {
                    distances[from as usize] = 0;
                    open.push_back(from);
                }
            }
        }
        Graph::from_edges(self.coverage.covered.len(), backwards).spread(&mut distances, open);
        distances
    }

    /// How far a state is from new code, if it goes there or returns to it: `uncovered` and `to_return` are the tables
    /// of the two functions above.
    pub fn distance_to_uncovered(&self, state: &State, uncovered: &[u32], to_return: &[u32]) -> u32 {
        let (mut best, mut way_out) = (u32::MAX, 0u32);
        for frame in state.frames.iter().rev() {
            let block = (self.code.procs[frame.proc as usize].first_block + frame.block) as usize;
            best = best.min(uncovered[block].saturating_add(way_out));
            way_out = way_out.saturating_add(to_return[block]).saturating_add(1);
            if way_out >= best {
                break;
            }
        }
        best
    }

    /// Whether a branch has a side that some path took and one that none took.
    pub fn is_half_taken(&self, block: u32) -> bool {
        matches!(self.coverage.sides[block as usize], 1 | 2)
    }

    /// At a branch that always went one way and whose comparison is of numbers: notes if they are nearer to each other than
    /// ever. No query leads to the other side, but a counter that grows from state to state may.
    pub(crate) fn note_near_miss(&mut self, state: &mut State, block: &BlockCode) {
        let number = self.block_of(state) as u32;
        if !self.is_half_taken(number) {
            return;
        }
        let comparison = block.actions.iter().rev().take(2).find_map(|action| match action {
            Action::Compute(instr) if matches!(instr.op, Op::BvUlt | Op::BvSlt | Op::Eq) => Some(instr),
            _ => None,
        });
        let Some([left, right]) = comparison.map(|instr| instr.args.as_slice()) else { return };
        if let (Val::Bits(left), Val::Bits(right)) = (self.get(state, *left), self.get(state, *right)) {
            let gap = left.abs_diff(right);
            let best = self.coverage.near_misses.entry(number).or_insert(u64::MAX);
            if gap < *best {
                *best = gap;
                Rc::make_mut(&mut state.search.near_misses).insert(number, gap);
            }
        }
    }

    /// Where a state stands.
    pub fn place(&self, state: &State) -> Loc {
        match state.frames.is_empty() {
            true => Loc::UNKNOWN,
            false => self.location(state),
        }
    }

    /// Positions of statements, each once and in order, and whether some path entered their block.
    pub fn coverage(&self) -> Vec<(Loc, bool)> {
        let mut seen: BTreeMap<Loc, bool> = BTreeMap::new();
        // Of the program, because code has no place for what only sets a variable that lives in a register.
        for (proc, procedure) in self.code.procs.iter().zip(&self.program.procedures) {
            for (number, block) in procedure.body.iter().flat_map(|body| &body.blocks).enumerate() {
                let covered = self.coverage.covered[proc.first_block as usize + number];
                let places = block.statements.iter().map(|statement| statement.loc).chain([block.terminator.loc]);
                for loc in places.filter(|loc| loc.is_known()) {
                    *seen.entry(loc).or_default() |= covered;
                }
            }
        }
        seen.into_iter().collect()
    }

    /// The block where a state stands, numbered over the whole program.
    pub fn block_of(&self, state: &State) -> usize {
        let frame = state.frame();
        (self.code.procs[frame.proc as usize].first_block + frame.block) as usize
    }

    /// Loops around the state's position in its current procedure.
    pub fn loop_depth(&self, state: &State) -> u32 {
        let frame = state.frame();
        self.code.procs[frame.proc as usize].blocks[frame.block as usize].loops.len() as u32
    }
}

impl State {
    /// Stands for the place of the state and of its callers.
    pub fn context(&self) -> u64 {
        let mut hasher = fathom_base::FxHasher::default();
        self.frames.iter().for_each(|frame| (frame.proc, frame.block).hash(&mut hasher));
        hasher.finish()
    }
}

/// Jumps and direct calls between blocks, numbered over the whole program.
fn edges(code: &Code) -> impl Iterator<Item = (u32, u32)> + '_ {
    code.procs.iter().flat_map(move |proc| {
        proc.blocks.iter().enumerate().flat_map(move |(number, block)| {
            let from = proc.first_block + number as u32;
            let jumps = block.end.successors();
            let calls = block.actions.iter().filter_map(move |action| match action {
                Action::Call { callee: CalleeCode::Direct(callee), .. } => {
                    let callee = &code.procs[*callee as usize];
                    callee.has_body.then(|| callee.first_block + callee.entry)
                }
                _ => None,
            });
            let jumps = jumps.into_iter().map(move |target| proc.first_block + target);
            jumps.chain(calls).map(move |to| (from, to)).collect::<Vec<_>>()
        })
    })
}
