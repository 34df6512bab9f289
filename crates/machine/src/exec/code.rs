//! Programs in the form that the machine executes: expressions are flattened into instructions over numbered variables,
//! so that concrete code runs without accessing terms, and deep expressions need no recursion.

use crate::exec::value::{ObjectKey, Val};
use crate::memory::holders::Held;
use fathom_base::{FxMap, Loc};
use fathom_flow::Graph;
use fathom_ir as ir;
use fathom_term::{Op, Sort, Term, VarId};
use smallvec::SmallVec;

/// A variable of compiled code, by its number among those of its kind.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Variable {
    Local(u32),
    Global(u32),
    /// Scratch of the machine, alive within one statement.
    Temp(u32),
}

/// What an instruction reads.
#[derive(Copy, Clone, Debug)]
pub enum Operand {
    Variable(Variable),
    Value(Val),
}

/// One operation on values.
#[derive(Clone, Debug)]
pub struct Instr {
    pub op: Op,
    pub sort: Sort,
    /// The sort that decides how the operation works (see `fold::operand_sort`).
    pub operand: Sort,
    pub target: Variable,
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

/// One step of the machine.
#[derive(Clone, Debug)]
pub enum Action {
    Compute(Instr),
    /// Instructions whose results are not needed where the condition is false: what a result would be if it were NaN is
    /// not a plain number, and concrete code must not wait for it.
    ComputeIf {
        condition: Operand,
        instrs: Vec<Instr>,
    },
    Move {
        target: Variable,
        source: Operand,
    },
    Havoc {
        target: Variable,
        sort: Sort,
        input: Option<ir::InputKind>,
    },
    Assume(Expr),
    /// `quantified`: the condition has quantifiers, which a replay can't judge; it is told how the assertion went.
    Assert {
        condition: Expr,
        property: ir::Property,
        message: String,
        quantified: bool,
    },
    Quantify(Quantified),
    Alloc {
        target: Variable,
        size: Expr,
        align: u64,
        kind: ir::AllocKind,
        zeroed: bool,
        site: u32,
    },
    EndScope {
        target: Variable,
    },
    Forget {
        pointer: Expr,
    },
    Use {
        pointer: Expr,
    },
    /// The value must not depend on what was never written; what it is, for people.
    Look {
        value: Expr,
        what: String,
    },
    Free {
        pointer: Expr,
        family: ir::Family,
    },
    Load {
        target: Variable,
        pointer: Expr,
        bytes: u64,
        volatile: bool,
    },
    Store {
        pointer: Expr,
        value: Expr,
    },
    Copy {
        target: Expr,
        source: Expr,
        length: Expr,
    },
    Set {
        pointer: Expr,
        fill: Option<Expr>,
        input: Option<ir::InputKind>,
        length: Expr,
    },
    ObjectSize {
        target: Variable,
        pointer: Expr,
    },
    Inspect {
        target: Variable,
        pointer: Expr,
        aspect: ir::Aspect,
    },
    Call {
        targets: Vec<Variable>,
        callee: CalleeCode,
        args: Vec<Expr>,
        site: u32,
    },
    Thread(ThreadAction),
    Watch {
        watch: ir::Watch,
        value: Expr,
    },
    /// A truth value was assigned, which the path may decide.
    Settle {
        target: Variable,
    },
    Unsupported(String),
}

/// What an action does with a part of it; see [`Action::for_each_part`].
#[derive(Copy, Clone, Debug)]
pub(crate) enum Part {
    Written(Variable),
    /// Its value is used; it may become known elsewhere.
    Used(Operand),
    /// Memory is accessed there.
    Accessed(Access),
    /// A reader of a trace sees it.
    Watched(Operand),
}

/// An access to memory.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Access {
    pub pointer: Operand,
    pub kind: ir::AccessKind,
    pub extent: Extent,
}

/// How much memory an access is about.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// So many bytes.
    Bytes(u64),
    /// As many as another operand says.
    Length,
    /// The whole object.
    Object,
}

/// See `ir::ThreadOperation`.
#[derive(Clone, Debug)]
pub enum ThreadAction {
    Start { target: Variable, function: Expr, argument: Expr, site: u32 },
    Number { target: Variable, name: Expr },
    Join { target: Variable, thread: Expr },
    Exit { result: Expr },
    Current { target: Variable },
    AtomicBegin(ir::SectionKind),
    Fence(ir::Fence),
    AtomicEnd,
    Lock { event: ir::LockEvent, lock: Expr },
    Local { target: Variable, object: Expr },
}

