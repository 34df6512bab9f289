/* How the programs of this directory get their input. As ordinary programs they read standard input; with
 * -DSYMBOLIC=N they get N arbitrary bytes instead, for `fathom verify` and `fathom test`:
 *
 *   fathom test examples/real/json.c -DSYMBOLIC=4 --out json-tests
 */
#ifndef INPUT_H
#define INPUT_H

#include <stddef.h>

#ifdef SYMBOLIC
extern void klee_make_symbolic(void *to, size_t size, const char *name);

static size_t read_input(unsigned char *buffer, size_t size)
{
    size_t length = SYMBOLIC;
    if (length > size)
        length = size;
    klee_make_symbolic(buffer, length, "input");
    return length;
}
#else
#include <stdio.h>

static size_t read_input(unsigned char *buffer, size_t size)
{
    return fread(buffer, 1, size, stdin);
}
#endif

#endif
