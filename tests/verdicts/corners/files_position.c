//! unreach-call: true
// Files begin at the start, and reading moves on; of a pipe nobody knows the position.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    FILE *f = fopen("some file", "r");
    if (!f)
        return 0;
    long start = ftell(f);
    if (start != 0 && start != -1)
        reach_error();
    if (fseek(f, 10, SEEK_SET) == 0 && fgetc(f) != EOF) {
        long behind = ftell(f);
        if (behind != 11 && behind != -1)
            reach_error();
    }
    fclose(f);
    return 0;
}
