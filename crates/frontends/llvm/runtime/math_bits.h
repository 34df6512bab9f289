// One floating-point type of the math library: T is the type, F(name) the name with the type's suffix, and the macros
// below its encoding. Exact functions that IEEE arithmetic has as operations (sqrt, rint, fmod ...) are terms in
// Fathom's translation; these are the others: on the encoding they are exact, and the transcendental ones are
// computed where their arguments are known (not for long double), and otherwise any value within bounds that no
// implementation leaves. errno is kept only for programs that look at it. Conditions are joined by & and | so that nothing forks.

#define NAN_OF(x) ((x) != (x))
#define IMPLIES(a, b) (!(a) | (b))
#define IS_INFINITE(x) (((x) == INFINITE) | ((x) == -INFINITE))
#define IS_FINITE(x) ((x) - (x) == 0)
// A function that overflows, underflows to zero, or has no value at the argument. Results between zero and the smallest
// normal number may set errno or not; here only those of nextafter do, as glibc has it.
#define RANGE(condition) fathom_set_errno(condition, fathom_ERANGE)
#define DOMAIN(condition) fathom_set_errno(condition, fathom_EDOM)

T F(fabs)(T x);
T F(trunc)(T x);
T F(rint)(T x);
T F(copysign)(T x, T y);
T F(fmod)(T x, T y);
T F(remainder)(T x, T y);

T F(frexp)(T x, int *exponent) {
    union U u = {x};
    if (EXPONENT(u) == EXPONENT_MAX || x == 0) {
        *exponent = 0;
        return x + x;
    }
    int moved = 0;
    if (EXPONENT(u) == 0) {
        u.value = x * TWO_64;
        moved = 64;
    }
    *exponent = EXPONENT(u) - (BIAS - 1) - moved;
    SET_EXPONENT(u, BIAS - 1);
    return u.value;
}

// Powers of two from their encoding; steps that keep a subnormal result from being rounded twice.
static T F(fathom_power)(int exponent) {
    union U u = {1};
    SET_EXPONENT(u, BIAS + exponent);
    return u.value;
}

// Without errno, for other functions of the library.
T F(fathom_scalbn)(T x, int n) {
    if (n > BIAS) {
        x *= F(fathom_power)(BIAS);
        n -= BIAS;
        if (n > BIAS) {
            x *= F(fathom_power)(BIAS);
            n -= BIAS;
            if (n > BIAS)
                n = BIAS;
        }
    } else if (n < 1 - BIAS) {
        x *= F(fathom_power)(1 - BIAS + BITS);
        n += BIAS - 1 - BITS;
        if (n < 1 - BIAS) {
            x *= F(fathom_power)(1 - BIAS + BITS);
            n += BIAS - 1 - BITS;
            if (n < 1 - BIAS)
                n = 1 - BIAS;
        }
    }
    return x * F(fathom_power)(n);
}

T F(scalbn)(T x, int n) {
    T r = F(fathom_scalbn)(x, n);
    if (fathom_errno_is_read)
        RANGE(IS_FINITE(x) & (x != 0) & (!IS_FINITE(r) | (r == 0)));
    return r;
}

T F(ldexp)(T x, int n) {
    return F(scalbn)(x, n);
}

T F(scalbln)(T x, long n) {
    return F(scalbn)(x, n > 100000 ? 100000 : n < -100000 ? -100000 : (int)n);
}

T F(modf)(T x, T *whole) {
    T part = F(trunc)(x);
    *whole = part;
    if (part == x)
        return F(copysign)(0, x);
    return x != x ? x : F(copysign)(x - part, x);
}

static int F(fathom_ilogb)(T x) {
    union U u = {x};
    if (x == 0)
        return -0x7FFFFFFF - 1;
    if (EXPONENT(u) == EXPONENT_MAX)
        return x != x ? -0x7FFFFFFF - 1 : 0x7FFFFFFF;
    int exponent;
    F(frexp)(x, &exponent);
    return exponent - 1;
}

int F(ilogb)(T x) {
    if (fathom_errno_is_read)
        DOMAIN((x == 0) | !IS_FINITE(x));
    return F(fathom_ilogb)(x);
}

T F(logb)(T x) {
    if (x == 0)
        return -1 / F(fabs)(x);
    if (x - x != 0)
        return x * x;
    return F(fathom_ilogb)(x);
}

