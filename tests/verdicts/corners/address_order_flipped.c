//! unreach-call: false
// The other order of the same two objects is possible, too.
extern void reach_error(void);
int first, second;
int main(void) {
    if (&first < &second)
        reach_error();
    return 0;
}
