//! unreach-call: true
//! valid-memsafety: true
// Strings of wide characters.
#include <wchar.h>
#include <wctype.h>
extern void reach_error(void);

int main(void) {
  wchar_t text[8] = L"ab";
  wcscat(text, L"cd");
  if (wcslen(text) != 4 || wcscmp(text, L"abce") >= 0 || wcschr(text, L'c') != text + 2)
    reach_error();
  if (!iswalpha(L'a') || iswalpha(0xe4) || towupper(L'b') != L'B')
    reach_error();
  return 0;
}
