//! float-cast-overflow: false
// 3e9 is no int.
int main(void) {
  float f = 3e9f;
  return (int)f == 3;
}
