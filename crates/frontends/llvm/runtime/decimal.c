// Text to floating point, correctly rounded in the mode in force. Short numbers take one exact multiplication or division (Clinger's fast
// path), which also keeps symbolic digits in one term; all others go through integers of arbitrary length: the value is
// N / M with M a power of ten, whose bits long division yields one by one, with everything behind them as a sticky bit.
#include "fathom.h"

int isspace(int c);
int fegetround(void);
long double fathom_scalbnl(long double x, int n);

enum { fathom_LIMBS = 2000, fathom_MAX_DIGITS = 12000 };

struct fathom_big {
    int length;
    u32 limb[fathom_LIMBS];
};

static void fathom_big_muladd(struct fathom_big *x, u32 factor, u32 summand) {
    u64 carry = summand;
    for (int i = 0; i < x->length; i++) {
        carry += (u64)x->limb[i] * factor;
        x->limb[i] = (u32)carry;
        carry >>= 32;
    }
    if (carry != 0)
        x->limb[x->length++] = (u32)carry;
}

static void fathom_big_double(struct fathom_big *x) {
    u32 carry = 0;
    for (int i = 0; i < x->length; i++) {
        u32 next = x->limb[i] >> 31;
        x->limb[i] = x->limb[i] << 1 | carry;
        carry = next;
    }
    if (carry != 0)
        x->limb[x->length++] = carry;
}

static void fathom_big_shift(struct fathom_big *x, int limbs) {
    if (limbs == 0 || x->length == 0)
        return;
    for (int i = x->length - 1; i >= 0; i--)
        x->limb[i + limbs] = x->limb[i];
    for (int i = 0; i < limbs; i++)
        x->limb[i] = 0;
    x->length += limbs;
}

static int fathom_big_compare(const struct fathom_big *x, const struct fathom_big *y) {
    if (x->length != y->length)
        return x->length < y->length ? -1 : 1;
    for (int i = x->length - 1; i >= 0; i--)
        if (x->limb[i] != y->limb[i])
            return x->limb[i] < y->limb[i] ? -1 : 1;
    return 0;
}

static void fathom_big_subtract(struct fathom_big *x, const struct fathom_big *y) {
    u64 borrow = 0;
    for (int i = 0; i < x->length; i++) {
        u64 taken = borrow + (i < y->length ? y->limb[i] : 0);
        borrow = x->limb[i] < taken;
        x->limb[i] = (u32)(x->limb[i] - taken);
    }
    while (x->length > 0 && x->limb[x->length - 1] == 0)
        x->length--;
}

static int fathom_big_bits(const struct fathom_big *x) {
    return x->length == 0 ? 0 : 32 * x->length - __builtin_clz(x->limb[x->length - 1]);
}

// How a magnitude is rounded: to nearest with ties to even, or whatever is behind it, down or up.
enum fathom_way { fathom_NEAREST, fathom_DOWN, fathom_UP };

// What a format holds: bits of its significand, exponents of its smallest subnormal and largest power of two; and how to get
// there.
struct fathom_format {
    int bits, lowest, highest;
    enum fathom_way way;
};

// The same for a number with this sign, in the mode in force.
static enum fathom_way fathom_way_of(int negative) {
    switch (fegetround()) {
    case 0x400:
        return negative ? fathom_UP : fathom_DOWN;
    case 0x800:
        return negative ? fathom_DOWN : fathom_UP;
    case 0xc00:
        return fathom_DOWN;
    }
    return fathom_NEAREST;
}

// What a number that is too large becomes.
static long double fathom_too_large(struct fathom_format f) {
    return f.way == fathom_DOWN ? fathom_scalbnl((long double)(~(u64)0 >> (64 - f.bits)), f.highest - f.bits + 1) : __builtin_infl();
}

// What a number that is too small becomes.
static long double fathom_too_small(struct fathom_format f) {
    return f.way == fathom_UP ? fathom_scalbnl(1, f.lowest) : 0;
}

// The significand (up to 64 bits) times a power of two, rounded.
static long double fathom_round(u64 top, int next, int sticky, int exponent, struct fathom_format f, int *range) {
    // top has its highest bit set; it stands for top * 2^exponent. `next` is the bit behind it.
    int drop = 64 - f.bits;
    if (exponent + drop < f.lowest)
        drop = f.lowest - exponent;
    u64 kept, half, rest;
    if (drop > 64) {
        kept = 0, half = 0, rest = 1;
    } else if (drop == 64) {
        kept = 0, half = top >> 63, rest = (top << 1) | (u64)(next | sticky);
    } else if (drop == 0) {
        kept = top, half = (u64)next, rest = (u64)sticky;
    } else {
        kept = top >> drop;
        half = top >> (drop - 1) & 1;
        rest = (top & (((u64)1 << (drop - 1)) - 1)) | (u64)(next | sticky);
    }
    exponent += drop;
    u64 up = f.way == fathom_NEAREST ? half & ((rest != 0) | (kept & 1)) : f.way == fathom_UP && (half | rest) != 0;
    kept += up;
    if (up && kept == 0) {
        kept = (u64)1 << 63;
        exponent += 1;
    }
    // Tiny after rounding and inexact is what the C library reports.
    if ((half | rest) && (kept == 0 || kept >> (f.bits - 1) == 0))
        *range = 1;
    long double value = fathom_scalbnl((long double)kept, exponent);
    int length = kept == 0 ? 0 : 64 - __builtin_clzll(kept);
    if (length + exponent > f.highest + 1) {
        *range = 1;
        return fathom_too_large(f);
    }
    return value;
}

