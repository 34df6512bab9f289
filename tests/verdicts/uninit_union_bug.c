//! uninitialised: false
// The member that was written is smaller.
union both { unsigned number; unsigned char bytes[4]; };
int main(void) {
  union both u;
  u.bytes[0] = 1;
  return u.number == 1 ? 0 : 1;
}
