// Ends its main thread and spins in another.
#include <pthread.h>
#include <stddef.h>

static void *spin(void *none) {
    for (volatile long i = 0;; i++) {}
    return none;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, spin, NULL);
    pthread_exit(NULL);
}
