//! The intrinsics that are known: functions with the declarations that they need, and forms that become expressions of C.

/// Clauses of contracts, which bind only those who ask for it: without that they say nothing of the program.
pub const CLAUSES: [&str; 24] = [
    "__CPROVER_requires",
    "__CPROVER_ensures",
    "__CPROVER_assigns",
    "__CPROVER_frees",
    "__CPROVER_loop_invariant",
    "__CPROVER_loop_assigns",
    "__CPROVER_loop_frees",
    "__CPROVER_decreases",
    "__CPROVER_requires_contract",
    "__CPROVER_ensures_contract",
    "__CPROVER_obeys_contract",
    "__ESBMC_requires",
    "__ESBMC_ensures",
    "__ESBMC_assigns",
    "__ESBMC_frees",
    "__ESBMC_loop_invariant",
    "__ESBMC_loop_assigns",
    "__ESBMC_loop_decreases",
    "__ESBMC_decreases",
    "__ESBMC_unroll",
    "__ESBMC_yield",
    "__CPROVER_cover",
    "__ESBMC_cover",
    "__ESBMC_no_slice",
];

/// What each becomes, with `$0` and `$1` in place of its arguments.
const FORMS: &[(&str, usize, &str)] = &[
    ("__CPROVER_r_ok", 1, "__CPROVER_r_ok($0, sizeof(*$0))"),
    ("__CPROVER_w_ok", 1, "__CPROVER_w_ok($0, sizeof(*$0))"),
    ("__CPROVER_rw_ok", 1, "__CPROVER_rw_ok($0, sizeof(*$0))"),
    (
        "__CPROVER_overflow_plus",
        2,
        "({ __typeof__($0 + $1) fathom_result; \
         __builtin_add_overflow((__typeof__(fathom_result))$0, (__typeof__(fathom_result))$1, &fathom_result); })",
    ),
    (
        "__CPROVER_overflow_minus",
        2,
        "({ __typeof__($0 - $1) fathom_result; \
         __builtin_sub_overflow((__typeof__(fathom_result))$0, (__typeof__(fathom_result))$1, &fathom_result); })",
    ),
    (
        "__CPROVER_overflow_mult",
        2,
        "({ __typeof__($0 * $1) fathom_result; \
         __builtin_mul_overflow((__typeof__(fathom_result))$0, (__typeof__(fathom_result))$1, &fathom_result); })",
    ),
    (
        "__CPROVER_overflow_unary_minus",
        1,
        "({ __typeof__(-$0) fathom_result; __builtin_sub_overflow((__typeof__(fathom_result))0, (__typeof__(fathom_result))$0, \
         &fathom_result); })",
    ),
    (
        "__CPROVER_overflow_shl",
        2,
        "({ __typeof__(+$0) fathom_result = $0; __typeof__(+$1) fathom_count = $1; fathom_result != 0 && fathom_count > 0 && \
         ((unsigned long long)fathom_count >= sizeof fathom_result * 8 || \
         __builtin_mul_overflow(fathom_result, 1ULL << (fathom_count & 63), &fathom_result)); })",
    ),
    (
        "__CPROVER_array_set",
        2,
        "({ __typeof__(__builtin_choose_expr(__builtin_types_compatible_p(__typeof__(*$0), void), (char *)0, &*$0)) fathom_array = $0; \
         __SIZE_TYPE__ fathom_count = __CPROVER_buffer_size_of(fathom_array) / \
         sizeof(*fathom_array); for (__SIZE_TYPE__ fathom_at = 0; fathom_at < fathom_count; fathom_at++) \
         fathom_array[fathom_at] = $1; })",
    ),
    (
        "__CPROVER_equal",
        2,
        "({ __typeof__($0) fathom_left = $0, fathom_right = $1; !__builtin_memcmp(&fathom_left, &fathom_right, sizeof fathom_left); })",
    ),
    ("__CPROVER_saturating_plus", 2, "__builtin_elementwise_add_sat($0, (__typeof__($0))$1)"),
    ("__CPROVER_saturating_minus", 2, "__builtin_elementwise_sub_sat($0, (__typeof__($0))$1)"),
    ("__ESBMC_bitcast", 2, "__builtin_memmove($0, $1, sizeof *$0)"),
    ("__ESBMC_init_object", 1, "__CPROVER_havoc_slice(&$0, sizeof($0))"),
];

/// ESBMC's names for what CBMC has as well.
const SAME: &[(&str, &str)] = &[
    ("__ESBMC_POINTER_OFFSET", "__CPROVER_POINTER_OFFSET"),
    ("__ESBMC_POINTER_OBJECT", "__CPROVER_POINTER_OBJECT"),
    ("__ESBMC_same_object", "__CPROVER_same_object"),
    ("__ESBMC_get_object_size", "__CPROVER_OBJECT_SIZE"),
    ("__CPROVER_thread_local", "__thread"),
];

