// Streams of <stdio.h> over the small file system.
#include "stdio.h"

int fathom_open(const char *name, int flags);
int fathom_close(int descriptor);
size_t strlen(const char *s);
long fathom_position(FILE *f);
long fathom_reposition(FILE *f, long offset, int whence);
int fathom_is_arbitrary(FILE *f);
int fathom_is_standard_input(FILE *f);
int fathom_temporary(void);
int fathom_is_open(int descriptor);
void fathom_written(int descriptor);
void fathom_lose_position(FILE *f);
void fathom_check_bytes(const void *p, size_t count);

static FILE fathom_stdin = {0}, fathom_stdout = {1}, fathom_stderr = {2};
FILE *stdin = &fathom_stdin;
FILE *stdout = &fathom_stdout;
FILE *stderr = &fathom_stderr;
static FILE *fathom_streams;

static FILE *fathom_new_stream(int descriptor) {
    if (descriptor < 0)
        return 0;
    FILE *f = fathom_heap(sizeof *f);
    f->descriptor = descriptor;
    f->eof = f->error = f->pushed = 0;
    f->next = fathom_streams;
    fathom_streams = f;
    return f;
}

static int fathom_mode(const char *mode) {
    int flags = *mode == 'r' ? 0 : *mode == 'w' ? 01101 : *mode == 'a' ? 02101 : -1;
    if (flags < 0)
        return -1;
    for (const char *m = mode + 1; *m != 0; m++) {
        if (*m == '+')
            flags = (flags & ~1) | 2;
        if (*m == 'x')
            flags |= 0200;
    }
    return flags;
}

FILE *fopen(const char *name, const char *mode) {
    int flags = fathom_mode(mode);
    if (flags < 0) {
        errno = fathom_EINVAL;
        return 0;
    }
    FILE *f = fathom_new_stream(fathom_open(name, flags));
    // A stream that only appends stands at the end.
    if (f != 0 && !fathom_is_arbitrary(f) && flags == fathom_mode("a"))
        fathom_reposition(f, 0, 2);
    return f;
}

FILE *fopen64(const char *name, const char *mode) {
    return fopen(name, mode);
}

FILE *fdopen(int descriptor, const char *mode) {
    if (fathom_mode(mode) < 0) {
        errno = fathom_EINVAL;
        return 0;
    }
    return fathom_is_open(descriptor) ? fathom_new_stream(descriptor) : 0;
}

// Under --malloc-may-fail.
int fathom_allocation_fails(void);
FILE *fathom_failing_fdopen(int descriptor, const char *mode) {
    return fathom_allocation_fails() ? 0 : fdopen(descriptor, mode);
}

// The stream that a function under test is handed.
FILE *fathom_argument_stream(int is_input) {
    return is_input ? stdin : stdout;
}

FILE *tmpfile(void) {
    return fathom_new_stream(fathom_temporary());
}

int fclose(FILE *f) {
    int fails = fathom_flush_fails(f);
    int result = (fathom_close(f->descriptor) < 0) | fails ? EOF : 0;
    if (f == &fathom_stdin || f == &fathom_stdout || f == &fathom_stderr)
        return result;
    for (FILE **at = &fathom_streams; *at != 0; at = &(*at)->next)
        if (*at == f) {
            *at = f->next;
            break;
        }
    free(f);
    return result;
}

FILE *freopen(const char *name, const char *mode, FILE *f) {
    if (name == 0)
        fathom_unsupported("freopen without a name");
    fathom_close(f->descriptor);
    int flags = fathom_mode(mode);
    if (flags < 0)
        errno = fathom_EINVAL;
    f->descriptor = flags < 0 ? -1 : fathom_open(name, flags);
    f->eof = f->error = f->pushed = 0;
    return f->descriptor < 0 ? 0 : f;
}

int fileno(FILE *f) {
    return f->descriptor;
}

int feof(FILE *f) {
    return f->eof;
}

// What was printed to standard output goes nowhere without a look at the device; it may be full all the same.
int ferror(FILE *f) {
    if (f == stdout || f == stderr)
        fathom_flush_fails(f);
    return f->error;
}

void clearerr(FILE *f) {
    f->eof = f->error = 0;
}

int feof_unlocked(FILE *f) {
    return f->eof;
}

int ferror_unlocked(FILE *f) {
    return ferror(f);
}

// ---- reading

int fgetc(FILE *f) {
    return fathom_get(f);
}

