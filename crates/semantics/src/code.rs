//! Programs in the form that the machine runs: expressions flattened into instructions over numbered places, so that
//! concrete code runs without looking at terms and deep expressions need no recursion.

use crate::value::{ObjectKey, Val};
use fathom_base::{FxMap, Loc};
use fathom_ir as ir;
use fathom_term::{Op, Sort, Term, VarId};
use smallvec::SmallVec;

/// Where a value lives.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Place {
    Local(u32),
    Global(u32),
    /// Scratch of the machine, alive within one statement.
    Temp(u32),
}

#[derive(Copy, Clone, Debug)]
pub enum Operand {
    Place(Place),
    Value(Val),
}

/// One operation on values.
#[derive(Clone, Debug)]
pub struct Instr {
    pub op: Op,
    pub sort: Sort,
    /// The sort that decides how the operation works (see `fold::operand_sort`).
    pub operand: Sort,
    pub target: Place,
    pub args: SmallVec<[Operand; 3]>,
    /// Sorts of the arguments, for those that are values without a term.
    pub sorts: SmallVec<[Sort; 3]>,
}

/// An operand with its sort.
#[derive(Copy, Clone, Debug)]
pub struct Expr {
    pub operand: Operand,
    pub sort: Sort,
}

#[derive(Clone, Debug)]
pub enum Action {
    Compute(Instr),
    Move { target: Place, source: Operand },
    Havoc { target: Place, sort: Sort, input: Option<ir::InputKind> },
    Assume(Expr),
    Assert { condition: Expr, property: ir::Property, message: String },
    Alloc { target: Place, size: Expr, align: u64, kind: ir::AllocKind, zeroed: bool, site: u32 },
    EndScope { target: Place },
    Free { pointer: Expr },
    Load { target: Place, pointer: Expr, bytes: u64, volatile: bool },
    Store { pointer: Expr, value: Expr },
    Copy { target: Expr, source: Expr, length: Expr },
    Set { pointer: Expr, fill: Option<Expr>, input: Option<ir::InputKind>, length: Expr },
    ObjectSize { target: Place, pointer: Expr },
    Call { targets: Vec<Place>, callee: CalleeCode, args: Vec<Expr>, site: u32 },
    Thread(ThreadAction),
    Watch { watch: ir::Watch, value: Expr },
    Unsupported(String),
}

/// See `ir::ThreadOperation`.
#[derive(Clone, Debug)]
pub enum ThreadAction {
    Start { target: Place, function: Expr, argument: Expr },
    Join { target: Place, thread: Expr },
    Exit { result: Expr },
    Current { target: Place },
    AtomicBegin,
    AtomicEnd,
    Local { target: Place, object: Expr },
}

#[derive(Clone, Debug)]
pub enum CalleeCode {
    Direct(u32),
    Indirect(Expr),
}

#[derive(Clone, Debug)]
pub enum End {
    Goto(Vec<u32>),
    Branch { condition: Expr, then: u32, otherwise: u32 },
    Switch { value: Expr, cases: Vec<(Term, u32)>, table: FxMap<u64, u32>, default: u32 },
    Return,
    Stop(ir::StopKind),
    Unsupported(String),
}

#[derive(Clone, Debug)]
pub struct BlockCode {
    pub actions: Vec<Action>,
    pub locs: Vec<Loc>,
    /// For each action (and the end) the first action of its statement: where a state that forked there starts again.
    pub starts: Vec<u32>,
    pub end: End,
    pub end_loc: Loc,
    /// A jump to this block from a block that it dominates or precedes: a loop head in practice.
    pub is_loop_head: bool,
    /// How many loops the block is in.
    pub loop_depth: u32,
}

#[derive(Clone, Debug)]
pub struct ProcCode {
    pub name: String,
    pub blocks: Vec<BlockCode>,
    pub entry: u32,
    pub has_body: bool,
    pub local_sorts: Vec<Sort>,
    pub params: Vec<u32>,
    pub results: Vec<u32>,
    pub variadic: Option<u32>,
    /// Locals that may be read before they are written: they start arbitrary.
    pub unset: Vec<u32>,
    pub loc: Loc,
    /// Number of the first block among all blocks of the program, for coverage.
    pub first_block: u32,
}

pub struct Code {
    pub procs: Vec<ProcCode>,
    pub global_sorts: Vec<Sort>,
    pub global_names: Vec<String>,
    /// What each allocation site is, for people.
    pub site_names: Vec<String>,
    pub entry: u32,
    pub temps: usize,
    pub block_count: u32,
}

/// Objects and procedures by their address symbols in the program's terms.
pub struct Addresses {
    pub values: FxMap<VarId, Val>,
    pub procs: FxMap<ObjectKey, u32>,
}
