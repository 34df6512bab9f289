//! Threads: the primitives that the run-time library's `pthread.c` stands on, and sections that are not interrupted.

use super::calls::Request;
use super::function::{FunctionTranslator, internal_choice};
use super::types::{Leaves, Scalar};
use super::{Translated, unsupported};
use crate::llvm::{Module, Opcode, Value};
use fathom_ir::{Assumption, Fence, LockEvent, Property, SectionKind, StatementKind, StopKind, ThreadOperation};
use fathom_term::{Sort, Term};
use llvm_sys::LLVMAtomicOrdering;
use llvm_sys::core::{LLVMGetCmpXchgFailureOrdering, LLVMGetCmpXchgSuccessOrdering, LLVMGetOrdering, LLVMIsAtomicSingleThread};
use smallvec::smallvec;

/// A statement with such a label runs in a thread of its own, in CBMC's dialect.
const THREAD_LABEL: &str = "__CPROVER_ASYNC_";

/// A function whose name starts like this runs without interruption.
const ATOMIC: &str = "__VERIFIER_atomic_";

/// Whether the program may start threads.
pub fn has_threads(module: &Module) -> bool {
    module.function("fathom_thread_start").is_some()
}

fn ordering(instruction: Value) -> LLVMAtomicOrdering {
    unsafe { LLVMGetOrdering(instruction.0) }
}

/// What an atomic instruction means to stores that wait, as compilers translate it for processors with store buffers.
fn section_kind(instruction: Value) -> SectionKind {
    use LLVMAtomicOrdering::{
        LLVMAtomicOrderingAcquireRelease as BOTH, LLVMAtomicOrderingRelease as RELEASE, LLVMAtomicOrderingSequentiallyConsistent as TOTAL,
    };
    let order = match instruction.opcode() {
        Opcode::LLVMAtomicCmpXchg => unsafe { LLVMGetCmpXchgSuccessOrdering(instruction.0) },
        _ => ordering(instruction),
    };
    match (instruction.opcode(), order) {
        (Opcode::LLVMLoad, _) => SectionKind::Load,
        (Opcode::LLVMStore, TOTAL) => SectionKind::Ordered,
        (Opcode::LLVMStore, RELEASE) => SectionKind::Release,
        (Opcode::LLVMStore, _) => SectionKind::Store,
        (_, RELEASE | BOTH | TOTAL) => SectionKind::Ordered,
        _ => SectionKind::Update,
    }
}

