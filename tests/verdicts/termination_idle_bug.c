//! termination: false
//! A loop that waits for a variable that nothing changes.
int main(void) {
    volatile int ready = 0;
    int polls = 0;
    while (!ready)
        polls = (polls + 1) % 4;
    return 0;
}
