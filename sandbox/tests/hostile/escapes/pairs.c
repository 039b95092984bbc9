// Makes pairs of sockets of every kind there is.
#define _GNU_SOURCE
#include <sys/socket.h>

#include "../attempt.h"

int main(void) {
    int pair[2];
    attempt("datagram", socketpair(AF_UNIX, SOCK_DGRAM, 0, pair));
    attempt("datagram at once", socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair));
    attempt("raw", socketpair(AF_UNIX, SOCK_RAW, 0, pair));
    return 0;
}
