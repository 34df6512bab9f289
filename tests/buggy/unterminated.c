//! property: valid-deref
//! says: `name` has 5 bytes
//! says: name = "hello" without an end

#include <stdio.h>
#include <string.h>

int main(void) {
    char name[5];
    const char *source = "hello";
    for (size_t i = 0; i < sizeof name; i++)
        name[i] = source[i];
    printf("%zu\n", strlen(name));
    return 0;
}
