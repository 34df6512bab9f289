//! unreach-call: true
//! valid-memsafety: true
// Numbers from wide characters, and where they end.
#include <stdlib.h>
#include <wchar.h>
extern void reach_error(void);
int main(void) {
  const wchar_t *text = L" -0x1fz";
  wchar_t *end;
  if (wcstol(text, &end, 0) != -31 || end != text + 6) reach_error();
  if (wcstod(L"1.5e1\x263a", &end) != 15 || *end != 0x263a) reach_error();
  wchar_t *copy = wcsdup(L"Ab");
  if (copy == 0 || wcscasecmp(copy, L"aB") != 0 || copy[2] != 0) reach_error();
  free(copy);
  return 0;
}