T F(nextafter)(T x, T y) {
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    union U u = {x};
    if (x == 0) {
        SMALLEST(u);
        return F(copysign)(u.value, y);
    }
    if ((x < y) == (x > 0))
        INCREMENT(u);
    else
        DECREMENT(u);
    if (fathom_errno_is_read)
        RANGE(IS_FINITE(x) & ((EXPONENT(u) == EXPONENT_MAX) | (EXPONENT(u) == 0)));
    return u.value;
}

T F(remquo)(T x, T y, int *quotient) {
    int negative_x = __builtin_signbit(x) != 0, negative = negative_x ^ (__builtin_signbit(y) != 0);
    *quotient = 0;
    if (y == 0 || x - x != 0 || y != y)
        return (x * y) / (x * y);
    T rest = F(fabs)(x), step = F(fabs)(y);
    int count = 0;
    if (step <= LARGEST / 8)
        rest = F(fmod)(rest, 8 * step);
    if (step <= LARGEST / 4 && rest >= 4 * step) {
        rest -= 4 * step;
        count += 4;
    }
    if (step <= LARGEST / 2 && rest >= 2 * step) {
        rest -= 2 * step;
        count += 2;
    }
    // Nearest, ties to even: `rest` is below 2 * step now.
    if (rest > step - rest) {
        rest -= step;
        count++;
        if (rest >= step - rest) {
            rest -= step;
            count++;
        }
    }
    *quotient = negative ? -(count & 7) : count & 7;
    if (rest == 0)
        rest = 0;
    return negative_x ? -rest : rest;
}

// ---- computed at constants, and within bounds elsewhere

#define NOTE(name) fathom_ledger("computed", #name)
#define NOTE_BOUNDS(name) fathom_ledger("within bounds", #name)
#define BODY(value, condition, errors) \
    T r = value; \
    __VERIFIER_assume(IMPLIES(NAN_OF(x), NAN_OF(r)) & IMPLIES(!NAN_OF(x), (condition))); \
    if (fathom_errno_is_read) { \
        errors; \
    } \
    return r;
#define FUNCTION(name, condition, errors) T F(name)(T x) { NOTE(name); BODY(LIBM(name, x), condition, errors) }
#define BOUNDED(name, condition, errors) T F(name)(T x) { NOTE_BOUNDS(name); BODY(ANY("bounds of " #name), condition, errors) }
#define SIGN_OF_X ((r == 0) | ((r > 0) == (x > 0)))
#define KEEPS_ZERO IMPLIES(x == 0, (r == 0) & ((__builtin_signbit(r) != 0) == (__builtin_signbit(x) != 0)))
#define OVERFLOWS RANGE(IS_INFINITE(r) & IS_FINITE(x))
#define NO_ERRORS (void)0

FUNCTION(sin, IMPLIES(IS_INFINITE(x), NAN_OF(r)) & IMPLIES(!IS_INFINITE(x), (r >= -1) & (r <= 1)) & KEEPS_ZERO, DOMAIN(IS_INFINITE(x)))
FUNCTION(cos, IMPLIES(IS_INFINITE(x), NAN_OF(r)) & IMPLIES(!IS_INFINITE(x), (r >= -1) & (r <= 1)) & IMPLIES(x == 0, r == 1), DOMAIN(IS_INFINITE(x)))
FUNCTION(tan, (IS_INFINITE(x) == NAN_OF(r)) & KEEPS_ZERO, DOMAIN(IS_INFINITE(x)))
FUNCTION(asin, IMPLIES((x > 1) | (x < -1), NAN_OF(r)) & KEEPS_ZERO
                   & IMPLIES((x <= 1) & (x >= -1), (r >= (T)-1.5708) & (r <= (T)1.5708) & SIGN_OF_X), DOMAIN((x > 1) | (x < -1)))
FUNCTION(acos, IMPLIES((x > 1) | (x < -1), NAN_OF(r)) & IMPLIES(x == 1, r == 0)
                   & IMPLIES((x <= 1) & (x >= -1), (r >= 0) & (r <= (T)3.1416)), DOMAIN((x > 1) | (x < -1)))
