// Undoes what ends it together with the helper.
#define _GNU_SOURCE
#include <sys/prctl.h>

#include "../attempt.h"

int main(void) {
    attempt("unbind", prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0));
    return 0;
}
