//! no-overflow: false
//! flags: --32
// long has 32 bits here.
int main(void) {
  long day;
  long year = (day = 86400L) * 36525;
  return year != 0;
}
