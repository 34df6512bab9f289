// Which message has this checksum? Fathom finds the bytes by solving for them. Try:
//   fathom verify examples/checksum.c
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned mix(unsigned hash, unsigned char byte) {
  hash ^= byte;
  return hash * 16777619u;
}

int main(void) {
  unsigned char message[4];
  unsigned hash = 2166136261u;
  for (int i = 0; i < 4; i++) {
    message[i] = __VERIFIER_nondet_uchar();
    if (message[i] < 'a' || message[i] > 'z') return 0;
    hash = mix(hash, message[i]);
  }
  assert((hash & 0xffff) != 0xbeef);
  return 0;
}
