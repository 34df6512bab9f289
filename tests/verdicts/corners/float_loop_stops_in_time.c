//! termination: true
// The loop ends where adding one changes nothing any more.
int main(void)
{
    float x = 16770000.0f;
    while (x != x + 1.0f) {
        x += 1.0f;
    }
    return 0;
}