FUNCTION(atan, (r >= (T)-1.5708) & (r <= (T)1.5708) & SIGN_OF_X & KEEPS_ZERO, NO_ERRORS)
FUNCTION(sinh, !NAN_OF(r) & SIGN_OF_X & KEEPS_ZERO & IMPLIES(IS_INFINITE(x), r == x), OVERFLOWS)
FUNCTION(cosh, (r >= 1) & IMPLIES(x == 0, r == 1) & IMPLIES(IS_INFINITE(x), r == INFINITE), OVERFLOWS)
FUNCTION(tanh, (r >= -1) & (r <= 1) & SIGN_OF_X & KEEPS_ZERO & IMPLIES(IS_INFINITE(x), r == F(copysign)(1, x)), NO_ERRORS)
BOUNDED(asinh, !NAN_OF(r) & SIGN_OF_X & KEEPS_ZERO & (IS_INFINITE(x) == IS_INFINITE(r)), NO_ERRORS)
BOUNDED(acosh, IMPLIES(x < 1, NAN_OF(r)) & IMPLIES(x >= 1, (r >= 0)) & IMPLIES(x == 1, r == 0), DOMAIN(x < 1))
BOUNDED(atanh, IMPLIES((x > 1) | (x < -1), NAN_OF(r)) & KEEPS_ZERO & IMPLIES((x <= 1) & (x >= -1), SIGN_OF_X & !NAN_OF(r))
                   & IMPLIES((x == 1) | (x == -1), IS_INFINITE(r)), DOMAIN((x > 1) | (x < -1)); RANGE((x == 1) | (x == -1)))
#define EXPONENTIAL(kind, name) \
    kind(name, (r >= 0) & IMPLIES(x == 0, r == 1) & IMPLIES(x > 0, r >= 1) & IMPLIES(x < 0, r <= 1) \
                   & IMPLIES(x == INFINITE, r == INFINITE) & IMPLIES(x == -INFINITE, r == 0), OVERFLOWS; RANGE((r == 0) & IS_FINITE(x)))
EXPONENTIAL(FUNCTION, exp)
EXPONENTIAL(FUNCTION, exp2)
EXPONENTIAL(BOUNDED, exp10)
FUNCTION(expm1, (r >= -1) & SIGN_OF_X & KEEPS_ZERO & IMPLIES(x == INFINITE, r == INFINITE) & IMPLIES(x == -INFINITE, r == -1), OVERFLOWS)
#define LOGARITHM(name) \
    FUNCTION(name, IMPLIES(x < 0, NAN_OF(r)) & IMPLIES(x == 0, r == -INFINITE) & IMPLIES(x == INFINITE, r == INFINITE) \
                       & IMPLIES(x == 1, (r == 0) & !__builtin_signbit(r)) & IMPLIES(x > 1, r >= 0) \
                       & IMPLIES((x > 0) & (x < 1), r <= 0) \
                       & IMPLIES((x > 0) & (x < INFINITE), (r >= LOWEST_LOG) & (r <= -LOWEST_LOG)), DOMAIN(x < 0); RANGE(x == 0))
LOGARITHM(log)
LOGARITHM(log2)
LOGARITHM(log10)
FUNCTION(log1p, IMPLIES(x < -1, NAN_OF(r)) & IMPLIES(x == -1, r == -INFINITE) & KEEPS_ZERO & IMPLIES(x > -1, SIGN_OF_X & !NAN_OF(r)),
         DOMAIN(x < -1); RANGE(x == -1))
FUNCTION(cbrt, !NAN_OF(r) & SIGN_OF_X & KEEPS_ZERO & (IS_INFINITE(x) == IS_INFINITE(r)), NO_ERRORS)
BOUNDED(erf, (r >= -1) & (r <= 1) & SIGN_OF_X & KEEPS_ZERO, NO_ERRORS)
BOUNDED(erfc, (r >= 0) & (r <= 2), RANGE((r == 0) & IS_FINITE(x)))
BOUNDED(tgamma, 1, DOMAIN(NAN_OF(r) & !NAN_OF(x)); RANGE(IS_FINITE(x) & (IS_INFINITE(r) | (r == 0))))
// Negative where the function is: between two whole numbers below zero of which the lower one is odd, and at -0.
static int F(fathom_sign_of_gamma)(T x) {
    T whole = F(trunc)(x), half = F(trunc)(whole / 2);
    int is_negative = (x < 0) & (whole != x) & (half * 2 == whole);
    return 1 - 2 * (is_negative | ((x == 0) & (__builtin_signbit(x) != 0)));
}

