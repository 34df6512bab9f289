//! unreach-call: false
// Inline assembly that says that it changes memory may change what it has a pointer to.
extern void reach_error(void);
int main(void) {
  int values[2] = { 1, 1 };
  __asm__ volatile("movl $2, 4(%0)" : : "r"(values) : "memory");
  if (values[1] != 1) reach_error();
  return 0;
}
