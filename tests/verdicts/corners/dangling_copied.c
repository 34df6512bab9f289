//! dangling: false
// The value of a pointer to an ended object is copied from one local to another.
int main(void) {
    int *p, *q;
    {
        int x = 3;
        p = &x;
    }
    q = p;
    return 0;
}
