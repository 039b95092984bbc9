// Asks for a ring through which calls are made that no filter sees.
#define _GNU_SOURCE
#include <linux/io_uring.h>

#include "../attempt.h"

int main(void) {
    struct io_uring_params parameters = {0};
    int ring = syscall(SYS_io_uring_setup, 1, &parameters);
    attempt("io_uring_setup", ring);
    attempt("io_uring_enter", syscall(SYS_io_uring_enter, ring, 0, 0, 0, 0, 0));
    struct io_uring_probe probe = {0};
    attempt("io_uring_register", syscall(SYS_io_uring_register, ring, IORING_REGISTER_PROBE, &probe, 0));
    return 0;
}
