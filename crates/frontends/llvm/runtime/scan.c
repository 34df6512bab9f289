// The scanf family over texts and streams. Numbers are collected by the grammar of strtol and strtod and converted by
// them. At most one character is put back, as in C.
#include "stdio.h"

int isspace(int c);
unsigned long long strtoull(const char *s, char **end, int base);
float strtof(const char *s, char **end);
double strtod(const char *s, char **end);
long double strtold(const char *s, char **end);
int ungetc(int c, FILE *f);

static int fathom_next(struct fathom_source *s) {
    int c;
    if (s->stream != 0) {
        c = fathom_get(s->stream);
    } else {
        c = (byte)*s->text;
        if (c == 0)
            return EOF;
        s->text++;
    }
    s->count += c != EOF;
    return c;
}

static void fathom_back(struct fathom_source *s, int c) {
    if (c == EOF)
        return;
    s->count--;
    if (s->stream != 0)
        ungetc(c, s->stream);
    else
        s->text--;
}

static void fathom_skip_space(struct fathom_source *s) {
    int c;
    do
        c = fathom_next(s);
    while (c != EOF && isspace(c));
    fathom_back(s, c);
}

// The text of a number while it is collected; more characters than fit are read but not kept.
enum { fathom_TOKEN = 400 };
struct fathom_token {
    char text[fathom_TOKEN];
    int length, width;
};

// Takes the next character if it is one of these and the width allows it.
static int fathom_take(struct fathom_source *s, struct fathom_token *t, const char *set) {
    if (t->width == 0)
        return 0;
    int c = fathom_next(s);
    for (; *set != 0; set++)
        if (c == *set) {
            if (t->length == fathom_TOKEN - 1)
                fathom_unsupported("a number of more than 399 characters in scanf");
            t->text[t->length++] = (char)c;
            t->width--;
            return c;
        }
    fathom_back(s, c);
    return 0;
}

static int fathom_collect_integer(struct fathom_source *s, struct fathom_token *t, int *base) {
    const char *digits[] = {"01234567", "0123456789", "0123456789abcdefABCDEF"};
    int any = 0;
    fathom_take(s, t, "+-");
    if ((*base == 0 || *base == 16) && fathom_take(s, t, "0")) {
        any = 1;
        // "0x" without a digit counts as a zero in glibc.
        if (fathom_take(s, t, "xX"))
            *base = 16;
        else if (*base == 0)
            *base = 8;
    }
    if (*base == 0)
        *base = 10;
    while (fathom_take(s, t, digits[*base == 8 ? 0 : *base == 10 ? 1 : 2]))
        any = 1;
    t->text[t->length] = 0;
    return any;
}

static int fathom_collect_word(struct fathom_source *s, struct fathom_token *t, const char *word) {
    for (; *word != 0; word++) {
        char pair[3] = {*word, (char)(*word - 32), 0};
        if (!fathom_take(s, t, pair))
            return 0;
    }
    return 1;
}

static int fathom_collect_float(struct fathom_source *s, struct fathom_token *t) {
    int any = 0, hex = 0;
    fathom_take(s, t, "+-");
    if (fathom_take(s, t, "iI")) {
        if (!fathom_collect_word(s, t, "nf"))
            return 0;
        if (fathom_take(s, t, "iI") && !fathom_collect_word(s, t, "nity"))
            return 0;
        t->text[t->length] = 0;
        return 1;
    }
    if (fathom_take(s, t, "nN")) {
        t->text[t->length + 2] = 0;
        return fathom_collect_word(s, t, "an");
    }
    if (fathom_take(s, t, "0")) {
        any = 1;
        if (fathom_take(s, t, "xX"))
            hex = 1, any = 0;
    }
    const char *digits = hex ? "0123456789abcdefABCDEF" : "0123456789";
    while (fathom_take(s, t, digits))
        any = 1;
    if (fathom_take(s, t, "."))
        while (fathom_take(s, t, digits))
            any = 1;
    if (any && fathom_take(s, t, hex ? "pP" : "eE")) {
        // An exponent without digits is read and ignored by glibc.
        fathom_take(s, t, "+-");
        while (fathom_take(s, t, "0123456789"))
            ;
    }
    t->text[t->length] = 0;
    return any;
}

struct fathom_pointers {
    va_list list;
};

