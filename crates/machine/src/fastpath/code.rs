//! The code of a sprint: the blocks of one loop as a flat sequence of steps over numbered registers. Every variable of
//! the loop has a register; scratch variables get a new one for each write, of which there is one per statement. In
//! place of a statement that a sprint cannot execute there is a stop, at which the machine takes over.
//!
//! Calls of small procedures that change only their own variables are inlined. A stop inside such a call stops before
//! the call instead, and the machine executes the call from its start.

use super::kinds::{Kind, Kinds};
use super::reader::{Raw, RawCall, RawStatement, Reader};
use super::writer::{Writer, variables_first};
use crate::exec::code::{Code, Variable};
use crate::exec::value::{ObjectKey, Val};
use fathom_base::FxMap;
use fathom_term::{Op, Sort};
use smallvec::SmallVec;

pub(super) type Register = u16;

/// One operation. Numbers have no bits above their width; `unused` is the number of those.
#[derive(Copy, Clone, Debug)]
pub(super) enum Step {
    Move {
        to: Register,
        from: Register,
    },
    Add {
        to: Register,
        a: Register,
        b: Register,
        unused: u8,
    },
    Mul {
        to: Register,
        a: Register,
        b: Register,
        unused: u8,
    },
    And {
        to: Register,
        a: Register,
        b: Register,
    },
    Or {
        to: Register,
        a: Register,
        b: Register,
    },
    Xor {
        to: Register,
        a: Register,
        b: Register,
    },
    Flip {
        to: Register,
        a: Register,
    },
    Eq {
        to: Register,
        a: Register,
        b: Register,
    },
    Below {
        to: Register,
        a: Register,
        b: Register,
    },
    SignedBelow {
        to: Register,
        a: Register,
        b: Register,
        unused: u8,
    },
    Choose {
        to: Register,
        condition: Register,
        a: Register,
        b: Register,
    },
    SignExtend {
        to: Register,
        a: Register,
        unused_before: u8,
        unused_after: u8,
    },
    Extract {
        to: Register,
        a: Register,
        low: u8,
        unused: u8,
    },
    /// Any other operation, by its number.
    General {
        to: Register,
        number: u16,
    },
    /// Pointers are offsets into the object of their class.
    MovePointer {
        to: Register,
        pointer: Register,
        by: Register,
    },
    PointerBelow {
        to: Register,
        a: Register,
        b: Register,
        class: u8,
    },
    Load {
        to: Register,
        pointer: Register,
        bytes: u8,
        class: u8,
    },
    Store {
        pointer: Register,
        value: Register,
        bytes: u8,
        class: u8,
    },
    /// An assumption or a check, which the machine looks at where it does not hold.
    Require {
        condition: Register,
    },
    RequireNot {
        condition: Register,
    },
    /// The start of a block, by its number among those of the loop.
    Enter {
        block: u16,
        statements: u16,
    },
    EnterHead {
        block: u16,
        statements: u16,
    },
    /// The same in a procedure that is called.
    EnterCalled {
        block: u16,
        statements: u16,
    },
    Call,
    /// A call of something that can't stop.
    Pass,
    Return,
    Jump {
        to: u16,
    },
    Branch {
        condition: Register,
        block: u16,
        then: u16,
        otherwise: u16,
    },
    /// A comparison and a branch on it.
    BranchEq {
        to: Register,
        a: Register,
        b: Register,
        block: u16,
        then: u16,
        otherwise: u16,
    },
    BranchBelow {
        to: Register,
        a: Register,
        b: Register,
        block: u16,
        then: u16,
        otherwise: u16,
    },
    BranchSignedBelow {
        to: Register,
        a: Register,
        b: Register,
        unused: u8,
        block: u16,
        then: u16,
        otherwise: u16,
    },
    Switch {
        value: Register,
        number: u16,
    },
    /// Leaves the loop for this block of the procedure.
    Exit {
        to: u32,
    },
    /// The machine takes over.
    Stop,
}

#[derive(Debug)]
pub(super) struct GeneralOperation {
    pub op: Op,
    pub sort: Sort,
    pub operand: Sort,
    pub args: SmallVec<[Register; 4]>,
}

#[derive(Debug)]
pub(super) struct Switch {
    pub table: FxMap<u64, u16>,
    pub default: u16,
}

/// A loop, ready to run.
#[derive(Debug)]
pub(super) struct Track {
    pub steps: Vec<Step>,
    /// The block of each step, and the first action of its statement.
    pub origins: Vec<(u32, u32)>,
    /// The first step behind the entry of the head.
    pub start: usize,
    /// Variables and what they must hold at the start; their register is their index here.
    pub variables: Vec<(Variable, Kind)>,
    pub constants: Vec<(Register, u64)>,
    pub general: Vec<GeneralOperation>,
    pub switches: Vec<Switch>,
    /// The blocks of the loop, and of what it calls, with their procedures.
    pub blocks: Vec<(u32, u32)>,
    /// How many of them are the loop's own.
    pub own_blocks: usize,
    pub classes: Vec<Class>,
}

/// Pointers into one object.
#[derive(Debug, Default)]
pub(super) struct Class {
    /// The object, if the code names it.
    pub object: Option<ObjectKey>,
    pub reads: bool,
    pub writes: bool,
}

impl Track {
    /// The loop with this head; `value` is what the variables hold now. None if it is too large.
    pub fn of(code: &Code, proc: u32, head: u32, value: impl Fn(Variable) -> Val) -> Option<Track> {
        let own = &code.procs[proc as usize];
        let blocks: Vec<u32> = (0..own.blocks.len() as u32).filter(|&b| own.blocks[b as usize].loops.contains(&head)).collect();
        let mut reader = Reader::new(code, proc, value);
        let raw: Option<Vec<Vec<RawStatement>>> = blocks.iter().map(|&b| reader.block(&own.blocks[b as usize], &mut None)).collect();
        let raw = raw.filter(|_| reader.registers.len() <= Register::MAX as usize)?;
        let all: Vec<&Raw> =
            raw.iter().flatten().flat_map(|statement| &statement.raw).chain(reader.calls.iter().flat_map(RawCall::raw)).collect();
        let kinds = Kinds::of(reader.kinds, &all);
        let variables = variables_first(&reader.registers);
        let number = |register: Register| variables.new_numbers[register as usize];
        let mut writer = Writer {
            code,
            track: Track {
                steps: Vec::new(),
                origins: Vec::new(),
                start: 0,
                variables: variables.variables.iter().map(|&(register, variable)| (variable, kinds.start(register))).collect(),
                constants: reader.constants.iter().map(|&(register, bits)| (number(register), bits)).collect(),
                general: Vec::new(),
                switches: Vec::new(),
                blocks: blocks.iter().map(|&block| (proc, block)).collect(),
                own_blocks: blocks.len(),
                classes: reader.objects.named.iter().map(|&object| Class { object, ..Class::default() }).collect(),
            },
            calls: &reader.calls,
            kinds,
            numbers: &variables.new_numbers,
            starts: FxMap::default(),
            labels: u16::try_from(own.blocks.len()).ok()?,
        };
        for (index, (&block, statements)) in blocks.iter().zip(&raw).enumerate() {
            if block == head {
                writer.track.start = writer.track.steps.len() + 1;
            }
            writer.block(block, index, &own.blocks[block as usize], statements)?;
        }
        writer.finish()
    }
}
