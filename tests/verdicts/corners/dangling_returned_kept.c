//! dangling: false
// A call gives a pointer to an ended object, which becomes a variable's value.
static int *local(void) {
    int x = 1;
    int *p = &x;
    return p;
}
int main(void) {
    int *p = local();
    return 0;
}
