//! setjmp and longjmp as ordinary control flow. A jump is a note in three variables of the run-time library (`runtime/jumps.c`): behind
//! every call that may end by one, the code asks whether somebody is on the way, leaves the function if so, and in the call that
//! setjmp was called from goes on behind that setjmp, whose result the jump brings. So engines need to know nothing of jumps. An object
//! of its own stands for each call of a function that calls setjmp: it lives as long as the call.
//!
//! Variables of such a function stay in memory (`passes`), where they keep what they have, as in code that is not optimised; C promises
//! that of volatile ones only, and the ledger says so.

use super::calls::Request;
use super::function::FunctionTranslator;
use super::types::Leaves;
use super::{Translated, Translator, unsupported};
use crate::llvm::{Module, Opcode, Value};
use fathom_base::FxSet;
use fathom_ir::{AllocKind, BlockId, FAULT_HANDLING, StatementKind, TerminatorKind};
use fathom_term::{Sort, Term, VarId};
use llvm_sys::core::*;
use smallvec::smallvec;

const SETJMP: [&str; 5] = ["setjmp", "_setjmp", "__setjmp", "sigsetjmp", "__sigsetjmp"];
const LONGJMP: [&str; 4] = ["longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"];
/// Functions that make the mask of signals something that a jump would have to restore.
const SIGNALS: [&str; 6] = ["signal", "bsd_signal", "__sysv_signal", "sigaction", "sigprocmask", "pthread_sigmask"];
/// The note of a jump.
const CALL: &str = "fathom_jump_call";
const NUMBER: &str = "fathom_jump_number";
const VALUE: &str = "fathom_jump_value";

/// Which calls may end by a jump.
pub struct Jumping {
    functions: FxSet<Value>,
    /// Those through pointers may, too.
    pointers: bool,
}

impl Jumping {
    /// Callers of longjmp, their callers and so on.
    pub fn of(module: &Module) -> Jumping {
        let roots = LONGJMP.iter().filter_map(|name| module.function(name)).filter(|f| f.has_uses());
        let mut jumping = Jumping { functions: FxSet::default(), pointers: false };
        let mut open: Vec<Value> = roots.collect();
        while let Some(function) = open.pop() {
            if !jumping.functions.insert(function) {
                continue;
            }
            for user in function.users() {
                match caller(user, function) {
                    Some(caller) => open.push(caller),
                    None if !jumping.pointers => {
                        jumping.pointers = true;
                        open.extend(module.functions().filter(calls_pointers));
                    }
                    None => {}
                }
            }
        }
        jumping
    }

    fn may_end(&self, callee: Option<Value>) -> bool {
        callee.map_or(self.pointers, |function| self.functions.contains(&function))
    }
}

/// The function in which this is a call of another one, and nothing else is done with that one's address.
fn caller(user: Value, callee: Value) -> Option<Value> {
    // SAFETY: asks about an instruction of a live module.
    let called = unsafe {
        (!LLVMIsACallInst(user.0).is_null() && LLVMGetCalledValue(user.0) == callee.0)
            .then(|| Value(LLVMGetBasicBlockParent(LLVMGetInstructionParent(user.0))))
    };
    let uses = user.operands().filter(|operand| *operand == callee).count();
    called.filter(|_| uses == 1)
}

fn calls_pointers(function: &Value) -> bool {
    let through_pointer = |instruction: Value| {
        if instruction.opcode() != Opcode::LLVMCall {
            return false;
        }
        // SAFETY: asks about a call of a live module.
        let called = unsafe { LLVMGetCalledValue(instruction.0) };
        Value(called).as_function().is_none() && unsafe { LLVMIsAInlineAsm(called) }.is_null()
    };
    function.blocks().any(|block| block.instructions().any(through_pointer))
}

fn is_setjmp(instruction: Value) -> bool {
    // SAFETY: asks about a call of a live module.
    instruction.opcode() == Opcode::LLVMCall && SETJMP.contains(&Value(unsafe { LLVMGetCalledValue(instruction.0) }).name().as_str())
}

/// Whether a function calls setjmp in a program that jumps.
pub fn returns_twice(module: &Module, function: Value) -> bool {
    LONGJMP.iter().any(|name| module.function(name).is_some()) && function.blocks().any(|block| block.instructions().any(is_setjmp))
}

/// Where jumps come back to in a function.
pub struct Returns {
    /// The address of the object that stands for the call.
    call: Term,
    /// The value that a jump brings.
    value: VarId,
    /// The blocks behind each setjmp.
    behind: Vec<BlockId>,
    /// How many setjmp have been translated.
    translated: usize,
}

impl Translator<'_> {
    /// Why jumps can't be followed in this program, if they can't.
    fn jumps_are_unsupported(&self) -> Option<&'static str> {
        let is_defined = |name: &&str| self.module.function(name).is_some_and(|f| !f.is_declaration());
        if self.has_threads {
            return Some("setjmp and longjmp in a program with threads");
        }
        FAULT_HANDLING.iter().any(is_defined).then_some("setjmp and longjmp in a program that handles signals")
    }
}

impl FunctionTranslator<'_, '_> {
    /// At the start of a function that calls setjmp.
    pub fn declare_returns(&mut self) {
        let count = self.function.blocks().flat_map(|block| block.instructions()).filter(|i| is_setjmp(*i)).count();
        if count == 0 || self.jumps_are_unsupported().is_some() || !returns_twice(self.module, self.function) {
            return;
        }
        let (target, call) = self.local_term("call", Sort::Bv(self.pointer_bits));
        let size = self.terms.bv(1, self.pointer_bits);
        self.emit(StatementKind::Alloc { target, size, align: 1, kind: AllocKind::Stack, zeroed: false, name: "setjmp".to_string() });
        let value = self.local("setjmp", Sort::Bv(32));
        let behind = (0..count).map(|_| self.new_block("behind setjmp".to_string())).collect();
        self.returns = Some(Returns { call, value, behind, translated: 0 });
    }

