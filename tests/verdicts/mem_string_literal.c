//! unreach-call: true
//! valid-memsafety: true
// The same string literal at one place has one address and keeps its bytes.
extern void reach_error(void);

static const char *get(void) { return "fathom"; }

int main(void) {
  const char *p = get(), *q = get();
  if (p != q || p[5] != 'm' || p[6] != 0) reach_error();
  char copy[] = "abc";
  copy[0] = 'x';
  if (sizeof copy != 4 || copy[0] != 'x' || "abc"[0] != 'a') reach_error();
  return 0;
}