int getc(FILE *f) {
    return fathom_get(f);
}

int _IO_getc(FILE *f) {
    return fathom_get(f);
}

int getc_unlocked(FILE *f) {
    return fathom_get(f);
}

int fgetc_unlocked(FILE *f) {
    return fathom_get(f);
}

int getchar(void) {
    return fathom_get(stdin);
}

int getchar_unlocked(void) {
    return fathom_get(stdin);
}

int ungetc(int c, FILE *f) {
    if (c == EOF)
        return EOF;
    if (f->pushed == (int)sizeof f->pushback)
        return EOF;
    f->pushback[f->pushed++] = (byte)c;
    f->eof = 0;
    return (byte)c;
}

// Arbitrary input: any text that fits and that ends with its first newline, and no branch on its characters.
static char *fathom_any_line(char *to, int size, FILE *f) {
    int is_end = fathom_is_standard_input(f) ? fathom_any_int("end of stdin") != 0 : fathom_any_int("end of file") != 0;
    __VERIFIER_assume(is_end | !f->eof);
    if (is_end) {
        fathom_note_end(f, 1);
        return 0;
    }
    fathom_lose_position(f);
    char last = to[size - 1];
    if (fathom_is_standard_input(f))
        fathom_any_bytes(to, (size_t)size - 1, "line of stdin");
    else
        fathom_any_bytes(to, (size_t)size - 1, "line of file");
    to[size - 1] = 0;
    // Behind the text's end is what was there before, which may be anything too; the last byte is lost only to a long line.
    int is_behind = 0;
    for (int i = 0; i + 1 < size; i++) {
        __VERIFIER_assume((to[i] != '\n') | (to[i + 1] == 0) | is_behind);
        is_behind |= to[i] == 0;
    }
    to[size - 1] = (char)(last & -is_behind);
    return to;
}

char *fgets(char *to, int size, FILE *f) {
    if (size <= 0)
        return 0;
    if (size > 1 && f->pushed == 0 && fathom_is_arbitrary(f))
        return fathom_any_line(to, size, f);
    int count = 0;
    while (count < size - 1) {
        int c = fathom_get(f);
        if (c == EOF)
            break;
        to[count++] = (char)c;
        if (c == '\n')
            break;
    }
    if (count == 0 && size > 1)
        return 0;
    to[count] = 0;
    return to;
}

char *__fgets_chk(char *to, size_t room, int size, FILE *f) {
    return fgets(to, size, f);
}

char *fgets_unlocked(char *to, int size, FILE *f) {
    return fgets(to, size, f);
}

char *gets(char *to) {
    size_t count = 0;
    int c;
    while ((c = fathom_get(stdin)) != EOF && c != '\n')
        to[count++] = (char)c;
    if (c == EOF && count == 0)
        return 0;
    to[count] = 0;
    return to;
}

size_t fread(void *to, size_t size, size_t count, FILE *f) {
    if (size == 0 || count == 0)
        return 0;
    if (f->pushed == 0 && fathom_is_arbitrary(f)) {
        // Bytes, of which the last may be a part of an element; what is behind them stays.
        int is_input = fathom_is_standard_input(f);
        long had = is_input ? fathom_any_long("length of stdin") : fathom_any_long("fread");
        __VERIFIER_assume((had >= 0) & ((size_t)had <= size * count) & (!f->eof | (had == 0)));
        fathom_lose_position(f);
        byte before[fathom_EXACT];
        int is_exact = size * count <= fathom_EXACT;
        if (is_exact)
            memcpy(before, to, size * count);
        if (is_input)
            fathom_any_bytes(to, size * count, "bytes of stdin");
        else
            fathom_any_bytes(to, size * count, "fread");
        if (is_exact)
            fathom_put_back(to, before, (size_t)had, size * count);
        size_t got = (size_t)had / size;
        fathom_note_end(f, got < count);
        return got;
    }
    size_t done = 0;
    for (; done < size * count; done++) {
        int c = fathom_get(f);
        if (c == EOF)
            break;
        ((byte *)to)[done] = (byte)c;
    }
    return done / size;
}

size_t fread_unlocked(void *to, size_t size, size_t count, FILE *f) {
    return fread(to, size, count, f);
}

