//! valid-memsafety: false(valid-free)
// The name of a locale is the library's.
#include <locale.h>
#include <stdlib.h>
int main(void) {
    free(setlocale(LC_ALL, "C.UTF-8"));
    return 0;
}
