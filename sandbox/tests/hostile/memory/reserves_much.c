// Reserves far more addresses than its limit and touches next to nothing of them.
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <sys/mman.h>

int main(void) {
    char *far = mmap(NULL, 64UL << 30, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    printf("reserved: %s\n", far == MAP_FAILED ? "no" : "yes");
    return 0;
}
