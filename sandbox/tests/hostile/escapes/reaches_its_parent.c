// Signals, hurries and slows its parent, which is the one that watches it.
#define _GNU_SOURCE
#include <linux/ioprio.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>

#include "../attempt.h"

int main(void) {
    pid_t parent = getppid();
    siginfo_t about = {.si_code = SI_QUEUE};
    struct sched_param usual = {.sched_priority = 0};
    int found = syscall(SYS_pidfd_open, parent, 0), nice = getpriority(PRIO_PROCESS, 0);
    // Signal 0 is none, and what is asked of the scheduler is what holds already.
    attempt("kill", kill(parent, 0));
    attempt("tgkill", syscall(SYS_tgkill, parent, parent, 0));
    attempt("tkill", syscall(SYS_tkill, parent, 0));
    attempt("rt_sigqueueinfo", syscall(SYS_rt_sigqueueinfo, parent, 0, &about));
    attempt("pidfd_send_signal", syscall(SYS_pidfd_send_signal, found, 0, 0, 0));
    attempt("setpriority", setpriority(PRIO_PROCESS, parent, nice));
    attempt("setpriority of all", setpriority(PRIO_USER, 0, nice));
    attempt("sched_setscheduler", sched_setscheduler(parent, SCHED_OTHER, &usual));
    attempt("sched_setparam", sched_setparam(parent, &usual));
    attempt("ioprio_set", syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, parent, 0));
    attempt("prlimit", prlimit(parent, RLIMIT_NOFILE, NULL, &(struct rlimit){0}));
    attempt("migrate_pages", syscall(SYS_migrate_pages, parent, 0, 0, 0));
    return 0;
}
