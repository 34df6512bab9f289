//! termination: false
//! A step of two passes zero by.

static unsigned char fact(unsigned char n) {
    return n == 0 ? 1 : fact(n - 2);
}

int main(void) {
    return fact(3) > 0;
}
