//! property: valid-deref
//! says: null pointer
//! says: found = NULL

#include <stddef.h>

enum colour { RED, GREEN, BLUE };

struct entry {
    enum colour key;
    int count;
};

static struct entry table[] = {{RED, 3}, {GREEN, 5}};

static struct entry *find(enum colour key) {
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (table[i].key == key)
            return &table[i];
    return NULL;
}

int main(void) {
    enum colour wanted = BLUE;
    struct entry *found = find(wanted);
    found->count++;
    return 0;
}
