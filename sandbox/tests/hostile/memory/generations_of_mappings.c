// Hands many mappings without pages down through generations of processes.
#define _GNU_SOURCE
#include "../attempt.h"
#include <sys/mman.h>
#include <sys/wait.h>

int main(void) {
    const size_t pieces = 30000, step = 8192;
    char *map = mmap(NULL, pieces * step, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (map == MAP_FAILED) return 9;
    for (size_t piece = 0; piece < pieces; piece++) {
        if (mprotect(map + piece * step, 4096, PROT_READ | PROT_WRITE)) return 8;
        map[piece * step] = 1;
    }
    madvise(map, pieces * step, MADV_DONTNEED);
    for (int generation = 1; generation < 15; generation++) {
        pid_t child = fork();
        if (child < 0) return 3;
        if (child > 0) pause();
    }
    pause();
    return 0;
}
