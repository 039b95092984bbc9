// Watches for whoever opens a file of the runtime.
#define _GNU_SOURCE
#include <sys/inotify.h>

#include "../attempt.h"

int main(void) {
    int watch = inotify_init1(0);
    attempt("inotify_init1", watch);
    return 0;
}
