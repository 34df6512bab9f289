//! The inner loop of a sprint.

use super::code::{Register, Step, Track};
use super::window::Window;
use fathom_term::fold;

/// One for every number that a register can have: no access needs a check.
pub(super) type Registers = [u64; 1 << 16];

/// The limits of a sprint, and how far it came.
pub(super) struct Pace {
    /// Statements to go; a sprint stops at the first loop head behind them.
    pub statements: i64,
    /// Loop heads to go.
    pub heads: i64,
    /// How often each block of the loop was entered, and the sides of its branch that were taken.
    pub entered: Vec<u64>,
    pub sides: Vec<u8>,
    /// Statements to go when the call began that it is in, and the blocks that were entered since.
    pub called_at: Option<i64>,
    pub entered_since: Vec<u16>,
}

impl Pace {
    #[inline(always)]
    fn enter(&mut self, block: u16, statements: u16) {
        self.entered[block as usize] += 1;
        self.statements -= statements as i64;
    }

    /// The step that a branch goes to.
    #[inline(always)]
    fn branch(&mut self, block: u16, taken: bool, then: u16, otherwise: u16) -> usize {
        self.sides[block as usize] |= 1 << u8::from(taken);
        if taken { then as usize } else { otherwise as usize }
    }

    fn leave_call(&mut self) {
        self.called_at = None;
        self.entered_since.clear();
    }

    /// Drops the effects of the call that is running.
    fn undo_call(&mut self) {
        if let Some(statements) = self.called_at.take() {
            self.statements = statements;
            self.entered_since.drain(..).for_each(|block| self.entered[block as usize] -= 1);
        }
    }
}

/// Where a sprint ended.
pub(super) enum Finish {
    /// At a loop head that was entered but not run.
    AtHead { step: usize },
    /// In front of the statement of this step.
    Before { step: usize },
    /// It leaves the loop for this block.
    Left { to: u32 },
}

/// Runs until something else is to be done. What stops in a call stops in front of it.
pub(super) fn run(track: &Track, r: &mut Registers, windows: &mut [Window], of_class: &[u8], pointer_bits: u32, pace: &mut Pace) -> Finish {
    let finish = run_on(track, r, windows, of_class, pointer_bits, pace);
    pace.undo_call();
    finish
}

