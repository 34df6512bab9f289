//! valid-memsafety: false(valid-deref)
// There may be no arguments, also for what runs before a main that takes none.
static char first;
__attribute__((constructor)) static void before(int argc, char **argv) { first = argv[0][0]; }
int main(void) { return first; }
