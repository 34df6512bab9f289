//! unreach-call: false
// Inline assembly may call what it has the address of.
extern void reach_error(void);
void h(void) { reach_error(); }
int main(void) {
  void (*p)(void) = h;
  __asm__ volatile("call *%0" : : "r"(p) : "memory");
  return 0;
}
