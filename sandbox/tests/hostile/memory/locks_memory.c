// Locks pages into memory.
#define _GNU_SOURCE
#include <sys/mman.h>

#include "../attempt.h"

int main(void) {
    static char page[4096];
    attempt("mlock", mlock(page, sizeof page));
    attempt("mlockall", mlockall(MCL_FUTURE));
    return 0;
}
