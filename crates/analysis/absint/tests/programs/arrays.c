// Elements of an array at unknown places, and pointers that walk through one.
extern unsigned char __VERIFIER_nondet_uchar(void);
int table[16];
int main(void) {
  int *end = table + 16;
  int most = 0;
  for (int *p = table; p != end; p++) *p = __VERIFIER_nondet_uchar();
  for (int i = 0; i < 16; i++) {
    if (table[i] > most) most = table[i];
  }
  return most;
}