ssize_t getdelim(char **line, size_t *room, int delimiter, FILE *f) {
    size_t count = 0;
    if (line == 0 || room == 0) {
        errno = fathom_EINVAL;
        return -1;
    }
    for (;;) {
        if (*line == 0 || count + 2 > *room) {
            size_t more = *line == 0 || *room < 60 ? 120 : 2 * *room;
            char *grown = realloc(*line, more);
            if (grown == 0)
                return -1;
            *line = grown;
            *room = more;
        }
        int c = fathom_get(f);
        if (c == EOF)
            break;
        (*line)[count++] = (char)c;
        if (c == delimiter)
            break;
    }
    if (count == 0)
        return -1;
    (*line)[count] = 0;
    return (ssize_t)count;
}

ssize_t getline(char **line, size_t *room, FILE *f) {
    return getdelim(line, room, '\n', f);
}

// Under --malloc-may-fail.
ssize_t fathom_failing_getdelim(char **line, size_t *room, int delimiter, FILE *f) {
    return fathom_allocation_fails() ? -1 : getdelim(line, room, delimiter, f);
}

ssize_t fathom_failing_getline(char **line, size_t *room, FILE *f) {
    return fathom_failing_getdelim(line, room, '\n', f);
}

ssize_t __getdelim(char **line, size_t *room, int delimiter, FILE *f) {
    return getdelim(line, room, delimiter, f);
}

// ---- writing

int fputc(int c, FILE *f) {
    fathom_put(f, c);
    return (byte)c | -fathom_write_fails(f);
}

int putchar(int c) {
    return fputc(c, stdout);
}

int putchar_unlocked(int c) {
    return fputc(c, stdout);
}

int putc(int c, FILE *f) {
    return fputc(c, f);
}

int _IO_putc(int c, FILE *f) {
    return fputc(c, f);
}

int putc_unlocked(int c, FILE *f) {
    return fputc(c, f);
}

int fputc_unlocked(int c, FILE *f) {
    return fputc(c, f);
}

int fputs(const char *s, FILE *f) {
    if (fathom_is_nowhere(f)) {
        fathom_check_text(s);
        return 1 | -fathom_write_fails(f);
    }
    for (; *s != 0; s++)
        fathom_put(f, *s);
    return 1;
}

// As the GNU C library has it, the number of characters.
int puts(const char *s) {
    size_t length = strlen(s);
    return (int)(length + 1) | -fathom_write_fails(stdout);
}

int fputs_unlocked(const char *s, FILE *f) {
    return fputs(s, f);
}

size_t fwrite(const void *from, size_t size, size_t count, FILE *f) {
    if (size == 0 || count == 0)
        return 0;
    if (fathom_is_nowhere(f)) {
        fathom_check_bytes(from, size * count);
        if (!fathom_write_fails(f))
            return count;
        size_t written = (size_t)fathom_any_long("fwrite");
        __VERIFIER_assume(written < count);
        return written;
    }
    for (size_t i = 0; i < size * count; i++)
        fathom_put(f, ((const byte *)from)[i]);
    return count;
}

size_t fwrite_unlocked(const void *from, size_t size, size_t count, FILE *f) {
    return fwrite(from, size, count, f);
}

void perror(const char *s) {
    fathom_check_string(s, ~(size_t)0);
    fathom_printed();
}

int fflush(FILE *f) {
    if (f != 0)
        fathom_written(f->descriptor);
    for (FILE *each = fathom_streams; f == 0 && each != 0; each = each->next)
        fathom_written(each->descriptor);
    return -fathom_flush_fails(f == 0 ? stdout : f);
}

void setbuf(FILE *f, char *buffer) {
}

int setvbuf(FILE *f, char *buffer, int mode, size_t size) {
    return mode < 0 || mode > 2 ? EOF : 0;
}

void setlinebuf(FILE *f) {
}

void flockfile(FILE *f) {
}

void funlockfile(FILE *f) {
}

// ---- positions

int fseek(FILE *f, long offset, int whence) {
    return fathom_reposition(f, offset, whence) < 0 ? -1 : 0;
}

int fseeko(FILE *f, long offset, int whence) {
    return fseek(f, offset, whence);
}

long ftell(FILE *f) {
    return fathom_position(f);
}

long ftello(FILE *f) {
    return ftell(f);
}

void rewind(FILE *f) {
    fathom_reposition(f, 0, 0);
    f->error = f->eof = 0;
}

int fgetpos(FILE *f, long *position) {
    *position = ftell(f);
    return *position < 0 ? -1 : 0;
}

int fsetpos(FILE *f, const long *position) {
    return fseek(f, *position, 0);
}
