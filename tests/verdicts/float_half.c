//! unreach-call: true
// _Float16 has 11 bits of precision and ends at 65504.
extern void reach_error(void);

int main(void) {
  _Float16 big = 2048;
  _Float16 next = big + (_Float16)1;
  if (next != big) reach_error();
  _Float16 tenth = 0.1f;
  if ((float)tenth == 0.1f || (float)tenth != 0.0999755859375f) reach_error();
  _Float16 most = 65504;
  _Float16 over = most + (_Float16)32;
  if (over <= most || (float)over != __builtin_inff()) reach_error();
  if (sizeof(_Float16) != 2) reach_error();
  return 0;
}
