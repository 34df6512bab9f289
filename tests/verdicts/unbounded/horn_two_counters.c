//! unreach-call: true
// Two loops, the second of which undoes what the first did: an equality of three variables.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    int up = 0, down = 0;
    for (int i = 0; i < n; i++)
        up++;
    for (int i = 0; i < n; i++) {
        if (up < 1)
            reach_error();
        up--;
        down++;
    }
    return down;
}