impl FunctionTranslator<'_, '_> {
    pub fn thread_function(&mut self, name: &str, request: &Request) -> Translated<Option<Leaves>> {
        let nothing = || Ok(Some(Leaves::new()));
        match name {
            "__VERIFIER_atomic_begin" | "__ESBMC_atomic_begin" | "__CPROVER_atomic_begin" => {
                self.emit_thread(ThreadOperation::AtomicBegin(SectionKind::Ordered));
                nothing()
            }
            "__VERIFIER_atomic_end" | "__ESBMC_atomic_end" | "__CPROVER_atomic_end" => {
                self.emit_thread(ThreadOperation::AtomicEnd);
                nothing()
            }
            "fathom_thread_start" => {
                if self.rounding_mode.is_some() {
                    return unsupported("threads beside a changing rounding mode");
                }
                let (target, name) = self.local_term("thread", Sort::Bv(self.pointer_bits));
                let (function, argument) = (request.arg(0)?, request.arg(1)?);
                self.emit_thread(ThreadOperation::Start { target, function, argument });
                Ok(Some(smallvec![name]))
            }
            "fathom_thread_number" => {
                let (target, number) = self.local_term("number", Sort::Bv(self.pointer_bits));
                self.emit_thread(ThreadOperation::Number { target, name: request.arg(0)? });
                Ok(Some(smallvec![number]))
            }
            "fathom_thread_join" => {
                let (target, result) = self.local_term("result", Sort::Bv(self.pointer_bits));
                self.emit_thread(ThreadOperation::Join { target, thread: request.arg(0)? });
                Ok(Some(smallvec![result]))
            }
            "fathom_thread_exit" => {
                self.emit_thread(ThreadOperation::Exit { result: request.arg(0)? });
                self.stop(StopKind::Unreachable);
                nothing()
            }
            "fathom_run_exit_handlers" => {
                self.run_exit_handlers(self.terms.bv(0, 32));
                nothing()
            }
            "fathom_thread_self" => {
                let (target, number) = self.local_term("self", Sort::Bv(self.pointer_bits));
                self.emit_thread(ThreadOperation::Current { target });
                Ok(Some(smallvec![number]))
            }
            "fathom_choice" => {
                let choice = self.arbitrary("choice", Scalar::Int(1), internal_choice());
                let choice = self.terms.ite(choice, self.terms.bv(1, 32), self.terms.bv(0, 32));
                Ok(Some(smallvec![choice]))
            }
            "fathom_await" => {
                let condition = self.terms.ne(request.arg(0)?, self.terms.bv(0, 32));
                let message = "this wait never ends".to_string();
                self.emit(StatementKind::Assert { condition, property: Property::Deadlock, message });
                self.emit(StatementKind::Assume(condition));
                nothing()
            }
            "fathom_require_lock" => {
                let condition = self.terms.ne(request.arg(1)?, self.terms.bv(0, 32));
                let message = request.operands.first().and_then(|&text| self.constant_text(text)).unwrap_or_default();
                self.emit(StatementKind::Assert { condition, property: Property::Locks, message });
                nothing()
            }
            "fathom_lock_wanted" => self.lock_event(LockEvent::Wanted, request),
            "fathom_lock_taken" => self.lock_event(LockEvent::Taken, request),
            "fathom_lock_released" => self.lock_event(LockEvent::Released, request),
            "fathom_lock_looked_at" => self.lock_event(LockEvent::Looked, request),
            "fathom_unsupported" => {
                let what = request.operands.first().and_then(|&text| self.constant_text(text));
                unsupported(what.unwrap_or_else(|| "something in the run-time library".to_string()))
            }
            _ => Ok(None),
        }
    }

    fn lock_event(&mut self, event: LockEvent, request: &Request) -> Translated<Option<Leaves>> {
        if self.has_threads {
            self.emit_thread(ThreadOperation::Lock { event, lock: request.arg(0)? });
        }
        Ok(Some(Leaves::new()))
    }

    fn emit_thread(&mut self, operation: ThreadOperation) {
        self.emit(StatementKind::Thread(operation));
    }

    /// What the statements between these two do happens at once. Only programs with threads need to be told.
    pub fn begin_atomic(&mut self) {
        if self.has_threads {
            self.emit_thread(ThreadOperation::AtomicBegin(SectionKind::Ordered));
        }
    }

    pub fn end_atomic(&mut self) {
        if self.has_threads {
            self.emit_thread(ThreadOperation::AtomicEnd);
        }
    }

    /// An atomic load or store is a section of its own: that is how it differs from a plain one where races are looked for.
    pub fn begin_if_atomic(&mut self, instruction: Value) -> bool {
        let is_atomic = self.has_threads && ordering(instruction) != LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic;
        if is_atomic {
            self.note_order(instruction);
            self.begin_section(instruction);
        }
        is_atomic
    }

    /// The section of an instruction that is atomic.
    pub fn begin_section(&mut self, instruction: Value) {
        if self.has_threads {
            self.emit_thread(ThreadOperation::AtomicBegin(section_kind(instruction)));
        }
    }