/// A quantified formula with the program variables that occur in it.
#[derive(Clone, Debug)]
pub struct Quantified {
    pub target: Variable,
    pub formula: Term,
    pub variables: Vec<(VarId, Operand, Sort)>,
    /// The truth gets a name of its own, so that a trace knows it: for formulas whose value the program computes with.
    pub named: bool,
}

/// Which procedure a call calls.
#[derive(Clone, Debug)]
pub enum CalleeCode {
    Direct(u32),
    Indirect(Expr),
}

/// What happens at the end of a block.
#[derive(Clone, Debug)]
pub enum End {
    Goto(Vec<u32>),
    Branch { condition: Expr, then: u32, otherwise: u32 },
    Switch { value: Expr, cases: Vec<(Term, u32)>, table: FxMap<u64, u32>, default: u32 },
    Return,
    Stop(ir::StopKind),
    Unsupported(String),
}

/// A block in the form that is run.
#[derive(Clone, Debug)]
pub struct BlockCode {
    pub actions: Vec<Action>,
    pub locs: Vec<Loc>,
    /// For each action (and the end) the first action of its statement: where a state that forked there starts again.
    pub starts: Vec<u32>,
    pub end: End,
    pub end_loc: Loc,
    pub is_loop_head: bool,
    /// Control comes here from more than one block.
    pub is_join: bool,
    /// Heads of the loops around the block, outermost first, with itself if it is one.
    pub loops: Vec<u32>,
    /// Its index in a topological order in which the blocks of a loop are contiguous.
    pub order: u32,
    /// Some successor is outside one of the loops.
    pub leaves_loop: bool,
    /// The head of a loop that can also be entered beside it.
    pub has_side_entry: bool,
    /// Its branch makes no difference: both sides go to the same block, one through an empty block.
    pub has_idle_branch: bool,
    /// Where variables of the source that may hold pointers get their values, in order.
    pub held: Vec<Held>,
    /// Some way leads from here to the end of the procedure or of the program.
    pub can_end: bool,
}

/// A procedure in the form that is run.
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
    /// A call of it may lead to another call of it.
    pub may_recurse: bool,
    /// Number of the first block among all blocks of the program, for coverage.
    pub first_block: u32,
}

/// The control flow graph of these blocks.
pub(crate) fn flow_of(blocks: &[BlockCode]) -> Graph {
    Graph::new(blocks.iter().map(|block| block.end.successors()).collect())
}

impl Action {
    /// Calls `visit` with what the action writes, then with what it reads: the one description that liveness, the footprints of
    /// threads and their schedule are made from.
    pub(crate) fn for_each_part(&self, visit: &mut dyn FnMut(Part)) {
        use Part::{Used, Watched, Written};
        use ir::AccessKind as A;
        let access = |pointer: Operand, kind: A, extent: Extent| Part::Accessed(Access { pointer, kind, extent });
        match self {
            Action::Compute(instr) => {
                visit(Written(instr.target));
                instr.args.iter().for_each(|&arg| visit(Used(arg)));
            }
            Action::ComputeIf { condition, instrs } => {
                instrs.iter().for_each(|instr| visit(Written(instr.target)));
                visit(Used(*condition));
                instrs.iter().flat_map(|instr| &instr.args).for_each(|&arg| visit(Used(arg)));
            }
            Action::Quantify(quantified) => {
                visit(Written(quantified.target));
                quantified.variables.iter().for_each(|&(_, operand, _)| visit(Used(operand)));
            }
            Action::Move { target, source } => [Written(*target), Used(*source)].into_iter().for_each(visit),
            Action::Havoc { target, .. } => visit(Written(*target)),
            Action::Assume(condition) | Action::Assert { condition, .. } => visit(Used(condition.operand)),
            Action::Alloc { target, size, .. } => [Written(*target), Used(size.operand)].into_iter().for_each(visit),
            Action::EndScope { target } => {
                [Written(*target), access(Operand::Variable(*target), A::Free, Extent::Object)].into_iter().for_each(visit);
            }
            Action::Free { pointer, .. } => visit(access(pointer.operand, A::Free, Extent::Object)),
            Action::Forget { pointer } => visit(access(pointer.operand, A::Write, Extent::Object)),
            Action::Use { pointer } => visit(access(pointer.operand, A::Alive, Extent::Object)),
            Action::Look { value, .. } => visit(Used(value.operand)),
            Action::Load { target, pointer, bytes, .. } => {
                [Written(*target), access(pointer.operand, A::Read, Extent::Bytes(*bytes))].into_iter().for_each(visit);
            }
            Action::Store { pointer, value } => {
                let bytes = Extent::Bytes(value.sort.width() as u64 / 8);
                [access(pointer.operand, A::Write, bytes), Used(value.operand)].into_iter().for_each(visit);
            }
            Action::Copy { target, source, length } => {
                let accesses = [access(target.operand, A::Write, Extent::Length), access(source.operand, A::Read, Extent::Length)];
                accesses.into_iter().chain([Used(length.operand)]).for_each(visit);
            }
            Action::Set { pointer, fill, length, .. } => {
                [access(pointer.operand, A::Write, Extent::Length), Used(length.operand)].into_iter().for_each(&mut *visit);
                fill.iter().for_each(|fill| visit(Used(fill.operand)));
            }
            Action::ObjectSize { target, pointer } | Action::Inspect { target, pointer, .. } => {
                [Written(*target), access(pointer.operand, A::Look, Extent::Object)].into_iter().for_each(visit);
            }
            Action::Call { targets, callee, args, .. } => {
                targets.iter().for_each(|&target| visit(Written(target)));
                args.iter().for_each(|arg| visit(Used(arg.operand)));
                if let CalleeCode::Indirect(pointer) = callee {
                    visit(Used(pointer.operand));
                }
            }
            Action::Thread(action) => action.for_each_part(visit),
            Action::Watch { value, .. } => visit(Watched(value.operand)),
            // A name for what is known of the value, which makes a difference only to who reads it later.
            Action::Settle { .. } => {}
            Action::Unsupported(_) => {}
        }
    }

