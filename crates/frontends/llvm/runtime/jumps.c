// setjmp and longjmp. setjmp, which is translated, notes in its buffer which call of a function called it (an object that lives as
// long as that call) and which setjmp of the function it was. longjmp notes where to go; behind every call that may end by one, the
// translation asks whether somebody is on the way, and leaves the function or goes on behind setjmp.
#include "fathom.h"

struct fathom_jump_place {
    const void *call;
    size_t number;
};

const void *fathom_jump_call;
size_t fathom_jump_number;
int fathom_jump_value;

void longjmp(struct fathom_jump_place *place, int value) {
    const void *call = place->call;
    if ((fathom_object_traits(call) & fathom_ALIVE) == 0)
        fathom_unsupported("longjmp to a function that has returned");
    fathom_ledger("locals survive jumps", "");
    fathom_jump_call = call;
    fathom_jump_number = place->number;
    fathom_jump_value = value == 0 ? 1 : value;
}

void _longjmp(struct fathom_jump_place *place, int value) {
    longjmp(place, value);
}

void __longjmp_chk(struct fathom_jump_place *place, int value) {
    longjmp(place, value);
}

void siglongjmp(struct fathom_jump_place *place, int value) {
    longjmp(place, value);
}
