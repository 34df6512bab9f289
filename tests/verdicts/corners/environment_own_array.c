//! unreach-call: true
// getenv looks into the array that the program made.
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);
extern char **environ;
int main(void) {
    char text[] = "A=1";
    char *own[] = {text, 0};
    environ = own;
    if (strcmp(getenv("A"), "1") != 0 || getenv("B"))
        reach_error();
    text[2] = '2';
    if (strcmp(getenv("A"), "2") != 0)
        reach_error();
    return 0;
}
