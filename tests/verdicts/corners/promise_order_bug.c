//! unreach-call: false
// strcmp promises a sign: the compiler has -1 here, the library -2.
#include <string.h>
extern void reach_error(void);
int main(void) {
    if (strcmp("a", "c") == -1)
        reach_error();
    return 0;
}
