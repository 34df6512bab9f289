//! valid-memsafety: false(valid-deref)
// dash proves that the length is positive; its test goes through the use of the dead array, where the run ends.
extern int __VERIFIER_nondet_int(void);
int main(void) {
int k = __VERIFIER_nondet_int();
if (k != 0 && k != 1) return 0;
long x = 1, *p = &x;
int round = 0;
again:
if (round) (void)(*p);
if (round) return 0;
long v[k + 1];
v[k] = 6; if (k) p = &v[k];
round = 1; goto again;
return 0;
}
