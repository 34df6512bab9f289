//! The C library where a program only declares it and a statement of the intermediate representation says it better than
//! C could: allocation, copying, ending the program, output without effect. The rest is written in C in `runtime/`.

use super::calls::Request;
use super::function::FunctionTranslator;
use super::types::Leaves;
use super::{Translated, unsupported};
use fathom_ir::{AllocKind, Family, Fill, StatementKind, StopKind};
use fathom_term::{Op, Sort, Term};
use smallvec::smallvec;

/// Alignment of what `malloc` returns.
pub const HEAP_ALIGN: u64 = 16;
/// The error number of a wrong argument.
const EINVAL: u64 = 22;

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
                self.heap(size, HEAP_ALIGN, false).map(Some)
            }
            "calloc" => self.calloc(request).map(Some),
            "fathom_realloc" => {
                let size = self.as_size(request.arg(1)?);
                self.realloc(request.arg(0)?, size).map(Some)
            }
            "aligned_alloc" | "memalign" => {
                let align = self.terms.const_bits(request.arg(0)?).unwrap_or(HEAP_ALIGN).max(1);
                let size = self.as_size(request.arg(1)?);
                self.heap(size, align, false).map(Some)
            }
            "posix_memalign" => {
                let Some(align) = self.terms.const_bits(request.arg(1)?) else {
                    return unsupported("posix_memalign with an alignment that is not constant");
                };
                if !align.is_power_of_two() || align < self.pointer_bits as u64 / 8 {
                    return Ok(Some(smallvec![self.terms.bv(EINVAL, 32)]));
                }
                let size = self.as_size(request.arg(2)?);
                let address = self.heap(size, align, false)?;
                self.emit(StatementKind::Store { pointer: request.arg(0)?, value: address[0] });
                Ok(Some(smallvec![self.terms.bv(0, 32)]))
            }
            // operator new and new[], operator delete and delete[], with their mangled parameters.
            "_Znwm" | "_Znwj" => self.cpp_object(request, Family::New).map(Some),
            "_Znam" | "_Znaj" => self.cpp_object(request, Family::NewArray).map(Some),
            "_ZdlPv" | "_ZdlPvm" | "_ZdlPvj" => {
                self.emit(StatementKind::Free { pointer: request.arg(0)?, family: Family::New });
                nothing()
            }
            "_ZdaPv" | "_ZdaPvm" | "_ZdaPvj" => {
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
                self.allocate(size, HEAP_ALIGN, AllocKind::Stack, false, "alloca").map(Some)
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
            "printf" | "__printf_chk" | "fprintf" | "__fprintf_chk" | "puts" | "fputs" | "putchar" | "putchar_unlocked"
            | "fputc" | "putc" | "_IO_putc" => Ok(self.print_nowhere(name, request)),
            "klee_warning" | "klee_print_expr" | "__VERIFIER_print_hull" => Ok(Some(Leaves::new())),
            "klee_silent_exit" => {
                self.stop(StopKind::Exit);
                Ok(Some(Leaves::new()))
            }
            "thrd_create" | "fork" | "vfork" => unsupported(format!("threads and processes ({name})")),
            "setjmp" | "_setjmp" | "__setjmp" | "sigsetjmp" | "__sigsetjmp" | "longjmp" | "_longjmp" | "siglongjmp" => {
                unsupported("setjmp and longjmp")
            }
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

    pub fn heap(&mut self, size: Term, align: u64, zeroed: bool) -> Translated<Leaves> {
        if !self.options.malloc_may_fail {
            self.assume_for_ledger("memory allocation (malloc and its relatives) never fails");
        }
        self.allocate(size, align, AllocKind::Heap, zeroed || self.options.for_tests, Family::C.object_name())
    }

    fn cpp_object(&mut self, request: &Request, family: Family) -> Translated<Leaves> {
        self.assume_for_ledger("memory allocation (malloc and its relatives) never fails");
        let size = self.as_size(request.arg(0)?);
        self.allocate(size, HEAP_ALIGN, AllocKind::Heap, self.options.for_tests, family.object_name())
    }

    pub fn allocate(
        &mut self,
        size: Term,
        align: u64,
        kind: AllocKind,
        zeroed: bool,
        name: &str,
    ) -> Translated<Leaves> {
        let (target, address) = self.local_term("object", Sort::Bv(self.pointer_bits));
        self.emit(StatementKind::Alloc { target, size, align, kind, zeroed, name: name.to_string() });
        Ok(smallvec![address])
    }

    /// calloc gives null when the product of its arguments does not fit.
    fn calloc(&mut self, request: &Request) -> Translated<Leaves> {
        let t = self.terms.clone();
        let (count, size) = (self.as_size(request.arg(0)?), self.as_size(request.arg(1)?));
        let overflow = t.build(Op::BvUmulOverflow, &[count, size]);
        let zero = t.bv(0, self.pointer_bits);
        let bytes = t.ite(overflow, zero, t.bv_mul(count, size));
        let address = self.heap(bytes, HEAP_ALIGN, true)?[0];
        Ok(smallvec![t.ite(overflow, zero, address)])
    }

    /// A new object with as much of the old contents as fits; the old one is freed. Null has size 0 and may be freed.
    fn realloc(&mut self, old: Term, size: Term) -> Translated<Leaves> {
        let (old_size_var, old_size) = self.local_term("old_size", Sort::Bv(self.pointer_bits));
        self.emit(StatementKind::ObjectSize { target: old_size_var, pointer: old });
        let address = self.heap(size, HEAP_ALIGN, false)?[0];
        let kept = self.terms.ite(self.terms.bv_ult(old_size, size), old_size, size);
        self.emit(StatementKind::Copy { target: address, source: old, length: kept });
        self.emit(StatementKind::Free { pointer: old, family: Family::C });
        Ok(smallvec![address])
    }
}
