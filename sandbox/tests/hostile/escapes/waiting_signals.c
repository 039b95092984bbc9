// Makes timers and sends itself signals until no more can wait.
#define _GNU_SOURCE
#include "../attempt.h"
#include <signal.h>
#include <time.h>

int main(void) {
    timer_t timer;
    struct sigevent quiet = {.sigev_notify = SIGEV_NONE};
    int count = 0;
    while (count < 4096 && timer_create(CLOCK_MONOTONIC, &quiet, &timer) == 0) count++;
    attempt("one more", count < 4096 ? -1 : 0);
    return 0;
}
