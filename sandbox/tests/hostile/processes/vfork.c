// Waits inside vfork for a child that never ends.
#define _DEFAULT_SOURCE
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    pid_t child = vfork();
    if (child == 0) {
        for (;;) pause();
    }
    printf("vfork: %s\n", child < 0 && errno == EAGAIN ? "EAGAIN" : "came back");
    return 0;
}
