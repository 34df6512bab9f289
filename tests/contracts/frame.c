//! verdict: true
// What a function makes itself it may write, also through pointers in functions that it calls.
int total;
static void count(int *p) {
    ++*p;
}
void add(int x)
__CPROVER_requires(x == 1 && total < 10)
__CPROVER_assigns(total)
{
    int calls[2] = {0, 0};
    count(&calls[1]);
    total += calls[1];
}
int main(void) {
    add(1);
    return 0;
}
