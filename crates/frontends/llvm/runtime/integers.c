// Integers from text (strtol and its family), and small integer functions of <stdlib.h>.
#include "fathom.h"

int isspace(int c);

int abs(int x) {
    return x < 0 ? -x : x;
}

long labs(long x) {
    return x < 0 ? -x : x;
}

long long llabs(long long x) {
    return x < 0 ? -x : x;
}

long long imaxabs(long long x) {
    return x < 0 ? -x : x;
}

typedef struct {
    int quot, rem;
} fathom_div_t;
typedef struct {
    long quot, rem;
} fathom_ldiv_t;
typedef struct {
    long long quot, rem;
} fathom_lldiv_t;

fathom_div_t div(int a, int b) {
    fathom_div_t result = {a / b, a % b};
    return result;
}

fathom_ldiv_t ldiv(long a, long b) {
    fathom_ldiv_t result = {a / b, a % b};
    return result;
}

fathom_lldiv_t lldiv(long long a, long long b) {
    fathom_lldiv_t result = {a / b, a % b};
    return result;
}

fathom_lldiv_t imaxdiv(long long a, long long b) {
    return lldiv(a, b);
}

// The value of a digit in bases up to 36; 255 for anything else.
static unsigned fathom_digit(int c) {
    if ((unsigned)c - '0' < 10)
        return (unsigned)c - '0';
    unsigned letter = ((unsigned)c | 32) - 'a';
    return letter < 26 ? letter + 10 : 255;
}

struct fathom_number {
    u64 magnitude;
    int negative, overflow;
    const char *end; // behind the last digit; null if there is none
};

static struct fathom_number fathom_read_integer(const char *s, int base) {
    struct fathom_number n = {0, 0, 0, 0};
    while (isspace((byte)*s))
        s++;
    if (*s == '-' || *s == '+')
        n.negative = *s++ == '-';
    if ((base == 0 || base == 16) && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') && fathom_digit(s[2]) < 16) {
        s += 2;
        base = 16;
    }
    if (base == 0)
        base = *s == '0' ? 8 : 10;
    for (unsigned digit; (digit = fathom_digit(*s)) < (unsigned)base; s++) {
        if (n.magnitude > (0xFFFFFFFFFFFFFFFFull - digit) / (unsigned)base)
            n.overflow = 1;
        n.magnitude = n.magnitude * (unsigned)base + digit;
        n.end = s + 1;
    }
    return n;
}

static struct fathom_number fathom_to_integer(const char *s, char **end, int base) {
    struct fathom_number n = {0, 0, 0, 0};
    // As the GNU C library has it, the end is not told then.
    if (base < 0 || base == 1 || base > 36) {
        errno = fathom_EINVAL;
        return n;
    }
    n = fathom_read_integer(s, base);
    if (end != 0)
        *end = (char *)(n.end == 0 ? s : n.end);
    return n;
}

static long long fathom_signed(const char *s, char **end, int base, u64 max) {
    struct fathom_number n = fathom_to_integer(s, end, base);
    if (n.overflow || n.magnitude > max + (u64)n.negative) {
        errno = fathom_ERANGE;
        return (long long)(n.negative ? 0 - max - 1 : max);
    }
    return (long long)(n.negative ? 0 - n.magnitude : n.magnitude);
}

static u64 fathom_unsigned(const char *s, char **end, int base, u64 max) {
    struct fathom_number n = fathom_to_integer(s, end, base);
    if (n.overflow || n.magnitude > max) {
        errno = fathom_ERANGE;
        return max;
    }
    return n.negative ? 0 - n.magnitude : n.magnitude;
}

long strtol(const char *s, char **end, int base) {
    return (long)fathom_signed(s, end, base, ~0ul >> 1);
}

unsigned long strtoul(const char *s, char **end, int base) {
    return (unsigned long)fathom_unsigned(s, end, base, ~0ul);
}

long long strtoll(const char *s, char **end, int base) {
    return fathom_signed(s, end, base, ~0ull >> 1);
}

unsigned long long strtoull(const char *s, char **end, int base) {
    return fathom_unsigned(s, end, base, ~0ull);
}

long long strtoq(const char *s, char **end, int base) {
    return strtoll(s, end, base);
}

unsigned long long strtouq(const char *s, char **end, int base) {
    return strtoull(s, end, base);
}

long long strtoimax(const char *s, char **end, int base) {
    return strtoll(s, end, base);
}

unsigned long long strtoumax(const char *s, char **end, int base) {
    return strtoull(s, end, base);
}

long __isoc23_strtol(const char *s, char **end, int base) {
    return strtol(s, end, base);
}

unsigned long __isoc23_strtoul(const char *s, char **end, int base) {
    return strtoul(s, end, base);
}

long long __isoc23_strtoll(const char *s, char **end, int base) {
    return strtoll(s, end, base);
}

unsigned long long __isoc23_strtoull(const char *s, char **end, int base) {
    return strtoull(s, end, base);
}

long __strtol_internal(const char *s, char **end, int base, int group) {
    return strtol(s, end, base);
}

unsigned long __strtoul_internal(const char *s, char **end, int base, int group) {
    return strtoul(s, end, base);
}

int atoi(const char *s) {
    return (int)strtol(s, 0, 10);
}

long atol(const char *s) {
    return strtol(s, 0, 10);
}

long long atoll(const char *s) {
    return strtoll(s, 0, 10);
}
