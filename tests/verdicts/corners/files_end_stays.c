//! unreach-call: true
// The end of a stream stays.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    char line[4];
    if (getchar() == EOF && feof(stdin)) {
        if (getchar() != EOF || fgets(line, 4, stdin) || fread(line, 1, 4, stdin) != 0)
            reach_error();
    }
    return 0;
}
