//! unreach-call: true
// Structures that are passed, returned and assigned keep the payload of a NaN.
#include <string.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

struct pair {
    float first;
    double second;
};

static struct pair swap_sign(struct pair p)
{
    struct pair q = p;
    q.second = -q.second;
    return q;
}

int main(void)
{
    unsigned u = __VERIFIER_nondet_uint(), v;
    unsigned long w = 0x7ff8000000abcdefUL, x;
    struct pair p;
    memcpy(&p.first, &u, sizeof u);
    memcpy(&p.second, &w, sizeof w);
    struct pair q = swap_sign(p);
    memcpy(&v, &q.first, sizeof v);
    memcpy(&x, &q.second, sizeof x);
    if (u != v || x != (w | 1UL << 63)) {
        reach_error();
    }
    return 0;
}
