//! unreach-call: false
// A loop that carries a float by copies carries its payload.
#include <string.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned u = __VERIFIER_nondet_uint(), v;
    float x, other = 1.0f;
    memcpy(&x, &u, sizeof u);
    for (int i = 0; i < 3; i++) {
        float t = x;
        x = -other;
        other = t;
    }
    memcpy(&v, &other, sizeof v);
    if (v == 0xffa00007u || v == 0x7fa00007u) {
        reach_error();
    }
    return 0;
}
// Witness for unreach-call: 4288675847
