//! unreach-call: false
// Two calls of a function without a body may give different values.
// Witness for unreach-call: 1 2
extern void reach_error(void);
extern int fathom_test_external(int);

int main(void) {
  if (fathom_test_external(1) != fathom_test_external(1)) reach_error();
  return 0;
}
