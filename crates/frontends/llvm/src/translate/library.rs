//! C library functions that are translated directly, because the intermediate representation has a better form for them
//! than C: allocation, copying, ending the program, output without effect. The rest is written in C in `runtime/`.

use super::calls::Request;
use super::function::FunctionTranslator;
use super::types::Leaves;
use super::{Translated, unsupported};
use crate::llvm::{Opcode, Value};
use fathom_ir::{AllocKind, Assumption, Family, Fill, StatementKind, StopKind};
use fathom_term::{Op, Sort, Term};
use smallvec::smallvec;

const ENOMEM: u64 = 12;
/// The alignment of what `valloc` gives.
const PAGE: u64 = 4096;
/// Objects of at most this many bytes can be had by default.
const SMALL: u64 = 1 << 20;
/// Objects with a stricter alignment than this can't be had.
const MAX_ALIGN: u64 = 1 << 28;

impl FunctionTranslator<'_, '_> {
    pub fn library(&mut self, request: &Request) -> Translated<Option<Leaves>> {
        let nothing = || Ok(Some(Leaves::new()));
        let name = request.name.strip_prefix("__builtin_").unwrap_or(&request.name);
        match name {
            "abort" => {
                self.abort();
                nothing()
            }
            "exit" | "_exit" | "_Exit" | "quick_exit" => {
                match name {
                    "exit" => self.run_exit_handlers(request.arg(0)?),
                    "quick_exit" => self.run_quick_exit_handlers(),
                    _ => {}
                }
                self.stop(StopKind::Exit);
                nothing()
            }
            "malloc" | "valloc" | "__kmalloc" => {
                let size = self.as_size(request.arg(0)?);
                let align = if name == "valloc" { PAGE } else { self.heap_align() };
                let object = self.heap(size, align, false)?;
                self.note_no_memory(size, object[0]);
                Ok(Some(object))
            }
            "calloc" => self.calloc(request).map(Some),
            "fathom_realloc" => {
                let size = self.as_size(request.arg(1)?);
                self.realloc(request.arg(0)?, size).map(Some)
            }
            "aligned_alloc" | "memalign" => {
                let (align, size) = (self.as_size(request.arg(0)?), self.as_size(request.arg(1)?));
                let align = self.power_of_two_from(align);
                let obtainable = self.obtainable_at(size, align);
                let object = self.aligned(obtainable, align)?;
                self.note_no_memory(obtainable, object);
                Ok(Some(smallvec![object]))
            }
            "posix_memalign" => self.posix_memalign(request).map(Some),
            // What `new (std::nothrow)` calls.
            "_ZnwmRKSt9nothrow_t" | "_ZnwjRKSt9nothrow_t" => self.cpp_object(request, Family::New, None).map(Some),
            "_ZnamRKSt9nothrow_t" | "_ZnajRKSt9nothrow_t" => self.cpp_object(request, Family::NewArray, None).map(Some),
            // operator new and new[], operator delete and delete[], with their mangled parameters.
            "_Znwm" | "_Znwj" => self.cpp_object(request, Family::New, None).map(Some),
            "_Znam" | "_Znaj" => self.cpp_object(request, Family::NewArray, None).map(Some),
            // The same of a type that is aligned beyond what every object is.
            "_ZnwmSt11align_val_t"
            | "_ZnwjSt11align_val_t"
            | "_ZnwmSt11align_val_tRKSt9nothrow_t"
            | "_ZnwjSt11align_val_tRKSt9nothrow_t" => self.cpp_object(request, Family::New, Some(1)).map(Some),
            "_ZnamSt11align_val_t"
            | "_ZnajSt11align_val_t"
            | "_ZnamSt11align_val_tRKSt9nothrow_t"
            | "_ZnajSt11align_val_tRKSt9nothrow_t" => self.cpp_object(request, Family::NewArray, Some(1)).map(Some),
            "_ZdlPv" | "_ZdlPvm" | "_ZdlPvj" | "_ZdlPvSt11align_val_t" | "_ZdlPvmSt11align_val_t" | "_ZdlPvjSt11align_val_t" => {
                self.emit(StatementKind::Free { pointer: request.arg(0)?, family: Family::New });
                nothing()
            }
            "_ZdaPv" | "_ZdaPvm" | "_ZdaPvj" | "_ZdaPvSt11align_val_t" | "_ZdaPvmSt11align_val_t" | "_ZdaPvjSt11align_val_t" => {
                self.emit(StatementKind::Free { pointer: request.arg(0)?, family: Family::NewArray });
                nothing()
            }
            "__cxa_pure_virtual" | "__cxa_deleted_virtual" => {
                self.abort();
                nothing()
            }
            "free" | "cfree" => {
                self.emit(StatementKind::Free { pointer: request.arg(0)?, family: Family::C });
                nothing()
            }
            "alloca" => {
                let size = self.as_size(request.arg(0)?);
                self.allocate(size, self.heap_align(), AllocKind::Stack, false, "alloca").map(Some)
            }
            _ => self.copying(name, request),
        }
    }

