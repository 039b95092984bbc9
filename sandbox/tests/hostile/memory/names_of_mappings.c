// Gives each of its mappings a name, which is memory that nobody counts.
#define _GNU_SOURCE
#include "../attempt.h"
#include <sys/mman.h>
#include <sys/prctl.h>

int main(void) {
    void *own = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    attempt("name", prctl(0x53564d41, 0, own, 4096, "hostile"));
    return 0;
}
