//! The part of Z3's C interface that Fathom uses, as a table of function pointers filled when libz3 is opened.
//!
//! Written by hand, because a few dozen functions do not justify a generator and its libclang. Z3 treats sorts,
//! declarations, applications and patterns as terms behind the scenes (its own `Z3_sort_to_ast` and the like are mere
//! casts), so one pointer type stands for all of them here.

#![allow(non_snake_case, reason = "the names of the C interface")]

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

opaque!(Config, Context, Symbol, Ast, AstVector, Solver, Model, FuncInterp, FuncEntry, Params, ParamDescrs);

/// What Z3 calls on an error.
pub type ErrorHandler = unsafe extern "C" fn(*mut Context, c_int);

macro_rules! functions {
    ($(fn $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => {
        /// The functions of Z3 that are used.
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
    fn Z3_global_param_set(name: *const c_char, value: *const c_char);
    fn Z3_mk_config() -> *mut Config;
    fn Z3_del_config(config: *mut Config);
    fn Z3_mk_context_rc(config: *mut Config) -> *mut Context;
    fn Z3_del_context(context: *mut Context);
    fn Z3_set_error_handler(context: *mut Context, handler: Option<ErrorHandler>);
    fn Z3_get_error_code(context: *mut Context) -> c_int;
    fn Z3_get_error_msg(context: *mut Context, code: c_int) -> *const c_char;
    fn Z3_toggle_warning_messages(enabled: bool);
    fn Z3_inc_ref(context: *mut Context, term: *mut Ast);
    fn Z3_dec_ref(context: *mut Context, term: *mut Ast);
    fn Z3_mk_string_symbol(context: *mut Context, name: *const c_char) -> *mut Symbol;

    // Sorts.
    fn Z3_mk_bool_sort(context: *mut Context) -> *mut Ast;
    fn Z3_mk_int_sort(context: *mut Context) -> *mut Ast;
    fn Z3_mk_real_sort(context: *mut Context) -> *mut Ast;
    fn Z3_mk_fpa_rounding_mode_sort(context: *mut Context) -> *mut Ast;
    fn Z3_mk_bv_sort(context: *mut Context, width: c_uint) -> *mut Ast;
    fn Z3_mk_fpa_sort(context: *mut Context, exponent: c_uint, significand: c_uint) -> *mut Ast;
    fn Z3_mk_array_sort(context: *mut Context, index: *mut Ast, element: *mut Ast) -> *mut Ast;
    fn Z3_mk_uninterpreted_sort(context: *mut Context, name: *mut Symbol) -> *mut Ast;

    // Symbols and constants.
    fn Z3_parse_smtlib2_string(
        context: *mut Context,
        text: *const c_char,
        sort_count: c_uint,
        sort_names: *const *mut Symbol,
        sorts: *const *mut Ast,
        function_count: c_uint,
        function_names: *const *mut Symbol,
        functions: *const *mut Ast
    ) -> *mut AstVector;
    fn Z3_mk_const(context: *mut Context, name: *mut Symbol, sort: *mut Ast) -> *mut Ast;
    fn Z3_mk_fresh_const(context: *mut Context, prefix: *const c_char, sort: *mut Ast) -> *mut Ast;
    fn Z3_mk_func_decl(context: *mut Context, name: *mut Symbol, arity: c_uint, domain: *const *mut Ast, range: *mut Ast) -> *mut Ast;
    fn Z3_mk_app(context: *mut Context, function: *mut Ast, count: c_uint, args: *const *mut Ast) -> *mut Ast;
    fn Z3_mk_true(context: *mut Context) -> *mut Ast;
    fn Z3_mk_false(context: *mut Context) -> *mut Ast;
    fn Z3_mk_fpa_rne(context: *mut Context) -> *mut Ast;
    fn Z3_mk_fpa_rna(context: *mut Context) -> *mut Ast;
    fn Z3_mk_fpa_rtp(context: *mut Context) -> *mut Ast;
    fn Z3_mk_fpa_rtn(context: *mut Context) -> *mut Ast;
    fn Z3_mk_fpa_rtz(context: *mut Context) -> *mut Ast;
    fn Z3_mk_numeral(context: *mut Context, digits: *const c_char, sort: *mut Ast) -> *mut Ast;
    fn Z3_mk_unsigned_int64(context: *mut Context, value: u64, sort: *mut Ast) -> *mut Ast;

    // Operations of one, two, three and four arguments.
    fn Z3_mk_not(context: *mut Context, a: *mut Ast) -> *mut Ast;
    fn Z3_mk_bvneg(context: *mut Context, a: *mut Ast) -> *mut Ast;
    fn Z3_mk_bvnot(context: *mut Context, a: *mut Ast) -> *mut Ast;
    fn Z3_mk_unary_minus(context: *mut Context, a: *mut Ast) -> *mut Ast;
    fn Z3_mk_int2real(context: *mut Context, a: *mut Ast) -> *mut Ast;
    fn Z3_mk_real2int(context: *mut Context, a: *mut Ast) -> *mut Ast;
    fn Z3_mk_fpa_abs(context: *mut Context, a: *mut Ast) -> *mut Ast;
    fn Z3_mk_fpa_neg(context: *mut Context, a: *mut Ast) -> *mut Ast;
    fn Z3_mk_fpa_is_nan(context: *mut Context, a: *mut Ast) -> *mut Ast;
    fn Z3_mk_fpa_is_infinite(context: *mut Context, a: *mut Ast) -> *mut Ast;
    fn Z3_mk_fpa_is_zero(context: *mut Context, a: *mut Ast) -> *mut Ast;
    fn Z3_mk_fpa_is_normal(context: *mut Context, a: *mut Ast) -> *mut Ast;
    fn Z3_mk_fpa_is_subnormal(context: *mut Context, a: *mut Ast) -> *mut Ast;
    fn Z3_mk_fpa_is_negative(context: *mut Context, a: *mut Ast) -> *mut Ast;
    fn Z3_mk_fpa_is_positive(context: *mut Context, a: *mut Ast) -> *mut Ast;
    fn Z3_mk_fpa_to_ieee_bv(context: *mut Context, a: *mut Ast) -> *mut Ast;
    fn Z3_mk_fpa_to_real(context: *mut Context, a: *mut Ast) -> *mut Ast;
    fn Z3_mk_xor(context: *mut Context, a: *mut Ast, b: *mut Ast) -> *mut Ast;
    fn Z3_mk_eq(context: *mut Context, a: *mut Ast, b: *mut Ast) -> *mut Ast;
    fn Z3_mk_bvadd(context: *mut Context, a: *mut Ast, b: *mut Ast) -> *mut Ast;
    fn Z3_mk_bvmul(context: *mut Context, a: *mut Ast, b: *mut Ast) -> *mut Ast;
    fn Z3_mk_bvudiv(context: *mut Context, a: *mut Ast, b: *mut Ast) -> *mut Ast;
    fn Z3_mk_bvurem(context: *mut Context, a: *mut Ast, b: *mut Ast) -> *mut Ast;
    fn Z3_mk_bvsdiv(context: *mut Context, a: *mut Ast, b: *mut Ast) -> *mut Ast;
    fn Z3_mk_bvsrem(context: *mut Context, a: *mut Ast, b: *mut Ast) -> *mut Ast;
    fn Z3_mk_bvand(context: *mut Context, a: *mut Ast, b: *mut Ast) -> *mut Ast;
    fn Z3_mk_bvor(context: *mut Context, a: *mut Ast, b: *mut Ast) -> *mut Ast;
    fn Z3_mk_bvxor(context: *mut Context, a: *mut Ast, b: *mut Ast) -> *mut Ast;
    fn Z3_mk_bvshl(context: *mut Context, a: *mut Ast, b: *mut Ast) -> *mut Ast;
    fn Z3_mk_bvlshr(context: *mut Context, a: *mut Ast, b: *mut Ast) -> *mut Ast;
    fn Z3_mk_bvashr(context: *mut Context, a: *mut Ast, b: *mut Ast) -> *mut Ast;
    fn Z3_mk_bvult(context: *mut Context, a: *mut Ast, b: *mut Ast) -> *mut Ast;
    fn Z3_mk_bvslt(context: *mut Context, a: *mut Ast, b: *mut Ast) -> *mut Ast;
    fn Z3_mk_bvmul_no_underflow(context: *mut Context, a: *mut Ast, b: *mut Ast) -> *mut Ast;
    fn Z3_mk_concat(context: *mut Context, a: *mut Ast, b: *mut Ast) -> *mut Ast;
    fn Z3_mk_fpa_sqrt(context: *mut Context, a: *mut Ast, b: *mut Ast) -> *mut Ast;
    fn Z3_mk_fpa_round_to_integral(context: *mut Context, a: *mut Ast, b: *mut Ast) -> *mut Ast;
    fn Z3_mk_fpa_rem(context: *mut Context, a: *mut Ast, b: *mut Ast) -> *mut Ast;
    fn Z3_mk_fpa_eq(context: *mut Context, a: *mut Ast, b: *mut Ast) -> *mut Ast;
    fn Z3_mk_fpa_lt(context: *mut Context, a: *mut Ast, b: *mut Ast) -> *mut Ast;
    fn Z3_mk_fpa_leq(context: *mut Context, a: *mut Ast, b: *mut Ast) -> *mut Ast;
    fn Z3_mk_fpa_geq(context: *mut Context, a: *mut Ast, b: *mut Ast) -> *mut Ast;
    fn Z3_mk_fpa_to_fp_bv(context: *mut Context, a: *mut Ast, b: *mut Ast) -> *mut Ast;
    fn Z3_mk_div(context: *mut Context, a: *mut Ast, b: *mut Ast) -> *mut Ast;
    fn Z3_mk_mod(context: *mut Context, a: *mut Ast, b: *mut Ast) -> *mut Ast;
    fn Z3_mk_lt(context: *mut Context, a: *mut Ast, b: *mut Ast) -> *mut Ast;
    fn Z3_mk_le(context: *mut Context, a: *mut Ast, b: *mut Ast) -> *mut Ast;
    fn Z3_mk_select(context: *mut Context, a: *mut Ast, b: *mut Ast) -> *mut Ast;
    fn Z3_mk_const_array(context: *mut Context, a: *mut Ast, b: *mut Ast) -> *mut Ast;
    fn Z3_mk_ite(context: *mut Context, a: *mut Ast, b: *mut Ast, c: *mut Ast) -> *mut Ast;
    fn Z3_mk_fpa_add(context: *mut Context, a: *mut Ast, b: *mut Ast, c: *mut Ast) -> *mut Ast;
    fn Z3_mk_fpa_sub(context: *mut Context, a: *mut Ast, b: *mut Ast, c: *mut Ast) -> *mut Ast;
    fn Z3_mk_fpa_mul(context: *mut Context, a: *mut Ast, b: *mut Ast, c: *mut Ast) -> *mut Ast;
    fn Z3_mk_fpa_div(context: *mut Context, a: *mut Ast, b: *mut Ast, c: *mut Ast) -> *mut Ast;
    fn Z3_mk_fpa_to_fp_float(context: *mut Context, a: *mut Ast, b: *mut Ast, c: *mut Ast) -> *mut Ast;
    fn Z3_mk_fpa_to_fp_signed(context: *mut Context, a: *mut Ast, b: *mut Ast, c: *mut Ast) -> *mut Ast;
    fn Z3_mk_fpa_to_fp_unsigned(context: *mut Context, a: *mut Ast, b: *mut Ast, c: *mut Ast) -> *mut Ast;
    fn Z3_mk_fpa_to_fp_real(context: *mut Context, a: *mut Ast, b: *mut Ast, c: *mut Ast) -> *mut Ast;
    fn Z3_mk_store(context: *mut Context, a: *mut Ast, b: *mut Ast, c: *mut Ast) -> *mut Ast;
    fn Z3_mk_fpa_fma(context: *mut Context, mode: *mut Ast, a: *mut Ast, b: *mut Ast, c: *mut Ast) -> *mut Ast;

    // Operations of any number of arguments, and indexed ones.
    fn Z3_mk_and(context: *mut Context, count: c_uint, args: *const *mut Ast) -> *mut Ast;
    fn Z3_mk_or(context: *mut Context, count: c_uint, args: *const *mut Ast) -> *mut Ast;
    fn Z3_mk_add(context: *mut Context, count: c_uint, args: *const *mut Ast) -> *mut Ast;
    fn Z3_mk_mul(context: *mut Context, count: c_uint, args: *const *mut Ast) -> *mut Ast;
    fn Z3_mk_bvmul_no_overflow(context: *mut Context, a: *mut Ast, b: *mut Ast, signed: bool) -> *mut Ast;
    fn Z3_mk_extract(context: *mut Context, high: c_uint, low: c_uint, a: *mut Ast) -> *mut Ast;
    fn Z3_mk_sign_ext(context: *mut Context, bits: c_uint, a: *mut Ast) -> *mut Ast;
    fn Z3_mk_zero_ext(context: *mut Context, bits: c_uint, a: *mut Ast) -> *mut Ast;
    fn Z3_mk_int2bv(context: *mut Context, width: c_uint, a: *mut Ast) -> *mut Ast;
    fn Z3_mk_bv2int(context: *mut Context, a: *mut Ast, signed: bool) -> *mut Ast;
    fn Z3_mk_fpa_to_ubv(context: *mut Context, mode: *mut Ast, a: *mut Ast, width: c_uint) -> *mut Ast;
    fn Z3_mk_fpa_to_sbv(context: *mut Context, mode: *mut Ast, a: *mut Ast, width: c_uint) -> *mut Ast;
    fn Z3_mk_pattern(context: *mut Context, count: c_uint, terms: *const *mut Ast) -> *mut Ast;
    fn Z3_mk_quantifier_const(
        context: *mut Context,
        universal: bool,
        weight: c_uint,
        bound_count: c_uint,
        bound: *const *mut Ast,
        pattern_count: c_uint,
        patterns: *const *mut Ast,
        body: *mut Ast
    ) -> *mut Ast;

    // Solvers.
    fn Z3_mk_solver(context: *mut Context) -> *mut Solver;
    fn Z3_mk_solver_for_logic(context: *mut Context, logic: *mut Symbol) -> *mut Solver;
    fn Z3_solver_inc_ref(context: *mut Context, solver: *mut Solver);
    fn Z3_solver_dec_ref(context: *mut Context, solver: *mut Solver);
    fn Z3_solver_push(context: *mut Context, solver: *mut Solver);
    fn Z3_solver_pop(context: *mut Context, solver: *mut Solver, levels: c_uint);
    fn Z3_solver_assert(context: *mut Context, solver: *mut Solver, term: *mut Ast);
    fn Z3_solver_set_params(context: *mut Context, solver: *mut Solver, params: *mut Params);
    fn Z3_solver_interrupt(context: *mut Context, solver: *mut Solver);
    fn Z3_solver_get_reason_unknown(context: *mut Context, solver: *mut Solver) -> *const c_char;
    fn Z3_solver_get_model(context: *mut Context, solver: *mut Solver) -> *mut Model;
    fn Z3_solver_get_unsat_core(context: *mut Context, solver: *mut Solver) -> *mut AstVector;
    fn Z3_solver_check_assumptions(context: *mut Context, solver: *mut Solver, count: c_uint, assumptions: *const *mut Ast) -> c_int;
    fn Z3_solver_get_param_descrs(context: *mut Context, solver: *mut Solver) -> *mut ParamDescrs;
    fn Z3_param_descrs_inc_ref(context: *mut Context, descriptions: *mut ParamDescrs);
    fn Z3_param_descrs_dec_ref(context: *mut Context, descriptions: *mut ParamDescrs);
    fn Z3_params_validate(context: *mut Context, params: *mut Params, descriptions: *mut ParamDescrs);
    fn Z3_mk_params(context: *mut Context) -> *mut Params;
    fn Z3_params_inc_ref(context: *mut Context, params: *mut Params);
    fn Z3_params_dec_ref(context: *mut Context, params: *mut Params);
    fn Z3_params_set_bool(context: *mut Context, params: *mut Params, name: *mut Symbol, value: bool);
    fn Z3_params_set_uint(context: *mut Context, params: *mut Params, name: *mut Symbol, value: c_uint);
    fn Z3_params_set_double(context: *mut Context, params: *mut Params, name: *mut Symbol, value: f64);
    fn Z3_params_set_symbol(context: *mut Context, params: *mut Params, name: *mut Symbol, value: *mut Symbol);
    fn Z3_ast_vector_inc_ref(context: *mut Context, vector: *mut AstVector);
    fn Z3_ast_vector_dec_ref(context: *mut Context, vector: *mut AstVector);
    fn Z3_ast_vector_size(context: *mut Context, vector: *mut AstVector) -> c_uint;
    fn Z3_ast_vector_get(context: *mut Context, vector: *mut AstVector, index: c_uint) -> *mut Ast;

    // Models and values.
    fn Z3_model_inc_ref(context: *mut Context, model: *mut Model);
    fn Z3_model_dec_ref(context: *mut Context, model: *mut Model);
    fn Z3_model_eval(context: *mut Context, model: *mut Model, term: *mut Ast, completion: bool, value: *mut *mut Ast) -> bool;
    fn Z3_model_get_func_interp(context: *mut Context, model: *mut Model, function: *mut Ast) -> *mut FuncInterp;
    fn Z3_func_interp_inc_ref(context: *mut Context, interp: *mut FuncInterp);
    fn Z3_func_interp_dec_ref(context: *mut Context, interp: *mut FuncInterp);
    fn Z3_func_interp_get_num_entries(context: *mut Context, interp: *mut FuncInterp) -> c_uint;
    fn Z3_func_interp_get_entry(context: *mut Context, interp: *mut FuncInterp, index: c_uint) -> *mut FuncEntry;
    fn Z3_func_interp_get_else(context: *mut Context, interp: *mut FuncInterp) -> *mut Ast;
    fn Z3_func_entry_inc_ref(context: *mut Context, entry: *mut FuncEntry);
    fn Z3_func_entry_dec_ref(context: *mut Context, entry: *mut FuncEntry);
    fn Z3_func_entry_get_value(context: *mut Context, entry: *mut FuncEntry) -> *mut Ast;
    fn Z3_func_entry_get_arg(context: *mut Context, entry: *mut FuncEntry, index: c_uint) -> *mut Ast;
    fn Z3_get_bool_value(context: *mut Context, term: *mut Ast) -> c_int;
    fn Z3_get_ast_kind(context: *mut Context, term: *mut Ast) -> c_int;
    fn Z3_get_numeral_string(context: *mut Context, term: *mut Ast) -> *const c_char;
    fn Z3_get_app_decl(context: *mut Context, term: *mut Ast) -> *mut Ast;
    fn Z3_get_app_num_args(context: *mut Context, term: *mut Ast) -> c_uint;
    fn Z3_get_sort(context: *mut Context, term: *mut Ast) -> *mut Ast;
    fn Z3_get_app_arg(context: *mut Context, term: *mut Ast, index: c_uint) -> *mut Ast;
    fn Z3_get_as_array_func_decl(context: *mut Context, term: *mut Ast) -> *mut Ast;
    fn Z3_simplify(context: *mut Context, term: *mut Ast) -> *mut Ast;
    fn Z3_fpa_is_numeral_nan(context: *mut Context, term: *mut Ast) -> bool;
    fn Z3_is_algebraic_number(context: *mut Context, term: *mut Ast) -> bool;
    fn Z3_set_ast_print_mode(context: *mut Context, mode: c_int);
    fn Z3_model_to_string(context: *mut Context, model: *mut Model) -> *const c_char;
    fn Z3_ast_to_string(context: *mut Context, term: *mut Ast) -> *const c_char;
    fn Z3_get_decl_kind(context: *mut Context, function: *mut Ast) -> c_int;
}