    fn copying(&mut self, name: &str, request: &Request) -> Translated<Option<Leaves>> {
        match name {
            "memcpy" | "memmove" | "__memcpy_chk" | "__memmove_chk" | "mempcpy" | "__mempcpy_chk" => {
                let (target, source) = (request.arg(0)?, request.arg(1)?);
                let length = self.as_size(request.arg(2)?);
                self.emit(StatementKind::Copy { target, source, length });
                let end = if name.contains("mempcpy") { self.terms.bv_add(target, length) } else { target };
                Ok(Some(smallvec![end]))
            }
            "bcopy" => {
                let length = self.as_size(request.arg(2)?);
                self.emit(StatementKind::Copy { target: request.arg(1)?, source: request.arg(0)?, length });
                Ok(Some(Leaves::new()))
            }
            "memset" | "__memset_chk" => {
                let pointer = request.arg(0)?;
                let byte = self.terms.resize_unsigned(request.arg(1)?, 8);
                let length = self.as_size(request.arg(2)?);
                self.emit(StatementKind::Set { pointer, fill: Fill::Byte(byte), length });
                Ok(Some(smallvec![pointer]))
            }
            "bzero" | "explicit_bzero" => {
                let byte = self.terms.bv(0, 8);
                let length = self.as_size(request.arg(1)?);
                self.emit(StatementKind::Set { pointer: request.arg(0)?, fill: Fill::Byte(byte), length });
                Ok(Some(Leaves::new()))
            }
            _ => self.environment(name, request),
        }
    }

    fn environment(&mut self, name: &str, request: &Request) -> Translated<Option<Leaves>> {
        match name {
            "printf" | "__printf_chk" | "fprintf" | "__fprintf_chk" | "puts" | "fputs" | "putchar" | "putchar_unlocked" | "fputc"
            | "putc" | "_IO_putc" => Ok(self.print_nowhere(name, request)),
            "klee_warning" | "klee_print_expr" | "__VERIFIER_print_hull" => Ok(Some(Leaves::new())),
            "klee_silent_exit" => {
                self.stop(StopKind::Exit);
                Ok(Some(Leaves::new()))
            }
            "fork" | "vfork" => unsupported(format!("processes ({name})")),
            // What the macro pthread_cleanup_push keeps for a thread that ends inside of it; that is unsupported at its end.
            "__sigsetjmp" if request.operands.first().is_some_and(|&place| is_cleanup_place(place)) => {
                Ok(Some(smallvec![self.terms.bv(0, 32)]))
            }
            _ if Self::is_setjmp(name) => self.setjmp(request).map(Some),
            "fesetround" => self.set_rounding(request).map(Some),
            "fegetround" => Ok(Some(self.get_rounding())),
            "scanf" | "__isoc99_scanf" | "__isoc23_scanf" => self.scanf(request, 0, request.is_used),
            "fscanf" | "__isoc99_fscanf" | "__isoc23_fscanf" => self.scanf(request, 1, request.is_used),
            _ => match self.thread_function(name, request)? {
                Some(done) => Ok(Some(done)),
                None => self.runtime_function(name, request),
            },
        }
    }

