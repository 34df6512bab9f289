// Parts, products and quotients of complex numbers; these follow C11 annex G as compiler-rt does.

double creal(double _Complex z) {
    return __real__ z;
}

double cimag(double _Complex z) {
    return __imag__ z;
}

double _Complex conj(double _Complex z) {
    __imag__ z = -__imag__ z;
    return z;
}

double hypot(double x, double y);
double atan2(double y, double x);
float hypotf(float x, float y);
float atan2f(float y, float x);

double cabs(double _Complex z) {
    return hypot(__real__ z, __imag__ z);
}

double carg(double _Complex z) {
    return atan2(__imag__ z, __real__ z);
}

float cabsf(float _Complex z) {
    return hypotf(__real__ z, __imag__ z);
}

float cargf(float _Complex z) {
    return atan2f(__imag__ z, __real__ z);
}

double _Complex __muldc3(double a, double b, double c, double d) {
    double ac = a * c, bd = b * d, ad = a * d, bc = b * c;
    double _Complex z;
    __real__ z = ac - bd;
    __imag__ z = ad + bc;
    if (__builtin_isnan(__real__ z) && __builtin_isnan(__imag__ z)) {
        int recalculate = 0;
        if (__builtin_isinf(a) || __builtin_isinf(b)) {
            a = __builtin_copysign(__builtin_isinf(a) ? 1 : 0, a);
            b = __builtin_copysign(__builtin_isinf(b) ? 1 : 0, b);
            if (__builtin_isnan(c))
                c = __builtin_copysign(0, c);
            if (__builtin_isnan(d))
                d = __builtin_copysign(0, d);
            recalculate = 1;
        }
        if (__builtin_isinf(c) || __builtin_isinf(d)) {
            c = __builtin_copysign(__builtin_isinf(c) ? 1 : 0, c);
            d = __builtin_copysign(__builtin_isinf(d) ? 1 : 0, d);
            if (__builtin_isnan(a))
                a = __builtin_copysign(0, a);
            if (__builtin_isnan(b))
                b = __builtin_copysign(0, b);
            recalculate = 1;
        }
        if (!recalculate && (__builtin_isinf(ac) || __builtin_isinf(bd) || __builtin_isinf(ad) || __builtin_isinf(bc))) {
            if (__builtin_isnan(a))
                a = __builtin_copysign(0, a);
            if (__builtin_isnan(b))
                b = __builtin_copysign(0, b);
            if (__builtin_isnan(c))
                c = __builtin_copysign(0, c);
            if (__builtin_isnan(d))
                d = __builtin_copysign(0, d);
            recalculate = 1;
        }
        if (recalculate) {
            __real__ z = __builtin_inf() * (a * c - b * d);
            __imag__ z = __builtin_inf() * (a * d + b * c);
        }
    }
    return z;
}

float crealf(float _Complex z) {
    return __real__ z;
}

float cimagf(float _Complex z) {
    return __imag__ z;
}

float _Complex conjf(float _Complex z) {
    __imag__ z = -__imag__ z;
    return z;
}

float _Complex __mulsc3(float a, float b, float c, float d) {
    float ac = a * c, bd = b * d, ad = a * d, bc = b * c;
    float _Complex z;
    __real__ z = ac - bd;
    __imag__ z = ad + bc;
    if (__builtin_isnan(__real__ z) && __builtin_isnan(__imag__ z)) {
        int recalculate = 0;
        if (__builtin_isinf(a) || __builtin_isinf(b)) {
            a = __builtin_copysignf(__builtin_isinf(a) ? 1 : 0, a);
            b = __builtin_copysignf(__builtin_isinf(b) ? 1 : 0, b);
            if (__builtin_isnan(c))
                c = __builtin_copysignf(0, c);
            if (__builtin_isnan(d))
                d = __builtin_copysignf(0, d);
            recalculate = 1;
        }
        if (__builtin_isinf(c) || __builtin_isinf(d)) {
            c = __builtin_copysignf(__builtin_isinf(c) ? 1 : 0, c);
            d = __builtin_copysignf(__builtin_isinf(d) ? 1 : 0, d);
            if (__builtin_isnan(a))
                a = __builtin_copysignf(0, a);
            if (__builtin_isnan(b))
                b = __builtin_copysignf(0, b);
            recalculate = 1;
        }
        if (!recalculate && (__builtin_isinf(ac) || __builtin_isinf(bd) || __builtin_isinf(ad) || __builtin_isinf(bc))) {
            if (__builtin_isnan(a))
                a = __builtin_copysignf(0, a);
            if (__builtin_isnan(b))
                b = __builtin_copysignf(0, b);
            if (__builtin_isnan(c))
                c = __builtin_copysignf(0, c);
            if (__builtin_isnan(d))
                d = __builtin_copysignf(0, d);
            recalculate = 1;
        }
        if (recalculate) {
            __real__ z = __builtin_inff() * (a * c - b * d);
            __imag__ z = __builtin_inff() * (a * d + b * c);
        }
    }
    return z;
}

