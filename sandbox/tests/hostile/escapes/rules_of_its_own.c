// Lays rules and filters of its own on top of ours, each of which takes memory.
#define _GNU_SOURCE
#include "../attempt.h"
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

int main(void) {
    struct { unsigned long long files, net, scoped; } handled = {1, 0, 0};
    struct sock_filter all[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    struct sock_fprog code = {.len = 1, .filter = all};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    int rules = syscall(444, &handled, 8UL, 0);
    attempt("rules", rules);
    attempt("in force", syscall(446, rules, 0));
    attempt("filter", prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &code));
    attempt("filter by call", syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &code));
    attempt("strict", prctl(PR_SET_SECCOMP, 7));
    return 0;
}
