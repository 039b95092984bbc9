// Has many children fill tables of pages, each a few.
#define _GNU_SOURCE
#include "../attempt.h"
#include <sys/mman.h>
#include <sys/wait.h>

static volatile char sum;

// Reads one byte of each piece of a mapping: it has no page of its own, only tables of pages.
static void tables(size_t bytes, size_t step) {
    char *map = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (map == MAP_FAILED) _exit(9);
    madvise(map, bytes, MADV_NOHUGEPAGE);
    for (size_t at = 0; at < bytes; at += step) sum += map[at];
}

int main(void) {
    for (int child = 0; child < 12; child++) {
        pid_t pid = fork();
        if (pid < 0) return 3;
        if (pid == 0) {
            tables(8UL << 30, 2UL << 20);
            pause();
        }
    }
    while (wait(NULL) > 0) {}
    return 0;
}
