//! termination: true
//! The arguments stay the same, and so do the global variables; what decreases is a local variable of the first caller.
static int drain(int *left) {
    if (*left == 0)
        return 0;
    --*left;
    return drain(left);
}

int main(void) {
    int left = 6;
    return drain(&left);
}