// N / M, both not zero.
static long double fathom_quotient(struct fathom_big *n, struct fathom_big *m, struct fathom_format f, int *range) {
    int exponent = fathom_big_bits(n) - fathom_big_bits(m);
    int shift = exponent < 0 ? -exponent : exponent;
    struct fathom_big *small = exponent < 0 ? n : m;
    fathom_big_shift(small, shift / 32);
    for (int i = 0; i < shift % 32; i++)
        fathom_big_double(small);
    // Now N / M is between 1/2 and 2.
    if (fathom_big_compare(n, m) < 0) {
        fathom_big_double(n);
        exponent--;
    }
    u64 top = 0;
    for (int i = 0; i < 64; i++) {
        top <<= 1;
        if (fathom_big_compare(n, m) >= 0) {
            fathom_big_subtract(n, m);
            top |= 1;
        }
        fathom_big_double(n);
    }
    int next = fathom_big_compare(n, m) >= 0;
    if (next)
        fathom_big_subtract(n, m);
    return fathom_round(top, next, n->length != 0, exponent - 63, f, range);
}

static const char *fathom_word(const char *s, const char *word) {
    for (; *word != 0; s++, word++)
        if ((*s | 32) != *word)
            return 0;
    return s;
}

static long double fathom_power_of_ten(int n) {
    long double power = 1;
    for (; n > 0; n--)
        power *= 10;
    return power;
}

static long double fathom_read_hex(const char **at, struct fathom_format f, int *range) {
    const char *s = *at + 2;
    u64 top = 0;
    int sticky = 0, exponent = 0, seen_point = 0, is_full = 0;
    unsigned extra = 0; // the first digit that doesn't fit
    for (;; s++) {
        int c = *s | 32, digit;
        if (*s == '.' && !seen_point) {
            seen_point = 1;
            continue;
        }
        if ((unsigned)c - '0' < 10 && *s >= '0')
            digit = c - '0';
        else if ((unsigned)c - 'a' < 6)
            digit = c - 'a' + 10;
        else
            break;
        if (top >> 60 == 0)
            top = top << 4 | (u64)digit, exponent -= 4 * seen_point;
        else if (!is_full)
            is_full = 1, extra = (unsigned)digit, exponent += 4 * !seen_point;
        else
            sticky |= digit != 0, exponent += 4 * !seen_point;
    }
    *at = s;
    if ((*s | 32) == 'p') {
        const char *e = s + 1;
        int negative = 0, value = 0;
        if (*e == '-' || *e == '+')
            negative = *e++ == '-';
        if ((unsigned)*e - '0' < 10) {
            for (; (unsigned)*e - '0' < 10; e++)
                value = value < 100000 ? value * 10 + (*e - '0') : value;
            exponent += negative ? -value : value;
            *at = e;
        }
    }
    if (top == 0)
        return 0;
    int zeros = __builtin_clzll(top);
    int next = 0;
    if (is_full) {
        // At most three bits of the extra digit move up.
        top = top << zeros | extra >> (4 - zeros);
        next = (int)(extra >> (3 - zeros) & 1);
        sticky |= (extra & ((1u << (3 - zeros)) - 1)) != 0;
    } else {
        top <<= zeros;
    }
    return fathom_round(top, next, sticky, exponent - zeros, f, range);
}

// Digits of significance and the power of ten that they are times.
struct fathom_decimal {
    const char *digits; // starts at the first digit that is not zero; may have a point inside
    int count, power;
    u64 first; // the first 19 digits as a number
};

static const char *fathom_scan_decimal(const char *s, struct fathom_decimal *d) {
    int seen_point = 0, any = 0;
    d->digits = 0, d->count = 0, d->power = 0, d->first = 0;
    for (;; s++) {
        if (*s == '.' && !seen_point) {
            seen_point = 1;
            continue;
        }
        if ((unsigned)*s - '0' >= 10)
            break;
        any = 1;
        if (d->digits == 0 && *s != '0')
            d->digits = s;
        if (d->digits != 0) {
            d->count++;
            if (d->count <= 19)
                d->first = d->first * 10 + (u64)(*s - '0');
        }
        d->power -= seen_point;
    }
    if (!any)
        return 0;
    if ((*s | 32) == 'e') {
        const char *e = s + 1;
        int negative = 0, value = 0;
        if (*e == '-' || *e == '+')
            negative = *e++ == '-';
        if ((unsigned)*e - '0' < 10) {
            for (; (unsigned)*e - '0' < 10; e++)
                value = value < 100000 ? value * 10 + (*e - '0') : value;
            d->power += negative ? -value : value;
            s = e;
        }
    }
    return s;
}

