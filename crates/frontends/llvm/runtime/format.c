// printf's formatting, exact. Digits of floating-point numbers come from integers in base 10^9 on both sides of the
// point, so that rounding to any precision is right. `fathom_walk_format` walks a format without formatting: output
// goes nowhere, but the arguments must be there and strings must be strings.
#include "stdio.h"

char *strerror(int number);
size_t strlen(const char *s);
int fegetround(void);

static void fathom_emit(struct fathom_sink *sink, int c) {
    if (sink->stream != 0)
        fathom_put(sink->stream, c);
    else if (sink->count + 1 < sink->room)
        sink->buffer[sink->count] = (char)c;
    sink->count++;
}

static void fathom_emit_times(struct fathom_sink *sink, int c, int times) {
    for (; times > 0; times--)
        fathom_emit(sink, c);
}

static void fathom_emit_text(struct fathom_sink *sink, const char *text, int length) {
    for (int i = 0; i < length; i++)
        fathom_emit(sink, text[i]);
}

// A conversion: flags, width, precision (-1: none) and length modifier.
struct fathom_spec {
    int left, plus, space, alternative, zero;
    int width, precision;
    int length; // 'H' for hh, 'q' for ll
    int kind;
};

const char *fathom_length(const char *f, int *length) {
    *length = 0;
    switch (*f) {
    case 'h':
        *length = f[1] == 'h' ? 'H' : 'h';
        return f + 1 + (f[1] == 'h');
    case 'l':
        *length = f[1] == 'l' ? 'q' : 'l';
        return f + 1 + (f[1] == 'l');
    case 'q':
    case 'L':
    case 'j':
    case 'z':
    case 'Z':
    case 't':
        *length = *f == 'Z' ? 'z' : *f;
        return f + 1;
    }
    return f;
}

static const char *fathom_read_number(const char *f, int *number) {
    int value = 0;
    for (; (unsigned)*f - '0' < 10; f++)
        value = value > 99999999 ? value : value * 10 + (*f - '0');
    *number = value;
    return f;
}

struct fathom_args {
    va_list list;
};

static const char *fathom_read_spec(const char *f, struct fathom_spec *s, struct fathom_args *args) {
    s->left = s->plus = s->space = s->alternative = s->zero = 0;
    for (;; f++) {
        if (*f == '-')
            s->left = 1;
        else if (*f == '+')
            s->plus = 1;
        else if (*f == ' ')
            s->space = 1;
        else if (*f == '#')
            s->alternative = 1;
        else if (*f == '0')
            s->zero = 1;
        else if (*f != '\'')
            break;
    }
    if (*f == '*') {
        s->width = va_arg(args->list, int);
        f++;
        if (s->width < 0) {
            s->left = 1;
            s->width = (int)(0u - (unsigned)s->width);
        }
    } else {
        f = fathom_read_number(f, &s->width);
    }
    if (*f == '$')
        fathom_unsupported("numbered arguments of printf");
    s->precision = -1;
    if (*f == '.') {
        f++;
        if (*f == '*') {
            s->precision = va_arg(args->list, int);
            f++;
            if (s->precision < 0)
                s->precision = -1;
        } else {
            f = fathom_read_number(f, &s->precision);
        }
    }
    f = fathom_length(f, &s->length);
    s->kind = *f;
    return f;
}

// ---- integers

static long long fathom_signed_argument(struct fathom_args *args, int length) {
    switch (length) {
    case 'H':
        return (signed char)va_arg(args->list, int);
    case 'h':
        return (short)va_arg(args->list, int);
    case 'l':
    case 'z':
    case 't':
        return va_arg(args->list, long);
    case 'q':
    case 'L':
    case 'j':
        return va_arg(args->list, long long);
    }
    return va_arg(args->list, int);
}

static u64 fathom_unsigned_argument(struct fathom_args *args, int length) {
    switch (length) {
    case 'H':
        return (byte)va_arg(args->list, int);
    case 'h':
        return (u16)va_arg(args->list, int);
    case 'l':
    case 'z':
    case 't':
        return va_arg(args->list, unsigned long);
    case 'q':
    case 'L':
    case 'j':
        return va_arg(args->list, unsigned long long);
    }
    return va_arg(args->list, unsigned);
}

