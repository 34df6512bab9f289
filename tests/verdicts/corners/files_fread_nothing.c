//! uninitialised: false
// An empty file leaves the object as it was.
#include <stdio.h>
int main(void) {
    int number;
    FILE *file = fopen("numbers", "rb");
    if (!file)
        return 0;
    fread(&number, sizeof number, 1, file);
    fclose(file);
    return number == 3 ? 1 : 0;
}