static long double fathom_from_decimal(const struct fathom_decimal *d, struct fathom_format f, int *range) {
    if (d->count == 0)
        return 0;
    if (d->count + d->power > 5000) {
        *range = 1;
        return fathom_too_large(f);
    }
    if (d->count + d->power < -5100 || d->count > fathom_MAX_DIGITS) {
        if (d->count > fathom_MAX_DIGITS)
            fathom_unsupported("a number of more than 12000 digits");
        *range = 1;
        return fathom_too_small(f);
    }
    static struct fathom_big n, m;
    n.length = 0;
    int left = d->count;
    for (const char *s = d->digits; left > 0; s++)
        if (*s != '.') {
            fathom_big_muladd(&n, 10, (u32)(*s - '0'));
            left--;
        }
    m.length = 1;
    m.limb[0] = 1;
    struct fathom_big *scaled = d->power < 0 ? &m : &n;
    int power = d->power < 0 ? -d->power : d->power;
    for (; power >= 9; power -= 9)
        fathom_big_muladd(scaled, 1000000000, 0);
    for (; power > 0; power--)
        fathom_big_muladd(scaled, 10, 0);
    return fathom_quotient(&n, &m, f, range);
}

static const struct fathom_format fathom_single = {24, -149, 127, fathom_NEAREST};
static const struct fathom_format fathom_double = {53, -1074, 1023, fathom_NEAREST};
static const struct fathom_format fathom_extended = {64, -16445, 16383, fathom_NEAREST};

// The magnitude of a number at s, with *end behind it (s itself if there is none).
static long double fathom_magnitude(const char *s, const char **end, struct fathom_format f, int *range) {
    const char *after;
    if ((after = fathom_word(s, "inf")) != 0) {
        const char *whole = fathom_word(after, "inity");
        *end = whole != 0 ? whole : after;
        return __builtin_infl();
    }
    if ((after = fathom_word(s, "nan")) != 0) {
        *end = after;
        if (*after == '(') {
            const char *p = after + 1;
            while ((unsigned)*p - '0' < 10 || ((unsigned)*p | 32) - 'a' < 26 || *p == '_')
                p++;
            if (*p == ')')
                *end = p + 1;
        }
        return __builtin_nanl("");
    }
    if (s[0] == '0' && (s[1] | 32) == 'x') {
        int first = s[2] == '.' ? s[3] : s[2];
        if ((unsigned)first - '0' < 10 || ((unsigned)first | 32) - 'a' < 6) {
            *end = s;
            return fathom_read_hex(end, f, range);
        }
    }
    struct fathom_decimal d;
    *end = fathom_scan_decimal(s, &d);
    if (*end == 0)
        return 0;
    // Exact: the digits and the power both fit the format, so one operation rounds once.
    if (f.way != fathom_NEAREST)
        return fathom_from_decimal(&d, f, range);
    if (f.bits == 53 && d.count <= 15 && d.power >= -22 && d.power <= 22) {
        double digits = (double)(long long)d.first;
        double scale = (double)fathom_power_of_ten(d.power < 0 ? -d.power : d.power);
        return d.power < 0 ? digits / scale : digits * scale;
    }
    if (f.bits == 24 && d.count <= 7 && d.power >= -10 && d.power <= 10) {
        float digits = (float)(int)d.first;
        float scale = (float)fathom_power_of_ten(d.power < 0 ? -d.power : d.power);
        return d.power < 0 ? digits / scale : digits * scale;
    }
    if (f.bits == 64 && d.count <= 18 && d.power >= -27 && d.power <= 27) {
        long double digits = (long double)(long long)d.first;
        long double scale = fathom_power_of_ten(d.power < 0 ? -d.power : d.power);
        return d.power < 0 ? digits / scale : digits * scale;
    }
    return fathom_from_decimal(&d, f, range);
}

static long double fathom_to_float(const char *s, char **end, struct fathom_format f) {
    const char *start = s, *after = 0;
    int negative = 0, range = 0;
    while (isspace((byte)*s))
        s++;
    if (*s == '-' || *s == '+')
        negative = *s++ == '-';
    f.way = fathom_way_of(negative);
    long double value = fathom_magnitude(s, &after, f, &range);
    if (range)
        errno = fathom_ERANGE;
    if (end != 0)
        *end = (char *)(after == 0 ? start : after);
    return negative && after != 0 ? -value : value;
}

float strtof(const char *s, char **end) {
    return (float)fathom_to_float(s, end, fathom_single);
}

double strtod(const char *s, char **end) {
    return (double)fathom_to_float(s, end, fathom_double);
}

long double strtold(const char *s, char **end) {
    return fathom_to_float(s, end, fathom_extended);
}

double __strtod_internal(const char *s, char **end, int group) {
    return strtod(s, end);
}

double atof(const char *s) {
    return strtod(s, 0);
}
