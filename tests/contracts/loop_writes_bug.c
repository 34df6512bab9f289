//! verdict: unknown
//! says: the contract of the loop in line
// The loop writes more than its contract says: nothing is proved.
static int a[4], b;
int main(void) {
    int i = 0;
    while (i < 4)
    __CPROVER_assigns(__CPROVER_object_whole(a))
    __CPROVER_loop_invariant(0 <= i && i <= 4)
    {
        a[i] = i;
        b = i;
        i++;
    }
    __CPROVER_assert(b == 0, "the loop sets it to 3");
    return 0;
}
