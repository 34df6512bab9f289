//! unreach-call: true
//! valid-memsafety: true
//! no-overflow: true
// The same loop with < stays inside.
extern void reach_error(void);

int main(void) {
  int a[4];
  for (int i = 0; i < 4; i++)
    a[i] = i;
  if (a[3] != 3) reach_error();
  return 0;
}
