//! unreach-call: true
//! valid-memsafety: true
// Prefixed strings and characters: element sizes, encodings, concatenation.
#include <stddef.h>
#include <uchar.h>
extern void reach_error(void);

int main(void) {
  const char *utf8 = u8"\u00e9";
  const char16_t *utf16 = u"a\U0001F600";
  const char32_t *utf32 = U"\U0001F600";
  const wchar_t *wide = L"xy" L"z";
  if ((unsigned char)utf8[0] != 0xc3 || (unsigned char)utf8[1] != 0xa9 || utf8[2] != 0) reach_error();
  if (utf16[0] != 'a' || utf16[1] != 0xd83d || utf16[2] != 0xde00 || utf16[3] != 0) reach_error();
  if (utf32[0] != 0x1f600 || utf32[1] != 0) reach_error();
  if (wide[2] != L'z' || wide[3] != 0) reach_error();
  if (sizeof("a" "b") != 3) reach_error();
  return 0;
}
