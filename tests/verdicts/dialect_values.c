//! assertion: true
// Bits and sums that C has no operators for; a variable may be given to __ESBMC_init_object by its address.
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
  __ESBMC_assert(__CPROVER_saturating_plus(x, 2147483646) == 2147483647, "the largest number");
  __ESBMC_assert(__CPROVER_saturating_minus(3u, 5u) == 0, "the smallest number");
  return 0;
}
