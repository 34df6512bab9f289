//! bounds: false
//! valid-memsafety: true
// A constant index outside an inner array stays in the object.
struct line { char name[8]; int length; } lines[2];
int main(void) {
  lines[0].name[8] = 1;
  return lines[0].length == 7;
}
