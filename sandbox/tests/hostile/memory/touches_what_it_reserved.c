// Reserves more than its limit, which it may, and touches it, which it may not.
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
    size_t size = 300UL << 20;
    char *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) return 1;
    printf("reserved\n");
    fflush(stdout);
    memset(block, 1, size);
    for (;;) pause();
}
