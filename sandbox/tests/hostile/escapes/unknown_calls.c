// Makes calls that no kernel has, or only one newer than those that were looked at.
#define _GNU_SOURCE
#include "../attempt.h"

int main(void) {
    attempt("first", syscall(470));
    attempt("later", syscall(511));
    attempt("far", syscall(1000));
    attempt("between", syscall(400));
    attempt("other numbers", syscall(0x40000000 + 39));
    attempt("negative", syscall(-7));
    return 0;
}
