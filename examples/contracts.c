/* Contracts: each function is checked alone, and loops by their invariants, for buffers of any size.
 *
 *     fathom verify examples/contracts.c --contracts
 */
#include <fathom.h>
#include <stddef.h>

struct ring {
    char *data;
    size_t size, used;
};

/* Fills a buffer. */
void fill(char *p, size_t n, char c)
fathom_requires(fathom_writable(p, n))
fathom_assigns(fathom_bytes(p, n))
fathom_ensures(n == 0 || p[n - 1] == c)
{
    for (size_t i = 0; i < n; i++)
    fathom_assigns(fathom_bytes(p, n))
    fathom_invariant(i <= n && (i == 0 || p[i - 1] == c))
    fathom_decreases(n - i)
    {
        p[i] = c;
    }
}

/* Adds a character; 0 if there is no room. */
int put(struct ring *r, char c)
fathom_requires(fathom_writable(r, sizeof *r) && fathom_writable(r->data, r->size) && r->used <= r->size)
fathom_assigns(r->used, fathom_bytes(r->data, r->size))
fathom_ensures(fathom_result == (fathom_old(r->used) < r->size))
fathom_ensures(r->used == fathom_old(r->used) + fathom_result && r->used <= r->size)
{
    if (r->used == r->size)
        return 0;
    r->data[r->used++] = c;
    return 1;
}

/* Empties it, and overwrites what was there. */
void wipe(struct ring *r)
fathom_requires(fathom_writable(r, sizeof *r) && fathom_writable(r->data, r->size) && r->used <= r->size)
fathom_assigns(r->used, fathom_bytes(r->data, r->size))
fathom_ensures(r->used == 0)
{
    fill(r->data, r->used, 0);
    r->used = 0;
}
