// Fills memory in four children, each below the limit and each without its main thread.
#define _DEFAULT_SOURCE
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void *fill(void *none) {
    size_t size = 90UL << 20;
    usleep(50000);
    char *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) return none;
    memset(block, 1, size);
    for (;;) pause();
}

int main(void) {
    for (int child = 0; child < 4; child++) {
        pid_t pid = fork();
        if (pid < 0) return 1;
        if (pid == 0) {
            pthread_t thread;
            pthread_create(&thread, NULL, fill, NULL);
            pthread_exit(NULL);
        }
    }
    for (;;) pause();
}
