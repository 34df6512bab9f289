/* Too many paths to follow: what intervals prove of them is not told, what they do not is. */
static const unsigned char table[256];

unsigned mixed(const unsigned char *data, unsigned size)
{
    unsigned sum = 1;
    for (unsigned i = 0; i < size; i++) {
        unsigned char byte = data[i % 16];
        if (byte & 1) sum = sum * 31 + table[byte];
        if (byte & 2) sum ^= sum >> 3;
        if (byte & 4) sum += table[sum & 255];
        if (byte & 8) sum *= 17;
    }
    return 100 / (sum ^ 0xdeadbeefu);
}
