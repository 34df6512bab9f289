//! unreach-call: true
//! no-overflow: true
// 128-bit integers: multiplication of 64-bit values, shifts, comparison, division by a constant.
extern void reach_error(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);

int main(void) {
  unsigned long long a = __VERIFIER_nondet_ulonglong();
  unsigned __int128 wide = (unsigned __int128)a << 64 | 5;
  if ((unsigned long long)(wide >> 64) != a) reach_error();
  if ((unsigned long long)wide != 5) reach_error();
  unsigned __int128 sum = (unsigned __int128)a + a;
  if (sum >> 65) reach_error();
  if ((sum >> 64 & 1) != a >> 63) reach_error();
  __int128 minus = -(__int128)a;
  if (minus > 0) reach_error();
  unsigned __int128 square = (unsigned __int128)0xffffffffffffffffull * 0xffffffffffffffffull;
  if ((unsigned long long)(square >> 64) != 0xfffffffffffffffeull || (unsigned long long)square != 1) reach_error();
  if ((unsigned long long)(((unsigned __int128)10 << 64) / 5 >> 64) != 2) reach_error();
  if (sizeof(__int128) != 16) reach_error();
  return 0;
}
