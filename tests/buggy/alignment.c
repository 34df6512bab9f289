//! property: alignment
//! says: multiple of 4
//! says: header = &packet[1]

#include <stdint.h>
#include <string.h>

struct header {
    uint32_t length;
    uint32_t sum;
};

static uint32_t length_of(const unsigned char *packet) {
    const struct header *header = (const struct header *)(packet + 1);
    return header->length;
}

int main(void) {
    _Alignas(8) unsigned char packet[16];
    memset(packet, 0, sizeof packet);
    packet[1] = 7;
    return length_of(packet) != 7;
}
