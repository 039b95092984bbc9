// Enlarges pipes, whose size counts for the account.
#define _GNU_SOURCE
#include "../attempt.h"
#include <fcntl.h>

int main(void) {
    int ends[2];
    if (pipe(ends) != 0) return 1;
    attempt("larger", fcntl(ends[0], F_SETPIPE_SZ, 1 << 18));
    attempt("smaller", fcntl(ends[0], F_SETPIPE_SZ, 4096));
    attempt("size", fcntl(ends[0], F_GETPIPE_SZ));
    return 0;
}