    /// Calls `visit` with every access to memory.
    pub(crate) fn for_each_access(&self, visit: &mut dyn FnMut(Access)) {
        self.for_each_part(&mut |part| {
            if let Part::Accessed(access) = part {
                visit(access);
            }
        });
    }
}

impl ThreadAction {
    fn for_each_part(&self, visit: &mut dyn FnMut(Part)) {
        use Part::{Used, Written};
        match self {
            ThreadAction::Start { target, function, argument, .. } => {
                [Written(*target), Used(function.operand), Used(argument.operand)].into_iter().for_each(visit);
            }
            ThreadAction::Join { target, thread: expr }
            | ThreadAction::Number { target, name: expr }
            | ThreadAction::Local { target, object: expr } => {
                [Written(*target), Used(expr.operand)].into_iter().for_each(visit);
            }
            ThreadAction::Exit { result: expr } | ThreadAction::Lock { lock: expr, .. } => visit(Used(expr.operand)),
            ThreadAction::Current { target } => visit(Written(*target)),
            ThreadAction::AtomicBegin(_) | ThreadAction::Fence(_) | ThreadAction::AtomicEnd => {}
        }
    }
}

impl End {
    /// Whether the procedure ends there in the usual way.
    pub fn is_return(&self) -> bool {
        matches!(self, End::Return)
    }

    /// The blocks that control may go to.
    pub fn successors(&self) -> Vec<u32> {
        match self {
            End::Goto(targets) => targets.clone(),
            End::Branch { then, otherwise, .. } => vec![*then, *otherwise],
            End::Switch { cases, default, .. } => cases.iter().map(|(_, target)| *target).chain([*default]).collect(),
            End::Return | End::Stop(_) | End::Unsupported(_) => Vec::new(),
        }
    }
}

/// A program, compiled for the machine.
pub struct Code {
    /// By the numbers of the program's procedures.
    pub procs: Vec<ProcCode>,
    /// By the numbers of global variables.
    pub global_sorts: Vec<Sort>,
    /// By the numbers of global variables, for people.
    pub global_names: Vec<String>,
    /// What each allocation site is, for people.
    pub site_names: Vec<String>,
    /// Types of what it makes, for people.
    pub site_types: Vec<Option<ir::TypeId>>,
    /// The number of the procedure that runs start in.
    pub entry: u32,
    /// How many temporary variables the longest statement needs.
    pub temps: usize,
    /// Blocks of all procedures together.
    pub block_count: u32,
}

/// Objects and procedures by their address symbols in the program's terms.
pub struct Addresses {
    pub values: FxMap<VarId, Val>,
    pub procs: FxMap<ObjectKey, u32>,
}
