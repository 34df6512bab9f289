//! unreach-call: true
// So does sqrt.
extern void reach_error(void);
int main(void) {
    double r = sqrt(16.0);
    if (r != 4.0)
        reach_error();
    return 0;
}
