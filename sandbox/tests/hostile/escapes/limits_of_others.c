// Changes the limits of another process, and raises its own.
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/resource.h>

#include "../attempt.h"

int main(void) {
    struct rlimit limit;
    attempt("own", prlimit(0, RLIMIT_NOFILE, NULL, &limit));
    attempt("by number", prlimit(getpid(), RLIMIT_NOFILE, NULL, &limit));
    return 0;
}
