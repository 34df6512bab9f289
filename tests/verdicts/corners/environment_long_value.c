//! unreach-call: false
// A value may be long.
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    char *e = getenv("PATH");
    if (!e)
        return 0;
    for (int i = 0; i < 20; i++)
        if (e[i] == 0)
            return 0;
    reach_error();
}