long double creall(long double _Complex z) {
    return __real__ z;
}

long double cimagl(long double _Complex z) {
    return __imag__ z;
}

long double _Complex conjl(long double _Complex z) {
    __imag__ z = -__imag__ z;
    return z;
}

long double _Complex __mulxc3(long double a, long double b, long double c, long double d) {
    long double ac = a * c, bd = b * d, ad = a * d, bc = b * c;
    long double _Complex z;
    __real__ z = ac - bd;
    __imag__ z = ad + bc;
    if (__builtin_isnan(__real__ z) && __builtin_isnan(__imag__ z)) {
        int recalculate = 0;
        if (__builtin_isinf(a) || __builtin_isinf(b)) {
            a = __builtin_copysignl(__builtin_isinf(a) ? 1 : 0, a);
            b = __builtin_copysignl(__builtin_isinf(b) ? 1 : 0, b);
            if (__builtin_isnan(c))
                c = __builtin_copysignl(0, c);
            if (__builtin_isnan(d))
                d = __builtin_copysignl(0, d);
            recalculate = 1;
        }
        if (__builtin_isinf(c) || __builtin_isinf(d)) {
            c = __builtin_copysignl(__builtin_isinf(c) ? 1 : 0, c);
            d = __builtin_copysignl(__builtin_isinf(d) ? 1 : 0, d);
            if (__builtin_isnan(a))
                a = __builtin_copysignl(0, a);
            if (__builtin_isnan(b))
                b = __builtin_copysignl(0, b);
            recalculate = 1;
        }
        if (!recalculate && (__builtin_isinf(ac) || __builtin_isinf(bd) || __builtin_isinf(ad) || __builtin_isinf(bc))) {
            if (__builtin_isnan(a))
                a = __builtin_copysignl(0, a);
            if (__builtin_isnan(b))
                b = __builtin_copysignl(0, b);
            if (__builtin_isnan(c))
                c = __builtin_copysignl(0, c);
            if (__builtin_isnan(d))
                d = __builtin_copysignl(0, d);
            recalculate = 1;
        }
        if (recalculate) {
            __real__ z = __builtin_infl() * (a * c - b * d);
            __imag__ z = __builtin_infl() * (a * d + b * c);
        }
    }
    return z;
}

double logb(double x);
double fathom_scalbn(double x, int n);

double _Complex __divdc3(double a, double b, double c, double d) {
    int scale = 0;
    double larger = __builtin_fmax(__builtin_fabs(c), __builtin_fabs(d)), exponent = logb(larger);
    if (exponent - exponent == 0) {
        scale = (int)exponent;
        c = fathom_scalbn(c, -scale);
        d = fathom_scalbn(d, -scale);
    }
    double norm = c * c + d * d;
    double _Complex z;
    __real__ z = fathom_scalbn((a * c + b * d) / norm, -scale);
    __imag__ z = fathom_scalbn((b * c - a * d) / norm, -scale);
    if (__builtin_isnan(__real__ z) && __builtin_isnan(__imag__ z)) {
        if (norm == 0 && (!__builtin_isnan(a) || !__builtin_isnan(b))) {
            __real__ z = __builtin_copysign(__builtin_inf(), c) * a;
            __imag__ z = __builtin_copysign(__builtin_inf(), c) * b;
        } else if ((__builtin_isinf(a) || __builtin_isinf(b)) && __builtin_isfinite(c) && __builtin_isfinite(d)) {
            a = __builtin_copysign(__builtin_isinf(a) ? 1 : 0, a);
            b = __builtin_copysign(__builtin_isinf(b) ? 1 : 0, b);
            __real__ z = __builtin_inf() * (a * c + b * d);
            __imag__ z = __builtin_inf() * (b * c - a * d);
        } else if (exponent == __builtin_inf() && __builtin_isfinite(a) && __builtin_isfinite(b)) {
            c = __builtin_copysign(__builtin_isinf(c) ? 1 : 0, c);
            d = __builtin_copysign(__builtin_isinf(d) ? 1 : 0, d);
            __real__ z = 0 * (a * c + b * d);
            __imag__ z = 0 * (b * c - a * d);
        }
    }
    return z;
}

