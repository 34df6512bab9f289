//! uninitialised: false
// A float without a value is compared.
int main(void) {
  double sum, x = 1.5;
  sum = sum + x;
  if (sum > 1.0)
    return 1;
  return 0;
}
