// Has its pages shared with whoever has the same ones.
#define _GNU_SOURCE
#include "../attempt.h"
#include <sys/mman.h>
#include <sys/prctl.h>

int main(void) {
    char *own = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    attempt("these", madvise(own, 4096, MADV_MERGEABLE));
    attempt("all", prctl(67, 1, 0, 0, 0));
    attempt("one large", madvise(own, 4096, 25));
    return 0;
}
