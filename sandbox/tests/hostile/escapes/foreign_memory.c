// Traces, reads and writes processes, beginning with itself.
#define _GNU_SOURCE
#include <linux/kcmp.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

#include "../attempt.h"

int main(void) {
    char from[8] = "secret", to[8];
    struct iovec here = {to, sizeof to}, there = {from, sizeof from};
    int self = syscall(SYS_pidfd_open, getpid(), 0);
    attempt("process_vm_readv", syscall(SYS_process_vm_readv, getpid(), &here, 1, &there, 1, 0));
    attempt("process_vm_writev", syscall(SYS_process_vm_writev, getpid(), &here, 1, &there, 1, 0));
    attempt("pidfd_getfd", syscall(SYS_pidfd_getfd, self, 1, 0));
    attempt("process_madvise", syscall(SYS_process_madvise, self, &there, 0, MADV_COLD, 0));
    attempt("kcmp", syscall(SYS_kcmp, getpid(), getpid(), KCMP_VM, 0, 0));
    attempt("ptrace", syscall(SYS_ptrace, PTRACE_TRACEME, 0, 0, 0));
    return 0;
}
