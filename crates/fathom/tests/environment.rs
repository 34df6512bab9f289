//! What a program finds around it: arguments, standard input, files, the C library, functions without a body, an entry
//! other than main, and C++. Each case is a program, flags, the verdict, and a word of the report.

mod common;

use common::Bench;

struct Case {
    name: &'static str,
    source: &'static str,
    flags: &'static str,
    verdict: &'static str,
    says: &'static str,
}

fn check(cases: &[Case]) {
    for case in cases {
        let bench = Bench::new();
        bench.write(case.name, case.source);
        let mut arguments = vec![case.name];
        arguments.extend(case.flags.split_whitespace());
        let run = bench.verify(&arguments);
        assert_eq!(run.verdict(), case.verdict, "{} {}\n{}{}", case.source, case.flags, run.stdout, run.stderr);
        assert!(run.stdout.contains(case.says), "`{}` is missing: {} {}\n{}", case.says, case.source, case.flags, run.stdout);
    }
}

const OPTIONS: &str = "#include <assert.h>\n#include <string.h>\n\
    int main(int argc, char **argv) { if (argc > 2 && !strcmp(argv[1], \"-x\") && argv[2][0] == 'q') assert(0); }\n";

#[test]
fn arguments() {
    let natively = "confirmed natively";
    check(&[
        Case { name: "a.c", source: OPTIONS, flags: "--sym-args 0 2 3", verdict: "false(assertion)", says: natively },
        Case { name: "a.c", source: OPTIONS, flags: "--sym-args 0 1 3", verdict: "true", says: "at most 3 characters" },
        Case { name: "a.c", source: OPTIONS, flags: "--args -x quiet", verdict: "false(assertion)", says: natively },
        Case { name: "a.c", source: OPTIONS, flags: "--args -x loud", verdict: "true", says: "" },
    ]);
}

const GREETING: &str = "#include <assert.h>\n#include <stdio.h>\n\
    int main(void) { int a = getchar(), b = getchar(); if (a == 'h' && b == 'i') assert(getchar() != '!'); }\n";
const LINES: &str = "#include <assert.h>\n#include <stdio.h>\n#include <string.h>\n\
    int main(void) { char line[8]; while (fgets(line, sizeof line, stdin)) { line[strcspn(line, \"\\n\")] = 0; \
    assert(strcmp(line, \"quit\")); } }\n";

const SCANNED: &str = "#include <assert.h>\n#include <stdio.h>\n\
    int main(void) { int a; long b; double d; if (scanf(\"%d,%ld %lf\", &a, &b, &d) == 3) assert(!(a == -5 && b == 77 && d == 0.125)); }\n";
/// Items that were not converted keep their value, and a width bounds it.
const NOT_SCANNED: &str = "#include <assert.h>\n#include <stdio.h>\n\
    int main(void) { int x = 3, y = 4; int n = scanf(\"%d %2d\", &x, &y); if (n < 1) assert(x == 3); if (n < 2) assert(y == 4);\n\
    assert(n <= 2 && y < 100 && y > -10); }\n";
const UNLOOKED: &str = "#include <assert.h>\n#include <stdio.h>\n\
    int main(void) { int x = 3; scanf(\"%d\", &x); assert(x != 1234); }\n";

/// clang returns it in two halves, a native run in one piece.
const WIDE: &str = "#include <assert.h>\nextern unsigned __int128 __VERIFIER_nondet_uint128(void);\n\
    int main(void) { unsigned __int128 wide = __VERIFIER_nondet_uint128(); assert(wide >> 64 != 0xabcdef || (int)wide != 77); }\n";

#[test]
fn wide_inputs() {
    check(&[Case { name: "a.c", source: WIDE, flags: "", verdict: "false(assertion)", says: "confirmed natively" }]);
}

/// Elements of two bytes: three bytes make one.
const BUFFERED: &str = "#include <assert.h>\n#include <stdio.h>\n\
    int main(void) { unsigned short pair[2]; size_t n = fread(pair, sizeof *pair, 2, stdin); if (n == 1) assert(pair[0] != 0x4142); }\n";
const DESCRIPTOR: &str = "#include <assert.h>\n#include <unistd.h>\n\
    int main(void) { char text[4]; if (read(0, text, 2) == 2 && read(0, text + 2, 2) == 1) assert(text[0] != 'a' || text[2] != 'c'); }\n";

