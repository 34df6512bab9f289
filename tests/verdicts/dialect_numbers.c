//! assertion: true
// Numbers of any width, and whether an operation would overflow.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  __CPROVER_bitvector[3] three = 7;
  three++;
  __CPROVER_assert(three == 0, "wraps at eight");
  signed __CPROVER_bitvector[5] five = -16;
  __CPROVER_assert(five == -16 && (int)five < 0, "signed");
  __CPROVER_bool yes = 2;
  __CPROVER_size_t size = sizeof(int);
  __CPROVER_assert(yes == 1 && size == 4, "types");
  int x = __VERIFIER_nondet_int();
  __CPROVER_assert(__CPROVER_overflow_plus(x, 1) == (x == 2147483647), "plus");
  __CPROVER_assert(__CPROVER_overflow_minus(x, 1) == (x == -2147483647 - 1), "minus");
  __CPROVER_assert(__CPROVER_overflow_unary_minus(x) == (x == -2147483647 - 1), "negation");
  __CPROVER_assert(!__CPROVER_overflow_mult(3, 4) && __CPROVER_overflow_mult(65536, 32768), "times");
  __CPROVER_assert(__CPROVER_overflow_shl(1, 31) && !__CPROVER_overflow_shl(1, 30) && !__CPROVER_overflow_shl(0, 99), "shift");
  return 0;
}
