// Parts and products of complex numbers; products follow C11 annex G as compiler-rt does.

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