/// Declarations of what the run-time library, or the translation, gives a meaning.
const DECLARATIONS: &[(&str, &str)] = &[
    ("__CPROVER_assume", "void __CPROVER_assume(_Bool);"),
    ("__CPROVER_assert", "void __CPROVER_assert(_Bool, const char *);"),
    ("__CPROVER_precondition", "void __CPROVER_precondition(_Bool, const char *);"),
    ("__CPROVER_postcondition", "void __CPROVER_postcondition(_Bool, const char *);"),
    ("__ESBMC_assume", "void __ESBMC_assume(_Bool);"),
    ("__ESBMC_assert", "void __ESBMC_assert(_Bool, const char *);"),
    ("__CPROVER_r_ok", "_Bool __CPROVER_r_ok(const volatile void *, __SIZE_TYPE__);"),
    ("__CPROVER_w_ok", "_Bool __CPROVER_w_ok(const volatile void *, __SIZE_TYPE__);"),
    ("__CPROVER_rw_ok", "_Bool __CPROVER_rw_ok(const volatile void *, __SIZE_TYPE__);"),
    ("__ESBMC_r_ok", "_Bool __ESBMC_r_ok(const volatile void *, __SIZE_TYPE__);"),
    ("__ESBMC_w_ok", "_Bool __ESBMC_w_ok(const volatile void *, __SIZE_TYPE__);"),
    ("__ESBMC_rw_ok", "_Bool __ESBMC_rw_ok(const volatile void *, __SIZE_TYPE__);"),
    ("__CPROVER_same_object", "_Bool __CPROVER_same_object(const volatile void *, const volatile void *);"),
    (
        "__CPROVER_pointer_in_range",
        "_Bool __CPROVER_pointer_in_range(const volatile void *, const volatile void *, const volatile void *);",
    ),
    ("__CPROVER_OBJECT_SIZE", "__SIZE_TYPE__ __CPROVER_OBJECT_SIZE(const volatile void *);"),
    ("__CPROVER_buffer_size_of", "__SIZE_TYPE__ __CPROVER_buffer_size_of(const volatile void *);"),
    ("__CPROVER_POINTER_OFFSET", "__SIZE_TYPE__ __CPROVER_POINTER_OFFSET(const volatile void *);"),
    ("__CPROVER_POINTER_OBJECT", "__SIZE_TYPE__ __CPROVER_POINTER_OBJECT(const volatile void *);"),
    ("__CPROVER_DYNAMIC_OBJECT", "_Bool __CPROVER_DYNAMIC_OBJECT(const volatile void *);"),
    ("__CPROVER_LIVE_OBJECT", "_Bool __CPROVER_LIVE_OBJECT(const volatile void *);"),
    ("__CPROVER_WRITEABLE_OBJECT", "_Bool __CPROVER_WRITEABLE_OBJECT(const volatile void *);"),
    ("__CPROVER_is_invalid_pointer", "_Bool __CPROVER_is_invalid_pointer(const volatile void *);"),
    ("__CPROVER_havoc_object", "void __CPROVER_havoc_object(volatile void *);"),
    ("__CPROVER_havoc_slice", "void __CPROVER_havoc_slice(volatile void *, __SIZE_TYPE__);"),
    ("__CPROVER_array_copy", "void __CPROVER_array_copy(const volatile void *, const volatile void *);"),
    ("__CPROVER_array_replace", "void __CPROVER_array_replace(const volatile void *, const volatile void *);"),
    ("__CPROVER_array_equal", "_Bool __CPROVER_array_equal(const volatile void *, const volatile void *);"),
    ("__CPROVER_allocate", "void *__CPROVER_allocate(__SIZE_TYPE__, _Bool);"),
    ("__CPROVER_input", "void __CPROVER_input(const char *, ...);"),
    ("__CPROVER_output", "void __CPROVER_output(const char *, ...);"),
    ("__CPROVER_printf", "void __CPROVER_printf(const char *, ...);"),
    ("__CPROVER_fence", "void __CPROVER_fence(const char *, ...);"),
    ("__CPROVER_isnanf", "_Bool __CPROVER_isnanf(float);"),
    ("__CPROVER_isnand", "_Bool __CPROVER_isnand(double);"),
    ("__CPROVER_isnanld", "_Bool __CPROVER_isnanld(long double);"),
    ("__CPROVER_isinff", "_Bool __CPROVER_isinff(float);"),
    ("__CPROVER_isinfd", "_Bool __CPROVER_isinfd(double);"),
    ("__CPROVER_isinfld", "_Bool __CPROVER_isinfld(long double);"),
    ("__CPROVER_isfinitef", "_Bool __CPROVER_isfinitef(float);"),
    ("__CPROVER_isfinited", "_Bool __CPROVER_isfinited(double);"),
    ("__CPROVER_isfiniteld", "_Bool __CPROVER_isfiniteld(long double);"),
    ("__CPROVER_isnormalf", "_Bool __CPROVER_isnormalf(float);"),
    ("__CPROVER_isnormald", "_Bool __CPROVER_isnormald(double);"),
    ("__CPROVER_isnormalld", "_Bool __CPROVER_isnormalld(long double);"),
    ("__CPROVER_signf", "_Bool __CPROVER_signf(float);"),
    ("__CPROVER_signd", "_Bool __CPROVER_signd(double);"),
    ("__CPROVER_signld", "_Bool __CPROVER_signld(long double);"),
    ("__CPROVER_abs", "int __CPROVER_abs(int);"),
    ("__CPROVER_labs", "long __CPROVER_labs(long);"),
    ("__CPROVER_fabs", "double __CPROVER_fabs(double);"),
    ("__CPROVER_fabsf", "float __CPROVER_fabsf(float);"),
    ("__CPROVER_fabsl", "long double __CPROVER_fabsl(long double);"),
    ("fathom_async", "void fathom_async(void (^)(void));"),
    ("fathom_unsupported", "void fathom_unsupported(const char *);"),
    (
        "fathom_frame",
        "struct fathom_place { const char *from; __SIZE_TYPE__ count; }; \
         struct fathom_frame { struct fathom_frame *outer; unsigned places, first_made, is_active; struct fathom_place may[32]; }; \
         struct fathom_apart { unsigned count; struct fathom_place places[32]; }; \
         void fathom_frame_begin(struct fathom_frame *); void fathom_frame_leave(struct fathom_frame *); \
         void fathom_frame_may(struct fathom_frame *, const volatile void *, __SIZE_TYPE__); \
         _Bool fathom_frame_is_there(struct fathom_apart *, const volatile void *, __SIZE_TYPE__); \
         _Bool fathom_frame_is_fresh(struct fathom_apart *, const struct fathom_frame *, const volatile void *, __SIZE_TYPE__); \
         void *fathom_object(__SIZE_TYPE__, __SIZE_TYPE__, const char *); void fathom_forget_bytes(void *, __SIZE_TYPE__, const char *); int fathom_any_int(const char *); \
         void fathom_any_globals(void); void fathom_frame_errno(void); void _Exit(int);",
    ),
    ("__CPROVER_bool", "typedef _Bool __CPROVER_bool;"),
    ("__CPROVER_size_t", "typedef __SIZE_TYPE__ __CPROVER_size_t;"),
    ("__CPROVER_ssize_t", "typedef __PTRDIFF_TYPE__ __CPROVER_ssize_t;"),
    ("__CPROVER_rounding_mode", "extern int __CPROVER_rounding_mode;"),
    ("__ESBMC_rounding_mode", "extern int __ESBMC_rounding_mode;"),
    ("__CPROVER_max_malloc_size", "extern __SIZE_TYPE__ __CPROVER_max_malloc_size;"),
    ("__CPROVER_dead_object", "extern const void *__CPROVER_dead_object;"),
    ("__CPROVER_deallocated", "extern const void *__CPROVER_deallocated;"),
    ("__CPROVER_memory_leak", "extern const void *__CPROVER_memory_leak;"),
];

/// What the rewriting of contracts uses, as `runtime/contracts.c` has it.
pub const OF_CONTRACTS: [&str; 3] = ["fathom_frame", "__CPROVER_assert", "__CPROVER_assume"];

/// What a call with so many arguments becomes.
pub fn form(name: &str, arguments: usize) -> Option<&'static str> {
    FORMS.iter().find(|(known, count, _)| *known == name && *count == arguments).map(|(_, _, text)| *text)
}

/// CBMC's name for it, or C's.
pub fn canonical(name: &str) -> &str {
    SAME.iter().find(|(known, _)| *known == name).map_or(name, |(_, same)| same)
}

pub fn declaration(name: &str) -> Option<&'static str> {
    DECLARATIONS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// The type of the language for a float with so many bits of exponent and fraction together, and of fraction.
pub fn float_type(bits: &str, fraction: &str) -> Option<&'static str> {
    match (bits, fraction) {
        ("16", "10") => Some("_Float16"),
        ("32", "23") => Some("float"),
        ("64", "52") => Some("double"),
        ("128", "112") => Some("__float128"),
        _ => None,
    }
}
