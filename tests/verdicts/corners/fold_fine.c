//! no-overflow: true
//! div-by-zero: true
//! shift: true
// Nothing of what looks undefined here is evaluated; flags in the sign bit are what tables have everywhere.
static const unsigned flags[] = {1 << 31, 1u << 31};
int main(void) {
  int table[4] = {sizeof(2147483647 + 1), 1 ? 2 : 1 / 0, 0 && 1 / 0, 2147483647 - 1};
  long long wide[2] = {2147483647 + 1LL, -1};
  if (0) {
    int never[2] = {2147483647 + 1, 1 / 0};
    return never[0];
  }
  return table[1] - 2 + (wide[1] != -1) + (flags[1] == 0);
}
