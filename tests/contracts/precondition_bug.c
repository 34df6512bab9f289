//! verdict: false(assertion)
//! says: precondition of half: x % 2 == 0
// The caller does not see to what is required.
static int half(int x)
__CPROVER_requires(x % 2 == 0)
__CPROVER_ensures(__CPROVER_return_value * 2 == x)
__CPROVER_requires(x >= 0 && x < 100)
{
    return x / 2;
}
int main(void) {
    return half(3);
}
