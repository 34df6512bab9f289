//! unreach-call: true
// The running function has a frame, and was called from somewhere.
extern void reach_error(void);
int main(void) {
    if (__builtin_frame_address(0) == 0 || __builtin_return_address(0) == 0)
        reach_error();
    return 0;
}
