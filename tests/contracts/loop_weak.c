//! verdict: unknown
//! says: may be too weak
// The invariant holds, and does not suffice: what the program does is not violated.
int main(void) {
    int i = 0, s = 0;
    do {
        s += 2;
        i++;
    } while (i < 10)
    __CPROVER_loop_invariant(0 <= i && i < 10 && 0 <= s && s <= 1000);
    __CPROVER_assert(s == 20, "twice the number of iterations");
    return 0;
}
