// Takes of what the whole machine has one stock of.
#define _GNU_SOURCE
#include "../attempt.h"

int main(void) {
    unsigned long context = 0;
    attempt("io_setup", syscall(SYS_io_setup, 32, &context));
    return 0;
}
