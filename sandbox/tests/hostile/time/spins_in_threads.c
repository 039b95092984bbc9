// Computes in four threads and waits for them.
#include <pthread.h>
#include <stddef.h>

static void *spin(void *none) {
    for (volatile long i = 0;; i++) {}
    return none;
}

int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, spin, NULL);
    pthread_join(threads[0], NULL);
    return 0;
}
