//! unreach-call: true
// Assembly of which all is a comment does nothing: its operand stays what it was.
extern void reach_error(void);

int main(void) {
  int x = 5;
  __asm__ volatile("# keep %0" : "+r"(x));
  if (x != 5)
    reach_error();
  return 0;
}
