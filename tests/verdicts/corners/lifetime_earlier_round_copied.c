//! valid-deref: false
// The pointer goes on to name the object of the round before.
int main(void) {
    int result = 0;
    int *before = 0;
    for (int i = 0; i < 2; i++) {
        int x = i;
        int *const now = &x;
        if (before)
            result = *before;
        before = now;
    }
    return result;
}
