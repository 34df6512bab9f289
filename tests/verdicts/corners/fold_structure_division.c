//! div-by-zero: false
// A quotient in a constant structure.
struct pair { int whole; struct { int part[2]; } rest; };
int main(void) {
  struct pair p = {1, {{7 % (3 - 3), 2}}};
  return p.whole - 1;
}
