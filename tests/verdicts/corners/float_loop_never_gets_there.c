//! unreach-call: true
// What lies behind a loop that stops changing is never reached.
extern void reach_error(void);

int main(void)
{
    float x = 16770000.0f;
    while (x < 20000000.0f) {
        x += 1.0f;
    }
    reach_error();
    return 0;
}