// Padding, prefix, zeros, digits, padding.
static void fathom_emit_number(struct fathom_sink *sink, struct fathom_spec *s, const char *prefix, const char *digits,
                               int count) {
    int sign = (int)strlen(prefix);
    int zeros = s->precision > count ? s->precision - count : 0;
    if (s->zero && !s->left && s->precision < 0 && s->width > sign + count)
        zeros = s->width - sign - count;
    int padding = s->width - sign - zeros - count;
    if (!s->left)
        fathom_emit_times(sink, ' ', padding);
    fathom_emit_text(sink, prefix, sign);
    fathom_emit_times(sink, '0', zeros);
    fathom_emit_text(sink, digits, count);
    if (s->left)
        fathom_emit_times(sink, ' ', padding);
}

static const char *fathom_sign(struct fathom_spec *s, int negative) {
    return negative ? "-" : s->plus ? "+" : s->space ? " " : "";
}

static void fathom_emit_integer(struct fathom_sink *sink, struct fathom_spec *s, u64 value, const char *prefix) {
    char digits[64];
    int at = 64;
    unsigned base = s->kind == 'o' ? 8 : s->kind == 'x' || s->kind == 'X' || s->kind == 'p' ? 16 : s->kind == 'b' ? 2 : 10;
    const char *figures = s->kind == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
    if (value != 0 && s->alternative && base == 16)
        prefix = s->kind == 'X' ? "0X" : "0x";
    if (value != 0 && s->alternative && base == 2)
        prefix = "0b";
    for (u64 rest = value; rest != 0; rest /= base)
        digits[--at] = figures[rest % base];
    if (value == 0 && s->precision != 0)
        digits[--at] = '0';
    if (s->kind == 'o' && s->alternative && (at == 64 || digits[at] != '0') && s->precision <= 64 - at)
        digits[--at] = '0';
    fathom_emit_number(sink, s, prefix, digits + at, 64 - at);
}

// ---- floating point

// A decimal number 0.d1 d2 d3 ... * 10^point.
enum { fathom_MAX_FIGURES = 17600 };
struct fathom_figures {
    int count, point, negative;
    char digit[fathom_MAX_FIGURES];
};

enum { fathom_BLOCKS = 2600, fathom_RADIX = 600, fathom_BILLION = 1000000000 };

// mantissa * 2^exponent in base 10^9: blocks below `radix` are the fraction's, most significant first.
static void fathom_to_figures(u64 mantissa, int exponent, struct fathom_figures *out) {
    u32 block[fathom_BLOCKS];
    int first = fathom_RADIX, end = fathom_RADIX; // used blocks; block[fathom_RADIX - 1] holds the ones
    for (; mantissa != 0; mantissa /= fathom_BILLION)
        block[--first] = (u32)(mantissa % fathom_BILLION);
    while (exponent > 0) {
        int by = exponent > 29 ? 29 : exponent;
        u64 carry = 0;
        for (int i = end - 1; i >= first; i--) {
            carry += (u64)block[i] << by;
            block[i] = (u32)(carry % fathom_BILLION);
            carry /= fathom_BILLION;
        }
        if (carry != 0)
            block[--first] = (u32)carry;
        exponent -= by;
    }
    while (exponent < 0) {
        // 10^9 is divisible by 2^9, so the remainder moves into the next block without loss.
        int by = exponent < -9 ? 9 : -exponent;
        u32 carry = 0;
        for (int i = first; i < end; i++) {
            u32 rest = block[i] & ((1u << by) - 1);
            block[i] = (block[i] >> by) + carry;
            carry = (u32)(fathom_BILLION >> by) * rest;
        }
        if (carry != 0)
            block[end++] = carry;
        if (first < end && block[first] == 0)
            first++;
        exponent += by;
    }
    out->count = 0;
    out->point = 9 * (fathom_RADIX - first);
    for (int i = first; i < end; i++)
        for (u32 scale = fathom_BILLION / 10; scale > 0; scale /= 10) {
            int digit = (int)(block[i] / scale % 10);
            if (out->count == 0 && digit == 0)
                out->point--;
            else
                out->digit[out->count++] = (char)('0' + digit);
        }
    while (out->count > 0 && out->digit[out->count - 1] == '0')
        out->count--;
    if (out->count == 0)
        out->point = 1;
}

