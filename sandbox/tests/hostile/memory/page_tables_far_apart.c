// Maps single pages far apart, so that each needs two tables, within its addresses.
#define _GNU_SOURCE
#include "../attempt.h"
#include <sys/mman.h>

static volatile char sum;

int main(void) {
    for (unsigned long at = 1; at < 30000; at++) {
        char *map = mmap((void *)(at << 30), 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
        if (map != MAP_FAILED) sum += *map;
    }
    pause();
    return 0;
}
