// Asks for a table of futexes of its own, as large as it likes.
#define _GNU_SOURCE
#include "../attempt.h"
#include <sys/prctl.h>

int main(void) {
    attempt("table", prctl(78, 1, 1UL << 16, 0, 0));
    return 0;
}