// Whether what is cut off makes a magnitude larger: in the mode in force, of a number that is not exact otherwise.
static int fathom_rounds_up(int negative, int up_to_nearest) {
    switch (fegetround()) {
    case 0x400:
        return negative;
    case 0x800:
        return !negative;
    case 0xc00:
        return 0;
    }
    return up_to_nearest;
}

// Keeps `keep` digits (may be negative: none).
static void fathom_round_figures(struct fathom_figures *x, int keep) {
    if (keep >= x->count)
        return;
    int next = keep < 0 ? 0 : x->digit[keep] - '0';
    int odd = keep > 0 ? (x->digit[keep - 1] - '0') & 1 : 0;
    int up = fathom_rounds_up(x->negative, next > 5 || (next == 5 && (keep + 1 < x->count || odd)));
    if (keep < 0 && up) {
        // One at the last place that is shown.
        x->point -= keep - 1;
        x->count = 1;
        x->digit[0] = '1';
        return;
    }
    x->count = keep < 0 ? 0 : keep;
    if (!up)
        return;
    while (x->count > 0 && x->digit[x->count - 1] == '9')
        x->count--;
    if (x->count > 0) {
        x->digit[x->count - 1]++;
    } else {
        x->digit[x->count++] = '1';
        x->point++;
    }
}

static int fathom_figure(const struct fathom_figures *x, int index) {
    return index >= 0 && index < x->count ? x->digit[index] : '0';
}

struct fathom_float {
    int negative, infinite, nan;
    u64 mantissa; // highest bit set unless zero
    int exponent;
};

static struct fathom_float fathom_take_apart(long double value) {
    union {
        long double value;
        struct {
            u64 mantissa;
            u16 exponent;
        } parts;
    } u;
    struct fathom_float x = {0, 0, 0, 0, 0};
    u.value = value;
    int exponent = u.parts.exponent & 0x7FFF;
    x.negative = u.parts.exponent >> 15;
    x.mantissa = u.parts.mantissa;
    x.exponent = (exponent == 0 ? 1 : exponent) - 16383 - 63;
    if (exponent == 0x7FFF) {
        x.infinite = x.mantissa << 1 == 0;
        x.nan = !x.infinite;
    }
    return x;
}

static int fathom_is_upper(int c) {
    return c >= 'A' && c <= 'Z';
}

static void fathom_emit_padded(struct fathom_sink *sink, struct fathom_spec *s, const char *prefix, int length) {
    int padding = s->width - (int)strlen(prefix) - length;
    if (!s->left && !s->zero)
        fathom_emit_times(sink, ' ', padding);
    fathom_emit_text(sink, prefix, (int)strlen(prefix));
    if (!s->left && s->zero)
        fathom_emit_times(sink, '0', padding);
}

static void fathom_emit_after(struct fathom_sink *sink, struct fathom_spec *s, const char *prefix, int length) {
    if (s->left)
        fathom_emit_times(sink, ' ', s->width - (int)strlen(prefix) - length);
}

static void fathom_emit_fixed(struct fathom_sink *sink, struct fathom_spec *s, const char *prefix,
                              const struct fathom_figures *x, int precision) {
    int whole = x->point > 0 ? x->point : 1;
    int has_point = precision > 0 || s->alternative;
    int length = whole + has_point + precision;
    fathom_emit_padded(sink, s, prefix, length);
    for (int i = x->point - whole; i < x->point; i++)
        fathom_emit(sink, fathom_figure(x, i));
    if (has_point)
        fathom_emit(sink, '.');
    for (int i = 0; i < precision; i++)
        fathom_emit(sink, fathom_figure(x, x->point + i));
    fathom_emit_after(sink, s, prefix, length);
}

