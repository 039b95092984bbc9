// Takes of the large pages that the machine has put by for all.
#define _GNU_SOURCE
#include "../attempt.h"
#include <sys/mman.h>

int main(void) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | MAP_NORESERVE;
    void *map = mmap(NULL, 2 << 20, PROT_READ | PROT_WRITE, flags, -1, 0);
    attempt("mmap", map == MAP_FAILED ? -1 : 0);
    return 0;
}
