// Does what only the master of a machine may: renames it, halts it, swaps, counts, logs.
#define _GNU_SOURCE
#include "../attempt.h"

int main(void) {
    attempt("sethostname", syscall(SYS_sethostname, "hostile", 7));
    attempt("setdomainname", syscall(SYS_setdomainname, "hostile", 7));
    // Numbers that no kernel takes: let through, it would say so and do nothing.
    attempt("reboot", syscall(SYS_reboot, 1, 2, 3, 0));
    attempt("vhangup", syscall(SYS_vhangup));
    return 0;
}
