//! no-overflow: false
// A sum of 128 bits in the size of an array.
int main(void) {
  char buffer[((int)(((__int128)(((unsigned __int128)9223372036854775807ULL << 64) | 18446744073709551615ULL) + ((short)512)) & 3)) + 1];
  buffer[0] = 0;
  return buffer[0];
}
