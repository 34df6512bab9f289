//! valid-deref: false
// "Value too large for defined data type" does not fit.
#include <errno.h>
#include <string.h>
int main(void) {
    char text[20];
    strcpy(text, strerror(EOVERFLOW));
    return text[0];
}
