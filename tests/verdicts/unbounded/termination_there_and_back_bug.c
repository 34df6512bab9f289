//! termination: false
//! It turns round at both ends.
int main(void) {
    int i = 0, back = 0;
    while (i >= 0) {
        if (i >= 5)
            back = 1;
        if (i <= 0)
            back = 0;
        i += back ? -1 : 1;
    }
    return 0;
}
