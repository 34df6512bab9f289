//! float-cast-overflow: true
// What is cut off does not count, and every number is true or false.
int main(void) {
    static unsigned char bytes[2] = {(unsigned char)255.9, (unsigned char)-0.5f};
    static int least = (int)-2147483648.9;
    static _Bool large = 1e30;
    return bytes[0] + (least != 0) + large;
}
