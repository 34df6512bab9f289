//! valid-memsafety: false(valid-deref)
// A wide string needs room for its end.
#include <wchar.h>

int main(void) {
  wchar_t text[4];
  wcscpy(text, L"abcd");
  return 0;
}
