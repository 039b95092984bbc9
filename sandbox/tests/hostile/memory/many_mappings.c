// Cuts its addresses into as many mappings as there may be.
#define _GNU_SOURCE
#include "../attempt.h"
#include <sys/mman.h>

int main(void) {
    size_t bytes = 60000 * 4096UL;
    char *map = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    int cut = 0;
    for (size_t at = 0; map != MAP_FAILED && at < bytes; at += 8192) cut += mprotect(map + at, 4096, PROT_READ) == 0;
    printf("%s\n", cut > 0 ? "cut" : "whole");
    return 0;
}
