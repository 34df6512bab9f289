// One floating-point type of the math library: T is the type, F(name) the name with the type's suffix, and the macros
// below its encoding. Exact functions that IEEE arithmetic has as operations (sqrt, rint, fmod ...) are terms in
// Fathom's translation; these are the others: on the encoding they are exact, and the transcendental ones are any
// value within bounds that no implementation leaves. Conditions are joined by & and | so that nothing forks.

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

T F(scalbn)(T x, int n) {
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

int F(ilogb)(T x) {
    union U u = {x};
    if (x == 0)
        return -0x7FFFFFFF - 1;
    if (EXPONENT(u) == EXPONENT_MAX)
        return x != x ? -0x7FFFFFFF - 1 : 0x7FFFFFFF;
    int exponent;
    F(frexp)(x, &exponent);
    return exponent - 1;
}

T F(logb)(T x) {
    if (x == 0)
        return -1 / F(fabs)(x);
    if (x - x != 0)
        return x * x;
    return F(ilogb)(x);
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

// ---- any value within bounds

#define NAN_OF(x) ((x) != (x))
#define IMPLIES(a, b) (!(a) | (b))
#define SAME(a, b) ((a) == (b))
#define IS_INFINITE(x) (((x) == INFINITE) | ((x) == -INFINITE))
#define NOTE(name) fathom_ledger(#name " gives any value within its bounds")
#define FUNCTION(name, condition) \
    T F(name)(T x) { \
        NOTE(name); \
        T r = ANY(#name); \
        __VERIFIER_assume(IMPLIES(NAN_OF(x), NAN_OF(r)) & IMPLIES(!NAN_OF(x), (condition))); \
        return r; \
    }
#define SIGN_OF_X ((r == 0) | ((r > 0) == (x > 0)))
#define KEEPS_ZERO IMPLIES(x == 0, (r == 0) & ((__builtin_signbit(r) != 0) == (__builtin_signbit(x) != 0)))

FUNCTION(sin, IMPLIES(IS_INFINITE(x), NAN_OF(r)) & IMPLIES(!IS_INFINITE(x), (r >= -1) & (r <= 1)) & KEEPS_ZERO)
FUNCTION(cos, IMPLIES(IS_INFINITE(x), NAN_OF(r)) & IMPLIES(!IS_INFINITE(x), (r >= -1) & (r <= 1)) & IMPLIES(x == 0, r == 1))
FUNCTION(tan, (IS_INFINITE(x) == NAN_OF(r)) & KEEPS_ZERO)
FUNCTION(asin, IMPLIES((x > 1) | (x < -1), NAN_OF(r)) & KEEPS_ZERO
                   & IMPLIES((x <= 1) & (x >= -1), (r >= (T)-1.5708) & (r <= (T)1.5708) & SIGN_OF_X))
FUNCTION(acos, IMPLIES((x > 1) | (x < -1), NAN_OF(r)) & IMPLIES(x == 1, r == 0)
                   & IMPLIES((x <= 1) & (x >= -1), (r >= 0) & (r <= (T)3.1416)))
FUNCTION(atan, (r >= (T)-1.5708) & (r <= (T)1.5708) & SIGN_OF_X & KEEPS_ZERO)
FUNCTION(sinh, !NAN_OF(r) & SIGN_OF_X & KEEPS_ZERO & IMPLIES(IS_INFINITE(x), r == x))
FUNCTION(cosh, (r >= 1) & IMPLIES(x == 0, r == 1) & IMPLIES(IS_INFINITE(x), r == INFINITE))
FUNCTION(tanh, (r >= -1) & (r <= 1) & SIGN_OF_X & KEEPS_ZERO & IMPLIES(IS_INFINITE(x), r == F(copysign)(1, x)))
FUNCTION(asinh, !NAN_OF(r) & SIGN_OF_X & KEEPS_ZERO & (IS_INFINITE(x) == IS_INFINITE(r)))
FUNCTION(acosh, IMPLIES(x < 1, NAN_OF(r)) & IMPLIES(x >= 1, (r >= 0)) & IMPLIES(x == 1, r == 0))
FUNCTION(atanh, IMPLIES((x > 1) | (x < -1), NAN_OF(r)) & KEEPS_ZERO & IMPLIES((x <= 1) & (x >= -1), SIGN_OF_X & !NAN_OF(r)))
#define EXPONENTIAL(name) \
    FUNCTION(name, (r >= 0) & IMPLIES(x == 0, r == 1) & IMPLIES(x > 0, r >= 1) & IMPLIES(x < 0, r <= 1) \
                       & IMPLIES(x == INFINITE, r == INFINITE) & IMPLIES(x == -INFINITE, r == 0))
EXPONENTIAL(exp)
EXPONENTIAL(exp2)
EXPONENTIAL(exp10)
FUNCTION(expm1, (r >= -1) & SIGN_OF_X & KEEPS_ZERO & IMPLIES(x == INFINITE, r == INFINITE) & IMPLIES(x == -INFINITE, r == -1))
#define LOGARITHM(name) \
    FUNCTION(name, IMPLIES(x < 0, NAN_OF(r)) & IMPLIES(x == 0, r == -INFINITE) & IMPLIES(x == INFINITE, r == INFINITE) \
                       & IMPLIES(x == 1, (r == 0) & !__builtin_signbit(r)) & IMPLIES(x > 1, r >= 0) \
                       & IMPLIES((x > 0) & (x < 1), r <= 0) \
                       & IMPLIES((x > 0) & (x < INFINITE), (r >= LOWEST_LOG) & (r <= -LOWEST_LOG)))
LOGARITHM(log)
LOGARITHM(log2)
LOGARITHM(log10)
FUNCTION(log1p, IMPLIES(x < -1, NAN_OF(r)) & IMPLIES(x == -1, r == -INFINITE) & KEEPS_ZERO & IMPLIES(x > -1, SIGN_OF_X & !NAN_OF(r)))
FUNCTION(cbrt, !NAN_OF(r) & SIGN_OF_X & KEEPS_ZERO & (IS_INFINITE(x) == IS_INFINITE(r)))
FUNCTION(erf, (r >= -1) & (r <= 1) & SIGN_OF_X & KEEPS_ZERO)
FUNCTION(erfc, (r >= 0) & (r <= 2))
FUNCTION(tgamma, 1)
FUNCTION(lgamma, 1)

T F(atan2)(T y, T x) {
    NOTE(atan2);
    T r = ANY("atan2");
    int nan = NAN_OF(x) | NAN_OF(y);
    __VERIFIER_assume((nan == NAN_OF(r)) & (nan | ((r >= (T)-3.1416) & (r <= (T)3.1416) & ((r == 0) | ((r > 0) == !__builtin_signbit(y))))));
    return r;
}

T F(hypot)(T x, T y) {
    NOTE(hypot);
    T r = ANY("hypot");
    T a = F(fabs)(x), b = F(fabs)(y);
    int infinite = IS_INFINITE(x) | IS_INFINITE(y), nan = !infinite & (NAN_OF(x) | NAN_OF(y));
    __VERIFIER_assume((nan == NAN_OF(r)) & IMPLIES(infinite, r == INFINITE)
                      & IMPLIES(!nan & !infinite, (r >= a * (T)0.9999) & (r >= b * (T)0.9999) & (r / 2 <= (a / 2 + b / 2) * (T)1.0001 + 1))
                      & IMPLIES((x == 0) & (y == 0), r == 0));
    return r;
}

T F(pow)(T x, T y) {
    NOTE(pow);
    T r = ANY("pow");
    int is_one = (y == 0) | (x == 1), nan = !is_one & (NAN_OF(x) | NAN_OF(y));
    int is_whole = F(trunc)(y) == y, is_odd = is_whole & (F(trunc)(y / 2) != y / 2);
    int root = (x < 0) & (x > -INFINITE) & !is_whole;
    __VERIFIER_assume(IMPLIES(is_one, r == 1) & IMPLIES(!is_one, (nan | root) == NAN_OF(r)) & IMPLIES(y == 1, nan | (r == x))
                      & IMPLIES(!NAN_OF(r) & !NAN_OF(x), IMPLIES((x >= 0) | !is_odd, r >= 0) & IMPLIES((x < 0) & is_odd, r <= 0)));
    return r;
}

void F(sincos)(T x, T *s, T *c) {
    *s = F(sin)(x);
    *c = F(cos)(x);
}

#undef NAN_OF
#undef IMPLIES
#undef SAME
#undef IS_INFINITE
#undef NOTE
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
