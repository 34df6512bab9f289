//! unreach-call: false
// The same, through a variable and a function.
#include <string.h>
extern void reach_error(void);
static int order(void) {
    int result = memcmp("ad", "aa", 2);
    return result;
}
int main(void) {
    if (order() != 3)
        reach_error();
    return 0;
}
