// Starts children that are its siblings: they have the parent that it has, and compute.
#define _GNU_SOURCE
#include "../attempt.h"
#include <sched.h>
#include <signal.h>

int main(void) {
    for (int sibling = 0; sibling < 4; sibling++) {
        long pid = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, NULL, NULL, NULL, NULL);
        if (pid < 0) return 3;
        while (pid == 0) {}
    }
    pause();
    return 0;
}
