//! unreach-call: true
//! valid-memsafety: true
// __func__ and its older spellings are arrays that hold the name of the function.
#include <string.h>
extern void reach_error(void);

static const char *helper(void) { return __func__; }

int main(void) {
  if (strcmp(__func__, "main") != 0) reach_error();
  if (strcmp(__FUNCTION__, "main") != 0) reach_error();
  if (strcmp(helper(), "helper") != 0) reach_error();
  if (sizeof __func__ != 5) reach_error();
  if (helper() != helper()) reach_error();
  return 0;
}
