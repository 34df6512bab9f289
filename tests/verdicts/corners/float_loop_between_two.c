//! termination: false
// Two floats in turn, after a long way: the cycle has more than one state.
int main(void)
{
    float x = 16400000.0f, step = 1.0f;
    for (;;) {
        if (x >= 16777216.0f) {
            step = -1.0f;
        }
        x += step;
        if (x < 16777215.0f && step < 0.0f) {
            step = 1.0f;
        }
        if (x < 1.0f) {
            return 0;
        }
    }
}
