//! termination: false
// Above a half the least float rounds back to itself.
int main(void)
{
    double x = 1.0;
    while (x > 0.0) {
        x *= 0.6;
    }
    return 0;
}