#[test]
fn standard_input() {
    let natively = "confirmed natively";
    check(&[
        Case { name: "a.c", source: BUFFERED, flags: "", verdict: "false(assertion)", says: natively },
        Case { name: "a.c", source: DESCRIPTOR, flags: "", verdict: "false(assertion)", says: natively },
        Case { name: "a.c", source: GREETING, flags: "", verdict: "false(assertion)", says: natively },
        Case { name: "a.c", source: GREETING, flags: "--sym-stdin 3", verdict: "false(assertion)", says: natively },
        Case { name: "a.c", source: GREETING, flags: "--sym-stdin 2", verdict: "true", says: "exactly 2 bytes" },
        Case { name: "a.c", source: LINES, flags: "", verdict: "false(assertion)", says: natively },
        Case { name: "a.c", source: LINES, flags: "--sym-stdin 5", verdict: "false(assertion)", says: natively },
        Case { name: "a.c", source: SCANNED, flags: "", verdict: "false(assertion)", says: natively },
        Case { name: "a.c", source: SCANNED, flags: "--32", verdict: "false(assertion)", says: natively },
        Case { name: "a.c", source: NOT_SCANNED, flags: "", verdict: "true", says: "" },
        Case { name: "a.c", source: UNLOOKED, flags: "", verdict: "false(assertion)", says: natively },
    ]);
}

