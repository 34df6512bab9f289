//! uninitialised: true
// The texts that a program is started with have values, if unknown ones.
int main(int argc, char **argv) {
    if (argc > 1 && argv[1][0] == '-')
        return 1;
    return 0;
}
