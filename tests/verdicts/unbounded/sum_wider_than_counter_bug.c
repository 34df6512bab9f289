//! unreach-call: false
// A counter of 16 bits starts anew after 65,536 rounds, the sum of 32 bits does not.
// Witness for unreach-call: 65536
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    unsigned rounds = __VERIFIER_nondet_uint(), sum = 0;
    unsigned short counter = 0;
    for (; sum < rounds; sum++)
        counter++;
    if (sum != counter)
        reach_error();
    return 0;
}
