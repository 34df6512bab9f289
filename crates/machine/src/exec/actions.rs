//! The effect of each action on a state. The simplest actions are executed in the inner loop of the step function.

use crate::exec::code::{Action, Expr, Operand, Variable};
use crate::exec::machine::{Machine, Mode, Step};
use crate::exec::state::State;
use crate::exec::step::Flow;
use crate::exec::value::Val;
use crate::memory::resolve::Purpose;
use fathom_ir::{InputKind, Property};
use fathom_term::Sort;

impl Machine {
    pub(crate) fn run_action(&mut self, state: &mut State, action: &Action) -> Step<Flow> {
        match action {
            Action::Compute(_) | Action::Move { .. } => unreachable!("handled by the inner loop"),
            Action::ComputeIf { condition, instrs } => self.compute_if(state, *condition, instrs),
            Action::Havoc { target, sort, input } => self.assign_arbitrary(state, *target, *sort, input.as_ref())?,
            Action::Assume(condition) => {
                let value = self.expr_value(state, condition);
                let value = self.settled(value, Sort::Bool);
                let condition = self.condition(state, value)?;
                self.assume(state, condition)?;
            }
            // Where there are others, a wait may end; they are asked first.
            Action::Assert { condition, property: Property::Termination | Property::Deadlock, .. } if state.has_company() => {
                let is_over = match self.expr_value(state, condition) {
                    Val::Bits(bits) => bits != 0,
                    value => {
                        let condition = self.condition(state, value)?;
                        self.split(state, condition)?
                    }
                };
                return self.stick(state, is_over);
            }
            Action::Assert { condition, property, message, quantified } => {
                self.assert_holds(state, condition, *property, message, *quantified)?;
            }
            Action::Quantify(_) if self.is_retracing() => return Err(self.unsupported(state, "a quantifier in an interpolant")),
            Action::Quantify(quantified) => {
                let value = self.quantify(state, quantified);
                self.set(state, quantified.target, value);
            }
            Action::Alloc { target, size, align, kind, zeroed, site } => {
                let sort = size.sort;
                let size = self.expr_value(state, size);
                let size = self.determinate(state, size, sort, "the size")?;
                let pointer = self.allocate(state, size, *align, *kind, *zeroed, *site)?;
                self.set(state, *target, pointer);
            }
            Action::EndScope { target } => {
                let pointer = self.get(state, Operand::Variable(*target));
                self.end_scope(state, pointer)?;
                self.set(state, *target, Val::Bits(0));
            }
            Action::Free { pointer, family } => {
                let pointer = self.expr_value(state, pointer);
                let pointer = self.determinate(state, pointer, Sort::Bv(self.book.pointer_bits()), "the pointer that is freed")?;
                self.free(state, pointer, *family)?;
            }
            Action::Use { pointer } => {
                let pointer = self.expr_value(state, pointer);
                self.use_pointer(state, pointer)?;
            }
            Action::Look { value, what } => {
                let sort = value.sort;
                let value = self.expr_value(state, value);
                self.determinate(state, value, sort, what)?;
            }
            Action::Forget { pointer } => {
                let pointer = self.expr_value(state, pointer);
                let pointer = self.settled(pointer, Sort::Bv(self.book.pointer_bits()));
                self.forget(state, pointer)?;
            }
            Action::Load { target, pointer, bytes, volatile } => {
                let pointer = self.expr_value(state, pointer);
                let (object, offset) = self.resolve(state, pointer, Val::Bits(*bytes), Purpose::Read)?;
                let value =
                    if *volatile { self.arbitrary(state, Sort::Bv(*bytes as u32 * 8)) } else { self.read(state, object, offset, *bytes) };
                self.set(state, *target, value);
            }
            Action::Store { pointer, value } => self.store_value(state, pointer, value)?,
            Action::Copy { target, source, length } => {
                let [target, source, length] = [target, source, length].map(|e| self.expr_value(state, e));
                self.copy(state, target, source, length)?;
            }
            Action::Set { pointer, fill, input, length } => {
                let [pointer, length] = [pointer, length].map(|e| self.expr_value(state, e));
                let byte = fill.map(|fill| (self.expr_value(state, &fill), fill));
                self.fill(state, pointer, byte, input.as_ref(), length)?;
            }
            Action::ObjectSize { target, pointer } => {
                let pointer = self.expr_value(state, pointer);
                let size = self.object_size(state, pointer)?;
                self.set(state, *target, size);
            }
            Action::Inspect { target, pointer, aspect } => {
                let pointer = self.expr_value(state, pointer);
                let answer = self.inspect(state, pointer, *aspect)?;
                self.set(state, *target, answer);
            }
            Action::Call { targets, callee, args, site } => return self.call(state, targets, callee, args, *site),
            Action::Thread(operation) => return self.thread_action(state, operation),
            Action::Settle { target } => self.settle(state, *target),
            // In the middle of a long run it is not printed.
            Action::Watch { .. } if self.recorder(state).is_none() => {}
            Action::Watch { watch, value } => self.watch(state, watch, value),
            Action::Unsupported(what) => return Err(self.unsupported(state, what.as_str())),
        }
        Ok(Flow::Next)
    }

    fn assert_holds(&mut self, state: &mut State, condition: &Expr, property: Property, message: &str, quantified: bool) -> Step<()> {
        let value = self.expr_value(state, condition);
        if quantified {
            return self.require_quantified(state, value, property, message);
        }
        if value != Val::TRUE {
            let value = self.determinate(state, value, Sort::Bool, meaning_of(property))?;
            let condition = self.condition(state, value)?;
            // One that was not asked for is there because nothing has a meaning behind it.
            self.require_defined(state, condition, property, message)?;
        }
        Ok(())
    }

    fn store_value(&mut self, state: &mut State, pointer: &Expr, value: &Expr) -> Step<()> {
        let pointer = self.expr_value(state, pointer);
        let bytes = value.sort.width() as u64 / 8;
        let (object, offset) = self.resolve(state, pointer, Val::Bits(bytes), Purpose::Write)?;
        let value = self.expr_value(state, value);
        self.write(state, object, offset, bytes, value);
        self.note_written_bytes(state, object, offset, bytes);
        Ok(())
    }

    fn assign_arbitrary(&mut self, state: &mut State, target: Variable, sort: Sort, input: Option<&InputKind>) -> Step<()> {
        let Some(kind) = input else {
            let value = self.arbitrary(state, sort);
            self.set(state, target, value);
            return Ok(());
        };
        self.may_ask(state)?;
        let value = self.input(state, kind, sort);
        self.set(state, target, value);
        self.seed_input(state, kind, &[(value, sort)]);
        self.note_input(state, kind, value, sort);
        Ok(())
    }

    pub(crate) fn note_input(&mut self, state: &State, kind: &InputKind, value: Val, sort: Sort) {
        if matches!(self.mode, Mode::Replay { .. })
            && let (Some(width), Some(value)) = (sort.bits(), self.store.const_value(self.term_of(value, sort)))
        {
            let mut bytes = value.to_biguint().to_bytes_le();
            bytes.resize(width.div_ceil(8) as usize, 0);
            self.record_input(state, kind, bytes, width);
        }
    }
}

/// What the condition of a check is about, for people.
fn meaning_of(property: Property) -> &'static str {
    match property {
        Property::NoOverflow | Property::Shift | Property::DivByZero | Property::FloatCast => "whether this has a result",
        Property::Bounds => "the index",
        _ => "the condition",
    }
}
