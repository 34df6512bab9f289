//! unreach-call: false
// The kernel's interface allows a program without a name.
extern void reach_error(void);
int main(int argc, char **argv) {
    if (argc == 0)
        reach_error();
    return 0;
}
