//! unreach-call: true
// Gradual underflow: the smallest positive float halves to zero, differences of close numbers do not vanish.
#include <math.h>
#include <float.h>
extern void reach_error(void);

int main(void) {
  float least = 0x1p-149f;
  if (least <= 0 || least / 2 != 0) reach_error();
  float a = FLT_MIN * 1.5f, b = FLT_MIN;
  if (a == b || a - b == 0 || isnormal(a - b)) reach_error();
  float sum = 0;
  for (int i = 0; i < 4; i++) sum += least;
  if (sum != 0x1p-147f) reach_error();
  return 0;
}
