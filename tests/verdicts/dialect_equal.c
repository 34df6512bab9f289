//! assertion: true
// The same bits, of numbers that C compares otherwise; a variable may be given to __ESBMC_init_object by its address.
int main(void) {
  double nan = 0.0 / 0.0, zero = 0.0;
  __CPROVER_assert(__CPROVER_equal(nan, nan) && !(nan == nan), "NaN");
  __CPROVER_assert(!__CPROVER_equal(zero, -zero) && zero == -zero, "zeros");
  int x = 1, y = 1, z = 5;
  __ESBMC_init_object(x);
  __ESBMC_init_object(&y);
  __ESBMC_assume(x == 2 && y == 3);
  __ESBMC_assert(x + y == z, "any values");
  float f = 1.0f;
  int bits;
  __ESBMC_bitcast(&bits, &f);
  __ESBMC_assert(bits == 0x3f800000, "bits of a float");
  return 0;
}
