//! unreach-call: false
// Arithmetic hands the payload of an operand on, or may do so.
extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);

union number {
    double value;
    unsigned long bits;
};

static unsigned long doubled(unsigned long bits)
{
    union number n;
    n.bits = bits;
    n.value = n.value * 2.0;
    return n.bits;
}

int main(void)
{
    unsigned long u = __VERIFIER_nondet_ulong();
    if (u == 0x7ff8000000000001UL && doubled(u) != doubled(0x7ff8000000000002UL)) {
        reach_error();
    }
    return 0;
}
// Witness for unreach-call: 9221120237041090561
