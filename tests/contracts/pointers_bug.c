//! verdict: unknown
//! says: the contract of twice may be too weak: after it, postcondition of call
// Through a pointer a function is called by its contract, too; what it was called with before does not count.
static int twice(int x)
__CPROVER_requires(x >= 0 && x < 100)
__CPROVER_ensures(__CPROVER_return_value >= x)
{
    return 2 * x;
}
int call(int x)
__CPROVER_requires(x >= 0 && x < 100)
__CPROVER_ensures(__CPROVER_return_value == x)
{
    int (*f)(int) = twice;
    (void)f(x);
    return x > 50 ? x + 1 : x;
}
int main(void) {
    return call(1) - 1;
}
