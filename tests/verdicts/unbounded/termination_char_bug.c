//! termination: false
//! A signed char never gets to 200.
int main(void) {
    for (signed char c = 0; c < 200; c++)
        ;
    return 0;
}