static void fathom_store_integer(struct fathom_pointers *args, int length, u64 value) {
    switch (length) {
    case 'H':
        *va_arg(args->list, byte *) = (byte)value;
        return;
    case 'h':
        *va_arg(args->list, u16 *) = (u16)value;
        return;
    case 'l':
    case 'z':
    case 't':
        *va_arg(args->list, unsigned long *) = (unsigned long)value;
        return;
    case 'q':
    case 'L':
    case 'j':
        *va_arg(args->list, u64 *) = value;
        return;
    }
    *va_arg(args->list, u32 *) = (u32)value;
}

long long strtoll(const char *s, char **end, int base);
long strtol(const char *s, char **end, int base);
unsigned long strtoul(const char *s, char **end, int base);

// As glibc does it: converted as long or long long, then cut to the size of the target.
static u64 fathom_integer_value(const char *text, int base, int is_signed, int length) {
    int is_long_long = length == 'q' || length == 'L' || length == 'j';
    if (is_signed)
        return is_long_long ? (u64)strtoll(text, 0, base) : (u64)strtol(text, 0, base);
    return is_long_long ? strtoull(text, 0, base) : strtoul(text, 0, base);
}

// A set of characters in brackets; returns the format behind it.
static const char *fathom_read_set(const char *f, byte *set) {
    int inverted = *f == '^';
    f += inverted;
    for (int i = 0; i < 256; i++)
        set[i] = (byte)inverted;
    int first = 1;
    for (; *f != 0 && (*f != ']' || first); f++, first = 0) {
        if (*f == '-' && !first && f[1] != ']' && f[1] != 0) {
            for (int c = (byte)f[-1]; c <= (byte)f[1]; c++)
                set[c] = (byte)!inverted;
            f++;
        } else {
            set[(byte)*f] = (byte)!inverted;
        }
    }
    return f;
}

// Characters of a set (or without space, for %s) into a string; returns how many.
static size_t fathom_scan_text(struct fathom_source *s, const byte *set, int width, char *to) {
    size_t count = 0;
    for (; width < 0 || count < (size_t)width; count++) {
        int c = fathom_next(s);
        if (c == EOF)
            break;
        if (set != 0 ? !set[c] : isspace(c)) {
            fathom_back(s, c);
            break;
        }
        if (to != 0)
            to[count] = (char)c;
    }
    if (to != 0 && count > 0)
        to[count] = 0;
    return count;
}

struct fathom_conversion {
    int skipped, width, length, kind;
    byte set[256];
};

static const char *fathom_read_conversion(const char *f, struct fathom_conversion *c) {
    c->skipped = *f == '*';
    f += c->skipped;
    c->width = -1;
    if ((unsigned)*f - '0' < 10) {
        c->width = 0;
        for (; (unsigned)*f - '0' < 10; f++)
            c->width = c->width > 99999999 ? c->width : c->width * 10 + (*f - '0');
    }
    if (*f == '$' || *f == 'm' || *f == '\'')
        fathom_unsupported("an unusual conversion of scanf");
    f = fathom_length(f, &c->length);
    c->kind = *f;
    if (*f == '[')
        f = fathom_read_set(f + 1, c->set);
    return f;
}

