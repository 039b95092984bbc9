// Reads how much another process has computed, and is woken when it has computed more.
#define _GNU_SOURCE
#include "../attempt.h"
#include <signal.h>
#include <time.h>

int main(void) {
    struct timespec time;
    timer_t timer;
    struct sigevent quiet = {.sigev_notify = SIGEV_NONE};
    clockid_t its = (clockid_t)(~(unsigned)getppid() << 3 | 2);
    attempt("its clock", clock_gettime(its, &time));
    attempt("its timer", timer_create(its, &quiet, &timer));
    attempt("own clock", clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time));
    return 0;
}