float logbf(float x);
float fathom_scalbnf(float x, int n);

float _Complex __divsc3(float a, float b, float c, float d) {
    int scale = 0;
    float larger = __builtin_fmaxf(__builtin_fabsf(c), __builtin_fabsf(d)), exponent = logbf(larger);
    if (exponent - exponent == 0) {
        scale = (int)exponent;
        c = fathom_scalbnf(c, -scale);
        d = fathom_scalbnf(d, -scale);
    }
    float norm = c * c + d * d;
    float _Complex z;
    __real__ z = fathom_scalbnf((a * c + b * d) / norm, -scale);
    __imag__ z = fathom_scalbnf((b * c - a * d) / norm, -scale);
    if (__builtin_isnan(__real__ z) && __builtin_isnan(__imag__ z)) {
        if (norm == 0 && (!__builtin_isnan(a) || !__builtin_isnan(b))) {
            __real__ z = __builtin_copysignf(__builtin_inff(), c) * a;
            __imag__ z = __builtin_copysignf(__builtin_inff(), c) * b;
        } else if ((__builtin_isinf(a) || __builtin_isinf(b)) && __builtin_isfinite(c) && __builtin_isfinite(d)) {
            a = __builtin_copysignf(__builtin_isinf(a) ? 1 : 0, a);
            b = __builtin_copysignf(__builtin_isinf(b) ? 1 : 0, b);
            __real__ z = __builtin_inff() * (a * c + b * d);
            __imag__ z = __builtin_inff() * (b * c - a * d);
        } else if (exponent == __builtin_inff() && __builtin_isfinite(a) && __builtin_isfinite(b)) {
            c = __builtin_copysignf(__builtin_isinf(c) ? 1 : 0, c);
            d = __builtin_copysignf(__builtin_isinf(d) ? 1 : 0, d);
            __real__ z = 0 * (a * c + b * d);
            __imag__ z = 0 * (b * c - a * d);
        }
    }
    return z;
}

long double logbl(long double x);
long double fathom_scalbnl(long double x, int n);

long double _Complex __divxc3(long double a, long double b, long double c, long double d) {
    int scale = 0;
    long double larger = __builtin_fmaxl(__builtin_fabsl(c), __builtin_fabsl(d)), exponent = logbl(larger);
    if (exponent - exponent == 0) {
        scale = (int)exponent;
        c = fathom_scalbnl(c, -scale);
        d = fathom_scalbnl(d, -scale);
    }
    long double norm = c * c + d * d;
    long double _Complex z;
    __real__ z = fathom_scalbnl((a * c + b * d) / norm, -scale);
    __imag__ z = fathom_scalbnl((b * c - a * d) / norm, -scale);
    if (__builtin_isnan(__real__ z) && __builtin_isnan(__imag__ z)) {
        if (norm == 0 && (!__builtin_isnan(a) || !__builtin_isnan(b))) {
            __real__ z = __builtin_copysignl(__builtin_infl(), c) * a;
            __imag__ z = __builtin_copysignl(__builtin_infl(), c) * b;
        } else if ((__builtin_isinf(a) || __builtin_isinf(b)) && __builtin_isfinite(c) && __builtin_isfinite(d)) {
            a = __builtin_copysignl(__builtin_isinf(a) ? 1 : 0, a);
            b = __builtin_copysignl(__builtin_isinf(b) ? 1 : 0, b);
            __real__ z = __builtin_infl() * (a * c + b * d);
            __imag__ z = __builtin_infl() * (b * c - a * d);
        } else if (exponent == __builtin_infl() && __builtin_isfinite(a) && __builtin_isfinite(b)) {
            c = __builtin_copysignl(__builtin_isinf(c) ? 1 : 0, c);
            d = __builtin_copysignl(__builtin_isinf(d) ? 1 : 0, d);
            __real__ z = 0 * (a * c + b * d);
            __imag__ z = 0 * (b * c - a * d);
        }
    }
    return z;
}
