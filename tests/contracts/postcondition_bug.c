//! verdict: false(assertion)
//! says: postcondition of sign
// What is ensured does not hold of all calls that are allowed, though of the one in main.
int sign(int x)
__CPROVER_ensures(__CPROVER_return_value == (x > 0) - (x < 0))
{
    return x >= 0 ? 1 : -1;
}
int main(void) {
    return sign(3) - 1;
}
