// Reads how another process is ranked, and changes its own rank for others to read.
#define _GNU_SOURCE
#include "../attempt.h"
#include <sched.h>
#include <sys/resource.h>

int main(void) {
    struct sched_param none = {0};
    errno = 0;
    int rank = getpriority(PRIO_PROCESS, getppid());
    attempt("its rank", rank == -1 && errno ? -1 : 0);
    attempt("its rank at the disk", syscall(SYS_ioprio_get, 1, getppid()));
    attempt("own class", sched_setscheduler(0, SCHED_BATCH, &none));
    attempt("own parameters", sched_setparam(0, &none));
    errno = 0;
    rank = getpriority(PRIO_PROCESS, 0);
    attempt("own rank", rank == -1 && errno ? -1 : 0);
    return 0;
}
