// Reserves more addresses than any runtime does.
#define _GNU_SOURCE
#include "../attempt.h"
#include <sys/mman.h>

int main(void) {
    void *far = mmap(NULL, 1UL << 40, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    attempt("mmap", far == MAP_FAILED ? -1 : 0);
    return 0;
}
