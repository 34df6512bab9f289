//! unreach-call: false
// Until somebody clears it: a terminal may have more.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    if (getchar() != EOF)
        return 0;
    clearerr(stdin);
    if (getchar() != EOF)
        reach_error();
    return 0;
}
