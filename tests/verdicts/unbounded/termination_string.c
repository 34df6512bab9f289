//! termination: true
//! The walk along a string stops at its end.
int __VERIFIER_nondet_int(void);

int main(void) {
    char text[32];
    for (int i = 0; i < 31; i++)
        text[i] = (char)__VERIFIER_nondet_int();
    text[31] = 0;
    const char *at = text;
    while (*at)
        at++;
    return 0;
}
