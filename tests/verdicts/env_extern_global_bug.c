//! unreach-call: false
// A global without a definition may hold any value.
extern void reach_error(void);
extern const int fathom_test_global;

int main(void) {
  if (fathom_test_global == 42) reach_error();
  return 0;
}