    /// What every address that `malloc` returns is a multiple of.
    pub fn heap_align(&self) -> u64 {
        if self.pointer_bits == 32 { 8 } else { 16 }
    }

    /// A size that no allocation has: it gives null.
    fn unobtainable(&self) -> Term {
        self.terms.bv(fathom_term::mask(self.pointer_bits), self.pointer_bits)
    }

    /// An alignment that is no power of two, or no multiple of a pointer's size, is an error (EINVAL), as is too little memory
    /// (ENOMEM); the pointer then stays what it was.
    fn posix_memalign(&mut self, request: &Request) -> Translated<Leaves> {
        let t = self.terms.clone();
        let bits = self.pointer_bits;
        let (target, align) = (request.arg(0)?, self.as_size(request.arg(1)?));
        let zero = t.bv(0, bits);
        let one_bit = t.eq(t.build(Op::BvAnd, &[align, t.bv_sub(align, t.bv(1, bits))]), zero);
        let in_words = t.eq(t.build(Op::BvAnd, &[align, t.bv(bits as u64 / 8 - 1, bits)]), zero);
        let valid = t.and_all([one_bit, in_words, t.not(t.eq(align, zero))]);
        let size = self.obtainable_at(self.as_size(request.arg(2)?), align);
        let address = self.aligned(t.ite(valid, size, self.unobtainable()), align)?;
        let failed = t.eq(address, zero);
        let (old_var, old) = self.local_term("old", Sort::Bv(bits));
        self.emit(StatementKind::Load { target: old_var, pointer: target, volatile: false });
        self.emit(StatementKind::Store { pointer: target, value: t.ite(failed, old, address) });
        let [fine, no_memory, invalid] = [0, 12, 22].map(|code| t.bv(code, 32));
        Ok(smallvec![t.ite(valid, t.ite(failed, no_memory, fine), invalid)])
    }

    /// An object whose address is a multiple of a power of two, or null. Where that is not known before, it is the layouts
    /// that are limited.
    fn aligned(&mut self, size: Term, align: Term) -> Translated<Term> {
        let t = self.terms.clone();
        let known = t.const_bits(align).filter(|align| align.is_power_of_two() && *align <= MAX_ALIGN);
        let object = self.heap(size, known.unwrap_or(1).max(self.heap_align()), false)?[0];
        if known.is_none() {
            let below = t.bv_sub(align, t.bv(1, self.pointer_bits));
            let rest = t.build(Op::BvAnd, &[object, below]);
            let zero = t.bv(0, self.pointer_bits);
            self.assume(t.or(t.eq(object, zero), t.eq(rest, zero)));
        }
        Ok(object)
    }

    /// The size, unless no address space has room for an object at such an address.
    fn obtainable_at(&mut self, size: Term, align: Term) -> Term {
        let t = self.terms.clone();
        t.ite(t.bv_ult(t.bv(MAX_ALIGN, self.pointer_bits), align), self.unobtainable(), size)
    }

    /// The least power of two that is not below a number, which is what glibc makes of other alignments.
    fn power_of_two_from(&mut self, align: Term) -> Term {
        let (t, bits) = (self.terms.clone(), self.pointer_bits);
        if let Some(known) = t.const_bits(align) {
            return t.bv(known.checked_next_power_of_two().unwrap_or(MAX_ALIGN << 1), bits);
        }
        let mut rounded = t.bv(MAX_ALIGN << 1, bits);
        for power in (0..=MAX_ALIGN.trailing_zeros()).rev().map(|shift| t.bv(1 << shift, bits)) {
            rounded = t.ite(t.bv_ult(power, align), rounded, power);
        }
        rounded
    }

