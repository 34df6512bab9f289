//! termination: false
// Above 2^24 adding one to a float changes nothing any more.
int main(void)
{
    float x = 16000000.0f;
    while (x < 20000000.0f) {
        x += 1.0f;
    }
    return 0;
}
