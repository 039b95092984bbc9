// Does what takes rights over the whole machine.
#define _GNU_SOURCE
#include "../attempt.h"

int main(void) {
    attempt("swapon", syscall(SYS_swapon, "/hostile", 0));
    attempt("swapoff", syscall(SYS_swapoff, "/hostile"));
    attempt("acct", syscall(SYS_acct, "/hostile"));
    attempt("quotactl", syscall(SYS_quotactl, -1, 0, 0, 0));
    attempt("syslog", syscall(SYS_syslog, 10, 0, 0));
    attempt("init_module", syscall(SYS_init_module, 0, 0, ""));
    attempt("finit_module", syscall(SYS_finit_module, -1, "", 0));
    attempt("delete_module", syscall(SYS_delete_module, "hostile", 0));
    attempt("kexec_load", syscall(SYS_kexec_load, 0, 0, 0, 0));
    attempt("lookup_dcookie", syscall(SYS_lookup_dcookie, 0, 0, 0));
    return 0;
}
