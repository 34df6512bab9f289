//! unreach-call: true
// Without arithmetic float exceptions are what the program raises.
#include <fenv.h>
extern void reach_error(void);
int main(void) {
    feclearexcept(FE_ALL_EXCEPT);
    if (fetestexcept(FE_ALL_EXCEPT))
        reach_error();
    feraiseexcept(FE_DIVBYZERO | FE_INVALID);
    feclearexcept(FE_INVALID);
    if (fetestexcept(FE_ALL_EXCEPT) != FE_DIVBYZERO)
        reach_error();
    return 0;
}
