//! unreach-call: true
// Quotients of complex numbers are computed.
extern void reach_error(void);
int main(void) {
    double _Complex a = 4.0 + 2.0i, b = 1.0 + 1.0i;
    a = a / b;
    if (__real__ a != 3.0 || __imag__ a != -1.0)
        reach_error();
    return 0;
}
