//! Finds operations whose result depends on the memory layout; programs with one have no flat form. In a flat program
//! addresses are numbers, and no verdict may rest on numbers that Fathom chose. Every operation on an address is
//! checked, with the points-to sets of its operands. It must have the same result in all layouts: a comparison with
//! null, or of locations in objects that are alive at the same time; within one object also an order and a distance;
//! and the low bits of an address, which its alignment makes zero. (`fathom_machine::standing` does the same for terms,
//! but there the other cases are supported.)

use crate::objects::{Object, ObjectKind, Size};
use crate::points_to::PointsTo;
use crate::program::NotFlat;
use crate::raw::{Inlined, RawKind};
use crate::values::Values;
use fathom_base::{FxSet, Loc};
use fathom_ir::{AccessKind, AllocKind, Initializer, Program, Write};
use fathom_term::{Op, Term, TermStore, mask};

/// Numbers below are no addresses.
const LOWEST: u64 = 0x1000;

/// An operation of the program, with its arguments as the flat program has them.
pub(crate) struct Operation {
    pub op: Op,
    pub args: Vec<Term>,
    /// The subtrahend, where the last argument is a negated value.
    pub minus: Option<Term>,
    pub loc: Loc,
}

struct Layout<'a> {
    program: &'a Program,
    store: &'a TermStore,
    inlined: &'a Inlined,
    frees: bool,
    ends: bool,
    /// Objects that are allocated in loops: a pointer to that of one round need not equal the next round's.
    repeated: FxSet<usize>,
}

pub(crate) fn check(program: &Program, inlined: &Inlined, analysis: &mut PointsTo) -> Result<(), NotFlat> {
    let (mut frees, mut ends) = (false, false);
    for raw in inlined.blocks.iter().flat_map(|block| &block.statements) {
        match &raw.kind {
            RawKind::Plain(kind) => {
                kind.for_each_access(&mut |access| frees |= access.kind == AccessKind::Free);
                kind.for_each_target(&mut |_, write| ends |= write == Write::Ended);
            }
            RawKind::End { .. } => ends = true,
            RawKind::Alloc { .. } | RawKind::Save { .. } | RawKind::Restore { .. } => {}
        }
    }
    let repeated = inlined.allocated_in_loops().into_iter().chain(inlined.names.iter().copied()).collect();
    let layout = Layout { program, store: &program.terms, inlined, frees, ends, repeated };
    for operation in &inlined.operations {
        let values: Vec<Values> = operation.args.iter().map(|&arg| analysis.of(arg)).collect();
        if values.iter().any(|values| values.code) && !layout.is_about_which_code(operation) {
            return Err(layout_matters(operation));
        }
        if values.iter().all(|values| values.targets.is_empty()) {
            continue;
        }
        let minus = operation.minus.map(|term| analysis.of(term));
        if !layout.is_known(operation, &values, minus.as_ref()) {
            return Err(layout_matters(operation));
        }
    }
    Ok(())
}

fn layout_matters(operation: &Operation) -> NotFlat {
    NotFlat { what: "a condition that depends on where objects lie in memory".to_string(), loc: operation.loc }
}