static void fathom_emit_scientific(struct fathom_sink *sink, struct fathom_spec *s, const char *prefix,
                                   const struct fathom_figures *x, int precision) {
    int exponent = x->count == 0 ? 0 : x->point - 1;
    unsigned size = exponent < 0 ? (unsigned)-exponent : (unsigned)exponent;
    int figures = size >= 1000 ? 4 : size >= 100 ? 3 : 2;
    int has_point = precision > 0 || s->alternative;
    int length = 1 + has_point + precision + 2 + figures;
    fathom_emit_padded(sink, s, prefix, length);
    fathom_emit(sink, fathom_figure(x, 0));
    if (has_point)
        fathom_emit(sink, '.');
    for (int i = 1; i <= precision; i++)
        fathom_emit(sink, fathom_figure(x, i));
    fathom_emit(sink, fathom_is_upper(s->kind) ? 'E' : 'e');
    fathom_emit(sink, exponent < 0 ? '-' : '+');
    unsigned scale = figures == 4 ? 1000 : figures == 3 ? 100 : 10;
    for (; scale > 0; scale /= 10)
        fathom_emit(sink, (int)('0' + size / scale % 10));
    fathom_emit_after(sink, s, prefix, length);
}

static void fathom_emit_general(struct fathom_sink *sink, struct fathom_spec *s, const char *prefix,
                                struct fathom_figures *x) {
    int significant = s->precision < 0 ? 6 : s->precision == 0 ? 1 : s->precision;
    fathom_round_figures(x, significant);
    int exponent = x->count == 0 ? 0 : x->point - 1;
    int shown = significant;
    if (!s->alternative) {
        while (x->count > 0 && x->digit[x->count - 1] == '0')
            x->count--;
        shown = x->count > 0 ? x->count : 1;
    }
    if (exponent < -4 || exponent >= significant) {
        fathom_emit_scientific(sink, s, prefix, x, shown - 1);
        return;
    }
    int precision = shown - 1 - exponent;
    fathom_emit_fixed(sink, s, prefix, x, precision > 0 ? precision : 0);
}

// %a: long double shows the whole first nibble of its significand, the others one bit.
static void fathom_emit_hexadecimal(struct fathom_sink *sink, struct fathom_spec *s, const char *sign,
                                    struct fathom_float x) {
    const char *figures = s->kind == 'A' ? "0123456789ABCDEF" : "0123456789abcdef";
    char prefix[4] = {0, 0, 0, 0};
    int at = 0;
    if (*sign != 0)
        prefix[at++] = *sign;
    prefix[at++] = '0';
    prefix[at] = s->kind == 'A' ? 'X' : 'x';
    int is_long = s->length == 'L';
    int exponent = x.mantissa == 0 ? 0 : x.exponent + (is_long ? 60 : 63);
    u64 first = x.mantissa >> (is_long ? 60 : 63), rest = x.mantissa << (is_long ? 4 : 1);
    if (!is_long && x.mantissa != 0 && exponent < -1022) {
        // A subnormal double is shown with its own exponent and a leading zero.
        rest = x.mantissa >> (-1022 - exponent - 1);
        first = 0;
        exponent = -1022;
    }
    if (s->precision >= 0 && s->precision < 16) {
        int drop = 64 - 4 * s->precision;
        u64 half = drop == 64 ? rest >> 63 : rest >> (drop - 1) & 1;
        u64 below = drop == 64 ? rest << 1 : rest & (((u64)1 << (drop - 1)) - 1);
        u64 kept = drop == 64 ? 0 : rest >> drop;
        u64 odd = s->precision == 0 ? first & 1 : kept & 1;
        u64 up = half & ((below != 0) | odd);
        if ((half | below) != 0)
            up = (u64)fathom_rounds_up(x.negative, (int)up);
        kept += up;
        if (s->precision == 0) {
            first += up;
            rest = 0;
        } else {
            if (up && drop < 64 && kept >> (4 * s->precision) != 0)
                first++, kept = 0;
            rest = kept << drop;
        }
        if (first > 15)
            first = 1, exponent += 4;
    }
    int digits = 0;
    while (digits < 16 && rest << (4 * digits) != 0)
        digits++;
    int shown = s->precision < 0 ? digits : s->precision;
    int has_point = shown > 0 || s->alternative;
    unsigned size = exponent < 0 ? (unsigned)-exponent : (unsigned)exponent;
    int places = size >= 10000 ? 5 : size >= 1000 ? 4 : size >= 100 ? 3 : size >= 10 ? 2 : 1;
    int length = 1 + has_point + shown + 2 + places;
    fathom_emit_padded(sink, s, prefix, length);
    fathom_emit(sink, figures[first]);
    if (has_point)
        fathom_emit(sink, '.');
    for (int i = 0; i < shown; i++)
        fathom_emit(sink, i < 16 ? figures[rest >> (60 - 4 * i) & 15] : '0');
    fathom_emit(sink, s->kind == 'A' ? 'P' : 'p');
    fathom_emit(sink, exponent < 0 ? '-' : '+');
    unsigned scale = 1;
    for (int i = 1; i < places; i++)
        scale *= 10;
    for (; scale > 0; scale /= 10)
        fathom_emit(sink, (int)('0' + size / scale % 10));
    fathom_emit_after(sink, s, prefix, length);
}

