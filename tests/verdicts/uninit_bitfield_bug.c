//! uninitialised: false
// A bit-field that was never written, beside one that was.
struct flags { unsigned a : 3, b : 5, c : 8; };
int main(void) {
  struct flags f;
  f.a = 5;
  f.b = 17;
  return f.c != 0;
}
