//! Small C programs, and what must be in their translation.

mod common;

use common::*;
use fathom_frontend_llvm::{DataModel, Options};
use fathom_ir::{AllocKind, Assumption, Callee, Initializer, Property, StatementKind as S, StopKind, TerminatorKind as T, TextArray};
use fathom_term::{Op, Sort};

#[test]
fn overflow_is_checked_where_c_says() {
    let program = translate(
        "int a(int x, int y) { return x + y; }
         unsigned b(unsigned x, unsigned y) { return x * y - x + y; }
         char c(char x) { x++; x += 3; return x; }
         int d(int x, int y) { return -x * y; }
         long e(long x) { return --x; }
         int f(int x, int n) { int v[n][n]; return v[1][x]; }
         int main(void) { return a(1, 2) + b(1, 2) + c(1) + d(1, 2) + e(1) + f(1, 2); }",
    );
    let overflows = |name| asserts(&program, name, Property::NoOverflow);
    assert_eq!(overflows("a"), ["signed overflow in addition"]);
    assert!(overflows("b").is_empty());
    // The sum of a promoted char and 3 fits an int; that the solver must see, but ++ has no check at all.
    assert!(overflows("c").len() <= 1);
    assert_eq!(overflows("d"), ["signed overflow in negation", "signed overflow in multiplication"]);
    assert_eq!(overflows("e"), ["signed overflow in subtraction"]);
    assert!(overflows("f").is_empty());
}

#[test]
fn divisions_and_shifts_are_checked() {
    let program = translate(
        "int a(int x, int y) { return x / y; }
         unsigned b(unsigned x, unsigned y) { return x % y; }
         int c(int x, int y) { return x >> y; }
         int d(int x) { return x / 3 + (x << 3); }
         int main(void) { return a(1, 2) + b(1, 2) + c(1, 2) + d(1); }",
    );
    assert_eq!(asserts(&program, "a", Property::DivByZero).len(), 1);
    assert_eq!(asserts(&program, "a", Property::NoOverflow).len(), 1);
    assert_eq!(asserts(&program, "b", Property::DivByZero).len(), 1);
    assert!(asserts(&program, "b", Property::NoOverflow).is_empty());
    assert_eq!(asserts(&program, "c", Property::Shift).len(), 1);
    assert!(asserts(&program, "d", Property::DivByZero).is_empty());
    // The amount is fine; the value may be negative or too large.
    assert_eq!(asserts(&program, "d", Property::Shift), ["left shift of a negative value or out of the type's range"]);
    assert_eq!(asserts(&program, "d", Property::NoOverflow), ["signed overflow in a left shift", "signed overflow in addition"]);
}

#[test]
fn checks_come_before_clang_folds_constants() {
    let program = translate(
        "int a(void) { return 2147483647 + 1; }
         int b(void) { return 1 / 0; }
         int c(void) { return 1 << 32; }
         int d(void) { int x; if ((x = 2147483647) + 1 > 0) return 1; switch ((x = 2147483647) + 1) { case 0: return 2; } return 0; }
         int e(void) { return sizeof(2147483647 + 1); }
         struct s { int a[2], b; } s;
         int f(void) { return s.a[2]; }
         int main(void) { return a() + b() + c() + d() + e() + f(); }",
    );
    let count = |name, property| asserts(&program, name, property).len();
    assert_eq!(count("a", Property::NoOverflow), 1);
    assert_eq!(count("b", Property::DivByZero), 1);
    assert_eq!(count("c", Property::Shift), 1);
    assert_eq!(count("d", Property::NoOverflow), 2);
    assert_eq!(count("e", Property::NoOverflow), 0);
    assert_eq!(count("f", Property::Bounds), 1);
}

#[test]
fn an_uninitialised_local_is_one_arbitrary_value() {
    let program = translate("int main(void) { int x; return x == x && x > 3; }");
    let havocs = count(&program, "main", |s| matches!(s, S::Havoc { input: Some(i), .. } if i.source.is_empty()));
    assert_eq!(havocs, 1);
}

#[test]
fn a_loop_assigns_its_variables_at_once() {
    let program = translate("int main(void) { int a = 0, b = 1; for (int i = 0; i < 9; i++) { int t = a; a = b; b = t; } return a; }");
    let parallel = statements(&program, "main").any(|s| matches!(&s.kind, S::Assign(a) if a.len() == 3));
    assert!(parallel);
    assert_eq!(count(&program, "main", |s| matches!(s, S::Load { .. } | S::Store { .. } | S::Alloc { .. })), 0);
    let watched = |name: &str| count(&program, "main", |s| matches!(s, S::Watch(w) if w.variable == name)) > 0;
    assert!(watched("a") && watched("b") && watched("i"));
}

