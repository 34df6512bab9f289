//! valid-deref: false
// A copy of the pointer is followed after the object's end.
int main(void) {
    int *first, *second;
    {
        int x = 3;
        first = &x;
        second = first;
    }
    return *second == 7;
}