static void fathom_emit_float(struct fathom_sink *sink, struct fathom_spec *s, long double value) {
    struct fathom_float x = fathom_take_apart(value);
    const char *prefix = fathom_sign(s, x.negative);
    if (x.infinite || x.nan) {
        int upper = fathom_is_upper(s->kind);
        s->zero = 0;
        s->precision = -1;
        fathom_emit_number(sink, s, prefix, x.nan ? upper ? "NAN" : "nan" : upper ? "INF" : "inf", 3);
        return;
    }
    if (s->kind == 'a' || s->kind == 'A') {
        fathom_emit_hexadecimal(sink, s, prefix, x);
        return;
    }
    struct fathom_figures figures;
    figures.negative = x.negative;
    int zeros = x.mantissa == 0 ? 0 : __builtin_ctzll(x.mantissa);
    fathom_to_figures(x.mantissa >> zeros, x.mantissa == 0 ? 0 : x.exponent + zeros, &figures);
    int precision = s->precision < 0 ? 6 : s->precision;
    if (s->kind == 'f' || s->kind == 'F') {
        fathom_round_figures(&figures, figures.point + precision);
        fathom_emit_fixed(sink, s, prefix, &figures, precision);
    } else if (s->kind == 'e' || s->kind == 'E') {
        fathom_round_figures(&figures, precision + 1);
        fathom_emit_scientific(sink, s, prefix, &figures, precision);
    } else {
        fathom_emit_general(sink, s, prefix, &figures);
    }
}

// ---- everything

static void fathom_emit_string(struct fathom_sink *sink, struct fathom_spec *s, const char *text) {
    if (text == 0)
        text = s->precision < 0 || s->precision >= 6 ? "(null)" : "";
    int length = 0;
    while ((s->precision < 0 || length < s->precision) && text[length] != 0)
        length++;
    if (!s->left)
        fathom_emit_times(sink, ' ', s->width - length);
    fathom_emit_text(sink, text, length);
    if (s->left)
        fathom_emit_times(sink, ' ', s->width - length);
}

static void fathom_emit_wide(struct fathom_sink *sink, struct fathom_spec *s, const wchar_t *text) {
    int length = 0;
    while ((s->precision < 0 || length < s->precision) && text[length] != 0) {
        if ((unsigned)text[length] >= 128)
            fathom_unsupported("wide characters outside ASCII in printf");
        length++;
    }
    if (!s->left)
        fathom_emit_times(sink, ' ', s->width - length);
    for (int i = 0; i < length; i++)
        fathom_emit(sink, (int)text[i]);
    if (s->left)
        fathom_emit_times(sink, ' ', s->width - length);
}

static void fathom_store_count(struct fathom_args *args, int length, size_t count) {
    switch (length) {
    case 'H':
        *va_arg(args->list, signed char *) = (signed char)count;
        return;
    case 'h':
        *va_arg(args->list, short *) = (short)count;
        return;
    case 'l':
    case 'z':
    case 't':
        *va_arg(args->list, long *) = (long)count;
        return;
    case 'q':
    case 'L':
    case 'j':
        *va_arg(args->list, long long *) = (long long)count;
        return;
    }
    *va_arg(args->list, int *) = (int)count;
}

