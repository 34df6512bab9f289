//! verdict: true
// A function is checked against its contract, from any state, and main with the contract in its place. The comment's bracket ( is none.
int total;
int add(int x, int y)
__CPROVER_requires(x >= 0 && x < 1000 && y >= 0 && y < 1000 && total < 100)
__CPROVER_ensures(__CPROVER_return_value == x + y)
__CPROVER_ensures(total == __CPROVER_old(total) + 1)
__CPROVER_assigns(total)
{
    total++;
    return x + y;
}
int main(void) {
    int r = add(3, 4);
    __CPROVER_assert(r == 7 && total == 1, "as the contract says");
    return 0;
}