fn run_on(track: &Track, r: &mut Registers, windows: &mut [Window], of_class: &[u8], pointer_bits: u32, pace: &mut Pace) -> Finish {
    let steps = track.steps.as_slice();
    let mut at = track.start;
    let unused_of_pointers = 64 - pointer_bits;
    let in_pointer = u64::MAX >> unused_of_pointers;
    macro_rules! get {
        ($register:expr) => {
            r[$register as usize]
        };
    }
    /// The value, or the end of the run before this step.
    macro_rules! some {
        ($value:expr) => {
            match $value {
                Some(value) => value,
                None => return Finish::Before { step: at - 1 },
            }
        };
    }
    let flag = |truth: bool| u64::from(truth);
    macro_rules! branch {
        ($condition:expr, $to:expr, $block:expr, $then:expr, $otherwise:expr) => {{
            let taken = $condition;
            get!($to) = flag(taken);
            at = pace.branch($block, taken, $then, $otherwise);
        }};
    }
    loop {
        let step = at;
        at += 1;
        match steps[step] {
            Step::Move { to, from } => get!(to) = get!(from),
            Step::Add { to, a, b, unused } => get!(to) = get!(a).wrapping_add(get!(b)) & (u64::MAX >> unused),
            Step::Mul { to, a, b, unused } => get!(to) = get!(a).wrapping_mul(get!(b)) & (u64::MAX >> unused),
            Step::And { to, a, b } => get!(to) = get!(a) & get!(b),
            Step::Or { to, a, b } => get!(to) = get!(a) | get!(b),
            Step::Xor { to, a, b } => get!(to) = get!(a) ^ get!(b),
            Step::Flip { to, a } => get!(to) = get!(a) ^ 1,
            Step::Eq { to, a, b } => get!(to) = flag(get!(a) == get!(b)),
            Step::Below { to, a, b } => get!(to) = flag(get!(a) < get!(b)),
            Step::SignedBelow { to, a, b, unused } => get!(to) = flag(((get!(a) << unused) as i64) < (get!(b) << unused) as i64),
            Step::Choose { to, condition, a, b } => get!(to) = if get!(condition) != 0 { get!(a) } else { get!(b) },
            Step::SignExtend { to, a, unused_before, unused_after } => {
                get!(to) = (((get!(a) << unused_before) as i64) >> unused_before) as u64 & (u64::MAX >> unused_after)
            }
            Step::Extract { to, a, low, unused } => get!(to) = (get!(a) >> low) & (u64::MAX >> unused),
            Step::General { to, number } => get!(to) = some!(general(track, r, number)),
            // Offsets are kept as signed numbers of the width of pointers.
            Step::MovePointer { to, pointer, by } => {
                let moved = get!(pointer).wrapping_add(get!(by));
                get!(to) = (((moved << unused_of_pointers) as i64) >> unused_of_pointers) as u64;
            }
            Step::PointerBelow { to, a, b, class } => {
                let window = &windows[of_class[class as usize] as usize];
                some!((window.is_near(get!(a)) && window.is_near(get!(b))).then_some(()));
                get!(to) = flag((get!(a) as i64) < get!(b) as i64);
            }
            Step::Load { to, pointer, bytes, class } => {
                let window = &mut windows[of_class[class as usize] as usize];
                get!(to) = some!(window.read(get!(pointer) & in_pointer, bytes as u64));
            }
            Step::Store { pointer, value, bytes, class } => {
                let window = &mut windows[of_class[class as usize] as usize];
                some!(window.write(get!(pointer) & in_pointer, bytes as u64, get!(value)));
            }
            Step::Require { condition } => some!((get!(condition) != 0).then_some(())),
            Step::RequireNot { condition } => some!((get!(condition) == 0).then_some(())),
            Step::Enter { block, statements } => pace.enter(block, statements),
            Step::EnterHead { block, statements } => {
                pace.entered[block as usize] += 1;
                pace.heads -= 1;
                if pace.statements <= 0 || pace.heads <= 0 {
                    return Finish::AtHead { step };
                }
                pace.statements -= statements as i64;
            }
            Step::EnterCalled { block, statements } => {
                pace.entered_since.push(block);
                pace.enter(block, statements);
            }
            Step::Pass => {}
            Step::Call => pace.called_at = Some(pace.statements),
            Step::Return => pace.leave_call(),
            Step::Jump { to } => at = to as usize,
            Step::Branch { condition, block, then, otherwise } => at = pace.branch(block, get!(condition) != 0, then, otherwise),
            Step::BranchEq { to, a, b, block, then, otherwise } => branch!(get!(a) == get!(b), to, block, then, otherwise),
            Step::BranchBelow { to, a, b, block, then, otherwise } => branch!(get!(a) < get!(b), to, block, then, otherwise),
            Step::BranchSignedBelow { to, a, b, unused, block, then, otherwise } => {
                branch!(((get!(a) << unused) as i64) < (get!(b) << unused) as i64, to, block, then, otherwise)
            }
            Step::Switch { value, number } => {
                let switch = &track.switches[number as usize];
                at = switch.table.get(&get!(value)).copied().unwrap_or(switch.default) as usize;
            }
            Step::Exit { to } => return Finish::Left { to },
            Step::Stop => return Finish::Before { step },
        }
    }
}

#[inline(never)]
fn general(track: &Track, r: &Registers, number: u16) -> Option<u64> {
    let operation = &track.general[number as usize];
    let mut args = [0u64; 4];
    for (arg, &register) in args.iter_mut().zip(&operation.args) {
        *arg = r[register as usize];
    }
    fold::small(operation.op, operation.sort, operation.operand, &args[..operation.args.len()])
}

/// Room for every register.
pub(super) fn registers() -> Box<Registers> {
    let numbers: Box<[u64]> = vec![0; 1 << Register::BITS].into_boxed_slice();
    numbers.try_into().unwrap_or_else(|_| unreachable!("as many as there are numbers of registers"))
}
