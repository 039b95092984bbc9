// Fills tables of pages with nothing in them.
#define _GNU_SOURCE
#include "../attempt.h"
#include <sys/mman.h>

static volatile char sum;

// Reads one byte of each piece of a mapping: it has no page of its own, only tables of pages.
static void tables(size_t bytes, size_t step) {
    char *map = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (map == MAP_FAILED) _exit(9);
    madvise(map, bytes, MADV_NOHUGEPAGE);
    for (size_t at = 0; at < bytes; at += step) sum += map[at];
}

int main(void) {
    tables(100UL << 30, 2UL << 20);
    pause();
    return 0;
}
