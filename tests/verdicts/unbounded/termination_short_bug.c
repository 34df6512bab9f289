//! termination: false
//! A short turns negative before it gets to 40000.
int main(void) {
    for (short s = 0; s < 40000; s++)
        ;
    return 0;
}
