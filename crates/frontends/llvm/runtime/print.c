// The printf family. Text for standard output and error goes nowhere: it is formatted for its length, or, behind the
// functions that take a va_list, only walked through, because wrappers for messages are many and nobody looks at their
// result.
#include "stdio.h"

// Formats for nobody: the number of characters, or a negative number if they can't be written.
static int fathom_count(FILE *f, const char *format, va_list args) {
    struct fathom_sink sink = {0, 0, 0, 0};
    fathom_format_into(&sink, format, args);
    return (int)sink.count | -fathom_write_fails(f);
}

static int fathom_some_count(FILE *f) {
    int count = fathom_any_int("bounds of printf");
    __VERIFIER_assume(count >= 0);
    return count | -fathom_write_fails(f);
}

int vsnprintf(char *to, size_t size, const char *format, va_list args) {
    struct fathom_sink sink = {to, size, 0, 0};
    fathom_format_into(&sink, format, args);
    return (int)sink.count;
}

int vsprintf(char *to, const char *format, va_list args) {
    return vsnprintf(to, ~(size_t)0 >> 1, format, args);
}

int snprintf(char *to, size_t size, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int count = vsnprintf(to, size, format, args);
    va_end(args);
    return count;
}

int sprintf(char *to, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int count = vsprintf(to, format, args);
    va_end(args);
    return count;
}

int __vsnprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, va_list args) {
    return vsnprintf(to, size, format, args);
}

int __vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list args) {
    return vsprintf(to, format, args);
}

int __snprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int count = vsnprintf(to, size, format, args);
    va_end(args);
    return count;
}

int __sprintf_chk(char *to, int flag, size_t room, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int count = vsprintf(to, format, args);
    va_end(args);
    return count;
}

int vasprintf(char **to, const char *format, va_list args) {
    int count = vsnprintf(0, 0, format, args);
    *to = malloc((size_t)count + 1);
    if (*to == 0)
        return -1;
    return vsnprintf(*to, (size_t)count + 1, format, args);
}

// Under --malloc-may-fail.
int fathom_allocation_fails(void);
int fathom_failing_vasprintf(char **to, const char *format, va_list args) {
    return fathom_allocation_fails() ? -1 : vasprintf(to, format, args);
}

int fathom_failing_asprintf(char **to, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int count = fathom_failing_vasprintf(to, format, args);
    va_end(args);
    return count;
}

int asprintf(char **to, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int count = vasprintf(to, format, args);
    va_end(args);
    return count;
}

int vfprintf(FILE *f, const char *format, va_list args) {
    if (fathom_is_nowhere(f)) {
        fathom_walk_format(format, args);
        return fathom_some_count(f);
    }
    struct fathom_sink sink = {0, 0, 0, f};
    fathom_format_into(&sink, format, args);
    return (int)sink.count;
}

static int fathom_print(FILE *f, const char *format, va_list args) {
    return fathom_is_nowhere(f) ? fathom_count(f, format, args) : vfprintf(f, format, args);
}

int fprintf(FILE *f, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int count = fathom_print(f, format, args);
    va_end(args);
    return count;
}

int __fprintf_chk(FILE *f, int flag, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int count = fathom_print(f, format, args);
    va_end(args);
    return count;
}

int __vfprintf_chk(FILE *f, int flag, const char *format, va_list args) {
    return vfprintf(f, format, args);
}

int vprintf(const char *format, va_list args) {
    fathom_walk_format(format, args);
    return fathom_some_count(stdout);
}

int __vprintf_chk(int flag, const char *format, va_list args) {
    return vprintf(format, args);
}

int printf(const char *format, ...) {
    va_list args;
    va_start(args, format);
    int count = fathom_count(stdout, format, args);
    va_end(args);
    return count;
}

int __printf_chk(int flag, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int count = fathom_count(stdout, format, args);
    va_end(args);
    return count;
}

int dprintf(int descriptor, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int count = vprintf(format, args);
    va_end(args);
    return count;
}

int vdprintf(int descriptor, const char *format, va_list args) {
    return vprintf(format, args);
}

void syslog(int priority, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fathom_walk_format(format, args);
    va_end(args);
}

void openlog(const char *name, int options, int facility) {
}

void closelog(void) {
}

static void fathom_complain(const char *format, va_list args) {
    if (format != 0)
        fathom_walk_format(format, args);
}

void warn(const char *format, ...) {
    va_list args;
    va_start(args, format);
    fathom_complain(format, args);
    va_end(args);
}

void warnx(const char *format, ...) {
    va_list args;
    va_start(args, format);
    fathom_complain(format, args);
    va_end(args);
}

void exit(int status) __attribute__((noreturn));

void err(int status, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fathom_complain(format, args);
    va_end(args);
    exit(status);
}

void errx(int status, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fathom_complain(format, args);
    va_end(args);
    exit(status);
}

unsigned error_message_count;

// With a status of 0 the program goes on.
void error(int status, int number, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fathom_complain(format, args);
    va_end(args);
    error_message_count++;
    if (status != 0)
        exit(status);
}

void error_at_line(int status, int number, const char *file, unsigned line, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fathom_complain(format, args);
    va_end(args);
    error_message_count++;
    if (status != 0)
        exit(status);
}
