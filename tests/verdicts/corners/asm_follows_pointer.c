//! unreach-call: false
// Inline assembly may write through a pointer that it reads.
extern void reach_error(void);
int y;
int main(void) {
  int *x = &y, **p = &x;
  __asm__ volatile("movq (%0),%%rax; movl $4,(%%rax)" : : "r"(p) : "rax", "memory");
  if (y == 4) reach_error();
  return 0;
}
