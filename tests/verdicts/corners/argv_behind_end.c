//! valid-memsafety: false(valid-deref)
// There may be no arguments.
int main(int argc, char **argv) {
    return argv[1][0];
}