#[test]
fn inputs_have_names_and_types() {
    let program = translate(
        "extern unsigned char __VERIFIER_nondet_uchar(void); extern _Bool __VERIFIER_nondet_bool(void);
         extern double __VERIFIER_nondet_double(void); extern void *__VERIFIER_nondet_pointer(void);
         void klee_make_symbolic(void *, unsigned long, const char *);
         int main(void) { int k; klee_make_symbolic(&k, sizeof k, \"k\");
           return __VERIFIER_nondet_uchar() + __VERIFIER_nondet_bool() + (__VERIFIER_nondet_double() > 1.0)
             + (__VERIFIER_nondet_pointer() != 0) + k; }",
    );
    let inputs: Vec<(Sort, String)> = statements(&program, "main")
        .filter_map(|s| match &s.kind {
            S::Havoc { vars, input: Some(input) } if !input.source.is_empty() => {
                Some((program.terms.var_sort(vars[0]), input.type_name.clone()))
            }
            _ => None,
        })
        .collect();
    let expected = [(Sort::Bv(8), "unsigned char"), (Sort::Bool, "_Bool"), (Sort::Bv(64), "double"), (Sort::Bv(64), "void *")];
    assert_eq!(inputs, expected.map(|(sort, name)| (sort, name.to_string())));
    assert_eq!(count(&program, "main", |s| matches!(s, S::Set { .. })), 1);
}

#[test]
fn errors_and_assertions() {
    let program = translate(
        "#include <assert.h>
         void reach_error(void) { }
         void __VERIFIER_assume(int); int __VERIFIER_nondet_int(void); void abort(void); void exit(int);
         int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 0); assert(x != 7);
           if (x == 3) reach_error(); if (x == 4) abort(); if (x == 5) exit(1); return 0; }",
    );
    assert_eq!(asserts(&program, "main", Property::UnreachCall), ["reach_error() is reached"]);
    assert_eq!(asserts(&program, "main", Property::Assertion), ["x != 7"]);
    assert_eq!(count(&program, "main", |s| matches!(s, S::Assume(_))), 1);
    let stops =
        |kind: StopKind| body(&program, "main").blocks.iter().filter(|b| matches!(&b.terminator.kind, T::Stop(k) if *k == kind)).count();
    assert_eq!((stops(StopKind::Abort), stops(StopKind::Exit)), (3, 1));
}

#[test]
fn memory_functions() {
    let program = translate(
        "#include <stdlib.h>
         #include <string.h>
         int main(void) { char *p = malloc(8); p = realloc(p, 16); char *q = calloc(2, 3); memset(p, 0, 16);
           memcpy(p, q, 6); free(p); free(q); return strlen(q) + strcmp(p, q); }",
    );
    let heap = |zeroed_wanted: bool| {
        count(&program, "main", |s| matches!(s, S::Alloc { kind: AllocKind::Heap, zeroed, .. } if *zeroed == zeroed_wanted))
    };
    // realloc is a function of the library, which tells its cases apart.
    assert_eq!((heap(false), heap(true)), (1, 1));
    assert_eq!(count(&program, "main", |s| matches!(s, S::Free { .. })), 2);
    assert_eq!(count(&program, "main", |s| matches!(s, S::Copy { .. })), 1);
    assert!(procedure(&program, "realloc").body.is_some());
    assert!(procedure(&program, "strlen").body.is_some() && procedure(&program, "strcmp").body.is_some());
    assert!(program.assumptions.contains(&Assumption::AllocationNeverFails));
}

