// What the C programs share: says how a call was answered, as `name: ok` or `name: ERRNO`.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// The file of the program that runs.
#define OWN_PROGRAM program_invocation_name

static inline void attempt(const char *name, long result) {
    int error = errno;
    printf("%s: %s\n", name, result >= 0 ? "ok" : strerrorname_np(error));
}
