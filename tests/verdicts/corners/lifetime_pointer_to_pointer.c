//! valid-deref: false
// The variable is set by way of its address.
int main(void) {
    int *p;
    int **pp = &p;
    {
        int x = 3;
        *pp = &x;
    }
    return *p == 7;
}
