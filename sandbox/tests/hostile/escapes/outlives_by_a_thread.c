// Has a thread become another program, which loses the bond to the helper, and then waits.
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static char **own;

static void *again(void *none) {
    char *words[] = {own[0], "second", NULL};
    execv(own[0], words);
    return none;
}

int main(int count, char **words) {
    own = words;
    pthread_t thread;
    // Without namespaces it stays what it is.
    if (count < 2 && pthread_create(&thread, NULL, again, NULL) == 0) pthread_join(thread, NULL);
    if (write(3, "t", 1) != 1) return 1;
    for (;;) pause();
}
