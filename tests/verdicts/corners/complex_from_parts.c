//! unreach-call: true
// glibc's header defines CMPLX for gcc only.
#include <complex.h>
extern void reach_error(void);
int main(void) {
    double complex z = CMPLX(0.0, -0.0);
    if (!__builtin_signbit(cimag(z)) || __builtin_signbit(creal(z)))
        reach_error();
    float complex f = CMPLXF(1.0f, 2.0f);
    if (crealf(f) != 1.0f || cimagf(f) != 2.0f)
        reach_error();
    return 0;
}
