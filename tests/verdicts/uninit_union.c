//! uninitialised: true
// The bytes of one member are those of the other.
union both { unsigned number; unsigned char bytes[4]; };
int main(void) {
  union both u;
  u.number = 0x01020304;
  return u.bytes[3] == 1 ? 0 : 1;
}