    /// Only store buffers know fences.
    pub fn fence(&mut self, instruction: Value) {
        use LLVMAtomicOrdering::{LLVMAtomicOrderingAcquire as ACQUIRE, LLVMAtomicOrderingSequentiallyConsistent as TOTAL};
        let is_of_compiler = unsafe { LLVMIsAtomicSingleThread(instruction.0) } != 0;
        match ordering(instruction) {
            ACQUIRE => {}
            _ if is_of_compiler => {}
            TOTAL => self.emit_fence(Fence::Full),
            _ => self.emit_fence(Fence::Stores),
        }
    }

    pub fn emit_fence(&mut self, fence: Fence) {
        if self.has_threads && self.options.memory_model.has_store_buffers() {
            self.emit_thread(ThreadOperation::Fence(fence));
        }
    }

    pub fn end_if_atomic(&mut self, is_atomic: bool) {
        if is_atomic {
            self.end_atomic();
        }
    }

    /// Without store buffers every atomic operation is taken for one that orders what its thread did before and does after it; the
    /// ledger says so of those that don't.
    pub fn note_order(&mut self, instruction: Value) {
        use LLVMAtomicOrdering::{
            LLVMAtomicOrderingAcquire as ACQUIRE, LLVMAtomicOrderingAcquireRelease as BOTH, LLVMAtomicOrderingRelease as RELEASE,
            LLVMAtomicOrderingSequentiallyConsistent as TOTAL,
        };
        let orders = match instruction.opcode() {
            Opcode::LLVMLoad => matches!(ordering(instruction), ACQUIRE | TOTAL),
            Opcode::LLVMStore => matches!(ordering(instruction), RELEASE | TOTAL),
            Opcode::LLVMAtomicCmpXchg => {
                let success = unsafe { LLVMGetCmpXchgSuccessOrdering(instruction.0) };
                let failure = unsafe { LLVMGetCmpXchgFailureOrdering(instruction.0) };
                matches!(success, BOTH | TOTAL) && matches!(failure, ACQUIRE | TOTAL)
            }
            _ => matches!(ordering(instruction), BOTH | TOTAL),
        };
        if self.has_threads && !orders && !self.options.memory_model.has_store_buffers() {
            self.assume_for_ledger(Assumption::AtomicsOrder);
        }
    }

    /// The same for the functions that clang calls for objects beyond the width of instructions. C has numbers for orders there.
    pub fn note_order_of_call(&mut self, request: &Request) {
        const ACQUIRE: u64 = 2;
        const RELEASE: u64 = 3;
        const BOTH: u64 = 4;
        const TOTAL: u64 = 5;
        let order = |index| request.arg(index).ok().and_then(|order| self.terms.const_bits(order));
        let is = |index, enough: u64| order(index).is_some_and(|order| order == enough || order == TOTAL);
        let orders = match request.name.as_str() {
            "__atomic_load" => is(3, ACQUIRE),
            "__atomic_store" => is(3, RELEASE),
            "__atomic_exchange" => is(4, BOTH),
            "__atomic_compare_exchange" => is(4, BOTH) && is(5, ACQUIRE),
            _ => true,
        };
        if self.has_threads && !orders && !self.options.memory_model.has_store_buffers() {
            self.assume_for_ledger(Assumption::AtomicsOrder);
        }
    }

    /// Nothing is made of labels that start threads.
    pub fn refuse_thread_label(&mut self, label: &str) {
        if label.starts_with(THREAD_LABEL) {
            self.emit(StatementKind::Unsupported(format!("the label `{label}`, which starts a thread in CBMC's dialect")));
        }
    }

    /// Whether the whole function runs without interruption.
    pub fn is_atomic(&self) -> bool {
        self.has_threads && self.name.starts_with(ATOMIC)
    }

    /// The running thread's own copy of a thread-local variable.
    pub fn thread_local(&mut self, object: Term) -> Term {
        if !self.has_threads {
            return object;
        }
        let (target, own) = self.local_term("own", Sort::Bv(self.pointer_bits));
        self.emit_thread(ThreadOperation::Local { target, object });
        own
    }
}
