//! float-cast-overflow: false
// The initialiser of a static object is a number that its type cannot hold.
int main(void) {
    static unsigned a = (unsigned)-1.0;
    return a != 0;
}
