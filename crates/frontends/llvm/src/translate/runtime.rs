//! What `runtime/fathom.h` only declares: the few things that the C library for the analysed program can't say in C.

use super::calls::Request;
use super::function::FunctionTranslator;
use super::types::{Leaves, Scalar};
use super::{Translated, unsupported};
use fathom_ir::{AllocKind, Aspect, Assumption, Fill, InputKind, LIBRARY_OBJECT, StatementKind, sources};
use fathom_term::{Sort, Term};
use llvm_sys::core::LLVMIsThreadLocal;
use smallvec::smallvec;

impl FunctionTranslator<'_, '_> {
    pub fn runtime_function(&mut self, name: &str, request: &Request) -> Translated<Option<Leaves>> {
        match name {
            "fathom_any_int" | "fathom_any_long" | "fathom_any_float" | "fathom_any_double" | "fathom_any_longdouble" => {
                let type_name = match &name["fathom_any_".len()..] {
                    "longdouble" => "long double",
                    other => other,
                };
                let source = self.text_argument(request, 0);
                let input = InputKind { source, type_name: type_name.to_string(), signed: true };
                let leaves = self.leaves_of(request.result)?;
                Ok(Some(leaves.iter().map(|leaf| self.arbitrary("any", leaf.scalar, input.clone())).collect()))
            }
            "fathom_libm_float" | "fathom_libm_double" => self.library_mathematics(request, 1).map(Some),
            "fathom_libm_2_float" | "fathom_libm_2_double" => self.library_mathematics(request, 2).map(Some),
            "fathom_any_bytes" => {
                let (pointer, length) = (request.arg(0)?, self.as_size(request.arg(1)?));
                let source = self.text_argument(request, 2);
                let input = InputKind { source, type_name: "char".to_string(), signed: false };
                self.emit(StatementKind::Set { pointer, fill: Fill::Arbitrary(input), length });
                Ok(Some(Leaves::new()))
            }
            "fathom_object_base" => self.inspect(request, Aspect::Base).map(Some),
            "fathom_object_number" => self.inspect(request, Aspect::Number).map(Some),
            "fathom_object_size" => self.inspect(request, Aspect::Size).map(Some),
            "fathom_object_traits" => self.inspect(request, Aspect::Traits).map(Some),
            "fathom_heap" => {
                let size = self.as_size(request.arg(0)?);
                self.allocate(size, self.heap_align(), AllocKind::Heap, false, LIBRARY_OBJECT).map(Some)
            }
            "fathom_object" => {
                let (size, align) = (self.as_size(request.arg(0)?), self.as_size(request.arg(1)?));
                let Some(align) = self.terms.const_bits(align) else { return unsupported("an alignment that is not known") };
                let align = if align == 0 { self.heap_align() } else { align };
                let name = self.text_argument(request, 2);
                self.allocate(size, align, AllocKind::Heap, false, &name).map(Some)
            }
            "fathom_forget_bytes" => {
                let (pointer, length) = (request.arg(0)?, self.as_size(request.arg(1)?));
                let source = self.text_argument(request, 2);
                self.forget_bytes(pointer, length, InputKind { source, type_name: "char".to_string(), signed: false });
                Ok(Some(Leaves::new()))
            }
            "fathom_any_globals" => self.any_globals().map(|()| Some(Leaves::new())),
            "fathom_ledger" => {
                let (kind, function) = (self.text_argument(request, 0), self.text_argument(request, 1));
                match Assumption::of_library(&kind, &function) {
                    Some(assumption) => self.assume_for_ledger(assumption),
                    None => return unsupported(format!("the assumption `{kind}`")),
                }
                Ok(Some(Leaves::new()))
            }
            "fathom_unsupported" => unsupported(self.text_argument(request, 0)),
            _ => Ok(None),
        }
    }

    /// Every variable of the program has any value.
    fn any_globals(&mut self) -> Translated<()> {
        for name in self.sources.variables.clone() {
            let Some(global) = self.module.global(&name) else { continue };
            // SAFETY: asks a live variable.
            if unsafe { LLVMIsThreadLocal(global.0) } != 0 {
                return unsupported(format!("the thread-local variable {name} in a program of which contracts are used"));
            }
            let length = self.terms.bv(self.layout.alloc_size(global.value_type()), self.pointer_bits);
            let input = InputKind { source: format!("{}{name}", sources::VARIABLE), type_name: "char".to_string(), signed: false };
            let pointer = self.address_of_global(global);
            self.emit(StatementKind::Set { pointer, fill: Fill::Arbitrary(input), length });
        }
        Ok(())
    }

    fn inspect(&mut self, request: &Request, aspect: Aspect) -> Translated<Leaves> {
        let pointer = request.arg(0)?;
        Ok(smallvec![self.ask_object(pointer, aspect)])
    }

    /// Something about the object that a pointer points into.
    pub fn ask_object(&mut self, pointer: Term, aspect: Aspect) -> Term {
        let (target, answer) = self.local_term("object", Sort::Bv(self.pointer_bits));
        self.emit(StatementKind::Inspect { target, pointer, aspect });
        answer
    }

    /// A function whose name is the first argument, of the others.
    fn library_mathematics(&mut self, request: &Request, arity: usize) -> Translated<Leaves> {
        let name = self.text_argument(request, 0);
        let mut args = Vec::new();
        for index in 1..=arity {
            args.push(request.arg(index)?);
        }
        let sort = self.terms.sort(args[0]);
        let Some(function) = self.terms.computed_function(&name, arity, sort) else { return unsupported(name) };
        let computed = self.terms.apply(function, &args);
        // The machine's library was asked for values to nearest; in other modes they are others, of which the bounds are known.
        let (Some(mode), Sort::Float(format)) = (self.rounding_mode, sort) else { return Ok(smallvec![computed]) };
        let type_name = if request.name.ends_with("float") { "float" } else { "double" };
        let input = InputKind { source: format!("bounds of {name}"), type_name: type_name.to_string(), signed: true };
        let other = self.arbitrary("any", Scalar::Float(format), input);
        Ok(smallvec![self.terms.ite(self.terms.eq(mode, self.nearest_even()), computed, other)])
    }

    /// A constant text among the arguments; the library passes nothing else here.
    fn text_argument(&self, request: &Request, index: usize) -> String {
        request.operands.get(index).and_then(|&text| self.constant_text(text)).unwrap_or_default()
    }
}
