//! property: valid-deref
//! says: has 0 bytes
//! says: width =
//! says: height =

#include <stdlib.h>
#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);

struct pixel {
    unsigned char r, g, b, a;
};

static struct pixel *make(unsigned width, unsigned height) {
    unsigned bytes = width * height * sizeof(struct pixel);
    struct pixel *image = malloc(bytes);
    if (image == NULL)
        return NULL;
    image[(size_t)width * height - 1].a = 255;
    return image;
}

int main(void) {
    unsigned width = __VERIFIER_nondet_uint();
    unsigned height = __VERIFIER_nondet_uint();
    if (width == 0 || height == 0 || width > 100000 || height > 100000)
        return 1;
    struct pixel *image = make(width, height);
    free(image);
    return 0;
}
