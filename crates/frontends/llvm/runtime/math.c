// <math.h> for the three types of C; see math_bits.h.
#include "fathom.h"

// Set by Fathom, if the program looks at errno.
int fathom_errno_is_read;

int fegetround(void);
int signgam;

// Without a branch, because conditions on floats are hard. Fathom calls it for sqrt and others that are terms.
void fathom_set_errno(int condition, int code) {
    errno ^= (errno ^ code) & -condition;
}

union fathom_float_bits {
    float value;
    u32 bits;
};
union fathom_double_bits {
    double value;
    u64 bits;
};
union fathom_long_bits {
    long double value;
    struct {
        u64 mantissa;
        u16 top;
    } bits;
};

#define T float
#define F(name) name##f
#define U fathom_float_bits
#define ANY fathom_any_float
#define LIBM(name, x) fathom_libm_float(#name, x)
#define LIBM_2(name, x, y) fathom_libm_2_float(#name, x, y)
#define INFINITE __builtin_inff()
#define LARGEST __FLT_MAX__
#define LOWEST_LOG (-150)
#define BIAS 127
#define BITS 24
#define TWO_64 0x1p64f
#define EXPONENT_MAX 255
#define EXPONENT(u) ((int)((u).bits >> 23 & 255))
#define SET_EXPONENT(u, e) ((u).bits = ((u).bits & ~(255u << 23)) | (u32)(e) << 23)
#define SMALLEST(u) ((u).bits = 1)
#define INCREMENT(u) ((u).bits++)
#define DECREMENT(u) ((u).bits--)
#include "math_bits.h"

#define T double
#define F(name) name
#define U fathom_double_bits
#define ANY fathom_any_double
#define LIBM(name, x) fathom_libm_double(#name, x)
#define LIBM_2(name, x, y) fathom_libm_2_double(#name, x, y)
#define INFINITE __builtin_inf()
#define LARGEST __DBL_MAX__
#define LOWEST_LOG (-1075)
#define BIAS 1023
#define BITS 53
#define TWO_64 0x1p64
#define EXPONENT_MAX 2047
#define EXPONENT(u) ((int)((u).bits >> 52 & 2047))
#define SET_EXPONENT(u, e) ((u).bits = ((u).bits & ~(2047ull << 52)) | (u64)(e) << 52)
#define SMALLEST(u) ((u).bits = 1)
#define INCREMENT(u) ((u).bits++)
#define DECREMENT(u) ((u).bits--)
#include "math_bits.h"

// The 80-bit format shows its integer bit, so neighbours carry by hand.
static void fathom_next_long(union fathom_long_bits *u) {
    u->bits.mantissa++;
    if (u->bits.mantissa << 1 == 0 || (u->bits.top & 0x7FFF) == 0) {
        if (u->bits.mantissa >> 63 && (u->bits.top & 0x7FFF) == 0)
            u->bits.top++;
        else if (u->bits.mantissa == 0) {
            u->bits.top++;
            u->bits.mantissa = (u64)1 << 63;
        }
    }
}

static void fathom_previous_long(union fathom_long_bits *u) {
    u->bits.mantissa--;
    if (u->bits.mantissa >> 63 == 0 && (u->bits.top & 0x7FFF) != 0) {
        u->bits.top--;
        if ((u->bits.top & 0x7FFF) != 0)
            u->bits.mantissa = ~(u64)0;
    }
}

#define T long double
#define F(name) name##l
#define U fathom_long_bits
#define ANY fathom_any_longdouble
#define LIBM(name, x) fathom_any_longdouble("bounds of " #name)
#define LIBM_2(name, x, y) fathom_any_longdouble("bounds of " #name)
#define INFINITE __builtin_infl()
#define LARGEST __LDBL_MAX__
#define LOWEST_LOG (-16446)
#define BIAS 16383
#define BITS 64
#define TWO_64 0x1p64L
#define EXPONENT_MAX 0x7FFF
#define EXPONENT(u) ((int)((u).bits.top & 0x7FFF))
#define SET_EXPONENT(u, e) ((u).bits.top = (u16)(((u).bits.top & 0x8000) | (e)))
#define SMALLEST(u) ((u).bits.mantissa = 1)
#define INCREMENT(u) fathom_next_long(&(u))
#define DECREMENT(u) fathom_previous_long(&(u))
#include "math_bits.h"

// nexttoward takes its direction as long double, whatever the type.
float nexttowardf(float x, long double y) {
    if (x != x || y != y)
        return x + (float)y;
    return x == y ? (float)y : nextafterf(x, x < y ? __builtin_inff() : -__builtin_inff());
}

double nexttoward(double x, long double y) {
    if (x != x || y != y)
        return x + (double)y;
    return x == y ? (double)y : nextafter(x, x < y ? __builtin_inf() : -__builtin_inf());
}

long double nexttowardl(long double x, long double y) {
    return nextafterl(x, y);
}