const FILE: &str = "#include <assert.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
    int main(void) { char text[8]; FILE *f = fopen(\"number\", \"r\"); if (!f) return 1;\n\
    if (!fgets(text, sizeof text, f)) return 2; fclose(f); assert(atoi(text) != 47); }\n";
const COPY: &str = "#include <assert.h>\n#include <stdio.h>\n#include <string.h>\n#include <unistd.h>\n#include <fcntl.h>\n\
    int main(void) { FILE *f = fopen(\"out\", \"w+\"); if (!f) return 1; fprintf(f, \"%d %s\", 12, \"abc\"); rewind(f);\n\
    int n; char s[8]; assert(fscanf(f, \"%d %7s\", &n, s) == 2 && n == 12 && !strcmp(s, \"abc\")); assert(fgetc(f) == EOF && feof(f));\n\
    fclose(f); assert(fopen(\"none\", \"r\") == 0); int d = open(\"out\", O_RDWR | O_APPEND); assert(d >= 0 && write(d, \"!\", 1) == 1);\n\
    assert(lseek(d, -2, SEEK_END) == 5 && read(d, s, 8) == 2 && s[0] == 'c' && s[1] == '!'); close(d); assert(remove(\"out\") == 0 && access(\"out\", 0)); }\n";

/// Files without a name, and names that change, are no lost memory.
const GONE: &str = "#include <stdio.h>\nint main(void) { FILE *f = tmpfile(); if (f) { fputs(\"a\", f); fclose(f); }\n\
    f = fopen(\"x\", \"w\"); if (f) fclose(f); rename(\"x\", \"y\"); f = fopen(\"x\", \"w\"); if (f) fclose(f); rename(\"x\", \"y\"); remove(\"y\"); }\n";

#[test]
fn files() {
    check(&[
        Case { name: "a.c", source: FILE, flags: "--sym-file number 3", verdict: "false(assertion)", says: "confirmed natively" },
        Case { name: "a.c", source: FILE, flags: "--sym-file number 1", verdict: "true", says: "exactly 1 bytes" },
        Case { name: "a.c", source: FILE, flags: "", verdict: "false(assertion)", says: "line of file" },
        Case { name: "a.c", source: COPY, flags: "--sym-stdin 0", verdict: "true", says: "no other files" },
        Case { name: "a.c", source: GONE, flags: "--sym-stdin 0 --property valid-memsafety", verdict: "true", says: "no other files" },
    ]);
}

const UNDEFINED: &str = "extern void reach_error(void);\nstruct s { int a; struct s *next; };\n\
    extern int fill(struct s *to, const struct s *from);\n\
    int main(void) { struct s x = {1, 0}, y = {2, 0}; int r = fill(&x, &y); if (y.a != 2) return reach_error(), 0;\n\
    if (x.a == 77 && r == 3) reach_error(); }\n";
const CONSTANT: &str = "extern void reach_error(void);\nextern int peek(const int *p), pure(int *p) __attribute__((pure));\n\
    int main(void) { int x = 5; int y = peek(&x) + pure(&x); if (x != 5) reach_error(); return y; }\n";
const POINTER: &str = "#include <stdlib.h>\nint main(void) { int *p = malloc(4); *p = 3; free(p); }\n";

#[test]
fn functions_without_a_body() {
    let reached = "false(unreach-call)";
    let refused = "unknown(unsupported the function fill, which has no body at a.c:4:59)";
    check(&[
        Case { name: "a.c", source: UNDEFINED, flags: "", verdict: reached, says: "`fill` has no body" },
        Case { name: "a.c", source: UNDEFINED, flags: "--undefined zero", verdict: "true", says: "`fill` has no body: it gives zero" },
        Case { name: "a.c", source: UNDEFINED, flags: "--undefined error", verdict: refused, says: "" },
        Case { name: "a.c", source: CONSTANT, flags: "--property unreach-call", verdict: "true", says: "`peek` has no body" },
        Case { name: "a.c", source: POINTER, flags: "--property valid-deref", verdict: "true", says: "never fails" },
        Case {
            name: "a.c",
            source: POINTER,
            flags: "--property valid-deref --malloc-may-fail",
            verdict: "false(valid-deref)",
            says: "null pointer",
        },
    ]);
}

const LIBRARY: &str = "#include <assert.h>\n#include <stdlib.h>\nstruct node { int value; struct node *next; };\n\
    int sum(struct node *list, int limit) { int n = 0; for (; list && limit-- > 0; list = list->next) n += list->value == 3; assert(n < 3); return n; }\n\
    void drop(struct node *n) { free(n->next); free(n); }\nint last(const char *s) { return s[15]; }\nint beyond(const char *s) { return s[16]; }\n\
    struct big { long a, b, c; }; long by_value(struct big x, double d) { assert(x.a != 5 || d != 2.0); return x.b; }\n\
    struct point { float x, y; }; int point(struct point p, unsigned char c, _Bool b) { assert(!(p.x == 2 && p.y == 3 && c == 200 && b)); return 0; }\n\
    void two(char *p, char *q) { free(p); free(q); }\nint turns(struct node *n) { assert(!n->next || n->next->next != n); return 0; }\n\
    int *made(void) { return malloc(4); }\nint lost(void) { malloc(4); return 0; }\n\
    void fill(int *p, unsigned long len) { for (unsigned long i = 0; i < len; i++) p[i] = 1; }\n\
    struct buffer { char *text; unsigned length, offset; };\n\
    char next(struct buffer *b) { return b->offset < b->length ? b->text[b->offset++] : 0; }\n\
    char past(struct buffer *b) { return b->text[b->offset]; }\n\
    int counter; int count(void) { return counter < 9 ? ++counter : 0; }\n";
const WITHIN: &str = "true within bounds";

#[test]
fn entries_of_libraries() {
    let fresh = "fresh objects of their types";
    check(&[
        Case { name: "a.c", source: LIBRARY, flags: "--entry sum", verdict: "false(assertion)", says: fresh },
        Case { name: "a.c", source: LIBRARY, flags: "--entry drop --property valid-memsafety", verdict: WITHIN, says: fresh },
        Case {
            name: "a.c",
            source: LIBRARY,
            flags: "--entry drop --property valid-memsafety --entry-null",
            verdict: "false(valid-deref)",
            says: "null",
        },
        Case { name: "a.c", source: LIBRARY, flags: "--entry last --property valid-memsafety", verdict: WITHIN, says: fresh },
        Case {
            name: "a.c",
            source: LIBRARY,
            flags: "--entry beyond --property valid-memsafety",
            verdict: "false(valid-deref)",
            says: "object of s",
        },
        Case {
            name: "a.c",
            source: LIBRARY,
            flags: "--entry beyond --property valid-memsafety --entry-elements 17",
            verdict: WITHIN,
            says: "17 elements",
        },
        Case {
            name: "a.c",
            source: LIBRARY,
            flags: "--entry two --property valid-memsafety --entry-alias",
            verdict: "false(valid-free)",
            says: "confirmed natively",
        },
        Case { name: "a.c", source: LIBRARY, flags: "--entry two --property valid-memsafety", verdict: WITHIN, says: fresh },
        Case {
            name: "a.c",
            source: LIBRARY,
            flags: "--entry turns --property assertion --entry-alias",
            verdict: "false(assertion)",
            says: "same object as",
        },
        Case { name: "a.c", source: LIBRARY, flags: "--entry count --property no-overflow", verdict: WITHIN, says: "initial values" },
        Case { name: "a.c", source: LIBRARY, flags: "--entry fill --property valid-memsafety", verdict: WITHIN, says: "lengths" },
        Case { name: "a.c", source: LIBRARY, flags: "--entry next --property valid-memsafety", verdict: WITHIN, says: "b->offset" },
        Case {
            name: "a.c",
            source: LIBRARY,
            flags: "--entry past --property valid-memsafety",
            verdict: "false(valid-deref)",
            says: "confirmed natively",
        },
        Case { name: "a.c", source: LIBRARY, flags: "--entry made --property valid-memtrack", verdict: "true", says: "never fails" },
        Case { name: "a.c", source: LIBRARY, flags: "--entry lost --property valid-memtrack", verdict: "false(valid-memtrack)", says: "" },
        Case { name: "a.c", source: LIBRARY, flags: "--entry by_value", verdict: "false(assertion)", says: "argument d" },
        Case { name: "a.c", source: LIBRARY, flags: "--entry by_value --32", verdict: "false(assertion)", says: "confirmed natively" },
        Case { name: "a.c", source: LIBRARY, flags: "--entry point", verdict: "false(assertion)", says: "confirmed natively" },
    ]);
}

/// Streams that an entry is given are open, and what is in them is the C library's alone.
const STREAMS: &str = "#include <assert.h>\n#include <stdio.h>\n#include <string.h>\n\
    int length(FILE *file) { char line[8]; if (!fgets(line, sizeof line, file)) return -1; return (int)strlen(line); }\n\
    int first(FILE *file) { int c = fgetc(file); assert(c != 'x'); return c; }\n\
    struct log { FILE *to; int lines; }; void put(struct log *log, const char *text) { if (log->lines < 9) log->lines++; fputs(text, log->to); }\n";

#[test]
fn streams_as_arguments() {
    let streams = "leads to standard input or standard output";
    let wrong = "false(assertion)";
    check(&[
        Case { name: "a.c", source: STREAMS, flags: "--entry length --property valid-memsafety", verdict: WITHIN, says: streams },
        Case { name: "a.c", source: STREAMS, flags: "--entry first --property assertion", verdict: wrong, says: "confirmed natively" },
        Case { name: "a.c", source: STREAMS, flags: "--entry put --property valid-memsafety", verdict: WITHIN, says: streams },
    ]);
}

/// Functions that an entry is given are code that is not there, with the types that its parameters say.
const CALLBACKS: &str = "#include <assert.h>\n#include <stddef.h>\ntypedef int (*visit)(void *user, const char *name, unsigned char kind);\n\
    int each(visit f, int *user) { *user = 4; char name[] = \"ab\"; int r = f(user, name, 3); assert(name[0] == 'a'); assert(r != 7 || *user != 9); return r; }\n\
    struct hooks { double (*scale)(double, _Bool); void (*done)(void); };\n\
    int hooked(struct hooks *h) { double d = h->scale(1.5, 1); h->done(); assert(d != 2.5); return 0; }\n\
    struct pair { int a, b; }; int paired(struct pair (*make)(int)) { struct pair p = make(3); assert(p.a != 3); return p.b; }\n\
    int sorted(int (*less)(const int *, const int *), int *values) { values[0] = 1; less(values, values + 1); assert(values[0] == 1); return 0; }\n";

#[test]
fn functions_as_arguments() {
    let (wrong, natively) = ("false(assertion)", "confirmed natively");
    check(&[
        Case { name: "a.c", source: CALLBACKS, flags: "--entry each --property assertion", verdict: wrong, says: natively },
        Case { name: "a.c", source: CALLBACKS, flags: "--entry each --property assertion --32", verdict: wrong, says: natively },
        Case { name: "a.c", source: CALLBACKS, flags: "--entry hooked --property assertion", verdict: wrong, says: natively },
        Case { name: "a.c", source: CALLBACKS, flags: "--entry paired --property assertion", verdict: wrong, says: "no stand-in" },
        Case { name: "a.c", source: CALLBACKS, flags: "--entry sorted --property assertion", verdict: WITHIN, says: "has no body" },
    ]);
}

/// How the objects of arguments are aligned follows from their types.
const ALIGNED: &str = "struct numbers { char c; int n[5]; long l; }; struct __attribute__((packed)) packed { char c; int n; };\n\
    struct wide { char c; _Alignas(64) int n; }; typedef int four __attribute__((vector_size(16)));\n\
    int all(struct numbers *s, struct packed *p, struct wide *w, four *v, double *d, long double *l, unsigned char *text) {\n\
        return s->l == 1 && p->n == 2 && w->n == 3 && (*v)[1] == 4 && *d == 5 && *l == 6 && text[0] == 7; }\n\
    int by_value(struct numbers s) { return s.n[1] == 3; }\n\
    int word(unsigned char *text) { return *(int *)text == 3; }\n\
    int member(struct packed *p) { int *n = &p->n; return *n == 3; }\n\
    int many(int values[static 20]) { return values[19] == 3; }\n";

#[test]
fn alignment_of_arguments() {
    let unaligned = "false(alignment)";
    check(&[
        Case { name: "a.c", source: ALIGNED, flags: "--entry all --property alignment", verdict: WITHIN, says: "" },
        Case { name: "a.c", source: ALIGNED, flags: "--entry all --property alignment --32", verdict: WITHIN, says: "" },
        Case { name: "a.c", source: ALIGNED, flags: "--entry by_value --property alignment", verdict: WITHIN, says: "" },
        Case { name: "a.c", source: ALIGNED, flags: "--entry word --property alignment", verdict: unaligned, says: "object of text" },
        Case { name: "a.c", source: ALIGNED, flags: "--entry member --property alignment", verdict: unaligned, says: "object of p" },
        Case { name: "a.c", source: ALIGNED, flags: "--entry many --property valid-memsafety", verdict: WITHIN, says: "" },
    ]);
}

const SHAPES: &str = "extern \"C\" void reach_error();\n\
    struct Shape { virtual ~Shape() {} virtual int area() const = 0; };\n\
    struct Square : Shape { int s; Square(int s) : s(s) {} int area() const override { return s * s; } };\n\
    struct Box : Shape { int a, b; Box(int a, int b) : a(a), b(b) {} int area() const override { return a * b; } };\n\
    static int counter; struct Global { Global() { counter = 40; } ~Global() { if (counter != 42) reach_error(); } } global;\n\
    template <typename T> T twice(T x) { return x + x; }\n\
    int calls() { static int n = counter; return ++n; }\n\
    int main() { Shape *s[2] = {new Square(3), new Box(2, 5)}; int sum = 0; for (auto p : s) sum += p->area();\n\
    int *numbers = new int[4]; numbers[3] = twice(sum); if (numbers[3] != 38 || calls() != 41 || calls() != 42) reach_error();\n\
    delete[] numbers; for (auto p : s) delete p; counter = 42; }\n";
const PAST_THE_END: &str = "extern \"C\" int __VERIFIER_nondet_int();\n\
    int main() { int *p = new int[2]; int i = __VERIFIER_nondet_int(); if (i >= 0 && i < 3) p[i] = 1; delete[] p; }\n";
const ASKS: &str = "struct A { virtual ~A() {} }; struct B : A {};\nint main() { B b; A *a = &b; return dynamic_cast<B *>(a) == 0; }\n";
const ENDS: &str = "namespace std { void terminate(); }\nint main() { std::terminate(); }\n";
const THROWS: &str = "int main() { throw 1; }\n";

#[test]
fn cpp_without_exceptions() {
    let throws = "unknown(unsupported C++ exceptions at a.cpp:1:14)";
    let ends = "unknown(unsupported the library function std::terminate() at a.cpp:2:14)";
    let asks = "unknown(unsupported C++ run-time types (dynamic_cast) at a.cpp:2:37)";
    check(&[
        Case { name: "a.cpp", source: SHAPES, flags: "", verdict: "true", says: "" },
        Case { name: "a.cc", source: SHAPES, flags: "--32 --property valid-memsafety", verdict: "true", says: "" },
        Case { name: "a.cxx", source: PAST_THE_END, flags: "--property valid-memsafety", verdict: "false(valid-deref)", says: "" },
        Case { name: "a.cpp", source: THROWS, flags: "", verdict: throws, says: "" },
        Case { name: "a.cpp", source: ASKS, flags: "", verdict: asks, says: "" },
        Case { name: "a.cpp", source: ENDS, flags: "", verdict: ends, says: "" },
    ]);
}

#[test]
fn flags_that_make_no_sense() {
    let bench = Bench::new();
    bench.write("a.c", OPTIONS);
    let wrong = ["--sym-args 3 1 2", "--sym-args 0 100 2", "--sym-file x many", "--sym-stdin 99999999999", "--sym-file a 1 --sym-file a 2"];
    for flags in wrong {
        let arguments: Vec<&str> = ["a.c"].into_iter().chain(flags.split_whitespace()).collect();
        let run = bench.verify(&arguments);
        assert!(run.verdict().starts_with("unknown(usage error"), "{flags}: {}", run.stdout);
    }
}
