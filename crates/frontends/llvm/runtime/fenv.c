// Float exceptions. What the program raises and clears is known; arithmetic of the program may have raised any of them, and then a
// violation counts only if the compiled program shows it. Flags are not cleared by anything else, so they stay once seen.
#include "fathom.h"

int fathom_has_float_arithmetic; // set by Fathom

enum { fathom_ALL_EXCEPTIONS = 0x3D };
static __thread int fathom_raised;

int feclearexcept(int which) {
    fathom_raised &= ~which;
    return 0;
}

int feraiseexcept(int which) {
    fathom_raised |= which & fathom_ALL_EXCEPTIONS;
    return 0;
}

static int fathom_exceptions(void) {
    if (fathom_has_float_arithmetic)
        fathom_raised |= fathom_any_int("bounds of float exceptions") & fathom_ALL_EXCEPTIONS;
    return fathom_raised;
}

int fetestexcept(int which) {
    return fathom_exceptions() & which;
}

int fegetexceptflag(u16 *to, int which) {
    *to = (u16)(fathom_exceptions() & which);
    return 0;
}

int fesetexceptflag(const u16 *from, int which) {
    fathom_raised = (fathom_exceptions() & ~which) | (*from & which & fathom_ALL_EXCEPTIONS);
    return 0;
}
