// Reserves far more addresses than its limit where addresses are what is limited.
#define _GNU_SOURCE
#include <sys/mman.h>

#include "../attempt.h"

int main(void) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    attempt("mmap", mmap(NULL, 64UL << 30, PROT_NONE, flags, -1, 0) == MAP_FAILED ? -1 : 0);
    return 0;
}
