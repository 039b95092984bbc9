// Keeps keys where the next run could find them.
#define _GNU_SOURCE
#include <linux/keyctl.h>

#include "../attempt.h"

int main(void) {
    attempt("keyctl", syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_PROCESS_KEYRING, 1));
    long made = syscall(SYS_add_key, "user", "hostile", "x", 1L, KEY_SPEC_PROCESS_KEYRING);
    attempt("add_key", made);
    long found = syscall(SYS_request_key, "user", "hostile", 0, KEY_SPEC_PROCESS_KEYRING);
    attempt("request_key", found);
    return 0;
}
