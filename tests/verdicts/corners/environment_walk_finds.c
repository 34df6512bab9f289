//! unreach-call: true
// What setenv sets is in the array of all variables.
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);
extern char **environ;
int main(void) {
    clearenv();
    setenv("A", "1", 1);
    setenv("B", "2", 1);
    unsetenv("B");
    int count = 0, found = 0;
    for (char **entry = environ; entry && *entry; entry++) {
        count++;
        found += strcmp(*entry, "A=1") == 0;
    }
    if (count != 1 || found != 1)
        reach_error();
    return 0;
}
