//! The part of Z3's C interface that Fathom uses, as a table of function pointers filled when libz3 is opened.
//!
//! Written by hand, because a few dozen functions do not justify a generator and its libclang. Z3 treats sorts,
//! declarations, applications and patterns as terms behind the scenes (its own `Z3_sort_to_ast` and the like are mere
//! casts), so one pointer type stands for all of them here.

#![allow(non_snake_case)]

use libloading::Library;
use std::ffi::{c_char, c_int, c_uint};

/// Declares types that exist only behind pointers.
macro_rules! opaque {
    ($($name:ident),*) => {$(
        #[repr(C)]
        pub struct $name {
            _private: [u8; 0],
        }
    )*};
}

opaque!(Config, Context, Symbol, Ast, AstVector, Solver, Model, FuncInterp, FuncEntry, Params);

pub type ErrorHandler = unsafe extern "C" fn(*mut Context, c_int);

macro_rules! functions {
    ($(fn $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => {
        pub struct Api {
            // Keeps the functions in memory.
            _library: Library,
            $(pub $name: unsafe extern "C" fn($($type),*) $(-> $result)?,)*
        }

        impl Api {
            /// Looks up every function; an error names the first that is missing.
            ///
            /// # Safety
            /// `library` must be Z3.
            pub unsafe fn load(library: Library) -> Result<Api, libloading::Error> {
                $(
                    // SAFETY: the caller vouches for the library, this file for the signature.
                    let $name = unsafe {
                        *library.get::<unsafe extern "C" fn($($type),*) $(-> $result)?>(
                            concat!(stringify!($name), "\0").as_bytes(),
                        )?
                    };
                )*
                Ok(Api { _library: library, $($name),* })
            }
        }
    };
}

functions! {
    fn Z3_get_full_version() -> *const c_char;
    fn Z3_mk_config() -> *mut Config;
    fn Z3_del_config(config: *mut Config);
    fn Z3_set_param_value(config: *mut Config, name: *const c_char, value: *const c_char);
    fn Z3_mk_context_rc(config: *mut Config) -> *mut Context;
    fn Z3_del_context(context: *mut Context);
    fn Z3_set_error_handler(context: *mut Context, handler: Option<ErrorHandler>);
    fn Z3_get_error_code(context: *mut Context) -> c_int;
    fn Z3_get_error_msg(context: *mut Context, code: c_int) -> *const c_char;
    fn Z3_inc_ref(context: *mut Context, term: *mut Ast);
    fn Z3_dec_ref(context: *mut Context, term: *mut Ast);
    fn Z3_mk_string_symbol(context: *mut Context, name: *const c_char) -> *mut Symbol;
    fn Z3_mk_int_sort(context: *mut Context) -> *mut Ast;
    fn Z3_mk_const(context: *mut Context, name: *mut Symbol, sort: *mut Ast) -> *mut Ast;
    fn Z3_mk_int64(context: *mut Context, value: i64, sort: *mut Ast) -> *mut Ast;
    fn Z3_mk_gt(context: *mut Context, a: *mut Ast, b: *mut Ast) -> *mut Ast;
    fn Z3_mk_lt(context: *mut Context, a: *mut Ast, b: *mut Ast) -> *mut Ast;
    fn Z3_mk_mul(context: *mut Context, count: c_uint, args: *const *mut Ast) -> *mut Ast;
    fn Z3_mk_simple_solver(context: *mut Context) -> *mut Solver;
    fn Z3_solver_inc_ref(context: *mut Context, solver: *mut Solver);
    fn Z3_solver_dec_ref(context: *mut Context, solver: *mut Solver);
    fn Z3_solver_assert(context: *mut Context, solver: *mut Solver, term: *mut Ast);
    fn Z3_solver_check(context: *mut Context, solver: *mut Solver) -> c_int;
}
