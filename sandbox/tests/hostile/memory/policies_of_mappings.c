// Says of each of many mappings where its pages should lie.
#define _GNU_SOURCE
#include "../attempt.h"
#include <sys/mman.h>

int main(void) {
    const size_t pieces = 1024, step = 8192;
    unsigned long node = 1;
    char *map = mmap(NULL, pieces * step, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    long answer = 0;
    for (size_t piece = 0; piece < pieces && answer >= 0; piece++)
        answer = syscall(SYS_mbind, map + piece * step, 4096UL, 2, &node, 64UL, 0);
    attempt("mbind", answer);
    attempt("set_mempolicy", syscall(SYS_set_mempolicy, 0, NULL, 0UL));
    attempt("get_mempolicy", syscall(SYS_get_mempolicy, NULL, NULL, 0UL, NULL, 0UL));
    return 0;
}
