//! unreach-call: false
// The system may have this locale.
#include <locale.h>
extern void reach_error(void);
int main(void) {
    if (setlocale(LC_ALL, "C.UTF-8"))
        reach_error();
    return 0;
}