impl Layout<'_> {
    /// Procedures have addresses of their own, of which nothing else is known: they are compared with each other and with null.
    fn is_about_which_code(&self, operation: &Operation) -> bool {
        let objects = &self.inlined.objects;
        let is_number = |number: u64| !objects.code.contains(&number) && !self.is_no_address(number);
        let is_whole = |&arg: &Term| self.store.sort(arg).width() == objects.pointer_bits;
        operation.op == Op::Eq
            && operation.args.iter().all(is_whole)
            && !operation.args.iter().any(|&arg| self.store.const_bits(arg).is_some_and(is_number))
    }

    fn is_known(&self, operation: &Operation, values: &[Values], minus: Option<&Values>) -> bool {
        let is_part = |(&arg, values): (&Term, &Values)| {
            !values.targets.is_empty() && self.store.sort(arg).width() != self.inlined.objects.pointer_bits
        };
        // Some bytes of an address.
        if operation.args.iter().zip(values).any(is_part) {
            return false;
        }
        let constant =
            |at: usize| operation.args.get(at).and_then(|&arg| self.store.const_bits(arg)).filter(|_| values[at].targets.is_empty());
        match (operation.op, values) {
            (Op::Eq, [a, b]) => match (constant(0), constant(1)) {
                (Some(number), _) | (_, Some(number)) => self.is_no_address(number),
                _ => self.equality_is_known(a, b),
            },
            // With 32 bits an address may be negative.
            (Op::BvSlt, _) if self.inlined.objects.pointer_bits < 64 => false,
            (Op::BvUlt | Op::BvSlt, [a, b]) => match (constant(0), constant(1)) {
                (Some(number), _) | (_, Some(number)) => self.is_no_address(number),
                _ => self.is_one_object(a, b),
            },
            (Op::BvAdd, [a, b]) => match minus {
                Some(minus) if !minus.targets.is_empty() => self.is_one_object(a, minus),
                _ => a.targets.is_empty() || b.targets.is_empty(),
            },
            (Op::BvNeg, _) => true,
            (Op::BvAnd | Op::BvOr | Op::BvXor, [a, b]) => match (constant(0), constant(1)) {
                (Some(bits), _) => self.is_low(operation.op, b, bits),
                (_, Some(bits)) => self.is_low(operation.op, a, bits),
                _ => false,
            },
            (Op::BvUrem, [a, _]) => constant(1).is_some_and(|by| by.is_power_of_two() && self.is_low(Op::BvAnd, a, by - 1)),
            (Op::BvExtract { high, low: 0 }, [a]) => self.is_low(Op::BvAnd, a, mask(high + 1)),
            _ => false,
        }
    }

    fn is_no_address(&self, number: u64) -> bool {
        let top = if self.inlined.objects.pointer_bits >= 64 { 1 << 47 } else { mask(self.inlined.objects.pointer_bits) + 1 };
        number < LOWEST || number > top - LOWEST
    }

    fn object(&self, at: usize) -> &Object {
        &self.inlined.objects.all[at]
    }

    fn is_one_object(&self, a: &Values, b: &Values) -> bool {
        let only = |values: &Values| match (values.targets.len(), values.other) {
            (1, false) => values.targets.keys().next().copied(),
            _ => None,
        };
        only(a).is_some_and(|at| only(b) == Some(at) && self.is_single(at))
    }

    fn equality_is_known(&self, a: &Values, b: &Values) -> bool {
        if self.is_one_object(a, b) || a.targets.is_empty() && !a.other || b.targets.is_empty() && !b.other {
            return true;
        }
        let places = |values: &Values| -> Option<Vec<(usize, i64)>> {
            let mut all = Vec::new();
            for (&object, offsets) in &values.targets {
                all.extend(offsets.as_ref()?.iter().map(|&offset| (object, offset)));
            }
            (!values.other).then_some(all)
        };
        let (Some(a), Some(b)) = (places(a), places(b)) else { return false };
        a.iter().all(|&one| b.iter().all(|&two| self.are_told_apart(one, two)))
    }

    fn are_told_apart(&self, (a, at_a): (usize, i64), (b, at_b): (usize, i64)) -> bool {
        if a == b && self.is_single(a) {
            return true;
        }
        // A block has an address of its own, also an empty one; a variable without a byte has none.
        let least = |at: usize| match self.object(at).kind {
            ObjectKind::Global(index) => u64::from(matches!(self.program.objects[index].init, Initializer::External)),
            ObjectKind::Allocated { kind, .. } => u64::from(kind == AllocKind::Heap),
        };
        let inside = |at: usize, offset: i64| match self.object(at).size {
            Size::Constant(size) => (0..size.max(least(at)) as i64).contains(&offset),
            Size::Variable(_) => offset == 0,
        };
        let is_global = |at: usize| matches!(self.object(at).kind, ObjectKind::Global(_));
        let together = is_global(a) || is_global(b) || self.lasts(a) && self.lasts(b);
        together && inside(a, at_a) && inside(b, at_b) && !self.may_share((a, at_a), (b, at_b)) && !self.may_share((b, at_b), (a, at_a))
    }

    /// Whether two places of literals may be one because the second is the end of the first.
    fn may_share(&self, (a, at_a): (usize, i64), (b, at_b): (usize, i64)) -> bool {
        let (ObjectKind::Global(one), ObjectKind::Global(two)) = (&self.object(a).kind, &self.object(b).kind) else { return false };
        let offset = self.program.objects[*one].shared_end(&self.program.objects[*two]);
        offset.is_some_and(|offset| at_a == at_b + offset as i64)
    }

    fn is_single(&self, at: usize) -> bool {
        self.object(at).stride.is_none() && !self.repeated.contains(&at)
    }

    /// Whether no other object ever has the address of this one.
    fn lasts(&self, at: usize) -> bool {
        let object = self.object(at);
        match object.kind {
            ObjectKind::Global(_) => true,
            ObjectKind::Allocated { kind: AllocKind::Heap, .. } => !self.frees,
            ObjectKind::Allocated { kind: AllocKind::Stack, .. } => object.is_outermost && !self.ends,
        }
    }

    /// Whether an operation with this number looks at, clears or sets nothing but bits that are zero in every such address.
    fn is_low(&self, op: Op, values: &Values, bits: u64) -> bool {
        let all = mask(self.inlined.objects.pointer_bits);
        values.targets.keys().all(|&at| {
            let low = self.object(at).align.max(1).next_power_of_two() - 1;
            bits <= low || op == Op::BvAnd && bits | low == all
        })
    }
}
