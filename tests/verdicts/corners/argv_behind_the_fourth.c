//! valid-memsafety: true
// However many arguments there are, each is a text.
int main(int argc, char **argv) {
    if (argc > 7 && argv[6][0] == '-')
        return 1;
    return 0;
}
