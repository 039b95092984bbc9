// Asks for descriptors of processes, whose numbers count all processes of the machine.
#define _GNU_SOURCE
#include "../attempt.h"
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>

int main(void) {
    int number = -1;
    attempt("pidfd_open", syscall(SYS_pidfd_open, getpid(), 0));
    long child = syscall(SYS_clone, CLONE_PIDFD | SIGCHLD, 0, &number, 0, 0);
    if (child == 0) _exit(0);
    attempt("clone", child);
    if (child > 0) waitpid(child, NULL, 0);
    attempt("process_mrelease", syscall(SYS_process_mrelease, -1, 0));
    return 0;
}
