// Lets children compute whom nobody waits for, each too short for a look to see it grow.
#define _GNU_SOURCE
#include "../attempt.h"
#include <signal.h>
#include <stdlib.h>
#include <time.h>

static double computed(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

int main(void) {
    signal(SIGCHLD, SIG_IGN);
    int ends[2];
    for (;;) {
        if (pipe(ends) != 0) return 1;
        pid_t child = fork();
        if (child < 0) {
            attempt("fork", child);
            return 0;
        }
        if (child == 0) {
            while (computed() < 4) {
            }
            _exit(0);
        }
        // Its end closes the last writer.
        close(ends[1]);
        char nothing;
        if (read(ends[0], &nothing, 1) != 0) return 1;
        close(ends[0]);
    }
}
