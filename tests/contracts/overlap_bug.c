//! verdict: false(assertion)
//! says: precondition of move
// What the contract takes for apart must be apart.
void move(int *to, int *from)
__CPROVER_requires(__CPROVER_is_fresh(to, sizeof *to) && __CPROVER_is_fresh(from, sizeof *from))
__CPROVER_assigns(*to, *from)
__CPROVER_ensures(*to == __CPROVER_old(*from) && *from == 0)
{
    *to = *from;
    *from = 0;
}
int main(void) {
    int x = 1;
    move(&x, &x);
    return x;
}
