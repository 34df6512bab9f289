//! no-overflow: false
//! shift: false
// ... but nothing may be lost beyond it.
int main() {
    int flag = 2;
    flag <<= 31;
    return flag > 0;
}
