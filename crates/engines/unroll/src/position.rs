//! The position of a state in the unrolled program, as a key whose order is topological: every state that can still
//! reach a location has a smaller key than the states that wait there. For each frame, the key has the position and the
//! iteration of each loop around the state, then the position of the block and the action. The blocks of a loop are
//! contiguous in the order, so a loop is unwound before the code that follows it, and inner loops before outer ones
//! continue. A deeper call comes before its caller.

use fathom_machine::{Machine, State};
use smallvec::SmallVec;

/// Where a state is, in the topological order of the unrolled program: outer calls and iterations first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position(SmallVec<[u64; 12]>);

impl Position {
    /// The position of a state that is about to run.
    pub fn of(machine: &Machine, state: &State) -> Position {
        let mut key = SmallVec::new();
        for frame in &state.frames {
            let proc = &machine.code.procs[frame.proc as usize];
            key.push(frame.proc as u64);
            for at in &frame.loops {
                key.push((proc.blocks[at.head as usize].order as u64) << 32);
                // First the states that come from the start, then those from the middle.
                key.push(at.iteration << 1 | at.from_the_middle as u64);
            }
            key.push((proc.blocks[frame.block as usize].order as u64) << 32 | frame.index as u64);
        }
        key.push(u64::MAX);
        Position(key)
    }
}