// 1: converted, 0: no match, -1: the input ended first.
static int fathom_convert(struct fathom_source *s, struct fathom_conversion *c, struct fathom_pointers *args) {
    if (c->kind == 'n') {
        if (!c->skipped)
            fathom_store_integer(args, c->length, s->count);
        return 1;
    }
    if (c->kind != 'c' && c->kind != '[')
        fathom_skip_space(s);
    int first = fathom_next(s);
    if (first == EOF)
        return -1;
    fathom_back(s, first);
    if (c->kind == '%')
        return fathom_next(s) == '%';
    if (c->length == 'l' && (c->kind == 'c' || c->kind == 's' || c->kind == '['))
        fathom_unsupported("wide characters in scanf");
    if (c->kind == 'c') {
        int width = c->width < 0 ? 1 : c->width;
        char *to = c->skipped ? 0 : va_arg(args->list, char *);
        for (int i = 0; i < width; i++) {
            int next = fathom_next(s);
            if (next == EOF)
                return i > 0 ? 1 : -1;
            if (to != 0)
                to[i] = (char)next;
        }
        return 1;
    }
    if (c->kind == 's' || c->kind == '[') {
        char *to = c->skipped ? 0 : va_arg(args->list, char *);
        return fathom_scan_text(s, c->kind == '[' ? c->set : 0, c->width, to) > 0;
    }
    struct fathom_token t;
    t.length = 0;
    t.width = c->width < 0 ? 0x7FFFFFFF : c->width;
    int base = 10;
    switch (c->kind) {
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
        if (!fathom_collect_float(s, &t))
            return 0;
        if (c->skipped)
            return 1;
        if (c->length == 'L')
            *va_arg(args->list, long double *) = strtold(t.text, 0);
        else if (c->length == 'l')
            *va_arg(args->list, double *) = strtod(t.text, 0);
        else
            *va_arg(args->list, float *) = strtof(t.text, 0);
        return 1;
    case 'i':
        base = 0;
        break;
    case 'o':
        base = 8;
        break;
    case 'x':
    case 'X':
    case 'p':
        base = 16;
        break;
    case 'd':
    case 'u':
        break;
    default:
        fathom_unsupported("an unusual conversion of scanf");
    }
    if (!fathom_collect_integer(s, &t, &base))
        return 0;
    if (!c->skipped) {
        int is_signed = c->kind == 'd' || c->kind == 'i';
        int length = c->kind == 'p' ? 'l' : c->length;
        fathom_store_integer(args, length, fathom_integer_value(t.text, base, is_signed, length));
    }
    return 1;
}

int fathom_scan(struct fathom_source *s, const char *format, va_list list) {
    struct fathom_pointers args;
    int converted = 0;
    va_copy(args.list, list);
    for (const char *f = format; *f != 0; f++) {
        if (isspace((byte)*f)) {
            fathom_skip_space(s);
            continue;
        }
        if (*f != '%') {
            int c = fathom_next(s);
            if (c == EOF)
                return converted > 0 ? converted : EOF;
            if (c != (byte)*f) {
                fathom_back(s, c);
                break;
            }
            continue;
        }
        struct fathom_conversion c;
        f = fathom_read_conversion(f + 1, &c);
        int result = fathom_convert(s, &c, &args);
        if (result < 0)
            return converted > 0 ? converted : EOF;
        if (result == 0)
            break;
        converted += !c.skipped && c.kind != 'n' && c.kind != '%';
    }
    va_end(args.list);
    return converted;
}

int vsscanf(const char *text, const char *format, va_list args) {
    struct fathom_source source = {text, 0, 0};
    return fathom_scan(&source, format, args);
}

int sscanf(const char *text, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int count = vsscanf(text, format, args);
    va_end(args);
    return count;
}

int __isoc99_sscanf(const char *text, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int count = vsscanf(text, format, args);
    va_end(args);
    return count;
}

int __isoc23_sscanf(const char *text, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int count = vsscanf(text, format, args);
    va_end(args);
    return count;
}

int __isoc99_vsscanf(const char *text, const char *format, va_list args) {
    return vsscanf(text, format, args);
}

int __isoc23_vsscanf(const char *text, const char *format, va_list args) {
    return vsscanf(text, format, args);
}

int vfscanf(FILE *f, const char *format, va_list args) {
    struct fathom_source source = {0, f, 0};
    return fathom_scan(&source, format, args);
}

int fscanf(FILE *f, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int count = vfscanf(f, format, args);
    va_end(args);
    return count;
}

int __isoc99_fscanf(FILE *f, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int count = vfscanf(f, format, args);
    va_end(args);
    return count;
}

int __isoc23_fscanf(FILE *f, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int count = vfscanf(f, format, args);
    va_end(args);
    return count;
}

int vscanf(const char *format, va_list args) {
    return vfscanf(stdin, format, args);
}

int scanf(const char *format, ...) {
    va_list args;
    va_start(args, format);
    int count = vscanf(format, args);
    va_end(args);
    return count;
}

int __isoc99_scanf(const char *format, ...) {
    va_list args;
    va_start(args, format);
    int count = vscanf(format, args);
    va_end(args);
    return count;
}

int __isoc23_scanf(const char *format, ...) {
    va_list args;
    va_start(args, format);
    int count = vscanf(format, args);
    va_end(args);
    return count;
}
