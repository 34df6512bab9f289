//! unreach-call: false
//! flags: -std=gnu89
// Old C calls through a pointer without a prototype; the function has a parameter that the call doesn't mention.
extern void reach_error();
static int (*handler)();
static int handle(int unused) { reach_error(); return 0; }
int main() {
  handler = handle;
  return handler();
}
