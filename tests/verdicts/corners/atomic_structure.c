//! unreach-call: true
// An atomic object that no instruction is wide enough for is read, written and exchanged whole.
extern void reach_error(void);
struct triple {
    long a, b, c;
};
_Atomic struct triple shared;
_Atomic __int128 wide;
int main(void) {
    struct triple one = {1, 2, 3}, two = {4, 5, 6}, seen;
    shared = one;
    seen = shared;
    if (seen.a != 1 || seen.b != 2 || seen.c != 3)
        reach_error();
    if (!__c11_atomic_compare_exchange_strong(&shared, &seen, two, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        reach_error();
    if (__c11_atomic_compare_exchange_strong(&shared, &seen, one, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) || seen.b != 5)
        reach_error();
    seen = __c11_atomic_exchange(&shared, one, __ATOMIC_SEQ_CST);
    if (seen.c != 6)
        reach_error();
    wide = 5;
    wide += 1;
    if (wide != 6)
        reach_error();
    return 0;
}
