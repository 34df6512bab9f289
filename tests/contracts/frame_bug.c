//! verdict: false(assertion)
//! says: count writes what its contract does not say
// A function that it calls writes what the contract does not say.
int total, calls;
static void count(int *p) {
    ++*p;
}
void add(int x)
__CPROVER_requires(x == 1 && total < 10 && calls < 10)
__CPROVER_assigns(total)
{
    total += x;
    count(&calls);
}
int main(void) {
    add(1);
    return calls;
}
