// Leaves a hint and a lease with a file of its account, where another run would find them.
#define _GNU_SOURCE
#include "../attempt.h"
#include <fcntl.h>

int main(void) {
    unsigned long long hint = 2;
    int file = open(OWN_PROGRAM, O_RDONLY);
    attempt("hint", fcntl(file, 1036, &hint));
    attempt("hint of this one", fcntl(file, 1038, &hint));
    attempt("hint told", fcntl(file, 1035, &hint));
    attempt("lease", fcntl(file, F_SETLEASE, F_RDLCK));
    return 0;
}
