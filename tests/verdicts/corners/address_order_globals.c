//! unreach-call: false
// Which of two objects lies first is up to the linker.
extern void reach_error(void);
int first, second;
int main(void) {
    if (&first > &second)
        reach_error();
    return 0;
}