#[test]
fn input_and_output_of_the_c_library() {
    let program = translate(
        "#include <stdio.h>
         int main(void) { int x; double d; char text[8]; if (scanf(\"%d %lf\", &x, &d) != 2) return 1;
           snprintf(text, sizeof text, \"%d\", x); printf(\"%s\", text); return text[0]; }",
    );
    assert_eq!(count(&program, "main", |s| matches!(s, S::Unsupported(_))), 0);
    let is_scanned = |s: &S| matches!(s, S::Havoc { input: Some(input), .. } if input.source == "scanf");
    assert_eq!(count(&program, "main", is_scanned), 2);
    assert!(procedure(&program, "snprintf").body.is_some());
    assert!(program.assumptions.contains(&Assumption::NoEffect { function: "printf".into() }));
}

#[test]
fn a_library_function_of_the_programs_own_wins() {
    let program = translate(
        "unsigned long strlen(const char *s) { return 3; } double round(double x) { return 5.0; }
         int main(void) { return strlen(\"a\") + round(1.0); }",
    );
    assert_eq!(body(&program, "strlen").blocks.len(), 1);
    assert_eq!(count(&program, "main", |s| matches!(s, S::Call { .. })), 2);
}

#[test]
fn globals_have_bytes_and_relocations() {
    let program = translate_for(
        "int a = 0x01020304; const char *names[2] = {\"x\", \"yz\"}; static long zero[1000]; extern int far;
         int f(void) { return 1; } int (*table[])(void) = {f}; int *inside = &((int *)zero)[3];
         int main(void) { return a + names[1][0] + zero[3] + far + table[0]() + *inside; }",
        DataModel::Lp64,
    );
    let object = |name: &str| program.objects.iter().find(|o| o.name == name).unwrap_or_else(|| panic!("no {name}"));
    assert!(matches!(&object("a").init, Initializer::Bytes { bytes, .. } if bytes == &[4, 3, 2, 1]));
    let Initializer::Bytes { relocations, .. } = &object("names").init else { panic!("names has no bytes") };
    assert_eq!(relocations.iter().map(|r| r.offset).collect::<Vec<_>>(), [0, 8]);
    assert!(matches!(object("zero").init, Initializer::Zero) && object("zero").size == 8000);
    assert!(matches!(object("far").init, Initializer::External));
    let f = program.find_procedure("f").unwrap_or_else(|| panic!("no f"));
    assert!(program.procedure_addresses.values().any(|p| *p == f));
    let Initializer::Bytes { relocations, .. } = &object("inside").init else { panic!("inside has no bytes") };
    assert!(matches!(program.terms.op(relocations[0].value), Op::BvAdd));
    assert!(object("names").loc.is_known() && !object("names").read_only);
    assert!(program.objects.iter().any(|o| o.read_only));
}

#[test]
fn structures_variadic_functions_and_pointers_to_functions() {
    let program = translate(
        "#include <stdarg.h>
         struct small { float x, y; }; struct pair { long a; double b; }; struct big { int v[20]; };
         struct small f(struct small s) { s.x += 1; return s; }
         struct pair g(struct pair p) { p.a++; return p; }
         struct big h(struct big b) { b.v[0] = 1; return b; }
         long sum(int n, ...) { va_list l, m; va_start(l, n); va_copy(m, l); long s = va_arg(l, int);
           s += va_arg(l, double); s += va_arg(l, long double); s += va_arg(l, struct big).v[1];
           s += va_arg(l, struct pair).a; va_end(l); return s; }
         int old(); int old(a, b) int a; double b; { return a + b; }
         int (*pointer)() = old; struct big (*q)(struct big) = h;
         int main(void) { struct small s = {1, 2}; struct pair p = {1, 2}; struct big b = {{0}};
           s = f(s); p = g(p); b = q(b);
           return sum(5, 1, 2.0, 3.0L, b, p) + old(1, 2.0) + pointer(1, 2.0) + s.x; }",
    );
    assert!(unsupported(&program).is_empty(), "{:?}", unsupported(&program));
    let indirect = count(&program, "main", |s| matches!(s, S::Call { callee: Callee::Indirect(_), .. }));
    assert_eq!(indirect, 2);
    assert!(procedure(&program, "sum").variadic.is_some());
    // The callee of a by-value structure works on a copy.
    assert_eq!(count(&program, "h", |s| matches!(s, S::Alloc { kind: AllocKind::Stack, .. })), 1);
    assert!(count(&program, "h", |s| matches!(s, S::Copy { .. })) >= 1);
}

#[test]
fn main_with_arguments_has_a_caller() {
    let program = translate("int main(int argc, char **argv) { return argv[argc] == 0; }");
    assert_eq!(program.procedure(program.entry).name, "main.caller");
    assert!(program.assumptions.iter().any(|a| matches!(a, Assumption::ArbitraryTexts { array: TextArray::Arguments, .. })));
    let plain = translate("int main(void) { return 0; }");
    assert_eq!(plain.procedure(plain.entry).name, "main");
}

#[test]
fn floats_of_every_format() {
    let program = translate(
        "#include <math.h>
         double __VERIFIER_nondet_double(void);
         int main(void) { double d = __VERIFIER_nondet_double(); float f = d; long double l = d * 2; int i = d; unsigned u = f;
           union { double d; unsigned long long u; } bits = { d };
           return (d == f) + (l < d) + i + u + isnan(d) + (fabs(d) > sqrt(d)) + (fmod(d, 3) != floor(f)) + (bits.u == 1)
             + signbit(d) + (fmin(d, 1) >= fmax(d, 2)) + (round(d) != trunc(d)) + isinf(l) + fpclassify(f); }",
    );
    assert!(unsupported(&program).is_empty(), "{:?}", unsupported(&program));
    assert!(program.procedures.iter().all(|p| p.body.is_some()));
}

#[test]
fn control_flow_of_every_kind() {
    let program = translate(
        "int f(int x) { switch (x) { case 1: return 2; case 5: case 6: x++; default: x--; } return x; }
         int g(int x) { void *t[] = {&&a, &&b}; goto *t[x & 1]; a: return 1; b: return 2; }
         int h(int x) { do { if (x == 3) continue; if (x > 9) break; } while (x++ < 20); return x ? f(x) : g(x); }
         int main(void) { return h(2); }",
    );
    assert!(body(&program, "f").blocks.iter().any(|b| matches!(b.terminator.kind, T::Switch(_))));
    assert!(body(&program, "g").blocks.iter().any(|b| matches!(b.terminator.kind, T::Switch(_))));
}

#[test]
fn what_is_not_supported_is_said_in_its_place() {
    let program = translate(
        "int fork(void);
         int main(void) { __asm__ volatile(\"\" ::: \"memory\"); if (fork()) return 1; return 0; }",
    );
    assert_eq!(unsupported(&program), ["processes (fork)"]);
    let program = translate(
        "static __attribute__((section(\"numbers\"), used)) int one = 1; extern int __start_numbers[];
         int main(void) { return __start_numbers[0]; }",
    );
    assert_eq!(unsupported(&program), ["__start_numbers, which the linker defines"]);
}

#[test]
fn labels_that_start_threads_elsewhere_are_refused() {
    let program = translate("int g; int main(void) { g = 2; __CPROVER_ASYNC_1: goto out; out: return g; }");
    assert_eq!(unsupported(&program), ["the label `__CPROVER_ASYNC_1`, which starts a thread in CBMC's dialect"]);
    let program = translate("int g; int main(void) { ASYNC_1: g = 1; g = 2; return g; }");
    assert!(unsupported(&program).is_empty(), "{:?}", unsupported(&program));
}

#[test]
fn builtins_and_odd_widths() {
    let program = translate(
        "struct bits { unsigned a : 3; signed b : 13; unsigned long long c : 33; };
         int main(void) { struct bits s = {1, -2, 3}; s.c += s.a; _Bool flag = s.b; int r;
           unsigned x = s.c; flag |= __builtin_add_overflow(x, 3, &r);
           return __builtin_popcount(x) + __builtin_clz(x | 1) + __builtin_ctz(x | 1) + __builtin_bswap32(x) + flag
             + __builtin_expect(x, 1) + __sync_fetch_and_add(&r, 1) + __atomic_exchange_n(&r, 3, __ATOMIC_SEQ_CST)
             + __sync_val_compare_and_swap(&r, 1, 2); }",
    );
    assert!(unsupported(&program).is_empty(), "{:?}", unsupported(&program));
}

#[test]
fn statements_know_where_they_come_from() {
    let program = translate("int f(int x) {\n  return x +\n 1;\n}\nint main(void) {\n  return f(2);\n}\n");
    let call = statements(&program, "main").find(|s| matches!(s.kind, S::Call { .. }));
    assert!(call.is_some_and(|s| s.loc.line == 6 && s.loc.column == 10));
    assert_eq!(procedure(&program, "f").loc.line, 1);
    assert!(program.files.show(procedure(&program, "f").loc).contains("test.c"));
}

#[test]
fn volatile_reads_are_arbitrary_only_when_asked_for() {
    let source = "volatile int v; int main(void) { return v; }";
    let is_volatile = |options: &Options| count(&translate_with(source, options), "main", |s| matches!(s, S::Load { volatile: true, .. }));
    assert_eq!(is_volatile(&Options::default()), 0);
    assert_eq!(is_volatile(&Options { volatile_arbitrary: true, ..Options::default() }), 1);
}

#[test]
fn plain_inline_functions_have_their_body() {
    let source = "inline int once(int x) { return x; } inline int twice(int x) { return 2 * once(x); } int main(void) { return twice(3); }";
    for name in ["test.c", "test.i"] {
        let loaded = load_bytes(name, source.as_bytes(), &Options::default()).unwrap();
        assert!(["once", "twice"].iter().all(|inner| procedure(&loaded.program, inner).body.is_some()), "{name}");
    }
}

#[test]
fn the_rounding_mode_is_a_variable_only_if_it_may_change() {
    let changing = "#include <fenv.h>\nint main(void) { fesetround(FE_UPWARD); return 1.0 / 3.0 > 0; }";
    assert_eq!(translate(changing).globals.len(), 1);
    assert!(translate("#include <fenv.h>\nint main(void) { fesetround(FE_TONEAREST); return 0; }").globals.is_empty());
}

#[test]
fn an_index_is_checked_where_its_distance_may_not_fit() {
    let source = "struct pair { int a, b; } pairs[4]; char text[8]; int grid[3][5];
         int *keep(int *p) { return p; }
         int a(int i) { return pairs[i].b; }
         int b(unsigned char i) { return pairs[i].b; }
         int c(int i) { return text[i]; }
         int d(long long i, int j) { return grid[i][j]; }
         int *e(int *p, int n) { return p + n; }
         int f(int *p, int n) { return p + n == p; }
         int g(int *p, int n) { return *keep(p + n); }
         int h(int n) { return pairs[3].b + grid[2][1]; }
         int main(void) { return a(1) + b(1) + c(1) + d(1, 1) + *e(grid[0], 1) + f(grid[0], 1) + g(grid[0], 1) + h(1); }";
    let counts = |model| {
        let program = translate_for(source, model);
        ["a", "b", "c", "d", "e", "f", "g", "h"].map(|name| asserts(&program, name, Property::ValidDeref).len())
    };
    assert_eq!(counts(DataModel::Ilp32), [1, 0, 0, 1, 1, 0, 1, 0]);
    // An int never comes near the ends of 64 bits.
    assert_eq!(counts(DataModel::Lp64), [0, 0, 0, 1, 0, 0, 0, 0]);
}

#[test]
fn a_product_of_truth_values_may_be_an_index() {
    let source = "@a = global [4 x i32] zeroinitializer
         define i32 @main(i1 %x, i1 %y) {
           %m = mul nsw i1 %x, %y
           %p = getelementptr inbounds i32, ptr getelementptr inbounds ([4 x i32], ptr @a, i64 0, i64 1), i1 %m
           store i32 1, ptr %p
           ret i32 0
         }";
    let loaded = load_bytes("test.ll", source.as_bytes(), &Options::default()).expect("LLVM assembly");
    assert!(asserts(&loaded.program, "main", Property::NoOverflow).is_empty());
}

#[test]
fn an_index_stays_in_its_part_of_an_object() {
    let program = translate(
        "struct queue { int element[20], head, tail; } queue, queues[2];
         struct text { int length; char letters[4]; } *text;
         union both { int numbers[4]; char bytes[16]; } both;
         int grid[3][5], row[5];
         int a(int i) { return queue.element[i]; }
         int b(struct queue *q, int i) { return q->element[i]; }
         int c(int i, int j) { return queues[i].element[j]; }
         int d(int i) { return text->letters[i]; }
         int e(int i) { return both.bytes[i]; }
         int f(int i) { return grid[0][i] + grid[2][i]; }
         int g(int i) { return row[i]; }
         int *h(int i) { return &queue.element[i]; }
         int i(int (*p)[5], int i) { return p[1][i]; }
         int main(void) { return a(1) + b(&queue, 1) + c(1, 1) + d(1) + e(1) + f(1) + g(1) + *h(1) + i(grid, 1); }",
    );
    let checks = ["a", "b", "c", "d", "e", "f", "g", "h", "i"].map(|name| asserts(&program, name, Property::Bounds).len());
    // The address of an element (h) may be the end of the array, and no further.
    assert_eq!(checks, [1, 1, 1, 0, 0, 2, 0, 1, 1]);
}
