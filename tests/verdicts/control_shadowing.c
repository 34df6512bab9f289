//! unreach-call: true
//! no-overflow: true
// Inner declarations hide outer ones; parameters are copies; block variables start anew.
extern void reach_error(void);

static int x = 1;
static int change(int x) { x = 50; { int x = 7; x++; } return x; }

int main(void) {
  int y = 2;
  if (change(y) != 50 || y != 2 || x != 1) reach_error();
  {
    int x = 5;
    { int x = 6; if (x != 6) reach_error(); }
    if (x != 5) reach_error();
  }
  for (int i = 0; i < 3; i++) {
    int fresh = 0;
    fresh++;
    if (fresh != 1) reach_error();
  }
  if (x != 1) reach_error();
  return 0;
}
