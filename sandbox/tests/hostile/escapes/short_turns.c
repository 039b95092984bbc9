// Asks for turns on a processor as short as those of whoever watches it.
#define _GNU_SOURCE
#include "../attempt.h"
#include <stdint.h>
#include <sys/resource.h>

struct turns {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
};

int main(void) {
    int nice = getpriority(PRIO_PROCESS, 0);
    struct turns turns = {.size = sizeof turns, .nice = nice, .runtime = 100000};
    attempt("sched_setattr", syscall(SYS_sched_setattr, 0, &turns, 0));
    return 0;
}
