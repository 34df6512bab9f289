//! valid-deref: false
// The pointers change places while both objects live.
int main(void) {
    int outer = 1;
    int *p = &outer;
    {
        int inner = 3;
        int *q = &inner;
        int *t = p;
        p = q;
        q = t;
        *q = 2;
    }
    return *p == 7;
}
