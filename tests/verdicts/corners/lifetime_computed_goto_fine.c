//! unreach-call: true
//! valid-memsafety: true
// An interpreter with computed gotos whose instructions have locals; one block is left and entered by them.
extern void reach_error(void);
int main(void) {
  static void *targets[] = {&&increment, &&twice, &&end};
  unsigned char code[] = {0, 1, 0, 2};
  int at = 0, value = 0;
  goto *targets[code[at++]];
increment: {
  int k = 1, *p = &k;
  value += *p;
  goto *targets[code[at++]];
}
twice: {
  int k = 2, *p = &k;
  value *= *p;
  goto *targets[code[at++]];
}
end:
  if (value != 3) reach_error();
  void *inner[] = {&&inside, &&outside};
  {
    int n = 0, *p = &n;
    goto *inner[0];
  inside:
    (*p)++;
    if (n < 2) goto *inner[0];
    goto *inner[1];
  }
outside:
  return 0;
}
