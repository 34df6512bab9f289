//! Stubs in C for functions without a body, for native runs: the driver of a test returns the results that the
//! exploration assumed for such a function (`result of NAME`) and writes what it assumed to be written through its
//! pointers (`written elsewhere`), in the order in which the interpreter asks. Functions that return a pointer or a
//! structure have no stub: native runs end at the call.

use super::Translator;
use super::harness_c::c_type;
use crate::llvm::Value;
use std::fmt::Write;

impl Translator<'_> {
    /// `is_written`: which arguments lead to memory that the function may change.
    pub fn add_stand_in(&mut self, function: Value, is_written: &[bool]) {
        let name = function.name();
        let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if !is_plain || self.native.stand_ins.contains_key(&name) {
            return;
        }
        let number = self.native.stand_ins.len();
        if let Some(text) = self.stand_in(function, &name, number, is_written) {
            self.native.stand_ins.insert(name, text);
        }
    }

    fn stand_in(&self, function: Value, name: &str, number: usize, is_written: &[bool]) -> Option<String> {
        let (ty, gives_zero) = (function.value_type(), !self.options.undefined_writes);
        if ty.is_variadic() {
            return None;
        }
        let mut parameters = Vec::new();
        let mut body = String::new();
        for (index, param) in ty.params().into_iter().enumerate() {
            let position = index as u32;
            if function.byval_type(position).is_some() || function.parameter_type_attribute(position, "sret").is_some() {
                return None;
            }
            let c_type = if param.is_pointer() { "void *" } else { c_type(param, false)? };
            parameters.push(format!("{c_type} a{index}"));
            if is_written.get(index).copied().unwrap_or(false) {
                let _ = write!(body, "written(a{index}); ");
            }
        }
        let result = match ty.result() {
            result if result.is_void() => "void",
            result if result.is_pointer() && gives_zero => "void *",
            result => c_type(result, false)?,
        };
        let held = if result == "_Bool" { "unsigned char" } else { result };
        match result {
            "void" => {}
            _ if gives_zero => body += "return 0; ",
            _ => {
                let _ = write!(body, "{held} v; give(\"resultof{name}\", &v, sizeof v); return v; ");
            }
        }
        let parameters = if parameters.is_empty() { "void".to_string() } else { parameters.join(", ") };
        let head = format!("WEAK {result} stand_in_{number}({parameters})");
        Some(format!("{head} __asm__(\"{name}\");\n{head} {{ {body}}}\n"))
    }
}
