// Fills memory in children that let nobody look into them.
#define _GNU_SOURCE
#include "../attempt.h"
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>

int main(void) {
    for (int child = 0; child < 8; child++) {
        pid_t pid = fork();
        if (pid < 0) return 3;
        if (pid > 0) continue;
        prctl(PR_SET_DUMPABLE, 0);
        const size_t bytes = 24 << 20;
        char *block = malloc(bytes);
        if (block) memset(block, 1, bytes);
        pause();
    }
    while (wait(NULL) > 0) {}
    return 0;
}
