// Watches a folder of the host while it may write to its own.
#define _GNU_SOURCE
#include "../attempt.h"
#include <sys/inotify.h>

int main(void) {
    int watch = inotify_init1(0);
    attempt("watch", watch);
    return 0;
}
