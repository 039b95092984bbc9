// Lends its memory to a child for a while, as every start of another program does: it is not twice
// as much for that.
#define _DEFAULT_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    size_t size = 150UL << 20;
    char *block = malloc(size);
    if (block == NULL) return 1;
    memset(block, 1, size);
    pid_t child = vfork();
    if (child == 0) {
        usleep(300000);
        _exit(0);
    }
    printf("vfork: %s\n", child < 0 && errno == EAGAIN ? "EAGAIN" : "ok");
    return 0;
}
