//! The coverage of a run: blocks that were entered and branch outcomes that were taken, as a set that is cheap to keep
//! per test. The blocks are those of the compiled program, so two runs of one program can be compared.

use crate::exec::code::{End, ProcCode};
use crate::exec::config::MachineConfig;
use crate::exec::ends::BOTH_SIDES;
use crate::exec::machine::Machine;
use crate::replay::interpreter::replaying;
use crate::replay::trace::PathRecord;
use fathom_base::{Budget, Loc};
use fathom_ir::{BlockId, ProcId, Program};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Bits for each block: entered, and the two sides of its branch.
const PER_BLOCK: usize = 3;

/// The set of blocks that were entered and of sides of branches that were taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    words: Vec<u64>,
}

/// A side of a branch that no path took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenSide {
    /// The procedure that the branch is in.
    pub procedure: String,
    /// Where the branch is.
    pub branch: Loc,
    /// Where it would go on.
    pub target: Loc,
}

impl Machine {
    /// For runs that are no search: as if every side of every branch had been taken before.
    pub fn nothing_is_new(&mut self) {
        self.coverage.covered.fill(true);
        self.coverage.sides.fill(BOTH_SIDES);
    }
}

impl Coverage {
    /// The coverage of a machine's runs so far.
    pub fn of(machine: &Machine) -> Coverage {
        let mut coverage = Coverage { words: vec![0; (machine.coverage.covered.len() * PER_BLOCK).div_ceil(64)] };
        for (block, (&entered, &sides)) in machine.coverage.covered.iter().zip(&machine.coverage.sides).enumerate() {
            let bits = u64::from(entered) | u64::from(sides) << 1;
            for bit in (0..PER_BLOCK).filter(|bit| bits >> bit & 1 == 1) {
                let at = block * PER_BLOCK + bit;
                coverage.words[at / 64] |= 1 << (at % 64);
            }
        }
        coverage
    }

    fn has(&self, bit: usize) -> bool {
        self.words.get(bit / 64).is_some_and(|word| word >> (bit % 64) & 1 == 1)
    }

    /// The blocks alone, for those who count lines.
    pub fn without_sides(mut self) -> Coverage {
        for at in (0..self.words.len() * 64).filter(|at| at % PER_BLOCK != 0) {
            self.words[at / 64] &= !(1 << (at % 64));
        }
        self
    }

    /// Whether this run went where none of the others did.
    pub fn adds_to(&self, others: &Coverage) -> bool {
        self.words.iter().enumerate().any(|(at, word)| word & !others.words.get(at).copied().unwrap_or(0) != 0)
    }

    /// Adds what another run executed.
    pub fn merge(&mut self, other: &Coverage) {
        self.words.resize(self.words.len().max(other.words.len()), 0);
        self.words.iter_mut().zip(&other.words).for_each(|(word, more)| *word |= more);
    }

    /// How many were executed.
    pub fn count(&self) -> u32 {
        self.words.iter().map(|word| word.count_ones()).sum()
    }
}

/// How often a run entered each block of the program.
#[derive(Clone, Debug, Default)]
pub struct Visits {
    first_blocks: Vec<u32>,
    counts: Vec<u64>,
}

impl Visits {
    pub(crate) fn of(machine: &Machine) -> Visits {
        let first_blocks = machine.code.procs.iter().map(|proc| proc.first_block).collect();
        Visits { first_blocks, counts: machine.coverage.visits.clone() }
    }

    /// How often the block was executed.
    pub fn of_block(&self, procedure: ProcId, block: BlockId) -> u64 {
        let first = self.first_blocks.get(procedure.0 as usize);
        first.and_then(|first| self.counts.get((first + block.0) as usize)).copied().unwrap_or(0)
    }
}

/// A branch, and how many of its two sides these runs took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakenSides {
    /// The procedure that the branch is in.
    pub procedure: String,
    /// Where the branch is.
    pub branch: Loc,
    /// 0, 1 or 2.
    pub taken: u32,
}

/// Every branch of the program with what was taken of it.
pub fn taken_sides(program: &Rc<Program>, coverage: &Coverage) -> Vec<TakenSides> {
    let symbols = Default::default();
    let path = PathRecord {
        symbols,
        functions: Vec::new(),
        choices: Vec::new(),
        schedule: Vec::new(),
        layout: Vec::new(),
        steps: 0,
        left_after: None,
    };
    let machine = replaying(program, &BTreeSet::new(), path, Budget::unlimited(), MachineConfig::default());
    let mut all = Vec::new();
    for proc in &machine.code.procs {
        for (number, block) in proc.blocks.iter().enumerate() {
            if let End::Branch { .. } = &block.end {
                let first = (proc.first_block as usize + number) * PER_BLOCK;
                let taken = (first + 1..first + PER_BLOCK).filter(|&at| coverage.has(at)).count() as u32;
                all.push(TakenSides { procedure: proc.name.clone(), branch: block.end_loc, taken });
            }
        }
    }
    all
}

/// Sides of branches, in the order of the program, that no path of this machine took. Of a branch that was never
/// reached both sides are given.
pub fn open_sides(machine: &Machine) -> Vec<OpenSide> {
    let mut open = Vec::new();
    for proc in &machine.code.procs {
        for (number, block) in proc.blocks.iter().enumerate() {
            let taken = machine.coverage.sides[proc.first_block as usize + number];
            let End::Branch { then, otherwise, .. } = &block.end else { continue };
            for (bit, target) in [(1, *then), (0, *otherwise)] {
                if taken >> bit & 1 == 0 {
                    let target = first_location(proc, target);
                    open.push(OpenSide { procedure: proc.name.clone(), branch: block.end_loc, target });
                }
            }
        }
    }
    open
}

/// The first place in the source that the block belongs to.
fn first_location(proc: &ProcCode, block: u32) -> Loc {
    let block = &proc.blocks[block as usize];
    block.locs.iter().copied().find(|loc| loc.is_known()).unwrap_or(block.end_loc)
}
