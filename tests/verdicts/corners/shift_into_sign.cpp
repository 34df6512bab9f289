//! no-overflow: true
//! shift: true
// C++ lets a left shift reach the sign bit.
int main() {
    int flag = 1;
    flag <<= 31;
    return flag > 0;
}