    pub fn heap(&mut self, size: Term, align: u64, zeroed: bool) -> Translated<Leaves> {
        if !self.options.malloc_may_fail {
            self.assume_for_ledger(Assumption::AllocationNeverFails);
        }
        self.allocate(size, align, AllocKind::Heap, zeroed || self.options.for_tests, Family::C.object_name())
    }

    fn cpp_object(&mut self, request: &Request, family: Family, align_at: Option<usize>) -> Translated<Leaves> {
        self.assume_for_ledger(Assumption::AllocationNeverFails);
        let size = self.as_size(request.arg(0)?);
        let align = match align_at {
            Some(at) => match self.terms.const_bits(request.arg(at)?) {
                Some(align) => align,
                None => return unsupported("operator new with an alignment that is no constant"),
            },
            None => 1,
        };
        self.allocate(size, self.heap_align().max(align), AllocKind::Heap, self.options.for_tests, family.object_name())
    }

    pub fn allocate(&mut self, size: Term, align: u64, kind: AllocKind, zeroed: bool, name: &str) -> Translated<Leaves> {
        let (target, address) = self.local_term("object", Sort::Bv(self.pointer_bits));
        self.emit(StatementKind::Alloc { target, size, align, kind, zeroed, name: name.to_string() });
        Ok(smallvec![address])
    }

    /// calloc gives null when the product of its arguments does not fit.
    fn calloc(&mut self, request: &Request) -> Translated<Leaves> {
        let t = self.terms.clone();
        let (count, size) = (self.as_size(request.arg(0)?), self.as_size(request.arg(1)?));
        let overflow = t.build(Op::BvUmulOverflow, &[count, size]);
        let bytes = t.ite(overflow, self.unobtainable(), t.bv_mul(count, size));
        let object = self.heap(bytes, self.heap_align(), true)?;
        self.note_no_memory(bytes, object[0]);
        Ok(object)
    }

    /// errno of an allocation that may fail for its size, for programs that look at it.
    fn note_no_memory(&mut self, size: Term, object: Term) {
        let t = self.terms.clone();
        if t.const_bits(size).is_none_or(|size| size > SMALL) {
            let is_null = t.eq(object, t.bv(0, self.pointer_bits));
            self.set_errno(is_null, ENOMEM);
        }
    }

    /// A new object with as much of the old contents as fits; the old one is freed. Null has size 0 and may be freed. Where
    /// there is no new object the old one stays.
    fn realloc(&mut self, old: Term, size: Term) -> Translated<Leaves> {
        let (old_size_var, old_size) = self.local_term("old_size", Sort::Bv(self.pointer_bits));
        self.emit(StatementKind::ObjectSize { target: old_size_var, pointer: old });
        let address = self.heap(size, self.heap_align(), false)?[0];
        self.note_no_memory(size, address);
        let t = self.terms.clone();
        let zero = t.bv(0, self.pointer_bits);
        let failed = t.eq(address, zero);
        let kept = t.ite(failed, zero, t.ite(t.bv_ult(old_size, size), old_size, size));
        self.emit(StatementKind::Copy { target: address, source: old, length: kept });
        self.emit(StatementKind::Free { pointer: t.ite(failed, zero, old), family: Family::C });
        Ok(smallvec![address])
    }
}

/// Whether an address is that of what `pthread_cleanup_push` declares.
fn is_cleanup_place(address: Value) -> bool {
    let mut base = address;
    while base.opcode() == Opcode::LLVMGetElementPtr {
        base = base.operand(0);
    }
    base.opcode() == Opcode::LLVMAlloca && base.allocated_struct_name().is_some_and(|name| name == "struct.__pthread_unwind_buf_t")
}