T F(lgamma)(T x) {
    NOTE_BOUNDS(lgamma);
    signgam = F(fathom_sign_of_gamma)(x);
    BODY(ANY("bounds of lgamma"), 1, OVERFLOWS)
}

T F(atan2)(T y, T x) {
    NOTE(atan2);
    T r = LIBM_2(atan2, y, x);
    int nan = NAN_OF(x) | NAN_OF(y);
    __VERIFIER_assume((nan == NAN_OF(r)) & (nan | ((r >= (T)-3.1416) & (r <= (T)3.1416) & ((r == 0) | ((r > 0) == !__builtin_signbit(y))))));
    if (fathom_errno_is_read)
        RANGE((r == 0) & (y != 0) & IS_FINITE(x));
    return r;
}

T F(hypot)(T x, T y) {
    NOTE(hypot);
    T r = LIBM_2(hypot, x, y);
    T a = F(fabs)(x), b = F(fabs)(y);
    int infinite = IS_INFINITE(x) | IS_INFINITE(y), nan = !infinite & (NAN_OF(x) | NAN_OF(y));
    __VERIFIER_assume((nan == NAN_OF(r)) & IMPLIES(infinite, r == INFINITE)
                      & IMPLIES(!nan & !infinite, (r >= a * (T)0.9999) & (r >= b * (T)0.9999) & (r / 2 <= (a / 2 + b / 2) * (T)1.0001 + 1))
                      & IMPLIES((x == 0) & (y == 0), r == 0));
    if (fathom_errno_is_read)
        RANGE((r == INFINITE) & !infinite);
    return r;
}

T F(pow)(T x, T y) {
    NOTE(pow);
    T r = LIBM_2(pow, x, y);
    int is_one = (y == 0) | (x == 1), nan = !is_one & (NAN_OF(x) | NAN_OF(y));
    int is_whole = F(trunc)(y) == y, is_odd = is_whole & (F(trunc)(y / 2) != y / 2);
    int is_negative = __builtin_signbit(x) != 0; // zero has a sign, too
    int root = (x < 0) & (x > -INFINITE) & !is_whole;
    int rounds_to_nearest = fegetround() == 0;
    // A signalling NaN stays one, whatever its power.
    __VERIFIER_assume(IMPLIES(is_one, (r == 1) | ((NAN_OF(x) | NAN_OF(y)) & NAN_OF(r))) & IMPLIES(!is_one, (nan | root) == NAN_OF(r)) & IMPLIES((y == 1) & rounds_to_nearest, nan | (r == x))
                      & IMPLIES(!NAN_OF(r) & !NAN_OF(x), IMPLIES(!is_negative | !is_odd, r >= 0) & IMPLIES(is_negative & is_odd, r <= 0)));
    if (fathom_errno_is_read) {
        DOMAIN(root & !NAN_OF(y));
        RANGE(IS_FINITE(x) & IS_FINITE(y) & (IS_INFINITE(r) | ((r == 0) & (x != 0))));
    }
    return r;
}

void F(sincos)(T x, T *s, T *c) {
    *s = F(sin)(x);
    *c = F(cos)(x);
}

#undef NAN_OF
#undef IMPLIES
#undef IS_INFINITE
#undef IS_FINITE
#undef NOTE
#undef NOTE_BOUNDS
#undef RANGE
#undef DOMAIN
#undef BODY
#undef BOUNDED
#undef OVERFLOWS
#undef NO_ERRORS
#undef FUNCTION
#undef SIGN_OF_X
#undef KEEPS_ZERO
#undef EXPONENTIAL
#undef LOGARITHM

// The next type defines them anew.
#undef T
#undef F
#undef U
#undef ANY
#undef LIBM
#undef LIBM_2
#undef INFINITE
#undef LARGEST
#undef LOWEST_LOG
#undef BIAS
#undef BITS
#undef TWO_64
#undef EXPONENT_MAX
#undef EXPONENT
#undef SET_EXPONENT
#undef SMALLEST
#undef INCREMENT
#undef DECREMENT
