//! termination: true
//! Each call has a loop of its own.
int __VERIFIER_nondet_int(void);

static void work(int times) {
    while (times > 0)
        times -= 3;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++)
        work(i);
    return 0;
}
