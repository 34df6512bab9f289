//! unreach-call: true
//! valid-memsafety: true
// What runs before main is given the same arguments.
extern void reach_error(void);
static int number = -1;
static char *name;
__attribute__((constructor)) static void before(int argc, char **argv) {
  number = argc;
  name = argv[0];
}
int main(int argc, char **argv) {
  if (number != argc || name != argv[0]) reach_error();
  return 0;
}
