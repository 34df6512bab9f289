//! verdict: true
// A buffer of any size: its loop is cut at the invariant.
#include <fathom.h>
#include <stddef.h>
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
        if (c == 0 && p[i] == 0)
            continue;
        p[i] = c;
    }
}
int main(void) {
    return 0;
}
