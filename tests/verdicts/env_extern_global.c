//! unreach-call: true
//! valid-memsafety: true
// A global without a definition has some value; writes to it are seen.
extern void reach_error(void);
extern int fathom_test_global;
extern unsigned char fathom_test_bytes[4];

int main(void) {
  int before = fathom_test_global;
  if (before != fathom_test_global) reach_error();
  fathom_test_global = 5;
  if (fathom_test_global != 5) reach_error();
  if (fathom_test_bytes[3] > 255) reach_error();
  return 0;
}
