//! unreach-call: true
//! valid-memsafety: true
// argv has argc texts and a null pointer.
extern void reach_error(void);
int main(int argc, char **argv) {
    if (argc < 0 || argc > 3)
        return 0;
    for (int i = 0; i < argc; i++)
        if (argv[i] == 0)
            reach_error();
    if (argv[argc] != 0)
        reach_error();
    if (argc > 1 && argv[1][0] == '-' && argv[1][1] == 'v')
        return 1;
    return 0;
}
