//! uninitialised: true
// Writing a bit-field reads the word that it lies in, which was never written: that is no use of the word.
struct flags { unsigned a : 3, b : 5, c : 8; };
int main(void) {
  struct flags f;
  f.a = 5;
  f.b = 17;
  if (f.a != 5)
    return 1;
  f.a++;
  return f.b == 17 && f.a == 6 ? 0 : 1;
}
