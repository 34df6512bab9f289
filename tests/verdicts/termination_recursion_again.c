//! termination: true
//! The same call is made again and again, each time after the one before has returned, and inside another one with other numbers.
static int steps;

static int down(int n) {
    steps++;
    return n == 0 ? 0 : down(n - 1);
}

static int twice(int n) {
    int first = down(n);
    return first + down(n);
}

int main(void) {
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += twice(2) + twice(2);
    return sum + down(5);
}
