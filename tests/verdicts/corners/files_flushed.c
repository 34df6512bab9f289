//! unreach-call: true
//! flags: --sym-stdin 0
// What was flushed is there for other streams, and a stream sees what it wrote itself.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    FILE *out = fopen("x", "w+"), *in = fopen("x", "r");
    fputs("hi", out);
    rewind(out);
    if (fgetc(out) != 'h' || fgetc(in) != 'h')
        reach_error();
    fseek(out, 1, SEEK_SET);
    fputc('o', out);
    fflush(out);
    fclose(in);
    in = fopen("x", "r");
    if (fgetc(in) != 'h' || fgetc(in) != 'o' || fgetc(in) != EOF)
        reach_error();
    return 0;
}
