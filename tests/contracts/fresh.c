//! verdict: true
// Memory that a function allocates is its caller's.
#include <stdlib.h>
struct box { char *data; size_t size; };
struct box *make(size_t n)
__CPROVER_requires(n > 0 && n < 1000)
__CPROVER_ensures(__CPROVER_is_fresh(__CPROVER_return_value, sizeof(struct box)) && __CPROVER_is_fresh(__CPROVER_return_value->data, n))
__CPROVER_ensures(__CPROVER_return_value->size == n)
{
    struct box *b = malloc(sizeof *b);
    b->data = malloc(n);
    b->size = n;
    return b;
}
void set(struct box *b, size_t i, char c)
__CPROVER_requires(__CPROVER_is_fresh(b, sizeof *b) && __CPROVER_is_fresh(b->data, b->size) && i < b->size)
__CPROVER_assigns(b->data[i])
__CPROVER_ensures(b->data[i] == c)
{
    b->data[i] = c;
}
int main(void) {
    struct box *b = make(10);
    set(b, 9, 'x');
    __CPROVER_assert(b->data[9] == 'x', "set");
    free(b->data);
    free(b);
    return 0;
}
