// Has its input sent as a signal to the process that started it.
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "../attempt.h"

int main(void) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return 1;
    attempt("owner", fcntl(pair[0], F_SETOWN, getpid()));
    return 0;
}
