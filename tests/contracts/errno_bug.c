//! verdict: false(assertion)
//! says: postcondition of last
// What errno holds before is not known.
#include <errno.h>
int last(void)
__CPROVER_ensures(__CPROVER_return_value == 0)
{
    return errno;
}
int main(void) {
    return last();
}
