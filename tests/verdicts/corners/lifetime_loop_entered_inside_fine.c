//! valid-memsafety: true
//! unreach-call: true
// Each round reads its own object.
extern void reach_error(void);
int main(void) {
  int round = 0, *p = 0;
  goto inside;
  while (round < 3) {
    int x;
  inside:
    x = round;
    p = &x;
    if (*p != round) reach_error();
    round++;
  }
  return 0;
}