    pub fn is_setjmp(name: &str) -> bool {
        SETJMP.contains(&name)
    }

    pub fn setjmp(&mut self, request: &Request) -> Translated<Leaves> {
        if let Some(what) = self.jumps_are_unsupported() {
            return unsupported(what);
        }
        let saves_mask = request.args.get(1).is_some_and(|mask| mask.iter().any(|&mask| self.terms.const_bits(mask) != Some(0)));
        if saves_mask && SIGNALS.iter().any(|name| self.module.function(name).is_some_and(|f| f.has_uses())) {
            return unsupported("sigsetjmp that saves the mask of signals");
        }
        let direct = self.terms.bv(0, 32);
        let Some(Returns { call, value, behind, translated }) = &mut self.returns else { return Ok(smallvec![direct]) };
        let Some(&block) = behind.get(*translated) else { return unsupported("setjmp") };
        let (call, value, number) = (*call, *value, *translated as u64);
        *translated += 1;
        let place = request.arg(0)?;
        self.emit(StatementKind::Store { pointer: place, value: call });
        let second = self.offset(place, self.pointer_bits as u64 / 8);
        self.emit(StatementKind::Store { pointer: second, value: self.terms.bv(number, self.pointer_bits) });
        self.emit(StatementKind::Assign(vec![(value, direct)]));
        self.terminate(TerminatorKind::Goto(vec![block]));
        self.switch_to(block);
        let (result, term) = self.local_term("result", Sort::Bv(32));
        self.emit(StatementKind::Assign(vec![(result, self.terms.var_term(value))]));
        Ok(smallvec![term])
    }

    /// Behind a call that the end of the program makes: C forbids to leave it by a jump.
    pub fn refuse_jump(&mut self, callee: Value) {
        if let Some((_, onward)) = self.if_jump(Some(callee)) {
            self.terminate(TerminatorKind::Unsupported("longjmp out of a handler that runs at the end of the program".to_string()));
            self.switch_to(onward);
        }
    }

    /// Starts the block that runs where a jump is on the way behind this call: gives where it goes, and the block that runs otherwise.
    fn if_jump(&mut self, callee: Option<Value>) -> Option<(Term, BlockId)> {
        if !self.jumping.may_end(callee) || self.module.global(CALL).is_none() || self.jumps_are_unsupported().is_some() {
            return None;
        }
        let destination = self.read_note(CALL, self.pointer_bits);
        let is_none = self.terms.eq(destination, self.terms.bv(0, self.pointer_bits));
        let (onward, away) = (self.new_block("no jump".to_string()), self.new_block("a jump".to_string()));
        self.terminate(TerminatorKind::Branch { condition: is_none, then: onward, otherwise: away });
        self.switch_to(away);
        Some((destination, onward))
    }

    /// Behind a call of a function, or through a pointer.
    pub fn follow_jump(&mut self, callee: Option<Value>) {
        let Some((destination, onward)) = self.if_jump(callee) else { return };
        if let Some(Returns { call, value, behind, .. }) = &self.returns {
            let (call, value, behind) = (*call, *value, behind.clone());
            let (here, further) = (self.new_block("a jump to here".to_string()), self.new_block("a jump on".to_string()));
            self.terminate(TerminatorKind::Branch { condition: self.terms.eq(destination, call), then: here, otherwise: further });
            self.switch_to(here);
            self.clear_note();
            let brought = self.read_note(VALUE, 32);
            self.emit(StatementKind::Assign(vec![(value, brought)]));
            let number = self.read_note(NUMBER, self.pointer_bits);
            self.jump_behind(number, &behind);
            self.switch_to(further);
        }
        self.leave_by_jump();
        self.switch_to(onward);
    }

    fn clear_note(&mut self) {
        if let Some(note) = self.module.global(CALL) {
            let pointer = self.address_of_global(note);
            self.emit(StatementKind::Store { pointer, value: self.terms.bv(0, self.pointer_bits) });
        }
    }

    fn read_note(&mut self, name: &str, bits: u32) -> Term {
        let (target, value) = self.local_term("jump", Sort::Bv(bits));
        if let Some(note) = self.module.global(name) {
            let pointer = self.address_of_global(note);
            self.emit(StatementKind::Load { target, pointer, volatile: false });
        }
        value
    }

    fn jump_behind(&mut self, number: Term, behind: &[BlockId]) {
        let (last, others) = behind.split_last().expect("a function that calls setjmp");
        for (index, block) in others.iter().enumerate() {
            let next = self.new_block("another setjmp".to_string());
            let condition = self.terms.eq(number, self.terms.bv(index as u64, self.pointer_bits));
            self.terminate(TerminatorKind::Branch { condition, then: *block, otherwise: next });
            self.switch_to(next);
        }
        self.terminate(TerminatorKind::Goto(vec![*last]));
    }

    /// The function ends; nobody looks at its result.
    fn leave_by_jump(&mut self) {
        if self.name == self.options.entry {
            return self.terminate(TerminatorKind::Unsupported("longjmp without a setjmp to return to".to_string()));
        }
        let vars = self.results.clone();
        if !vars.is_empty() {
            self.emit(StatementKind::Havoc { vars, input: None });
        }
        if self.is_atomic() {
            self.end_atomic();
        }
        self.terminate(TerminatorKind::Return);
    }
}
