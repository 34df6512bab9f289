//! unreach-call: true
//! valid-memsafety: true
//! no-overflow: true
// A symbolic element of an array of structs; members are found at their offsets.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

struct entry { char key; int value; short extra[2]; };

int main(void) {
  static struct entry t[3] = { { 'a', 10, { 1, 2 } }, { 'b', 20, { 3, 4 } }, { 'c', 30, { 5, 6 } } };
  unsigned i = __VERIFIER_nondet_uint() % 3, j = __VERIFIER_nondet_uint() % 2;
  if (t[i].value != (t[i].key - 'a' + 1) * 10) reach_error();
  if (t[i].extra[j] != (int)(2 * i + j + 1)) reach_error();
  struct entry copy = t[i];
  t[i].value = 0;
  if (copy.value == 0 || copy.extra[1] % 2 != 0) reach_error();
  return 0;
}
