//! The functions of `native/layer.cpp`, as they are. Null pointers and negative numbers mean that `fb_error` has a
//! message. Only `handle.rs` calls these; every other file uses its safe types.

use std::ffi::{c_char, c_int, c_void};

macro_rules! opaque {
    ($($name:ident),*) => {$(
        #[repr(C)]
        pub struct $name {
            _private: [u8; 0],
        }
    )*};
}

opaque!(Manager, Sort, Term, Solver);

pub type ShouldStop = unsafe extern "C" fn(*mut c_void) -> bool;

unsafe extern "C" {
    pub fn fb_error() -> *const c_char;
    pub fn fb_version() -> *const c_char;
    pub fn fb_take_fault() -> c_int;
    pub fn fb_manager_new() -> *mut Manager;
    pub fn fb_manager_delete(manager: *mut Manager);

    pub fn fb_sort_delete(sort: *mut Sort);
    pub fn fb_sort_bool(manager: *mut Manager) -> *mut Sort;
    pub fn fb_sort_bv(manager: *mut Manager, width: u64) -> *mut Sort;
    pub fn fb_sort_fp(manager: *mut Manager, exponent: u64, significand: u64) -> *mut Sort;
    pub fn fb_sort_rm(manager: *mut Manager) -> *mut Sort;
    pub fn fb_sort_array(manager: *mut Manager, index: *const Sort, element: *const Sort) -> *mut Sort;
    pub fn fb_sort_function(manager: *mut Manager, domain: *const *const Sort, arity: usize, codomain: *const Sort) -> *mut Sort;

    pub fn fb_term_delete(term: *mut Term);
    pub fn fb_bool(manager: *mut Manager, value: bool) -> *mut Term;
    pub fn fb_bv_u64(manager: *mut Manager, sort: *const Sort, value: u64) -> *mut Term;
    pub fn fb_bv_binary(manager: *mut Manager, sort: *const Sort, digits: *const c_char) -> *mut Term;
    pub fn fb_fp(manager: *mut Manager, sign: *const Term, exponent: *const Term, significand: *const Term) -> *mut Term;
    pub fn fb_rm(manager: *mut Manager, mode: c_int) -> *mut Term;
    pub fn fb_constant(manager: *mut Manager, sort: *const Sort, name: *const c_char) -> *mut Term;
    pub fn fb_bound_variable(manager: *mut Manager, sort: *const Sort, name: *const c_char) -> *mut Term;
    pub fn fb_constant_array(manager: *mut Manager, sort: *const Sort, value: *const Term) -> *mut Term;
    pub fn fb_apply(
        manager: *mut Manager,
        kind: c_int,
        args: *const *const Term,
        count: usize,
        indices: *const u64,
        index_count: usize,
    ) -> *mut Term;
    pub fn fb_substitute(
        manager: *mut Manager,
        body: *const Term,
        from: *const *const Term,
        to: *const *const Term,
        count: usize,
    ) -> *mut Term;

    pub fn fb_term_kind(term: *const Term) -> c_int;
    pub fn fb_term_child(term: *const Term, index: usize) -> *mut Term;
    pub fn fb_value_bool(term: *const Term) -> c_int;
    pub fn fb_value_rm(term: *const Term) -> c_int;
    pub fn fb_value_bits(term: *const Term) -> *const c_char;

    pub fn fb_solver_new(manager: *mut Manager, names: *const *const c_char, values: *const *const c_char, count: usize) -> *mut Solver;
    pub fn fb_solver_delete(solver: *mut Solver);
    pub fn fb_push(solver: *mut Solver, levels: u32) -> c_int;
    pub fn fb_pop(solver: *mut Solver, levels: u32) -> c_int;
    pub fn fb_assert(solver: *mut Solver, term: *const Term) -> c_int;
    pub fn fb_check(
        solver: *mut Solver,
        assumptions: *const *const Term,
        count: usize,
        should_stop: ShouldStop,
        state: *mut c_void,
    ) -> c_int;
    pub fn fb_is_unsat_assumption(solver: *mut Solver, term: *const Term) -> c_int;
    pub fn fb_value(solver: *mut Solver, term: *const Term) -> *mut Term;
}