static void fathom_emit_spec(struct fathom_sink *sink, struct fathom_spec *s, struct fathom_args *args) {
    switch (s->kind) {
    case 'd':
    case 'i': {
        long long value = fathom_signed_argument(args, s->length);
        u64 magnitude = value < 0 ? 0 - (u64)value : (u64)value;
        fathom_emit_integer(sink, s, magnitude, fathom_sign(s, value < 0));
        return;
    }
    case 'u':
    case 'o':
    case 'x':
    case 'X':
    case 'b':
        fathom_emit_integer(sink, s, fathom_unsigned_argument(args, s->length), "");
        return;
    case 'p': {
        u64 address = (uintptr_t)va_arg(args->list, void *);
        s->alternative = 1;
        if (address == 0) {
            s->precision = -1;
            fathom_emit_string(sink, s, "(nil)");
        } else {
            fathom_emit_integer(sink, s, address, "");
        }
        return;
    }
    case 'c':
        if (!s->left)
            fathom_emit_times(sink, ' ', s->width - 1);
        fathom_emit(sink, (byte)va_arg(args->list, int));
        if (s->left)
            fathom_emit_times(sink, ' ', s->width - 1);
        return;
    case 's':
        if (s->length == 'l')
            fathom_emit_wide(sink, s, va_arg(args->list, wchar_t *));
        else
            fathom_emit_string(sink, s, va_arg(args->list, char *));
        return;
    case 'm':
        fathom_emit_string(sink, s, strerror(errno));
        return;
    case 'n':
        fathom_store_count(args, s->length, sink->count);
        return;
    case '%':
        fathom_emit(sink, '%');
        return;
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
        fathom_emit_float(sink, s, s->length == 'L' ? va_arg(args->list, long double) : va_arg(args->list, double));
        return;
    }
    fathom_unsupported("an unusual conversion of printf");
}

void fathom_format_into(struct fathom_sink *sink, const char *format, va_list list) {
    struct fathom_args args;
    va_copy(args.list, list);
    for (const char *f = format; *f != 0; f++) {
        if (*f != '%') {
            fathom_emit(sink, *f);
            continue;
        }
        struct fathom_spec s;
        f = fathom_read_spec(f + 1, &s, &args);
        fathom_emit_spec(sink, &s, &args);
    }
    va_end(args.list);
    if (sink->stream == 0 && sink->room > 0)
        sink->buffer[sink->count < sink->room ? sink->count : sink->room - 1] = 0;
}

// A string that is printed must end, or be as long as the precision. Nothing else about it matters.
void fathom_check_string(const char *s, size_t most) {
    if (s == 0)
        return;
    for (size_t i = 0; i < most && s[i] != 0; i++)
        ;
}

// The same for functions that take no null pointer.
void fathom_check_text(const char *s) {
    while (*s != 0)
        s++;
}

// The bytes that are written must be there.
void fathom_check_bytes(const void *p, size_t count) {
    if (count == 0)
        return;
    byte first = *(const byte *)p, last = ((const byte *)p)[count - 1];
    (void)first;
    (void)last;
}

static void fathom_check_wide(const wchar_t *s, size_t most) {
    for (size_t i = 0; i < most && s[i] != 0; i++)
        ;
}

void fathom_walk_format(const char *format, va_list list) {
    struct fathom_args args;
    va_copy(args.list, list);
    for (const char *f = format; *f != 0; f++) {
        if (*f != '%')
            continue;
        struct fathom_spec s;
        f = fathom_read_spec(f + 1, &s, &args);
        size_t most = s.precision < 0 ? ~(size_t)0 : (size_t)s.precision;
        switch (s.kind) {
        case 's':
            if (s.length == 'l')
                fathom_check_wide(va_arg(args.list, wchar_t *), most);
            else
                fathom_check_string(va_arg(args.list, char *), most);
            break;
        case 'n': {
            int count = fathom_any_int("bounds of printf");
            __VERIFIER_assume(count >= 0);
            fathom_store_count(&args, s.length, (size_t)count);
            break;
        }
        case 'p':
            (void)va_arg(args.list, void *);
            break;
        case '%':
        case 'm':
            break;
        case 0:
            f--;
            break;
        case 'a':
        case 'A':
        case 'e':
        case 'E':
        case 'f':
        case 'F':
        case 'g':
        case 'G':
            if (s.length == 'L')
                (void)va_arg(args.list, long double);
            else
                (void)va_arg(args.list, double);
            break;
        default:
            (void)fathom_unsigned_argument(&args, s.length);
        }
    }
    va_end(args.list);
}
