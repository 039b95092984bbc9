// Asks for namespaces of its own.
#define _GNU_SOURCE
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "../attempt.h"

// The child must not go on with our buffer.
static long made(long pid) {
    if (pid == 0) _exit(0);
    if (pid > 0) waitpid(pid, NULL, __WALL);
    return pid;
}

int main(void) {
    attempt("clone user", made(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0)));
    attempt("clone user and net", made(syscall(SYS_clone, CLONE_NEWUSER | CLONE_NEWNET | SIGCHLD, 0, 0, 0, 0)));
    struct clone_args args = {.flags = CLONE_NEWUSER, .exit_signal = SIGCHLD};
    attempt("clone3 user", made(syscall(SYS_clone3, &args, sizeof args)));
    struct clone_args plain = {.exit_signal = SIGCHLD};
    attempt("clone3", made(syscall(SYS_clone3, &plain, sizeof plain)));
    attempt("unshare files", unshare(CLONE_FILES));
    attempt("unshare user", unshare(CLONE_NEWUSER));
    attempt("unshare mount", unshare(CLONE_NEWNS));
    attempt("unshare time", unshare(CLONE_NEWTIME));
    return 0;
}
