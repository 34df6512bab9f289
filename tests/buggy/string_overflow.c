//! property: valid-deref
//! says: `name`
//! says: 8 bytes
//! says: byte 8

#include <stdio.h>
#include <string.h>

struct user {
    int id;
    char name[8];
};

static void greet(const char *first, const char *last) {
    char name[8];
    strcpy(name, first);
    strcat(name, last);
    printf("Hello, %s!\n", name);
}

int main(void) {
    struct user user = {1, "Ada"};
    greet(user.name, "Lovelace");
    return 0;
}
