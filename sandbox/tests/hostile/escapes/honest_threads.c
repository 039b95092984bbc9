// Does honest work: threads with names, shared locks, a pipe and an alarm.
#define _GNU_SOURCE
#include "../attempt.h"
#include <fcntl.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/socket.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *add(void *none) {
    prctl(PR_SET_NAME, "adder");
    for (int round = 0; round < 1000; round++) {
        pthread_mutex_lock(&lock);
        sum++;
        pthread_mutex_unlock(&lock);
    }
    return none;
}

int main(void) {
    pthread_t threads[4];
    for (int at = 0; at < 4; at++) pthread_create(&threads[at], NULL, add, NULL);
    for (int at = 0; at < 4; at++) pthread_join(threads[at], NULL);
    int pair[2], flags = 0;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0) flags = fcntl(pair[0], F_GETFL);
    printf("%d %d\n", sum, flags == O_RDWR);
    return 0;
}
