//! unreach-call: true
// The environment changes only if the program changes it.
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);
int main(void) {
    char *a = getenv("HOME"), *b = getenv("HOME");
    if (a != b)
        reach_error();
    setenv("NAME", "x", 1);
    setenv("NAME", "y", 0);
    if (strcmp(getenv("NAME"), "x") != 0)
        reach_error();
    unsetenv("NAME");
    if (getenv("NAME"))
        reach_error();
    static char text[] = "NAME=z";
    putenv(text);
    if (getenv("NAME") != text + 5)
        reach_error();
    if (setenv("A=B", "c", 1) != -1)
        reach_error();
    return 0;
}
