// Makes files that have no name and count for nothing.
#define _GNU_SOURCE
#include <sys/mman.h>

#include "../attempt.h"

int main(void) {
    attempt("memfd_create", syscall(SYS_memfd_create, "hostile", 0));
    attempt("memfd_secret", syscall(SYS_memfd_secret, 0));
    return 0;
}
