// Ends its main thread, after which the table of processes shows no memory of it, and fills memory.
#define _DEFAULT_SOURCE
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void *fill(void *none) {
    size_t size = 300UL << 20;
    usleep(50000);
    char *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) return none;
    memset(block, 1, size);
    for (;;) pause();
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, fill, NULL);
    pthread_exit(NULL);
}
