//! termination: true
//! The arguments stay the same; a global variable decreases.
static int left = 5;

static int drain(int n) {
    if (left == 0)
        return n;
    left--;
    return drain(n);
}

int main(void) {
    return drain(7);
}
